#pragma once

#include <optional>
#include <span>
#include <vector>

#include "semantics/bits.hpp"

namespace ptxmc {

/// What an instruction with approximations may compute: results with every approximation at the low end of
/// its bound and at the high end.
struct ResultInterval {
  std::vector<Bits> low, high;
  bool is_bounded = true;  ///< false: the manual states no error here
};

/// None for terms without approximations. `values` are constants for the variables, which are all those of
/// the terms' graph up to `values.size()`.
std::optional<ResultInterval> result_interval(std::span<const Bits> terms, std::span<const Bits> values);

}  // namespace ptxmc
