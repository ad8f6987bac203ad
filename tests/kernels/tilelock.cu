// Thread 0 of a block takes a lock, the threads of the block add to a tile, and thread 0 gives the lock back.
#include <cuda/atomic>

extern "C" __global__ void tilelock(int *taken, int *tile) {
  cuda::atomic_ref<int, cuda::thread_scope_device> lock(*taken);
  const int t = threadIdx.x;
  if (t == 0)
    while (lock.exchange(1, cuda::memory_order_acquire) != 0) {
    }
  __syncthreads();
  tile[t] = tile[t] + 1;
#ifndef NO_BARRIER
  __syncthreads();
#endif
  if (t == 0) lock.store(0, cuda::memory_order_release);
}
