// One block waits until another one says that its data is there.
#include <cassert>
#include <cuda/atomic>

#ifndef ANNOUNCED
#define ANNOUNCED 1
#endif

extern "C" __global__ void announce(int* flag, int* data) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0) {
    *data = 7;
    ready.store(ANNOUNCED, cuda::memory_order_release);
    ready.notify_all();
  } else {
    ready.wait(0, cuda::memory_order_acquire);
    assert(*data == 7);
  }
}
