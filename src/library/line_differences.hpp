#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/cat/cat_mutants.hpp"
#include "src/library/tests_by_size.hpp"

namespace ptxmc {

/// A line of a model, and the smallest test on which the model without it differs.
struct LineDifference {
  cat::Mutant without;
  bool is_of_flags = false;                          ///< no axiom uses it, so that no condition depends on it
  std::optional<generator::DecidedTest> difference;  ///< `first`: the model, `second`: without the line
  std::string undecided;  ///< why the first test that was not decided without the line has no answer
};

struct LineDifferences {
  std::vector<LineDifference> lines;  ///< by place
  std::uint64_t tests = 0;
  unsigned instructions = 0;  ///< of the tests that were decided last
  bool is_complete = false;   ///< all tests of the limits were decided, or all lines have a difference
};

/// Decides tests under a model and, for each line of it, under the model without the line, in the order of
/// their sizes, until each line has a difference or the time is over. A test that is not decided within ten
/// seconds tells nothing.
LineDifferences find_line_differences(const cat::Model&, const DifferenceLimits&, const SearchOptions&);

}  // namespace ptxmc
