#include "semantics/language/special_registers.hpp"

#include <array>

namespace ptxmc {

std::span<const SpecialRegister> special_registers() {
  // clang-format off
  static constexpr SpecialRegister registers[] = {
      {"10.1", "%tid", ".u32", 4, 0, 10, 0, 16},
      {"10.2", "%ntid", ".u32", 4, 0, 10, 0, 16},
      {"10.3", "%laneid", ".u32", 1, 0, 13},
      {"10.4", "%warpid", ".u32", 1, 0, 13},
      {"10.5", "%nwarpid", ".u32", 1, 0, 20, 20},
      {"10.6", "%ctaid", ".u32", 4, 0, 10, 0, 16},
      {"10.7", "%nctaid", ".u32", 4, 0, 10, 0, 16},
      {"10.8", "%smid", ".u32", 1, 0, 13},
      {"10.9", "%nsmid", ".u32", 1, 0, 20, 20},
      {"10.10", "%gridid", ".u64", 1, 0, 10, 0, 16},
      {"10.11", "%is_explicit_cluster", ".pred", 1, 0, 78, 90},
      {"10.12", "%clusterid", ".u32", 4, 0, 78, 90},
      {"10.13", "%nclusterid", ".u32", 4, 0, 78, 90},
      {"10.14", "%cluster_ctaid", ".u32", 4, 0, 78, 90},
      {"10.15", "%cluster_nctaid", ".u32", 4, 0, 78, 90},
      {"10.16", "%cluster_ctarank", ".u32", 1, 0, 78, 90},
      {"10.17", "%cluster_nctarank", ".u32", 1, 0, 78, 90},
      {"10.18", "%lanemask_eq", ".u32", 1, 0, 20, 20},
      {"10.19", "%lanemask_le", ".u32", 1, 0, 20, 20},
      {"10.20", "%lanemask_lt", ".u32", 1, 0, 20, 20},
      {"10.21", "%lanemask_ge", ".u32", 1, 0, 20, 20},
      {"10.22", "%lanemask_gt", ".u32", 1, 0, 20, 20},
      {"10.23", "%clock", ".u32", 1, 0, 10},
      {"10.23", "%clock_hi", ".u32", 1, 0, 50, 20},
      {"10.24", "%clock64", ".u64", 1, 0, 20, 20},
      {"10.25", "%pm", ".u32", 1, 8, 13},
      {"10.26", "%pm0_64", ".u64", 1, 0, 40, 50},
      {"10.26", "%pm1_64", ".u64", 1, 0, 40, 50},
      {"10.26", "%pm2_64", ".u64", 1, 0, 40, 50},
      {"10.26", "%pm3_64", ".u64", 1, 0, 40, 50},
      {"10.26", "%pm4_64", ".u64", 1, 0, 40, 50},
      {"10.26", "%pm5_64", ".u64", 1, 0, 40, 50},
      {"10.26", "%pm6_64", ".u64", 1, 0, 40, 50},
      {"10.26", "%pm7_64", ".u64", 1, 0, 40, 50},
      {"10.27", "%envreg", ".b32", 1, 32, 21},
      {"10.28", "%globaltimer", ".u64", 1, 0, 31, 30},
      {"10.28", "%globaltimer_lo", ".u32", 1, 0, 31, 30},
      {"10.28", "%globaltimer_hi", ".u32", 1, 0, 31, 30},
      {"10.29", "%reserved_smem_offset_begin", ".b32", 1, 0, 76, 80},
      {"10.29", "%reserved_smem_offset_end", ".b32", 1, 0, 76, 80},
      {"10.29", "%reserved_smem_offset_cap", ".b32", 1, 0, 76, 80},
      {"10.29", "%reserved_smem_offset_", ".b32", 1, 2, 76, 80},
      {"10.30", "%total_smem_size", ".u32", 1, 0, 41, 20},
      {"10.31", "%aggr_smem_size", ".u32", 1, 0, 81, 90},
      {"10.32", "%dynamic_smem_size", ".u32", 1, 0, 41, 20},
      {"10.33", "%current_graph_exec", ".u64", 1, 0, 80, 50},
  };
  // clang-format on
  return registers;
}

}  // namespace ptxmc
