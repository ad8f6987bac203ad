// Each thread adds to its bin and thread 0 of a block counts the block; the last block reads all bins.
#include <cassert>

extern "C" __global__ void lastblock(int *bins, int *count) {
  __shared__ bool is_last;
  const int t = threadIdx.x;
  atomicAdd(&bins[t], 2);
  __threadfence();
#ifndef NO_BARRIER
  __syncthreads();
#endif
  if (t == 0) {
    is_last = atomicAdd(count, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last) assert(bins[t] == 2 * gridDim.x);
}
