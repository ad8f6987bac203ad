// Threads of a warp add up by shuffles; the block that comes last adds up what the blocks have.
#include <cassert>
#include <cuda/atomic>

#ifndef COUNT_ORDER
#define COUNT_ORDER cuda::memory_order_acq_rel
#endif

extern "C" __global__ void total(const int *in, int *sums, unsigned *ready, int *out) {
  int sum = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int step = 4; step > 0; step /= 2) sum += __shfl_down_sync(0xffU, sum, step);
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] = sum;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived(*ready);
  if (arrived.fetch_add(1, COUNT_ORDER) != gridDim.x - 1) return;
  int all = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) all += sums[block];
  *out = all;
  assert(all == 24);
}
