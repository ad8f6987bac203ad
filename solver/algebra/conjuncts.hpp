#pragma once

#include <set>

#include "semantics/values/bits.hpp"

namespace ptxmc {

/// The terms of whose conjunction a condition consists; none if it is constant.
std::set<const Term*> conjuncts(const Bits& condition);

/// Whether a condition implies another one, as far as their structure shows; width 1.
bool certainly_implies(const Bits& condition, const Bits& conclusion);

}  // namespace ptxmc
