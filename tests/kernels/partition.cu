// A step of radix sort within a warp: even numbers first, each at a place that votes tell.
extern "C" __global__ void partition(unsigned* numbers) {
  const unsigned number = numbers[threadIdx.x], before = (1u << threadIdx.x) - 1;
  const unsigned odd = __ballot_sync(~0u, number & 1);
  const int place = number & 1 ? __popc(~odd) + __popc(odd & before) : __popc(~odd & before);
  __syncwarp();
  numbers[place] = number;
}
