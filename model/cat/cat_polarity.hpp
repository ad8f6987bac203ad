#pragma once

#include <functional>
#include <span>
#include <vector>

#include "model/cat/cat_model.hpp"

namespace ptxmc::cat {

/// How the value of a node is used.
enum class Use : std::uint8_t {
  none,      ///< not at all
  positive,  ///< only in places where a larger value can make an assertion fail and never make it hold
  exact,
};

/// The use of each node if all axioms are asserted, flags are asserted to be raised (`flags`: they are used
/// at all), and the nodes in `exact` are needed exactly.
std::vector<Use> uses(const Model&, std::span<const NodeId> exact, bool flags = true);

/// For each axiom, whether it stays violated in every larger execution once it is violated. This is the case
/// if every relation that can still grow occurs positively; in `A \ B`, B must be static. `is_static` says by
/// name whether a base set or relation is static: its value for two events never changes. A derived relation
/// is static only if it does not depend on third events.
std::vector<bool> monotone_axioms(const Model&, const std::function<bool(const std::string&)>& is_static);

}  // namespace ptxmc::cat
