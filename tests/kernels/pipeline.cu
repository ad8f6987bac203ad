// Bulk copies bring items into two slots of shared memory, where the threads double them.
#include <cstdint>

#ifndef BYTES
#define BYTES sizeof(slots[0])
#endif
#ifndef FENCE
#define FENCE "fence.proxy.async.shared::cta;"
#endif
constexpr int items = 3;

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
__device__ void copy(int* slot, const int* item, uint64_t* full) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];"
      ::"r"(place(slot)), "l"(item), "r"(place(full)) : "memory");
}

extern "C" __global__ void pipeline(const int* in, int* out) {
  __shared__ alignas(16) int slots[2][4];
  __shared__ uint64_t full[2], empty[2];
  const int t = threadIdx.x;
  if (t == 0) {
    for (int s = 0; s < 2; ++s) {
      init(&full[s], 1);
      init(&empty[s], blockDim.x);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
#pragma unroll 1
  for (int item = 0; item < items + 1; ++item) {
    if (t == 0 && item < items) {
      const int s = item % 2;
      wait(&empty[s], (item / 2 + 1) & 1);
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                   ::"r"(place(&full[s])), "r"((uint32_t)(BYTES)) : "memory");
      copy(slots[s], in + 4 * item, &full[s]);
    }
    if (item > 0) {
      const int s = (item - 1) % 2;
      wait(&full[s], (item - 1) / 2 & 1);
      slots[s][t] *= 2;
      out[4 * (item - 1) + t] = slots[s][t];
      asm volatile(FENCE ::: "memory");
      arrive(&empty[s]);
    }
  }
}
