#include "src/ptx/scope.hpp"

#include <algorithm>
#include <charconv>

namespace ptxmc::syntax {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The number at the end of a name, from offset `at`; empty if it is not written like the numbers of
/// `%r<100>`.
std::optional<std::uint32_t> number_at(std::string_view name, std::size_t at) {
  const std::string_view digits = name.substr(at);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool has_leading_zero = digits.size() > 1 && digits[0] == '0';
  if (error != std::errc{} || end != digits.data() + digits.size() || has_leading_zero) return std::nullopt;
  return number;
}

}  // namespace

bool Scope::resolve_numbered(Name& name) const {
  for (std::size_t at = name.text.size(); at > 1 && is_digit(name.text[at - 1]); --at) {
    const auto range = ranges_.find(name.text.substr(0, at - 1));
    if (range == ranges_.end()) continue;
    const auto number = number_at(name.text, at - 1);
    if (!number || *number >= range->second.count) continue;
    name.symbol = range->second.symbol;
    name.index = *number;
    return true;
  }
  return false;
}

bool Scope::resolve_here(Name& name) const {
  if (!ranges_.empty() && resolve_numbered(name)) return true;
  const auto found = names_.find(name.text);
  if (found == names_.end()) return false;
  name.symbol = found->second;
  name.index = 0;
  return true;
}

bool Scope::resolve(Name& name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer_)
    if (scope->resolve_here(name)) return true;
  return false;
}

std::optional<SymbolId> Scope::find_here(std::string_view name) const {
  const auto found = names_.find(name);
  if (found == names_.end()) return std::nullopt;
  return found->second;
}

/// A symbol of this scope whose name is one of the numbered names of another symbol.
std::optional<SymbolId> Scope::overlapping(const Symbol& symbol) const {
  const auto overlaps = [&](std::string_view name) {
    if (!name.starts_with(symbol.name) || name.size() == symbol.name.size()) return false;
    const auto number = number_at(name, symbol.name.size());
    return number && *number < *symbol.count;
  };
  for (const auto& [name, id] : names_)
    if (overlaps(name)) return id;
  for (const auto& [prefix, range] : ranges_)
    if (overlaps(std::string(prefix) + "0")) return range.symbol;
  const std::string first_name = std::string(symbol.name) + "0";
  Name first{first_name};
  if (resolve_numbered(first)) return first.symbol;
  return std::nullopt;
}

std::optional<SymbolId> Scope::declare(const std::vector<Symbol>& symbols, SymbolId id) {
  const Symbol& symbol = symbols[id];
  if (symbol.count) {
    if (const auto earlier = overlapping(symbol)) return earlier;
    ranges_.emplace(symbol.name, Range{id, *symbol.count});
    return std::nullopt;
  }
  Name same{symbol.name};
  if (resolve_here(same)) return same.symbol;
  names_.emplace(symbol.name, id);
  return std::nullopt;
}

}  // namespace ptxmc::syntax
