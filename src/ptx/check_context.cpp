#include "src/ptx/check_context.hpp"

#include <fmt/format.h>

namespace ptxmc::syntax {

void CheckContext::declare(Scope& scope, Name& name, Symbol symbol) {
  symbol.name = name.text;
  name.symbol = static_cast<SymbolId>(module.symbols.size());
  module.symbols.push_back(std::move(symbol));
  const auto other = scope.declare(module.symbols, name.symbol);
  if (!other) return;
  std::string_view first = module.symbols[*other].name, second = name.text;
  if (second.data() < first.data()) std::swap(first, second);  // labels are declared before their block
  error(second, fmt::format("'{}' is declared twice, first in line {}", second, module.position(first).line));
}

bool CheckContext::resolve(const Scope& scope, Name& name) {
  if (scope.resolve(name)) return true;
  error(name.text, fmt::format("'{}' is not declared here", name.text));
  return false;
}

void CheckContext::require(std::string_view part, std::string_view what, PtxVersion introduced,
                           std::uint16_t sm) {
  const Architecture architecture{sm, false};
  const auto lack = lack_of(capabilities, what, introduced, {&architecture, 1});
  if (!lack.empty()) error(part, lack);
}

}  // namespace ptxmc::syntax
