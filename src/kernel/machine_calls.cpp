// Calls, the stack, and the functions that exist without a body: PTX ISA 8.7 chapter 7, § 9.7.12.5, § 9.7.17.
#include <fmt/format.h>
#include <fmt/printf.h>

#include <algorithm>
#include <bit>

#include "semantics/address_windows.hpp"
#include "semantics/form.hpp"
#include "src/kernel/call_parts.hpp"
#include "src/kernel/machine.hpp"

namespace ptxmc::kernel {

namespace {

using syntax::NameOperand;

constexpr Access parameter_access = {.space = StateSpace::param};

}  // namespace

RegisterId Machine::register_of(const syntax::Name& name) const {
  return register_named(*thread_->frames.back().function, name, module_.module());
}

void Machine::enter(const syntax::Function& function, const syntax::Instruction* call) {
  const auto depth = static_cast<unsigned>(thread_->frames.size());
  if (depth >= LoadedModule::most_calls)
    end_launch("call-depth", fmt::format("more than {} calls are open", LoadedModule::most_calls));
  Frame frame;
  frame.function = &module_.load(function, depth, thread_->cta->rank);
  frame.call = call;
  frame.stack = thread_->stack;
  const auto& symbols = module_.module().symbols;
  for (const FunctionVariable& variable : frame.function->parameters) {
    const syntax::Symbol& symbol = symbols[variable.symbol];
    thread_->parameters.allocate_at(std::string(symbol.name), variable.address, symbol.size);
  }
  thread_->local.release_from(depth * std::uint64_t{0x10'0000} + 256);
  for (const FunctionVariable& variable : frame.function->locals) {
    const syntax::Symbol& symbol = symbols[variable.symbol];
    thread_->local.allocate_at(std::string(symbol.name), variable.address, symbol.size);
  }
  for (const syntax::LoweredRegister& r : frame.function->lowered.registers)
    frame.registers.emplace_back(r.width, 0);
  thread_->frames.push_back(std::move(frame));
  set_special_registers(thread_->frames.back());
}

void Machine::leave() {
  const Frame callee = std::move(thread_->frames.back());
  thread_->frames.pop_back();
  const CallParts parts = parts_of(*callee.call);
  const auto& declared = callee.function->function->returns;
  for (std::size_t i = 0; parts.returns != nullptr && i < declared.size(); ++i) {
    const FunctionVariable& value = callee.function->parameters[i];
    take_result(parts.returns->list[i], value.address, module_.module().symbols[value.symbol].size);
  }
  if (!callee.function->parameters.empty())
    thread_->parameters.release_from(callee.function->parameters.front().address);
  thread_->stack = callee.stack;
  thread_->stack_memory.release_from(callee.stack);
}

void Machine::call() {
  const syntax::Instruction& instruction = *frame().function->calls.at(frame().next - 1);
  const CallParts parts = parts_of(instruction);
  const auto& named = std::get<NameOperand>(parts.callee->is);
  const syntax::Symbol& symbol = module_.module().symbols[named.name.symbol];
  const syntax::Function* function = nullptr;
  if (symbol.kind == syntax::Symbol::Kind::function) {
    function = module_.find_function(symbol.name);
    if (function == nullptr) function = &module_.declared(named.name.symbol);
  } else {
    function = module_.function_at(frame().registers[register_of(named.name)].to_u64());
    if (function == nullptr) end_launch("out-of-bounds", "a call of an address that is no function's");
  }
  if (!function->body) {
    call_runtime(*function, instruction);
    return;
  }
  const auto depth = static_cast<unsigned>(thread_->frames.size());
  const LoadedFunction& callee = module_.load(*function, depth, thread_->cta->rank);
  enter(*function, &instruction);
  // What is passed belongs to the caller, so that its frame is looked at.
  Frame entered = std::move(thread_->frames.back());
  thread_->frames.pop_back();
  for (std::size_t i = 0; parts.arguments != nullptr && i < parts.arguments->list.size(); ++i)
    pass_argument(parts.arguments->list[i], callee.parameters[function->returns.size() + i]);
  thread_->frames.push_back(std::move(entered));
}

void Machine::pass_argument(const syntax::Operand& actual, const FunctionVariable& formal) {
  const std::uint64_t size = module_.module().symbols[formal.symbol].size;
  Allocation* target = thread_->parameters.find(formal.address, 1);
  check(target != nullptr, "a parameter without a place");
  const auto* named = std::get_if<NameOperand>(&actual.is);
  const syntax::Symbol* symbol = named == nullptr ? nullptr : &module_.module().symbols[named->name.symbol];
  if (symbol != nullptr && symbol->space == syntax::Space::param) {
    for (const FunctionVariable& own : frame().function->parameters) {
      if (own.symbol != named->name.symbol) continue;
      const Allocation* source = thread_->parameters.find(own.address, 1);
      std::copy_n(source->bytes.begin(), std::min(source->bytes.size(), target->bytes.size()),
                  target->bytes.begin());
    }
    return;
  }
  write_bytes(*target, formal.address, argument_value(actual, static_cast<unsigned>(size * 8)));
}

/// A scalar argument: a register, a number, or a variable in .param.
Bits Machine::argument_value(const syntax::Operand& actual, unsigned width) {
  if (const auto* constant = std::get_if<syntax::Constant>(&actual.is)) return Bits(width, constant->bits);
  const auto& named = std::get<NameOperand>(actual.is);
  for (const FunctionVariable& own : frame().function->parameters)
    if (own.symbol == named.name.symbol) return read(parameter_access, Bits(64, own.address), width);
  return frame().registers[register_of(named.name)].resize_unsigned(width);
}

void Machine::take_result(const syntax::Operand& actual, std::uint64_t address, std::uint64_t size) {
  const auto* named = std::get_if<NameOperand>(&actual.is);
  if (named == nullptr) return;  // `_`
  const Allocation* source = thread_->parameters.find(address, 1);
  for (const FunctionVariable& own : frame().function->parameters) {
    if (own.symbol != named->name.symbol) continue;
    Allocation* target = thread_->parameters.find(own.address, 1);
    std::copy_n(source->bytes.begin(), std::min(source->bytes.size(), target->bytes.size()),
                target->bytes.begin());
    target->is_written.assign(target->bytes.size(), true);
    return;
  }
  Bits& result = frame().registers[register_of(named->name)];
  result = read_bytes(*source, address, static_cast<unsigned>(size * 8)).resize_unsigned(result.width());
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

/// Arguments lie one after the other, each aligned to its size; numbers of 4 or 8 bytes.
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

void Machine::call_runtime(const syntax::Function& function, const syntax::Instruction& instruction) {
  const CallParts parts = parts_of(instruction);
  const std::string_view name = function.name.text;
  const auto argument = [&](std::size_t i, unsigned width) {
    return argument_value(parts.arguments->list.at(i), width).to_u64();
  };
  std::optional<Bits> result;
  if (name == "vprintf") {
    const std::uint64_t format = argument(0, 64);
    const std::string text = string_at(format);
    print_formatted(format, argument(1, 64));
    result = Bits(32, count_conversions(text));
  } else if (name == "malloc") {
    const std::uint64_t size = argument(0, 64);
    result = Bits(64, heap_.allocate("malloc", size, 256).base);
  } else if (name == "free") {
    const std::uint64_t address = argument(0, 64);
    Allocation* block = heap_.at(address);
    if (address != 0 && (block == nullptr || block->is_freed))
      end_launch("out-of-bounds", fmt::format("free of {:#x}, which is no block of malloc", address));
    if (block != nullptr) block->is_freed = true;
  } else if (name == "__assertfail") {
    end_launch("assertion", fmt::format("assertion failed: {} ({}:{})", string_at(argument(0, 64)),
                                        string_at(argument(1, 64)), argument(2, 32)));
  } else {
    throw Unsupported("a call of '" + std::string(name) + "', which has no body",
                      module_.module().position(instruction.text));
  }
  if (!result || parts.returns == nullptr) return;
  const auto* named = std::get_if<NameOperand>(&parts.returns->list.at(0).is);
  if (named == nullptr) return;
  for (const FunctionVariable& own : frame().function->parameters)
    if (own.symbol == named->name.symbol) {
      write(parameter_access, Bits(64, own.address), *result);
      return;
    }
  Bits& target = frame().registers[register_of(named->name)];
  target = result->resize_unsigned(target.width());
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
