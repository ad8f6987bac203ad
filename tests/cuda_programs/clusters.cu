// Thread block clusters and distributed shared memory.
// architectures: sm_90 sm_100
#include <cooperative_groups.h>

__global__ void __cluster_dims__(4, 1, 1) neighbours(int* out) {
  __shared__ int mine;
  const auto cluster = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) mine = static_cast<int>(cluster.block_rank());
  cluster.sync();
  out[cluster.block_rank()] = *cluster.map_shared_rank(&mine, (cluster.block_rank() + 1) % 4);
  cluster.barrier_arrive();
  cluster.barrier_wait();
}
