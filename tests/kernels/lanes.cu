// Lanes exchange values where it depends on what they have read: the sum of all blocks, made by the last one;
// places in a list, for the lanes that have something to put there.
#ifndef MASK
#define MASK voters
#endif
#ifndef FENCE
#define FENCE __threadfence()
#endif

__device__ unsigned done;

extern "C" __global__ void total(const int *in, int *sums, int *out) {
  __shared__ bool is_last;
  int sum = in[blockIdx.x * blockDim.x + threadIdx.x];
  sum += __shfl_xor_sync(~0u, sum, 1);
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    FENCE;
    is_last = atomicAdd(&done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  FENCE;
  sum = sums[threadIdx.x];
  sum += __shfl_xor_sync(~0u, sum, 1);
  if (threadIdx.x == 0) *out = sum;
}

extern "C" __global__ void append(const int *in, unsigned *size, int *list) {
  const int value = in[threadIdx.x];
  const unsigned voters = __ballot_sync(~0u, value > 0);
  if (value > 0) {
    const int leader = __ffs(voters) - 1;
    unsigned place = 0;
    if (threadIdx.x == leader) place = atomicAdd(size, __popc(voters));
    place = __shfl_sync(MASK, place, leader);
    list[place + __popc(voters & ((1u << threadIdx.x) - 1))] = value;
  }
  __syncwarp();
}
