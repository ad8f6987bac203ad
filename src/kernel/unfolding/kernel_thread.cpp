#include "src/kernel/unfolding/kernel_thread.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "semantics/language/address_windows.hpp"
#include "semantics/language/form.hpp"

namespace ptxmc::kernel {

namespace {

/// The registers of a call, which are not operands of the instruction.
RegisterUse use_of_call(const syntax::LoweredCall& call) {
  RegisterUse use;
  if (call.pointer) use.data.push_back(*call.pointer);
  for (const syntax::PassedValue& value : call.returns)
    use.written.insert(use.written.end(), value.registers.begin(), value.registers.end());
  for (const syntax::PassedValue& value : call.arguments)
    use.data.insert(use.data.end(), value.registers.begin(), value.registers.end());
  return use;
}

/// The registers that a function returns; its caller receives them when it ends.
std::vector<RegisterId> returned_registers(const LoadedFunction& loaded) {
  std::vector<RegisterId> result;
  for (const syntax::PassedValue& value : loaded.lowered.returns)
    result.insert(result.end(), value.registers.begin(), value.registers.end());
  return result;
}

}  // namespace

const KernelFunction& UnfoldingLaunch::function(const LoadedFunction& loaded) {
  auto& known = functions[&loaded];
  if (known) return *known;
  const auto& code = loaded.lowered.code;
  auto uses = register_uses(code);
  for (const auto& [at, call] : loaded.calls) uses[at] = use_of_call(*call);
  const auto returned = returned_registers(loaded);
  for (Target at = 0; at < code.size(); ++at)
    if (code[at].form->line->opcode == "ret") uses[at].data = returned;
  const auto number = static_cast<unsigned>(functions.size());
  known = std::make_unique<KernelFunction>(KernelFunction{
      function_body(code, std::move(uses), loaded.lowered.registers.size(), returned, number), &loaded});
  // The value of a clock does not persist from one iteration of a loop to the next.
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
    block.name = std::string(symbol(entry.variables[i].symbol).name);
    block.address = entry.variables[i].generic_address();
    block.is_constant = true;
    block.may_be_unwritten = false;
    for (const Bits& byte : start_.parameters[i]) block.bytes.push_back({byte, Bits::boolean(true)});
    path.memory.add(std::move(block));
  }
  start(std::move(path), start_.first);
  unfold();
  note_end();
}

/// Adds a frame for a function, with unknown values in registers and variables.
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
  if (r.special != nullptr) return special_register_value(r, start_.context);
  return may_be_read ? graph_.variable(r.width, "unwritten " + r.name) : Bits(r.width, 0);
}

void KernelThread::add_variables(Path& path, const LoadedFunction& loaded) const {
  using Kind = FunctionVariable::Kind;
  for (const FunctionVariable& variable : loaded.variables) {
    if (variable.kind == Kind::entry_parameter) continue;  // these hold the passed values
    const syntax::Symbol& declared = symbol(variable.symbol);
    if (declared.size > most_private_bytes)
      throw Unsupported(
          fmt::format("local memory of {} bytes (more than {})", declared.size, most_private_bytes),
          launch_.module.module().position(declared.name));
    PrivateBlock block =
        private_block(std::string(declared.name), variable.generic_address(), declared.size, graph_);
    block.may_be_unwritten = variable.kind == Kind::local;
    block.is_in_passing = variable.kind == Kind::passed;
    if (block.may_be_unwritten) note_unwritten(block);
    path.memory.add(std::move(block));
  }
}

void KernelThread::run_instruction(Target node) {
  node_ = node;
  read_clocks();
  if (launch_.departing_codes != nullptr && current_.instruction->form->line->opcode == "activemask")
    return depart();
  switch (loaded().treatments[node]) {
    case Treatment::call:
      return call_at(node);
    case Treatment::stack:
      return stack_instruction();
    case Treatment::integer_division:
      return divide();
    case Treatment::other_fragment:
      return use(use_of_operand(Misuse::different_matrix_operands, Bits::boolean(true)));
    case Treatment::other_cta_group:
      return use(use_of_operand(Misuse::different_cta_groups, Bits::boolean(true)));
    case Treatment::rule:
      return ThreadUnfolder::run_instruction(node);
  }
}

/// The response to a request is an unknown until an outcome of all requests is chosen.
CancelledCluster KernelThread::cancel_cluster() {
  CancelRequest request;
  request.response = static_cast<EventId>(structure_.events.size());
  request.instruction = current_.instruction;
  request.outcome.succeeds = graph_.variable(1, "request succeeds");
  for (Bits& part : request.outcome.ctaid) part = graph_.variable(32, "cancelled CTA");
  return launch_.requests.emplace_back(std::move(request)).outcome;
}

/// PTX ISA 8.7 § 10.23, § 10.28: unknown values that do not decrease.
void KernelThread::read_clocks() {
  if (loaded().clocks.empty()) return;
  const auto& used = register_use(*current_.instruction).data;
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
  const Operand& operand = current_.instruction->operands[2];
  const auto* r = std::get_if<Operand::Register>(&operand.is);
  const auto* number = std::get_if<Operand::Immediate>(&operand.is);
  const Bits divisor = (r != nullptr ? path_.frame().registers[r->id] : number->value)
                           .resize_unsigned(current_.instruction->form->width());
  ThreadUnfolder::run_instruction(0);
  const auto* result = std::get_if<Operand::Register>(&current_.instruction->operands[0].is);
  const Bits is_zero = equal(divisor, Bits(divisor.width(), 0));
  if (result == nullptr || is_zero.is_false()) return;
  Bits& value = path_.frame().registers[result->id];
  value = ite(is_zero, graph_.variable(value.width(), "division by zero"), value);
}

}  // namespace ptxmc::kernel
