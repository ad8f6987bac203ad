// cuda::ptx: barriers in memory, operations on other blocks, bulk copies, fences between proxies, clusters.
// architectures: sm_90 sm_90a sm_100a
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) copies(int* global, const int* source, unsigned* rank) {
  __shared__ alignas(16) int buffer[64];
  __shared__ alignas(8) std::uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, buffer, source, sizeof buffer, &barrier);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, sizeof buffer);
  }
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, &barrier, 0)) {
  }
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, global, buffer, sizeof buffer);
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, global, buffer, sizeof buffer);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    ptx::fence(ptx::sem_acq_rel, ptx::scope_cluster);
    *rank = ptx::get_sreg_cluster_ctarank();
  }
  ptx::st_async(buffer, 3, &barrier);
  ptx::red_async(ptx::op_add, buffer, 4, &barrier);
}
