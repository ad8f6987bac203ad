// Cooperative groups: tiles, coalesced threads, reductions, grid synchronization.
// architectures: sm_75 sm_80 sm_90 sm_100
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace groups = cooperative_groups;

__global__ void reductions(int* data) {
  const auto block = groups::this_thread_block();
  const auto tile = groups::tiled_partition<8>(block);
  const auto warp = groups::tiled_partition<32>(block);
  int value = groups::reduce(tile, data[block.thread_rank()], groups::plus<int>());
  value += groups::exclusive_scan(warp, value) + warp.shfl_xor(value, 4) + warp.match_any(value);
  if (value > 3) {
    const auto active = groups::coalesced_threads();
    value += active.size() + active.any(value == 7) + active.ballot(value == 9);
  }
  block.sync();
  groups::this_grid().sync();
  data[block.thread_rank()] = value;
}
