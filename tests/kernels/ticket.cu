// A ticket lock: whose turn it is, is seen with what the one before has done.
#include <cuda/atomic>

#ifndef WAIT_ORDER
#define WAIT_ORDER cuda::memory_order_acquire
#endif

extern "C" __global__ void ticket(unsigned *tickets, unsigned *turn, int *counter) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> next(*tickets);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> served(*turn);
  const unsigned mine = next.fetch_add(1, cuda::memory_order_relaxed);
  while (served.load(WAIT_ORDER) != mine) {
  }
  *counter = *counter + 1;
  served.store(mine + 1, cuda::memory_order_release);
}
