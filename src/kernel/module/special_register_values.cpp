// PTX ISA 8.7 chapter 10.
#include "src/kernel/module/special_register_values.hpp"

#include "semantics/language/special_registers.hpp"

namespace ptxmc::kernel {

namespace {

/// § 10.12 to § 10.17. A launch without clusters has clusters of one CTA.
std::uint64_t cluster_value(std::string_view name, unsigned i, const ThreadContext& context) {
  const Dimensions &shape = context.cluster, &cta = context.cta;
  if (name == "%cluster_ctarank")
    return cta[0] % shape[0] + shape[0] * (cta[1] % shape[1] + shape[1] * (cta[2] % shape[2]));
  if (name == "%cluster_nctarank") return volume(shape);
  if (i >= 3) return 0;
  if (name == "%clusterid") return cta[i] / shape[i];
  if (name == "%nclusterid") return context.launch.grid[i] / shape[i];
  return name == "%cluster_ctaid" ? cta[i] % shape[i] : shape[i];
}

/// § 10.27: registers of the driver, which give the address of the grid's workspace in a cooperative launch.
std::uint64_t environment_value(std::uint32_t index, const ThreadContext& context) {
  if (index == 1) return context.grid_workspace >> 32;
  return index == 2 ? context.grid_workspace & 0xffffffff : 0;
}

}  // namespace

std::uint64_t special_register_value(const syntax::LoweredRegister& r, const ThreadContext& context) {
  const std::string_view name = r.special->name;
  const unsigned i = r.element;
  const auto of = [&](const Dimensions& d) -> std::uint64_t { return i < 3 ? d[i] : 0; };
  const Dimensions& block = context.launch.block;
  const std::uint32_t thread = context.thread, lane = thread % 32;
  const std::uint64_t one = 1;
  if (name == "%tid")
    return of({thread % block[0], thread / block[0] % block[1], thread / block[0] / block[1]});
  if (name == "%ntid") return of(block);
  if (name == "%ctaid") return of(context.cta);
  if (name == "%nctaid") return of(context.launch.grid);
  if (name == "%laneid") return lane;
  if (name == "%warpid") return thread / 32;
  if (name == "%nwarpid") return (volume(block) + 31) / 32;
  if (name == "%lanemask_eq") return one << lane;
  if (name == "%lanemask_lt") return (one << lane) - 1;
  if (name == "%lanemask_le") return (one << (lane + 1)) - 1;
  if (name == "%lanemask_ge") return (~std::uint64_t{0} << lane) & 0xffffffff;
  if (name == "%lanemask_gt") return (~std::uint64_t{0} << (lane + 1)) & 0xffffffff;
  if (name == "%dynamic_smem_size") return context.launch.dynamic_shared;
  if (name == "%total_smem_size") {
    std::uint64_t size = 0;
    for (const Allocation& variable : context.module.shared.all()) size += variable.bytes.size();
    return size;
  }
  if (name == "%nsmid" || name == "%gridid") return 1;
  if (name.starts_with("%cluster") || name == "%nclusterid") return cluster_value(name, i, context);
  if (name == "%is_explicit_cluster") return context.has_explicit_clusters ? 1 : 0;
  if (name == "%envreg") return environment_value(r.index, context);
  return 0;
}

}  // namespace ptxmc::kernel
