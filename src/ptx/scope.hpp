#pragma once

#include <unordered_map>

#include "src/ptx/syntax.hpp"

namespace ptxmc::syntax {

/// The names declared between two braces, and those around them.
class Scope {
 public:
  explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}

  /// Declares a symbol, or returns the one declared here before whose name (or one of whose names, for
  /// `%r<100>`) it has.
  std::optional<SymbolId> declare(const std::vector<Symbol>&, SymbolId);

  /// Of this scope alone.
  std::optional<SymbolId> find_here(std::string_view name) const;

  /// Fills in what a name stands for; false when it stands for nothing.
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
  std::unordered_map<std::string_view, Range> ranges_;  // by what stands before the number
};

}  // namespace ptxmc::syntax
