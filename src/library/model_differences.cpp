#include "src/library/model_differences.hpp"

#include <utility>

namespace ptxmc {

using generator::DecidedTest;
using generator::SizedTest;

FoundDifference find_difference(const cat::Model& first, const cat::Model& second,
                                const DifferenceLimits& limits, const SearchOptions& options) {
  constexpr std::size_t batch_size = 512;
  FoundDifference found;
  TestsBySize tests(limits, options);
  const auto decide = [&](SizedTest test) {
    return generator::decide_under_both(std::move(test), first, second, options.engine, tests.options());
  };
  const auto use = [&](DecidedTest decided) {
    const bool is_decided_by_one = decided.is_decided_by_one();
    if (is_decided_by_one && !found.decided_by_one) found.decided_by_one = decided;
    if (decided.differs() || (is_decided_by_one && limits.counts_undecided))
      found.difference = std::move(decided);
    return !found.difference;
  };
  found.is_complete = tests.for_each(batch_size, decide, use);
  found.tests = tests.used();
  found.instructions = tests.instructions();
  return found;
}

}  // namespace ptxmc
