// Blocks meet at a counter, then read what the others wrote.
#include <cassert>
#include <cuda/atomic>

#ifndef EXPECTED
#define EXPECTED gridDim.x
#endif

extern "C" __global__ void meeting(int *data, unsigned *arrived) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> counter(*arrived);
  data[blockIdx.x] = blockIdx.x + 1;
  counter.fetch_add(1, cuda::memory_order_acq_rel);
  while (counter.load(cuda::memory_order_acquire) < EXPECTED) {
  }
  assert(data[blockIdx.x ^ 1] == (blockIdx.x ^ 1) + 1);
}
