// A lock that one writer or several readers hold.
#include <cassert>
#include <cuda/atomic>

#ifndef LEAVE_ORDER
#define LEAVE_ORDER cuda::memory_order_release
#endif

extern "C" __global__ void rwlock(int* holders, int* pair) {
  cuda::atomic_ref<int, cuda::thread_scope_device> lock(*holders);
  if (blockIdx.x == 0) {
    int none = 0;
    while (!lock.compare_exchange_weak(none, -1, cuda::memory_order_acquire, cuda::memory_order_relaxed)) none = 0;
    ++pair[0];
    ++pair[1];
    lock.store(0, cuda::memory_order_release);
    return;
  }
  int seen = lock.load(cuda::memory_order_relaxed);
  while (seen < 0 || !lock.compare_exchange_weak(seen, seen + 1, cuda::memory_order_acquire, cuda::memory_order_relaxed))
    if (seen < 0) seen = lock.load(cuda::memory_order_relaxed);
  const int first = pair[0], second = pair[1];
  lock.fetch_sub(1, LEAVE_ORDER);
  assert(first == second);
}
