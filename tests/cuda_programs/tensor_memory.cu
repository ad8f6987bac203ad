// cuda::ptx for tensor memory and cluster launch control.
// architectures: sm_100a
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) tensor_memory(std::uint32_t* out, std::uint64_t a, std::uint64_t b) {
  __shared__ alignas(16) std::uint32_t address;
  __shared__ alignas(16) std::uint64_t response[2];
  __shared__ alignas(8) std::uint64_t barrier;
  if (threadIdx.x < 32) ptx::tcgen05_alloc(ptx::cta_group_1, &address, 32);
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
  ptx::tcgen05_mma(ptx::kind_f16, ptx::cta_group_1, address, a, b, 0, true);
  ptx::tcgen05_commit(ptx::cta_group_1, &barrier);
  std::uint32_t values[4];
  ptx::tcgen05_ld_32x32b(values, address);
  ptx::tcgen05_wait_ld();
  ptx::tcgen05_fence_before_thread_sync();
  ptx::clusterlaunchcontrol_try_cancel(response, &barrier);
  out[threadIdx.x] = values[0] + values[3];
  if (threadIdx.x < 32) ptx::tcgen05_dealloc(ptx::cta_group_1, address, 32);
}
