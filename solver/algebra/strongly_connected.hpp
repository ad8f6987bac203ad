#pragma once

#include <vector>

#include "solver/algebra/symbolic_relation.hpp"

namespace ptxmc {

/// For each event, the number of its strongly connected component among the pairs that may be related.
/// An edge between different components leads from a higher to a lower number.
std::vector<int> components(const SymbolicRelation&);

}  // namespace ptxmc
