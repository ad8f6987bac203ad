// Thread 0 hands out the indices of tiles in shared memory, and -1 at the end. The other threads work until then.
// With EARLY, thread 0 writes the end before the others have taken the last tile.
#include <cstdint>

#ifndef EARLY
#define EARLY 0
#endif

__device__ uint32_t shared_address(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ void init(uint64_t* bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(count) : "memory");
}
__device__ void arrive(uint64_t* bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(bar)) : "memory");
}
__device__ void wait(uint64_t* bar, uint32_t parity) {
  uint32_t done;
  do
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(done) : "r"(shared_address(bar)), "r"(parity) : "memory");
  while (!done);
}

extern "C" __global__ void handout(int* out) {
  __shared__ int next;
  __shared__ __align__(8) uint64_t full, empty;
  const int workers = blockDim.x - 1;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, workers);
  }
  __syncthreads();
  uint32_t parity = 0;
  if (threadIdx.x == 0) {
    for (int i = 0; i <= 2; ++i) {
      if (i > 0) {
        wait(&empty, parity);
        parity ^= 1;
      }
      next = i < 2 ? i : -1;
      arrive(&full);
      if (EARLY && i == 1) next = -1;
    }
    return;
  }
  while (true) {
    wait(&full, parity);
    parity ^= 1;
    const int tile = next;
    if (tile < 0) break;
    arrive(&empty);
    out[tile * workers + threadIdx.x - 1] = tile;
  }
}
