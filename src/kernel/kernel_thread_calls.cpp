// Calls, the stack, and the functions that exist without a body: PTX ISA 8.7 chapter 7, § 9.7.12.5, § 9.7.17.
#include <fmt/format.h>

#include <algorithm>

#include "semantics/address_windows.hpp"
#include "semantics/form.hpp"
#include "src/kernel/kernel_thread.hpp"

namespace ptxmc::kernel {

namespace {

using syntax::NameOperand;

constexpr unsigned most_open_calls = 128;
constexpr std::uint64_t parameter_window = window_of(StateSpace::param);
constexpr std::uint64_t local_window = window_of(StateSpace::local);

/// The place of a variable among those of a function; none: it has none there.
std::optional<std::uint64_t> place_of_parameter(const LoadedFunction& function, syntax::SymbolId symbol) {
  for (const FunctionVariable& own : function.parameters)
    if (own.symbol == symbol) return parameter_window + own.address;
  return std::nullopt;
}

Bits value_of(const std::vector<PrivateByte>& bytes, unsigned width) {
  Bits value = bytes.at(0).value;
  for (std::size_t i = 1; i < bytes.size() && i < Bits::max_width / 8; ++i)
    value = concat(bytes[i].value, value);
  return value.resize_unsigned(width);
}

std::vector<PrivateByte> bytes_of(const Bits& value, std::uint64_t size, ReadSets::Id sources) {
  std::vector<PrivateByte> bytes;
  const Bits whole =
      value.resize_unsigned(static_cast<unsigned>(std::min<std::uint64_t>(size * 8, Bits::max_width)));
  for (std::uint64_t i = 0; i < size; ++i) {
    const bool is_there = 8 * i < whole.width();
    bytes.push_back({is_there ? whole.extract(static_cast<unsigned>(8 * i), 8) : Bits(8, 0),
                     Bits::boolean(true), sources});
  }
  return bytes;
}

}  // namespace

void KernelThread::call_at(Target node) {
  const syntax::Instruction& instruction = *loaded().calls.at(node);
  const auto& named = std::get<NameOperand>(parts_of(instruction).callee->is);
  const syntax::Symbol& callee = symbol(named.name.symbol);
  if (callee.kind != syntax::Symbol::Kind::function) {
    const RegisterId id = register_named(loaded(), named.name, launch_.module.module());
    return call_indirectly(instruction, path_.frame().registers[id], node);
  }
  const syntax::Function* function = launch_.module.find_function(callee.name);
  call_function(function != nullptr ? *function : launch_.module.declared(named.name.symbol), instruction,
                node);
}

namespace {

/// A function may be what a call means: it takes and returns as many values.
bool fits(const syntax::Function& function, const CallParts& call) {
  const auto count = [](const syntax::Arguments* list) { return list == nullptr ? 0 : list->list.size(); };
  return function.returns.size() == count(call.returns) &&
         function.parameters.size() == count(call.arguments);
}

}  // namespace

/// The address decides between the functions of the module. A copy: frames move when one is called.
void KernelThread::call_indirectly(const syntax::Instruction& instruction, Bits address, Target node) {
  Path rest = path_;
  path_.control = reads_.unite(path_.control, data_sources_);
  for (const auto& [function, function_address] : launch_.module.functions()) {
    const Bits is_called = equal(address, Bits(64, function_address));
    if (is_called.is_false()) continue;
    // Where any address is possible, one that cannot be meant is one that is no function's.
    if (!is_called.is_true() && (!function->body || !fits(*function, parts_of(instruction)))) continue;
    path_ = rest;
    path_.control = reads_.unite(path_.control, data_sources_);
    path_.condition = rest.condition & is_called;
    rest.condition = rest.condition & ~is_called;
    if (path_.condition.is_false()) continue;
    if (!function->body)
      throw Unsupported("an indirect call of '" + std::string(function->name.text) + "', which has no body",
                        instruction_->where);
    if (fits(*function, parts_of(instruction))) {
      call_function(*function, instruction, node);
      continue;
    }
    end(Ending::Kind::stray_access, 0, "a call of a function with other parameters");
    path_.condition = Bits::boolean(false);
  }
  path_ = std::move(rest);
  end(Ending::Kind::stray_access, 0, "a call of an address that is no function's");
  path_.condition = Bits::boolean(false);
}

void KernelThread::call_function(const syntax::Function& function, const syntax::Instruction& instruction,
                                 Target node) {
  if (!function.body) return call_runtime(function, instruction);
  const CallParts parts = parts_of(instruction);
  UnfoldingFrame& caller = path_.frame();
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
  std::vector<std::vector<PrivateByte>> arguments;
  for (std::size_t i = 0; parts.arguments != nullptr && i < parts.arguments->list.size(); ++i) {
    const FunctionVariable& formal = callee.parameters[function.returns.size() + i];
    arguments.push_back(argument(parts.arguments->list[i], symbol(formal.symbol).size));
  }
  caller.call = node;
  push_frame(path_, callee);
  path_.frame().open_calls = open_calls;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const FunctionVariable& formal = callee.parameters[function.returns.size() + i];
    PrivateBlock block = *path_.memory.at(parameter_window + formal.address);
    block.bytes = std::move(arguments[i]);
    path_.memory.add(std::move(block));
  }
  enter_function(std::move(path_));
  path_.condition = Bits::boolean(false);
}

