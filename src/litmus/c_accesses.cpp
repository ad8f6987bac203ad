#include "src/litmus/c_accesses.hpp"

#include <fmt/format.h>

#include <array>

#include "src/litmus/c_words.hpp"

namespace ptxmc {

using c_syntax::CType;

Operand immediate(std::uint64_t value) { return {Operand::Immediate{Bits(64, value)}}; }

Operand memory_operand(const Operand& address) {
  if (const auto* base = std::get_if<Operand::Register>(&address.is))
    return {Operand::Address{base->id, Bits(64, 0)}};
  return {Operand::Address{std::nullopt, std::get<Operand::Immediate>(address.is).value}};
}

CType value_type(CType type) {
  type.is_atomic = type.is_atomic_reference = type.is_volatile = type.is_reference = false;
  type.scope.reset();
  return type;
}

std::string strength_text(Sem order, Scope scope) {
  constexpr std::array<std::string_view, 6> orders = {".weak",    ".relaxed", ".acquire",
                                                      ".release", ".acq_rel", ".sc"};
  constexpr std::array<std::string_view, 5> scopes = {"", ".cta", ".cluster", ".gpu", ".sys"};
  if (scope == Scope::none || order == Sem::weak) return ".weak";
  return fmt::format("{}{}", orders[static_cast<std::size_t>(order)],
                     scopes[static_cast<std::size_t>(scope)]);
}

std::string suffix(const CType& type, Sem order, std::optional<Scope> scope) {
  if (order == Sem::weak && type.is_volatile) return ".volatile." + type_text(type);
  return fmt::format("{}.{}", strength_text(order, scope.value_or(type.scope.value_or(Scope::sys))),
                     type_text(type));
}

}  // namespace ptxmc
