#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cat/cat_scope.hpp"

namespace ptxmc::cat {

/// `domain`, `range` and `from_reads`.
std::optional<BuiltIn> find_built_in(const std::string& name);

/// All names that can be used in a scope, including predefined ones.
std::vector<std::string> names_in(const Scopes&, Scope);

/// An undefined name and the scope in which it occurs.
struct UnknownUse {
  const syntax::Expression* expression;
  Scope scope;
};

/// The first undefined name in the body of a function, even if the function is never applied.
std::optional<UnknownUse> find_unknown_name(const syntax::Binding& function, Scopes&, Scope);

}  // namespace ptxmc::cat