/// What is passed: the content of a variable in .param, a register, or a number.
std::vector<PrivateByte> KernelThread::argument(const syntax::Operand& actual, std::uint64_t size) const {
  if (const auto* constant = std::get_if<syntax::Constant>(&actual.is))
    return bytes_of(Bits(64, constant->bits), size, 0);
  const auto& named = std::get<NameOperand>(actual.is);
  if (const auto place = place_of_parameter(loaded(), named.name.symbol)) {
    auto bytes = path_.memory.at(*place)->bytes;
    bytes.resize(size, {Bits(8, 0)});
    return bytes;
  }
  const RegisterId id = register_named(loaded(), named.name, launch_.module.module());
  return bytes_of(path_.frame().registers[id], size, path_.frame().sources[id]);
}

Bits KernelThread::argument_value(const CallParts& parts, std::size_t index, unsigned width) const {
  return value_of(argument(parts.arguments->list.at(index), width / 8), width);
}

/// In the frame of the caller.
void KernelThread::give_result(const syntax::Operand& actual, const std::vector<PrivateByte>& bytes) {
  const auto* named = std::get_if<NameOperand>(&actual.is);
  if (named == nullptr) return;  // `_`
  if (const auto place = place_of_parameter(loaded(), named->name.symbol)) {
    PrivateBlock block = *path_.memory.at(*place);
    std::copy_n(bytes.begin(), std::min(bytes.size(), block.bytes.size()), block.bytes.begin());
    return path_.memory.add(std::move(block));
  }
  const RegisterId id = register_named(loaded(), named->name, launch_.module.module());
  Bits& result = path_.frame().registers[id];
  result = value_of(bytes, result.width());
  for (const PrivateByte& byte : bytes)
    path_.frame().sources[id] = reads_.unite(path_.frame().sources[id], byte.sources);
}

void KernelThread::take_results() {
  const LoadedFunction& callee = loaded();
  const UnfoldingFrame returning = std::move(path_.frames.back());
  path_.frames.pop_back();
  const CallParts parts = parts_of(*loaded().calls.at(path_.frame().call));
  for (std::size_t i = 0; parts.returns != nullptr && i < callee.function->returns.size(); ++i)
    give_result(parts.returns->list[i],
                path_.memory.at(parameter_window + callee.parameters[i].address)->bytes);
  for (const FunctionVariable& variable : callee.parameters)
    path_.memory.remove(parameter_window + variable.address);
  for (const FunctionVariable& variable : callee.locals) path_.memory.remove(local_window + variable.address);
  path_.memory.remove_range(local_window + std::max(returning.stack_at_entry, first_stack_address),
                            local_window + window_size);
  path_.stack = returning.stack_at_entry;
  path_.frames.push_back(returning);
}

// ---- functions of the runtime ----

/// Of a variable that the module has initialised.
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

