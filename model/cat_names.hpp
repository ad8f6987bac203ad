#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cat_scope.hpp"

namespace ptxmc::cat {

/// `domain`, `range` and `from_reads`.
std::optional<BuiltIn> find_built_in(const std::string& name);

/// Every name that can be used in a scope, predefined ones too.
std::vector<std::string> names_in(const Scopes&, Scope);

/// A name without meaning, and the scope that it stands in.
struct UnknownUse {
  const syntax::Expression* expression;
  Scope scope;
};

/// The first name without meaning in the value of a function, which need not be applied anywhere.
std::optional<UnknownUse> find_unknown_name(const syntax::Binding& function, Scopes&, Scope);

}  // namespace ptxmc::cat
