// PTX ISA 8.7 chapter 10.
#include "src/kernel/special_register_values.hpp"

#include "semantics/diagnostic.hpp"
#include "src/kernel/machine.hpp"

namespace ptxmc::kernel {

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
  if (name == "%nsmid" || name == "%gridid" || name == "%nclusterid" || name == "%cluster_nctarank") return 1;
  if (name == "%cluster_nctaid") return 1;
  if (name == "%clusterid") return of(context.cta);
  if (name == "%envreg" && context.launch.is_cooperative)
    throw Unsupported("%envreg of a cooperative launch", {});
  return 0;
}

std::uint64_t Machine::special_value(const syntax::LoweredRegister& r) const {
  return special_register_value(r, {launch_, module_, thread_->cta->index, thread_->number});
}

void Machine::set_special_registers(Frame& entered) {
  const auto& registers = entered.function->lowered.registers;
  for (RegisterId id = 0; id < registers.size(); ++id)
    if (registers[id].special != nullptr)
      entered.registers[id] = Bits(registers[id].width, special_value(registers[id]));
}

/// Clocks and timers: unknown values that do not decrease; here, the instructions executed so far.
void Machine::set_clocks(Frame& current) {
  for (const RegisterId id : current.function->clocks) {
    const syntax::LoweredRegister& r = current.function->lowered.registers[id];
    const bool is_upper_half = r.special->name.ends_with("_hi");
    current.registers[id] = Bits(r.width, is_upper_half ? steps_ >> 32 : steps_);
  }
}

}  // namespace ptxmc::kernel
