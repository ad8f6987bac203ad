#pragma once

#include <cstdint>
#include <optional>

#include "model/cat/cat_model.hpp"
#include "src/library/tests_by_size.hpp"

namespace ptxmc {

/// What a search has found.
struct FoundDifference {
  std::optional<generator::DecidedTest> difference;
  std::optional<generator::DecidedTest> decided_by_one;  ///< the smallest one
  std::uint64_t tests = 0;
  unsigned instructions = 0;  ///< of the tests that were decided last
  bool is_complete = false;   ///< all tests of the limits were decided
};

/// Decides tests under two models in the order of their sizes, several at a time, until a difference is found
/// or the time is over.
FoundDifference find_difference(const cat::Model& first, const cat::Model& second, const DifferenceLimits&,
                                const SearchOptions&);

}  // namespace ptxmc
