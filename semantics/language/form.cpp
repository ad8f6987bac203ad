#include "semantics/language/form.hpp"

#include <algorithm>

namespace ptxmc {

std::optional<Modifier> Form::operator[](std::string_view role) const {
  const auto found = std::find_if(roles.begin(), roles.end(), [&](const auto& r) { return r.first == role; });
  if (found == roles.end()) return std::nullopt;
  return found->second;
}

Type Form::type(std::string_view role) const {
  const auto modifier = (*this)[role];
  return modifier ? type_of(*modifier) : Type{};
}

}  // namespace ptxmc
