// Calls, the stack, and the functions of the runtime, which have no body: PTX ISA 8.7 chapter 7, § 9.7.12.5,
// § 9.7.17.
#include <fmt/format.h>

#include <algorithm>

#include "semantics/language/address_windows.hpp"
#include "semantics/language/form.hpp"
#include "src/kernel/unfolding/kernel_thread.hpp"

namespace ptxmc::kernel {

namespace {

using syntax::LoweredCall;
using syntax::PassedValue;

constexpr unsigned most_open_calls = 128;
constexpr std::uint64_t local_window = window_of(StateSpace::local);

std::uint64_t place_of(const PassedValue& value) { return local_window + *value.address; }

Bits value_of(const std::vector<PrivateByte>& bytes, std::size_t first, unsigned width) {
  Bits value = bytes.at(first).value;
  for (std::size_t i = 1; 8 * i < width; ++i) value = concat(bytes.at(first + i).value, value);
  return value.resize_unsigned(width);
}

void add_bytes(std::vector<PrivateByte>& bytes, const Bits& value, ReadSets::Id sources) {
  const unsigned count = (value.width() + 7) / 8;
  const Bits whole = value.resize_unsigned(8 * count);
  for (unsigned i = 0; i < count; ++i)
    bytes.push_back({whole.extract(8 * i, 8), Bits::boolean(true), sources});
}

}  // namespace

void KernelThread::call_at(Target node) {
  const LoweredCall& call = *loaded().calls.at(node);
  if (call.pointer) return call_indirectly(call, node);
  call_function(launch_.module.declared(call.function), call, node);
}

/// An indirect call: the address selects one of the functions of the module.
void KernelThread::call_indirectly(const LoweredCall& call, Target node) {
  const Bits address = path_.frame().registers[*call.pointer];
  const auto fits = [&](const syntax::Function& function) {
    return kernel::fits(launch_.module.module(), function, call);
  };
  Path rest = path_;
  path_.control = reads_.unite(path_.control, current_.data_sources);
  for (const auto& [function, function_address] : launch_.module.functions()) {
    const Bits is_called = equal(address, Bits(address.width(), function_address));
    if (is_called.is_false()) continue;
    // If any address is possible, a function that the call does not fit counts like an address of no
    // function.
    if (!is_called.is_true() && (!function->body || !fits(*function))) continue;
    path_ = rest;
    path_.control = reads_.unite(path_.control, current_.data_sources);
    path_.condition = rest.condition & is_called;
    rest.condition = rest.condition & ~is_called;
    if (path_.condition.is_false()) continue;
    if (!function->body && !start_.context.launch.externs_return_anything)
      throw Unsupported("an indirect call of '" + std::string(function->name.text) + "', which has no body",
                        current_.instruction->where);
    if (fits(*function)) {
      call_function(*function, call, node);
      continue;
    }
    end(Ending::Kind::stray_access, 0, "a call of a function with other parameters");
    path_.condition = Bits::boolean(false);
  }
  path_ = std::move(rest);
  end(Ending::Kind::stray_access, 0, "a call of an address that is no function's");
  path_.condition = Bits::boolean(false);
}

void KernelThread::call_function(const syntax::Function& function, const LoweredCall& call, Target node) {
  if (!function.body) return call_runtime(function, call);
  const auto depth = static_cast<unsigned>(path_.frames.size());
  unsigned open_calls = 0;
  for (const UnfoldingFrame& frame : path_.frames)
    if (static_cast<const KernelFunction*>(frame.body)->loaded->function == &function)
      open_calls = frame.open_calls + (identical(frame.condition_at_entry, path_.condition) ? 0 : 1);
  const bool is_open_to_reads = path_.control != 0 && depends_on_reads(path_.condition);
  if (open_calls > 0 && !is_open_to_reads && !is_possible(path_.condition)) {
    path_.condition = Bits::boolean(false);
    return;
  }
  if (depth >= most_open_calls || open_calls > bound_of(is_open_to_reads)) {
    end(Ending::Kind::bound_reached);
    path_.condition = Bits::boolean(false);
    return;
  }
  const LoadedFunction& callee = launch_.module.load(function, depth, start_.place.rank);
  const auto& formals = callee.lowered.parameters;
  std::vector<std::vector<PrivateByte>> arguments;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    arguments.push_back(passed_bytes(call.arguments[i], formals[i]));
  path_.frame().call = node;
  push_frame(path_, callee);
  path_.frame().open_calls = open_calls;
  for (std::size_t i = 0; i < arguments.size(); ++i) receive(formals[i], arguments[i]);
  enter_function(std::move(path_));
  path_.condition = Bits::boolean(false);
}

/// The bytes that the innermost function passes, in the layout of the receiver.
std::vector<PrivateByte> KernelThread::passed_bytes(const PassedValue& value,
                                                    const PassedValue& wanted) const {
  if (value.address) return path_.memory.at(place_of(value))->bytes;
  std::vector<PrivateByte> bytes;
  if (value.number) add_bytes(bytes, syntax::value_of(*value.number, wanted.type), 0);
  for (const RegisterId id : value.registers)
    add_bytes(bytes, path_.frame().registers[id], path_.frame().sources[id]);
  return bytes;
}

/// Stores received bytes in the innermost function.
void KernelThread::receive(const PassedValue& value, const std::vector<PrivateByte>& bytes) {
  if (value.address) {
    PrivateBlock block = *path_.memory.at(place_of(value));
    if (block.bytes.empty()) block.bytes.resize(bytes.size());  // an array without a size
    std::copy_n(bytes.begin(), std::min(bytes.size(), block.bytes.size()), block.bytes.begin());
    path_.memory.add(std::move(block));
  }
  std::size_t at = 0;
  for (const RegisterId id : value.registers) {
    Bits& target = path_.frame().registers[id];
    target = value_of(bytes, at, target.width());
    path_.frame().sources[id] = 0;
    for (const std::size_t end = at + (target.width() + 7) / 8; at < end; ++at)
      path_.frame().sources[id] = reads_.unite(path_.frame().sources[id], bytes[at].sources);
  }
}

/// Takes the results of the callee. The caller of this function removes the frame.
void KernelThread::take_results() {
  const LoadedFunction& callee = loaded();
  const auto& formals = callee.lowered.returns;
  std::vector<std::vector<PrivateByte>> results;
  for (const PassedValue& formal : formals) results.push_back(passed_bytes(formal, formal));
  const UnfoldingFrame returning = std::move(path_.frames.back());
  path_.frames.pop_back();
  const LoweredCall& call = *loaded().calls.at(path_.frame().call);
  for (std::size_t i = 0; i < call.returns.size(); ++i) receive(call.returns[i], results[i]);
  for (const FunctionVariable& variable : callee.variables) path_.memory.remove(variable.generic_address());
  path_.memory.remove_range(local_window + std::max(returning.stack_at_entry, first_stack_address),
                            local_window + window_size);
  path_.stack = returning.stack_at_entry;
  path_.frames.push_back(returning);
}

// ---- functions of the runtime ----

/// The string in an initialised variable of the module.
std::optional<std::string> KernelThread::string_at(const Bits& address) const {
  if (!address.is_constant()) return std::nullopt;
  const auto piece = launch_.memory.find(address.to_u64(), 1, start_.place.cluster);
  if (!piece) return std::nullopt;
  const MemoryPiece& holder = launch_.memory[*piece];
  if (holder.content.empty()) return std::nullopt;
  std::string text;
  for (std::uint64_t at = address.to_u64() - holder.address; at < holder.size; ++at) {
    const Bits& byte = holder.content[at];
    if (byte.width() == 0 || !byte.is_constant()) return std::nullopt;
    if (byte.value() == 0) return text;
    text += static_cast<char>(byte.to_u64());
  }
  return std::nullopt;
}

Bits KernelThread::argument_value(const LoweredCall& call, std::size_t index, unsigned width) const {
  PassedValue wanted;
  wanted.type = {Type::Kind::bits, static_cast<std::uint16_t>(width)};
  auto bytes = passed_bytes(call.arguments.at(index), wanted);
  bytes.resize(std::max<std::size_t>(bytes.size(), width / 8), {Bits(8, 0)});
  return value_of(bytes, 0, width);
}

void KernelThread::give_result(const LoweredCall& call, const Bits& result) {
  if (call.returns.empty()) return;
  std::vector<PrivateByte> bytes;
  add_bytes(bytes, result.resize_unsigned(Bits::max_width), 0);
  receive(call.returns[0], bytes);
}

void KernelThread::call_runtime(const syntax::Function& function, const LoweredCall& call) {
  switch (runtime_function(start_.context.launch, function, call, current_.instruction->where)) {
    case RuntimeFunction::vprintf: {
      const auto format = string_at(argument_value(call, 0, 64));
      return give_result(call,
                         format ? Bits(32, count_conversions(*format)) : graph_.variable(32, "vprintf"));
    }
    case RuntimeFunction::malloc:
      return allocate(call);
    case RuntimeFunction::free:
      return free(call);
    case RuntimeFunction::assertion_failure: {
      const auto text = [&](std::size_t i) { return string_at(argument_value(call, i, 64)).value_or("?"); };
      const Bits line = argument_value(call, 2, 32);
      current_.ending_message = fmt::format("assertion failed: {} ({}:{})", text(0), text(1),
                                            line.is_constant() ? std::to_string(line.to_u64()) : "?");
      current_.ended = Ending::Kind::trapped;
      return;
    }
    case RuntimeFunction::returns_anything:
      return return_anything(function, call);
  }
}

void KernelThread::return_anything(const syntax::Function& function, const LoweredCall& call) {
  note_choice();
  mark_acted(path_.condition);
  for (const PassedValue& result : call.returns) {
    std::vector<PrivateByte> bytes;
    for (std::size_t i = 0; i < bytes_of(result); i += 8)
      add_bytes(bytes, graph_.variable(64, fmt::format("result of {}", function.name.text)), 0);
    receive(result, bytes);
  }
}

/// The space for a block whose size depends on inputs.
std::uint64_t KernelThread::largest_block(const Bits& size) const {
  constexpr std::uint64_t smallest = 64, largest = 4096;
  if (size.is_constant()) return size.to_u64();
  if (depends_on_reads(size))
    throw Unsupported("malloc of a size that depends on what is read", current_.instruction->where);
  for (std::uint64_t bytes = smallest; bytes <= largest; bytes *= 4)
    if (!is_possible(path_.condition & less_unsigned(Bits(64, bytes), size))) return bytes;
  throw Unsupported(fmt::format("malloc of a size that may be more than {} bytes", largest),
                    current_.instruction->where);
}

/// malloc: null, or a block that was never returned before.
void KernelThread::allocate(const LoweredCall& call) {
  const Bits size = argument_value(call, 0, 64);
  const PieceId id = launch_.memory.heap_block(thread_, heap_blocks_++, largest_block(size),
                                               size.is_constant() ? Bits() : size);
  const Bits fails = graph_.variable(1, "malloc fails");
  note_choice();
  mark_acted(path_.condition);
  give_result(call, ite(fails, Bits(64, 0), Bits(64, launch_.memory[id].address)));
}

void KernelThread::free(const LoweredCall& call) {
  const Bits address = argument_value(call, 0, 64);
  mark_acted(path_.condition);
  Bits may_be_freed = equal(address, Bits(64, 0));
  std::set<PieceId> candidates = launch_.memory.pointees(address, start_.place.cluster);
  if (address.is_constant())
    if (const auto piece = launch_.memory.nearest(address.to_u64(), start_.place.cluster))
      candidates.insert(*piece);
  for (const PieceId id : candidates) {
    const MemoryPiece& piece = launch_.memory[id];
    const Bits is_this = equal(address, Bits(64, piece.address));
    if (piece.allocated_by < 0 || is_this.is_false()) continue;
    launch_.memory.note_free(id);
    if (piece.allocated_by != thread_)
      throw Unsupported("free of memory that another thread allocated", current_.instruction->where);
    Bits& freed = path_.freed.try_emplace(piece.address, Bits::boolean(false)).first->second;
    may_be_freed = may_be_freed | (is_this & ~freed);
    freed = freed | is_this;
  }
  const Bits all = path_.condition;
  path_.condition = all & ~may_be_freed;
  end(Ending::Kind::stray_access, 0, "free of an address that is no block of malloc, or of a freed block");
  path_.condition = all & may_be_freed;
}

// ---- the stack ----

void KernelThread::stack_instruction() {
  const std::string& opcode = current_.instruction->form->line->opcode;
  const auto value = [&](const Operand& operand) {
    const auto* r = std::get_if<Operand::Register>(&operand.is);
    const Bits number =
        r != nullptr ? path_.frame().registers[r->id] : std::get<Operand::Immediate>(operand.is).value;
    if (!number.is_constant())
      throw Unsupported(opcode + " of a size that is not known", current_.instruction->where);
    return number.to_u64();
  };
  const auto set = [&](std::uint64_t result) {
    Bits& target =
        path_.frame().registers[std::get<Operand::Register>(current_.instruction->operands[0].is).id];
    target = Bits(target.width(), result);
  };
  if (opcode == "stacksave") {
    set(path_.stack);
  } else if (opcode == "stackrestore") {
    path_.stack = value(current_.instruction->operands[0]);
    path_.memory.remove_range(local_window + path_.stack, local_window + window_size);
  } else {
    const std::uint64_t size = value(current_.instruction->operands[1]);
    const std::uint64_t alignment = current_.instruction->operands.size() > 2
                                        ? std::max<std::uint64_t>(value(current_.instruction->operands[2]), 1)
                                        : 8;
    if (size > most_private_bytes) throw Unsupported("alloca of so much memory", current_.instruction->where);
    const std::uint64_t step = std::max(alignment, spacing_of_shared);
    const std::uint64_t base = (path_.stack + step - 1) / step * step;
    PrivateBlock block = private_block("alloca", local_window + base, size, graph_);
    note_unwritten(block);
    path_.memory.add(std::move(block));
    path_.stack = base + size;
    set(base);
  }
}

}  // namespace ptxmc::kernel
