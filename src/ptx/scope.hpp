#pragma once

#include <unordered_map>

#include "src/ptx/syntax.hpp"

namespace ptxmc::syntax {

/// The names declared in a block, with a link to the surrounding scope.
class Scope {
 public:
  explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}

  /// Declares a symbol. If this scope already has a symbol with the same name (or one of the same names, for
  /// `%r<100>`), returns that symbol instead.
  std::optional<SymbolId> declare(const std::vector<Symbol>&, SymbolId);

  /// Searches this scope only.
  std::optional<SymbolId> find_here(std::string_view name) const;

  /// Resolves a name; false if it is undefined.
  bool resolve(Name&) const;

 private:
  bool resolve_here(Name&) const;
  bool resolve_numbered(Name&) const;
  std::optional<SymbolId> overlapping(const Symbol&) const;

  struct Range {
    SymbolId symbol;
    std::uint32_t count;
  };
  const Scope* outer_;
  std::unordered_map<std::string_view, SymbolId> names_;
  std::unordered_map<std::string_view, Range> ranges_;  // by the text before the number
};

}  // namespace ptxmc::syntax
