// A barrier with a thread count, and then a vote of those that have not left: the lane that counts first leaves. With
// ASKS_FOR_FIRST the others ask for it.
#include <cassert>

extern "C" __global__ void leaver(int *count, int *out) {
  __shared__ int value;
  if (threadIdx.x == 0) value = 1;
  asm volatile("barrier.sync 1, 32;" ::: "memory");
  out[threadIdx.x] = value;
  const int before = atomicAdd(count, 1);
  if (before == 0) return;
#ifdef ASKS_FOR_FIRST
  const int found = __any_sync(7, before == 0);
#else
  const int found = __any_sync(7, before == 2);
#endif
  assert(found);
}
