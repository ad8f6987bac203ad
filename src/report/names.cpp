#include "src/report/names.hpp"

#include <fmt/format.h>

#include <bit>

namespace ptxmc {

namespace {

const Variable* variable_at(const Program& program, std::uint64_t address) {
  for (const Variable& variable : program.memory)
    if (address >= variable.address && address - variable.address < variable.size()) return &variable;
  return nullptr;
}

std::string element_name(const Variable& variable, std::uint64_t element) {
  return variable.initial.size() > 1 ? fmt::format("{}[{}]", variable.name, element) : variable.name;
}

std::string hexadecimal(u128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64), low = static_cast<std::uint64_t>(value);
  return high != 0 ? fmt::format("0x{:x}{:016x}", high, low) : fmt::format("0x{:x}", low);
}

}  // namespace

std::string name_of(const FinalTerm& term, const Program& program, Naming naming) {
  switch (term.kind) {
    case FinalTerm::Kind::constant:
      return std::to_string(term.constant);
    case FinalTerm::Kind::thread_register: {
      const Thread& thread = program.threads.at(term.thread);
      const std::string& register_name = thread.register_names.at(term.register_id);
      return naming == Naming::herd ? fmt::format("{}:{}", term.thread, register_name)
                                    : fmt::format("{}:{}", thread.name, register_name);
    }
    case FinalTerm::Kind::memory: {
      const Variable& variable = program.memory.at(term.variable);
      const std::string name = element_name(variable, term.element);
      const bool is_array = variable.initial.size() > 1;
      return naming == Naming::herd && !is_array ? fmt::format("[{}]", name) : name;
    }
  }
  throw std::logic_error("a final term of no known kind");
}

bool is_unsigned(const FinalTerm& term, const Program& program) {
  return term.kind == FinalTerm::Kind::memory && !program.memory.at(term.variable).is_signed;
}

std::string number_text(std::int64_t value, bool is_unsigned) {
  return is_unsigned ? std::to_string(static_cast<std::uint64_t>(value)) : std::to_string(value);
}

std::string location_name(const Program& program, std::uint64_t address) {
  const Variable* variable = variable_at(program, address);
  if (variable == nullptr) return hexadecimal(address);
  const std::uint64_t offset = address - variable->address;
  const std::uint64_t inside = offset % variable->element_size;
  const std::string name = element_name(*variable, offset / variable->element_size);
  return inside == 0 ? name : fmt::format("{}+{}", name, inside);
}

std::string written(const Event& event) {
  std::string text;
  for (const char c : event.instruction->text) {
    const bool is_blank = std::string_view(" \t\r\n").find(c) != std::string_view::npos;
    if (!is_blank)
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  return text;
}

namespace {

std::string float_text(const Bits& value) {
  return value.width() == 32
             ? fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value.to_u64())))
             : fmt::format("{}", std::bit_cast<double>(value.to_u64()));
}

}  // namespace

std::string element_text(const Variable& variable, const Bits& value) {
  const bool is_float = variable.is_float && value.width() == 8 * variable.element_size;
  if (is_float && (value.width() == 32 || value.width() == 64)) return float_text(value);
  return variable.is_signed ? std::to_string(value.to_s64()) : std::to_string(value.to_u64());
}

std::string value_text(const Event& event, const Program& program) {
  const Bits& value = event.value;
  if (value.width() == 0 || !value.is_constant() || event.access.is_indeterminate) return "?";
  if (value.width() > 64) return hexadecimal(value.value());
  const std::string_view text = event.instruction ? std::string_view(event.instruction->text) : "";
  const auto is_of = [&](std::string_view type) { return text.find(type) != std::string_view::npos; };
  if ((value.width() == 32 && is_of(".f32")) || (value.width() == 64 && is_of(".f64")))
    return float_text(value);
  const Variable* variable = variable_at(program, event.address.to_u64());
  return variable == nullptr ? std::to_string(value.to_s64()) : element_text(*variable, value);
}

}  // namespace ptxmc
