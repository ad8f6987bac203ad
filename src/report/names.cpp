#include "src/report/names.hpp"

#include <fmt/format.h>

#include <cmath>

#include "semantics/language/mbarrier_text.hpp"
#include "semantics/values/float_arithmetic.hpp"

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

/// In decimal: the fewest digits that tell it from its neighbours, of f32 when it is narrower.
std::string float_text(FloatFormat format, std::uint64_t bits) {
  const double number = float_arithmetic::number(format, bits);
  return layout_of(format).width == 64 ? fmt::format("{}", number)
                                       : fmt::format("{}", static_cast<float>(number));
}

}  // namespace

std::string name_of(const FinalTerm& term, const Program& program, Naming naming) {
  switch (term.kind) {
    case FinalTerm::Kind::constant:
      return final_value_text(term, term.constant, program);
    case FinalTerm::Kind::thread_register: {
      const Thread& thread = program.threads.at(term.thread);
      const std::string& register_name = thread.register_names.at(term.register_id);
      return naming == Naming::herd ? fmt::format("{}:{}", term.thread, register_name)
                                    : fmt::format("{}:{}", thread.name, register_name);
    }
    case FinalTerm::Kind::memory: {
      const Variable& variable = program.memory.at(term.variable);
      if (naming == Naming::launch) return fmt::format("{}[{}]", variable.name, term.element);
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

std::string final_value_text(const FinalTerm& term, std::int64_t value, const Program& program) {
  if (!term.format)
    return is_unsigned(term, program) ? std::to_string(static_cast<std::uint64_t>(value))
                                      : std::to_string(value);
  const auto bits = static_cast<std::uint64_t>(value);
  if (!std::isfinite(float_arithmetic::number(*term.format, bits)))
    return float_bits_text(*term.format, bits);
  const std::string text = float_text(*term.format, bits);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string float_bits_text(FloatFormat format, std::uint64_t bits) {
  const unsigned width = layout_of(format).width;
  const char* prefix = width == 64 ? "0d" : width == 32 ? "0f" : "0x";
  return fmt::format("{}{:0{}x}", prefix, bits, width / 4);
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

std::string element_text(const Variable& variable, const Bits& value) {
  if (variable.is_mbarrier && value.width() == 64) return mbarrier_text(value);
  if (variable.format && value.width() == layout_of(*variable.format).width)
    return float_text(*variable.format, value.to_u64());
  return variable.is_signed ? std::to_string(value.to_s64()) : std::to_string(value.to_u64());
}

std::string value_text(const Event& event, const Program& program) {
  const Bits& value = event.value;
  if (value.width() == 0 || !value.is_constant() || event.access.is_indeterminate) return "?";
  if (value.width() > 64) return hexadecimal(value.value());
  if (event.access.mbarrier != MbarrierAccess::none) return mbarrier_text(value);
  const std::string_view text = event.instruction ? std::string_view(event.instruction->text) : "";
  const auto is_of = [&](std::string_view type) { return text.find(type) != std::string_view::npos; };
  if (value.width() == 32 && is_of(".f32")) return float_text(FloatFormat::f32, value.to_u64());
  if (value.width() == 64 && is_of(".f64")) return float_text(FloatFormat::f64, value.to_u64());
  const Variable* variable = variable_at(program, event.address.to_u64());
  return variable == nullptr ? std::to_string(value.to_s64()) : element_text(*variable, value);
}

}  // namespace ptxmc