void KernelThread::call_runtime(const syntax::Function& function, const syntax::Instruction& instruction) {
  const CallParts parts = parts_of(instruction);
  const std::string_view name = function.name.text;
  if (name == "vprintf") {
    const auto format = string_at(argument_value(parts, 0, 64));
    const Bits count = format ? Bits(32, count_conversions(*format)) : graph_.variable(32, "vprintf");
    if (parts.returns != nullptr) give_result(parts.returns->list.at(0), bytes_of(count, 4, 0));
  } else if (name == "malloc") {
    allocate(parts);
  } else if (name == "free") {
    free(parts);
  } else if (name == "__assertfail") {
    const auto text = [&](std::size_t i) { return string_at(argument_value(parts, i, 64)).value_or("?"); };
    const Bits line = argument_value(parts, 2, 32);
    ending_message_ = fmt::format("assertion failed: {} ({}:{})", text(0), text(1),
                                  line.is_constant() ? std::to_string(line.to_u64()) : "?");
    ended_ = Ending::Kind::trapped;
  } else {
    throw Unsupported("a call of '" + std::string(name) + "', which has no body", instruction_->where);
  }
}

/// What has room for a block of a size that inputs decide.
std::uint64_t KernelThread::largest_block(const Bits& size) const {
  constexpr std::uint64_t smallest = 64, largest = 4096;
  if (size.is_constant()) return size.to_u64();
  if (depends_on_reads(size))
    throw Unsupported("malloc of a size that depends on what is read", instruction_->where);
  for (std::uint64_t bytes = smallest; bytes <= largest; bytes *= 4)
    if (!is_possible(path_.condition & less_unsigned(Bits(64, bytes), size))) return bytes;
  throw Unsupported(fmt::format("malloc of a size that may be more than {} bytes", largest),
                    instruction_->where);
}

/// Null, or a block that nobody has had before.
void KernelThread::allocate(const CallParts& parts) {
  const Bits size = argument_value(parts, 0, 64);
  const PieceId id = launch_.memory.heap_block(thread_, heap_blocks_++, largest_block(size),
                                               size.is_constant() ? Bits() : size);
  const Bits fails = graph_.variable(1, "malloc fails");
  note_choice();
  mark_acted(path_.condition);
  const Bits address = ite(fails, Bits(64, 0), Bits(64, launch_.memory[id].address));
  if (parts.returns != nullptr) give_result(parts.returns->list.at(0), bytes_of(address, 8, 0));
}

void KernelThread::free(const CallParts& parts) {
  const Bits address = argument_value(parts, 0, 64);
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
      throw Unsupported("free of memory that another thread allocated", instruction_->where);
    Bits& freed = path_.freed.try_emplace(piece.address, Bits::boolean(false)).first->second;
    may_be_freed = may_be_freed | (is_this & ~freed);
    freed = freed | is_this;
  }
  const Bits all = path_.condition;
  path_.condition = all & ~may_be_freed;
  end(Ending::Kind::stray_access, 0, "free of what is no block of malloc, or has been freed");
  path_.condition = all & may_be_freed;
}

// ---- the stack ----

void KernelThread::stack_instruction() {
  const std::string& opcode = instruction_->form->line->opcode;
  const auto value = [&](const Operand& operand) {
    const auto* r = std::get_if<Operand::Register>(&operand.is);
    const Bits number =
        r != nullptr ? path_.frame().registers[r->id] : std::get<Operand::Immediate>(operand.is).value;
    if (!number.is_constant())
      throw Unsupported(opcode + " of a size that is not known", instruction_->where);
    return number.to_u64();
  };
  const auto set = [&](std::uint64_t result) {
    Bits& target = path_.frame().registers[std::get<Operand::Register>(instruction_->operands[0].is).id];
    target = Bits(target.width(), result);
  };
  if (opcode == "stacksave") {
    set(path_.stack);
  } else if (opcode == "stackrestore") {
    path_.stack = value(instruction_->operands[0]);
    path_.memory.remove_range(local_window + path_.stack, local_window + window_size);
  } else {
    const std::uint64_t size = value(instruction_->operands[1]);
    const std::uint64_t alignment =
        instruction_->operands.size() > 2 ? std::max<std::uint64_t>(value(instruction_->operands[2]), 1) : 8;
    if (size > most_private_bytes) throw Unsupported("alloca of so much memory", instruction_->where);
    const std::uint64_t step = std::max(alignment, spacing_of_shared);
    const std::uint64_t base = (path_.stack + step - 1) / step * step;
    path_.memory.add(private_block("alloca", local_window + base, size, graph_));
    path_.stack = base + size;
    set(base);
  }
}

}  // namespace ptxmc::kernel
