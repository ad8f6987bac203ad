// PTX ISA 8.7 chapter 10.
#include "src/kernel/module/special_register_values.hpp"

#include <fmt/format.h>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/special_registers.hpp"
#include "src/kernel/module/launch_shape.hpp"

namespace ptxmc::kernel {

namespace {

Bits number(std::uint64_t value) { return {64, value}; }

Bits coordinate(const ThreadPosition::Index& index, unsigned i) {
  return i < 3 ? index[i].zero_extend(64) : number(0);
}

/// § 10.12 to § 10.17. A launch without clusters has clusters of one CTA.
Bits cluster_value(std::string_view name, unsigned i, const ThreadContext& context) {
  const ThreadPosition& position = context.position;
  const auto size = [&](std::size_t k) { return number(context.cluster[k]); };
  const auto place = [&](std::size_t k) {
    return remainder_unsigned(coordinate(position.ctaid, static_cast<unsigned>(k)), size(k));
  };
  if (name == "%cluster_ctarank") return place(0) + size(0) * (place(1) + size(1) * place(2));
  if (name == "%cluster_nctarank") return number(volume(context.cluster));
  if (i >= 3) return number(0);
  if (name == "%clusterid") return divide_unsigned(coordinate(position.ctaid, i), size(i));
  if (name == "%nclusterid") return divide_unsigned(coordinate(position.nctaid, i), size(i));
  return name == "%cluster_ctaid" ? place(i) : size(i);
}

/// § 10.27: registers of the driver, which give the address of the grid's workspace in a cooperative launch.
std::uint64_t environment_value(std::uint32_t index, const ThreadContext& context) {
  if (index == 1) return context.grid_workspace >> 32;
  return index == 2 ? context.grid_workspace & 0xffffffff : 0;
}

/// § 10.18 to § 10.22.
Bits lane_mask(std::string_view relation, const Bits& lane) {
  const Bits one = shift_left(number(1), lane), all = number(0xffffffff);
  if (relation == "eq") return one;
  if (relation == "lt") return one - number(1);
  if (relation == "le") return shift_left(number(2), lane) - number(1);
  if (relation == "ge") return shift_left(all, lane) & all;
  return shift_left(number(~std::uint64_t{0}), lane + number(1)) & all;
}

std::uint64_t shared_memory_size(const ThreadContext& context) {
  std::uint64_t size = 0;
  for (const Allocation& variable : context.module.shared.all())
    size += context.module.shared_bytes(variable, context.dynamic_shared);
  return size;
}

/// 64 bits.
Bits value_of(const syntax::LoweredRegister& r, const ThreadContext& context) {
  constexpr std::string_view mask = "%lanemask_";
  constexpr unsigned lanes = 32;
  const std::string_view name = r.special->name;
  const ThreadPosition& position = context.position;
  if (name == "%tid") return coordinate(position.tid, r.element);
  if (name == "%ntid") return coordinate(position.ntid, r.element);
  if (name == "%ctaid") return coordinate(position.ctaid, r.element);
  if (name == "%nctaid") return coordinate(position.nctaid, r.element);
  const Bits thread = position.number().zero_extend(64);
  const Bits lane = thread & number(lanes - 1);
  if (name == "%laneid") return lane;
  if (name == "%warpid") return divide_unsigned(thread, number(lanes));
  if (name == "%nwarpid") {
    const Bits threads = position.ntid[0] * position.ntid[1] * position.ntid[2];
    return divide_unsigned(threads.zero_extend(64) + number(lanes - 1), number(lanes));
  }
  if (name.starts_with(mask)) return lane_mask(name.substr(mask.size()), lane);
  const bool is_size_of_shared = name == "%dynamic_smem_size" || name == "%total_smem_size";
  if (is_size_of_shared && !context.launch.dynamic_shared_length.empty())
    throw Unsupported(fmt::format("{} of an open size", name), {});
  if (name == "%dynamic_smem_size") return number(context.dynamic_shared);
  if (name == "%total_smem_size") return number(shared_memory_size(context));
  if (name == "%nsmid" || name == "%gridid") return number(1);
  if (name.starts_with("%cluster") || name == "%nclusterid") return cluster_value(name, r.element, context);
  if (name == "%is_explicit_cluster") return number(context.has_explicit_clusters ? 1 : 0);
  if (name == "%envreg") return number(environment_value(r.index, context));
  return number(0);
}

}  // namespace

ThreadPosition position_of(const Dimensions& grid, const Dimensions& block, const Dimensions& cta,
                           std::uint32_t number) {
  const auto known = [](const Dimensions& d) -> ThreadPosition::Index {
    return {Bits(32, d[0]), Bits(32, d[1]), Bits(32, d[2])};
  };
  return {known(position_in(number, block)), known(block), known(cta), known(grid)};
}

Bits special_register_value(const syntax::LoweredRegister& r, const ThreadContext& context) {
  return value_of(r, context).resize_unsigned(r.width);
}

}  // namespace ptxmc::kernel
