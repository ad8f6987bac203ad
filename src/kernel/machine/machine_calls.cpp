// Calls, the stack, and the functions of the runtime, which have no body: PTX ISA 8.7 chapter 7, § 9.7.12.5,
// § 9.7.17.
#include <fmt/format.h>
#include <fmt/printf.h>

#include <algorithm>
#include <array>
#include <bit>

#include "semantics/language/address_windows.hpp"
#include "semantics/language/form.hpp"
#include "src/kernel/machine/machine.hpp"
#include "src/kernel/module/called_function.hpp"

namespace ptxmc::kernel {

using syntax::LoweredCall;
using syntax::PassedValue;

void Machine::enter(const syntax::Function& function) {
  const auto depth = static_cast<unsigned>(thread_->frames.size());
  if (depth >= LoadedModule::most_calls)
    end_launch("call-depth", fmt::format("more than {} calls are open", LoadedModule::most_calls));
  Frame frame;
  frame.function = &module_.load(function, depth, thread_->cta->rank);
  frame.stack = thread_->stack;
  const auto& symbols = module_.module().symbols;
  for (const FunctionVariable& variable : frame.function->variables) {
    const syntax::Symbol& symbol = symbols[variable.symbol];
    AddressSpace& memory = variable.space() == StateSpace::param ? thread_->parameters : thread_->local;
    Allocation& made = memory.allocate_at(std::string(symbol.name), variable.address, symbol.size);
    made.is_constant = variable.kind == FunctionVariable::Kind::entry_parameter;
    if (variable.kind != FunctionVariable::Kind::local) made.is_written.assign(made.bytes.size(), true);
  }
  for (const syntax::LoweredRegister& r : frame.function->lowered.registers)
    frame.registers.emplace_back(r.width, 0);
  thread_->frames.push_back(std::move(frame));
  set_special_registers(thread_->frames.back());
}

void Machine::leave() {
  finish_products(*thread_);
  thread_->hazards.leave(thread_->frames.size());
  const Frame callee = std::move(thread_->frames.back());
  thread_->frames.pop_back();
  const LoweredCall& call = *frame().function->calls.at(frame().next - 1);
  for (std::size_t i = 0; i < call.returns.size(); ++i) {
    const PassedValue& from = callee.function->lowered.returns[i];
    receive(frame(), call.returns[i], passed_bytes(callee, from, from));
  }
  if (!callee.function->variables.empty())
    thread_->local.release_from(callee.function->variables.front().address);
  thread_->stack = callee.stack;
  thread_->stack_memory.release_from(callee.stack);
}

void Machine::call() {
  const LoweredCall& call = *frame().function->calls.at(frame().next - 1);
  const syntax::Function* function = nullptr;
  if (call.pointer) {
    function = module_.function_at(frame().registers[*call.pointer].to_u64());
    if (function == nullptr) end_launch("out-of-bounds", "a call of an address that is no function's");
    if (!fits(module_.module(), *function, call))
      end_launch("out-of-bounds", "a call of a function with other parameters");
  } else {
    function = &module_.declared(call.function);
  }
  if (!function->body) return call_runtime(*function, call);
  enter(*function);
  const Frame& caller = thread_->frames[thread_->frames.size() - 2];
  const auto& formals = frame().function->lowered.parameters;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    receive(frame(), formals[i], passed_bytes(caller, call.arguments[i], formals[i]));
}

/// The bytes that a frame passes, in the layout of the receiver.
std::vector<std::uint8_t> Machine::passed_bytes(const Frame& from, const PassedValue& value,
                                                const PassedValue& wanted) {
  std::vector<std::uint8_t> bytes;
  const auto add = [&](const Bits& bits) {
    for (unsigned low = 0; low < bits.width(); low += 8)
      bytes.push_back(static_cast<std::uint8_t>(bits.value() >> low));
  };
  if (value.address) return thread_->local.at(*value.address)->bytes;
  if (value.number) add(syntax::value_of(*value.number, wanted.type));
  for (const RegisterId id : value.registers) add(from.registers[id]);
  return bytes;
}

void Machine::receive(Frame& into, const PassedValue& value, const std::vector<std::uint8_t>& bytes) {
  if (value.address) {
    Allocation& variable = *thread_->local.at(*value.address);
    if (variable.bytes.empty()) {  // an array without a size
      variable.bytes.resize(bytes.size());
      variable.is_written.assign(bytes.size(), true);
    }
    std::copy_n(bytes.begin(), std::min(bytes.size(), variable.bytes.size()), variable.bytes.begin());
  }
  std::size_t at = 0;
  for (const RegisterId id : value.registers) {
    Bits& target = into.registers[id];
    Bits bits;
    for (unsigned low = 0; low < target.width(); low += 8) {
      const Bits byte(8, at < bytes.size() ? bytes[at] : 0);
      bits = low == 0 ? byte : concat(byte, bits);
      ++at;
    }
    target = bits.resize_unsigned(target.width());
  }
}

// ---- functions of the runtime ----

Bits Machine::generic_read(std::uint64_t address, unsigned width) {
  return read({}, Bits(64, address), width);
}

std::string Machine::string_at(std::uint64_t address) {
  std::string text;
  while (const auto c = static_cast<char>(generic_read(address++, 8).to_u64())) text += c;
  return text;
}

/// vprintf. Its arguments are numbers of 4 or 8 bytes, one after the other, each aligned to its size.
void Machine::print_formatted(std::uint64_t format_address, std::uint64_t arguments) {
  const std::string format = string_at(format_address);
  std::string text;
  const auto next = [&](unsigned bytes) {
    arguments = (arguments + bytes - 1) / bytes * bytes;
    const std::uint64_t value = generic_read(arguments, bytes * 8).to_u64();
    arguments += bytes;
    return value;
  };
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      text += format[i];
      continue;
    }
    std::string specification = "%";
    unsigned longs = 0;
    for (++i; i < format.size() &&
              std::string_view("-+ #0123456789.hlzjt").find(format[i]) != std::string_view::npos;
         ++i) {
      if (std::string_view("lzjt").find(format[i]) != std::string_view::npos) {
        ++longs;
      } else if (format[i] != 'h') {
        specification += format[i];
      }
    }
    const char conversion = i < format.size() ? format[i] : '%';
    const unsigned bytes = longs != 0 ? 8 : 4;
    specification += conversion;
    switch (conversion) {
      case 'd':
      case 'i': {
        const std::uint64_t value = next(bytes);
        const auto number =
            bytes == 8 ? static_cast<std::int64_t>(value) : std::int64_t{static_cast<std::int32_t>(value)};
        text += fmt::sprintf(specification, number);
        break;
      }
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        text += fmt::sprintf(specification, next(bytes));
        break;
      case 'c':
        text += fmt::sprintf(specification, static_cast<char>(next(4)));
        break;
      case 'p':
        text += fmt::format("{:#x}", next(8));
        break;
      case 's':
        text += fmt::sprintf(specification, string_at(next(8)));
        break;
      case '%':
        text += '%';
        break;
      default:
        text += fmt::sprintf(specification, std::bit_cast<double>(next(8)));
    }
  }
  print_(text);
}

