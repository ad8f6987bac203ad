#pragma once

#include <cstdint>
#include <vector>

#include "model/program/proposition.hpp"

namespace ptxmc {

/// The condition that each term has the value with the same index.
Proposition all_equal(const std::vector<FinalTerm>&, const std::vector<std::int64_t>& values);

}  // namespace ptxmc
