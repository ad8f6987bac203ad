// A persistent kernel whose CTAs go on with the tiles of CTAs that they cancel (PTX ISA 8.7 § 9.7.13.17): thread 0
// asks, and all threads wait for the response.
#include <cstdint>

__device__ uint32_t shared_address(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

extern "C" __global__ void tiles(int* out) {
  __shared__ __align__(16) uint4 response;
  __shared__ __align__(8) uint64_t bar;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&bar)) : "memory");
  int tile = blockIdx.x;
  uint32_t phase = 0, is_cancelled = 0;
  do {
    __syncthreads();
    if (threadIdx.x == 0)
      asm volatile(
          "fence.proxy.async.shared::cta;\n"
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%1], 16;\n"
          "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%1];"
          ::"r"(shared_address(&response)), "r"(shared_address(&bar)) : "memory");
    out[tile * blockDim.x + threadIdx.x] = tile;
    uint32_t done;
    do
      asm volatile(
          "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
          : "=r"(done) : "r"(shared_address(&bar)), "r"(phase) : "memory");
    while (!done);
    phase ^= 1;
    asm volatile(
        "{ .reg .b128 h; .reg .pred p; ld.shared.b128 h, [%2];\n"
        "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, h; selp.u32 %0, 1, 0, p;\n"
        "@p clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %1, h; }"
        : "=r"(is_cancelled), "+r"(tile) : "r"(shared_address(&response)) : "memory");
  } while (is_cancelled);
}
