#pragma once

#include <functional>
#include <span>
#include <vector>

#include "model/cat_model.hpp"

namespace ptxmc::cat {

/// How the value of a node is used.
enum class Use : std::uint8_t {
  none,      ///< not at all
  positive,  ///< only where a larger value can make what is asserted fail and can do nothing else
  exact,
};

/// The use of each node when all axioms are asserted, flags are asserted to be raised, and the values of
/// `exact` are wanted.
std::vector<Use> uses(const Model&, std::span<const NodeId> exact);

/// For each axiom: whether a larger execution can only make it fail more. True when every relation that can
/// still grow occurs positively; `A \ B` counts as positive when B is static. `is_static` tells it of the
/// base sets and relations by name: whether what is known of two events is final. Of what is derived, only
/// what looks at no third event is static.
std::vector<bool> monotone_axioms(const Model&, const std::function<bool(const std::string&)>& is_static);

}  // namespace ptxmc::cat
