// One block writes a message and raises a flag; the other waits for the flag and reads the message.
#include <cassert>
#include <cuda/atomic>

#ifndef ORDER
#define ORDER cuda::memory_order_release
#endif

extern "C" __global__ void mailbox(int *message, int *flag) {
  cuda::atomic_ref<int, cuda::thread_scope_device> raised(*flag);
  if (blockIdx.x == 0) {
    *message = 42;
    raised.store(1, ORDER);
  } else {
    while (raised.load(cuda::memory_order_acquire) == 0) {
    }
    assert(*message == 42);
  }
}
