// A ring of two slots between a warp that produces and warps that consume.
#include <cstdint>

#ifndef PARITY
#define PARITY 1
#endif
#ifndef MISSING
#define MISSING 0
#endif
constexpr int slots = 2, items = 5;

__device__ uint32_t place(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ void init(uint64_t* b, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place(b)), "r"(count) : "memory");
}
__device__ void arrive(uint64_t* b) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place(b)) : "memory");
}
__device__ void wait(uint64_t* b, uint32_t parity) {
  uint32_t is_over;
  do {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(is_over) : "r"(place(b)), "r"(parity) : "memory");
  } while (is_over == 0);
}

extern "C" __global__ void ring(int* out) {
  __shared__ uint64_t full[slots], empty[slots];
  __shared__ int content[slots][32];
  const int t = threadIdx.x;
  if (t == 0)
    for (int slot = 0; slot < slots; ++slot) {
      init(&full[slot], 32);
      init(&empty[slot], blockDim.x - 32 + MISSING);
    }
  __syncthreads();
  int sum = 0;
#pragma unroll 1
  for (int item = 0; item < items; ++item) {
    const int slot = item % slots, round = item / slots;
    if (t < 32) {
      wait(&empty[slot], (round + PARITY) & 1);
      content[slot][t] = 100 * item + t;
      arrive(&full[slot]);
    } else {
      wait(&full[slot], round & 1);
      sum += content[slot][t % 32];
      arrive(&empty[slot]);
    }
  }
  if (t >= 32) out[t - 32] = sum;
}
