// A barrier of the whole grid, passed twice: threads of a block meet, one of them meets the other blocks.
#include <cassert>
#include <cuda/atomic>

#ifndef ARRIVE_ORDER
#define ARRIVE_ORDER cuda::memory_order_acq_rel
#endif

__device__ void meet(cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived, unsigned all) {
  __syncthreads();
  if (threadIdx.x == 0) {
    arrived.fetch_add(1, ARRIVE_ORDER);
    while (arrived.load(cuda::memory_order_acquire) < all) {
    }
  }
  __syncthreads();
}

extern "C" __global__ void rounds(unsigned *arrived, int *values) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> barrier(*arrived);
  const unsigned threads = gridDim.x * blockDim.x, own = blockIdx.x * blockDim.x + threadIdx.x;
  values[own] = 1;
  meet(barrier, gridDim.x);
  const int next = values[(own + 1) % threads];
  meet(barrier, 2 * gridDim.x);
  values[own] = next + 1;
  assert(next == 1);
}
