#pragma once

#include <optional>
#include <span>
#include <vector>

#include "semantics/values/bits.hpp"

namespace ptxmc {

/// The range of results of an instruction with approximations: the results with every approximation at the
/// low end of its bound, and at the high end.
struct ResultInterval {
  std::vector<Bits> low, high;
  bool is_bounded = true;  ///< false: the manual states no error bound
};

/// Empty for terms without approximations. `values[v]` is the constant for variable v of the terms' graph;
/// all variables of the terms must have one.
std::optional<ResultInterval> result_interval(std::span<const Bits> terms, std::span<const Bits> values);

}  // namespace ptxmc
