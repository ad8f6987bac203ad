// A queue for one producer and one consumer with two slots.
#include <cassert>
#include <cuda/atomic>

#ifndef PUBLISH
#define PUBLISH cuda::memory_order_release
#endif

extern "C" __global__ void queue(int *slots, int *indices) {
  cuda::atomic_ref<int, cuda::thread_scope_device> tail(indices[0]);
  cuda::atomic_ref<int, cuda::thread_scope_device> head(indices[1]);
#pragma unroll 1
  for (int i = 0; i < 3; ++i) {
    if (blockIdx.x == 0) {
      while (i - head.load(cuda::memory_order_acquire) >= 2) {
      }
      slots[i & 1] = i + 1;
      tail.store(i + 1, PUBLISH);
    } else {
      while (tail.load(cuda::memory_order_acquire) <= i) {
      }
      assert(slots[i & 1] == i + 1);
      head.store(i + 1, cuda::memory_order_release);
    }
  }
}