void Machine::call_runtime(const syntax::Function& function, const LoweredCall& call) {
  const auto argument = [&](std::size_t i, unsigned width) {
    PassedValue wanted;
    wanted.type = {Type::Kind::bits, static_cast<std::uint16_t>(width)};
    const auto bytes = passed_bytes(frame(), call.arguments.at(i), wanted);
    std::uint64_t value = 0;
    std::copy_n(bytes.begin(), std::min<std::size_t>(bytes.size(), width / 8),
                reinterpret_cast<std::uint8_t*>(&value));
    return value;
  };
  const auto give = [&](const auto& result) {
    const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(result)>>(result);
    if (!call.returns.empty()) receive(frame(), call.returns[0], {bytes.begin(), bytes.end()});
  };
  const SourcePosition where = frame().function->lowered.code[frame().next - 1].where;
  switch (runtime_function(launch_, function, call, where)) {
    case RuntimeFunction::vprintf: {
      const std::string format = string_at(argument(0, 64));
      print_formatted(argument(0, 64), argument(1, 64));
      return give(static_cast<std::uint32_t>(count_conversions(format)));
    }
    case RuntimeFunction::malloc:
      return give(heap_.allocate("malloc", argument(0, 64), 256).base);
    case RuntimeFunction::free:
      return free(argument(0, 64));
    case RuntimeFunction::assertion_failure:
      end_launch("assertion", fmt::format("assertion failed: {} ({}:{})", string_at(argument(0, 64)),
                                          string_at(argument(1, 64)), argument(2, 32)));
    case RuntimeFunction::returns_anything:
      for (const PassedValue& result : call.returns) {
        std::vector<std::uint8_t> bytes(bytes_of(result));
        for (std::uint8_t& byte : bytes)
          byte = options_.seed ? static_cast<std::uint8_t>(schedule_.random()) : 0;
        receive(frame(), result, bytes);
      }
  }
}

void Machine::free(std::uint64_t address) {
  Allocation* block = heap_.at(address);
  if (address != 0 && (block == nullptr || block->is_freed))
    end_launch("out-of-bounds", fmt::format("free of {:#x}, which is no block of malloc", address));
  if (block != nullptr) block->is_freed = true;
}

// ---- the stack ----

void Machine::set_stack_pointer(const Bits& pointer) {
  thread_->stack = pointer.to_u64();
  thread_->stack_memory.release_from(thread_->stack);
}

Bits Machine::allocate_on_stack(const Bits& size, const Bits& alignment) {
  const std::uint64_t step = std::max<std::uint64_t>(alignment.to_u64(), 8);
  const std::uint64_t base = (thread_->stack + step - 1) / step * step;
  thread_->stack_memory.allocate_at("alloca", base, size.to_u64());
  thread_->stack = base + size.to_u64();
  return Bits(64, base);
}

}  // namespace ptxmc::kernel
