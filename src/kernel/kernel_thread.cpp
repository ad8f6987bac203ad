#include "src/kernel/kernel_thread.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "semantics/address_windows.hpp"
#include "semantics/form.hpp"

namespace ptxmc::kernel {

namespace {

constexpr std::uint64_t parameter_window = window_of(StateSpace::param);
constexpr std::uint64_t local_window = window_of(StateSpace::local);

/// The registers of a call are named by operands that are no operands of the instruction.
RegisterUse use_of_call(const LoadedFunction& loaded, const syntax::Instruction& call) {
  RegisterUse use;
  const auto add = [&](const syntax::Operand& operand, std::vector<RegisterId>& into) {
    const auto* named = std::get_if<syntax::NameOperand>(&operand.is);
    if (named == nullptr) return;
    if (const auto id = find_register(loaded, named->name)) into.push_back(*id);
  };
  const CallParts parts = parts_of(call);
  add(*parts.callee, use.data);
  if (parts.returns != nullptr)
    for (const syntax::Operand& operand : parts.returns->list) add(operand, use.written);
  if (parts.arguments != nullptr)
    for (const syntax::Operand& operand : parts.arguments->list) add(operand, use.data);
  return use;
}

}  // namespace

const KernelFunction& UnfoldingLaunch::function(const LoadedFunction& loaded) {
  auto& known = functions[&loaded];
  if (known) return *known;
  const auto& code = loaded.lowered.code;
  auto uses = register_uses(code);
  for (const auto& [at, call] : loaded.calls) uses[at] = use_of_call(loaded, *call);
  const auto number = static_cast<unsigned>(functions.size());
  known = std::make_unique<KernelFunction>(KernelFunction{
      function_body(code, std::move(uses), loaded.lowered.registers.size(), {}, number), &loaded});
  // A clock has no value from one iteration of a loop to the next.
  for (auto& live : known->live)
    for (const RegisterId clock : loaded.clocks) live[clock] = false;
  return *known;
}

KernelThread::KernelThread(EventStructure& structure, TermGraph& graph, int thread,
                           const UnfoldOptions& options, UnfoldingLaunch& launch,
                           const KernelThreadStart& start)
    : ThreadUnfolder(structure, graph, thread, options), launch_(launch), start_(start) {}

void KernelThread::run() {
  const LoadedFunction& entry = launch_.module.load(*start_.entry, 0, start_.place.rank);
  Path path;
  path.stack = first_stack_address;
  push_frame(path, entry);
  for (const auto& block : launch_.constants) path.memory.share(block);
  for (std::size_t i = 0; i < start_.parameters.size(); ++i) {
    PrivateBlock block;
    block.name = std::string(symbol(entry.parameters[i].symbol).name);
    block.address = parameter_window + entry.parameters[i].address;
    block.is_constant = true;
    block.may_be_unwritten = false;
    for (const Bits& byte : start_.parameters[i]) block.bytes.push_back({byte, Bits::boolean(true)});
    path.memory.add(std::move(block));
  }
  start(std::move(path));
  unfold();
  note_end();
}

/// A new function at the top, with registers and variables that hold unknown values.
void KernelThread::push_frame(Path& path, const LoadedFunction& loaded) const {
  UnfoldingFrame frame;
  const KernelFunction& function = launch_.function(loaded);
  frame.body = &function;
  frame.condition_at_entry = path.condition;
  frame.stack_at_entry = path.stack;
  const auto& registers = loaded.lowered.registers;
  for (RegisterId id = 0; id < registers.size(); ++id)
    frame.registers.push_back(initial_register(registers[id], function.live.front()[id]));
  frame.sources.assign(registers.size(), 0);
  path.frames.push_back(std::move(frame));
  add_variables(path, loaded);
}

Bits KernelThread::initial_register(const syntax::LoweredRegister& r, bool may_be_read) const {
  if (r.special != nullptr) return Bits(r.width, special_register_value(r, start_.context));
  return may_be_read ? graph_.variable(r.width, "unwritten " + r.name) : Bits(r.width, 0);
}

void KernelThread::add_variables(Path& path, const LoadedFunction& loaded) const {
  const std::size_t formals = loaded.function->returns.size() + loaded.function->parameters.size();
  for (std::size_t i = 0; i < loaded.parameters.size(); ++i) {
    const syntax::Symbol& variable = symbol(loaded.parameters[i].symbol);
    PrivateBlock block = private_block(
        std::string(variable.name), parameter_window + loaded.parameters[i].address, variable.size, graph_);
    block.may_be_unwritten = false;
    block.is_in_passing = i >= formals;
    path.memory.add(std::move(block));
  }
  for (const FunctionVariable& local : loaded.locals) {
    if (symbol(local.symbol).size > most_private_bytes)
      throw Unsupported(fmt::format("local memory of {} bytes (more than {})", symbol(local.symbol).size,
                                    most_private_bytes),
                        {});
    path.memory.add(private_block(std::string(symbol(local.symbol).name), local_window + local.address,
                                  symbol(local.symbol).size, graph_));
  }
}

void KernelThread::run_instruction(Target node) {
  node_ = node;
  read_clocks();
  switch (loaded().treatments[node]) {
    case Treatment::call:
      return call_at(node);
    case Treatment::stack:
      return stack_instruction();
    case Treatment::integer_division:
      return divide();
    case Treatment::rule:
      return ThreadUnfolder::run_instruction(node);
  }
}

/// PTX ISA 8.7 § 10.23, § 10.28: unknown values that do not decrease.
void KernelThread::read_clocks() {
  if (loaded().clocks.empty()) return;
  const auto& used = register_use(*instruction_).data;
  std::optional<Bits> clock, timer;
  for (const RegisterId id : loaded().clocks) {
    if (std::ranges::find(used, id) == used.end()) continue;
    const syntax::LoweredRegister& r = loaded().lowered.registers[id];
    const bool is_timer = r.special->name.starts_with("%globaltimer");
    auto& now = is_timer ? timer : clock;
    Bits& last = is_timer ? path_.timer : path_.clock;
    if (!now) {
      const Bits any = graph_.variable(64, std::string(r.special->name));
      note_clock(any);
      note_choice();
      now = last = ite(less_unsigned(any, last), last, any);
    }
    const bool is_upper_half = r.special->name.ends_with("_hi");
    path_.frame().registers[id] = now->extract(is_upper_half ? 32 : 0, r.width);
  }
}

/// PTX ISA 8.7 § 9.7.1.8: the result of a division by zero is unspecified.
void KernelThread::divide() {
  const Operand& operand = instruction_->operands[2];
  const auto* r = std::get_if<Operand::Register>(&operand.is);
  const auto* number = std::get_if<Operand::Immediate>(&operand.is);
  const Bits divisor = (r != nullptr ? path_.frame().registers[r->id] : number->value)
                           .resize_unsigned(instruction_->form->width());
  ThreadUnfolder::run_instruction(0);
  const auto* result = std::get_if<Operand::Register>(&instruction_->operands[0].is);
  const Bits is_zero = equal(divisor, Bits(divisor.width(), 0));
  if (result == nullptr || is_zero.is_false()) return;
  Bits& value = path_.frame().registers[result->id];
  value = ite(is_zero, graph_.variable(value.width(), "division by zero"), value);
}

}  // namespace ptxmc::kernel
