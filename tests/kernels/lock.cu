// A spin lock around a plain counter.
#include <cuda/atomic>

#ifndef UNLOCK_ORDER
#define UNLOCK_ORDER cuda::memory_order_release
#endif

extern "C" __global__ void lock(int *taken, int *counter) {
  cuda::atomic_ref<int, cuda::thread_scope_device> mutex(*taken);
  while (mutex.exchange(1, cuda::memory_order_acquire) != 0) {
  }
  *counter = *counter + 1;
  mutex.store(0, UNLOCK_ORDER);
}
