#pragma once

#include <functional>
#include <memory>

#include "src/compiler/pair_reduction.hpp"
#include "src/library/compared_sides.hpp"

namespace ptxmc {

/// A smaller pair that still differs, and what is different in it.
struct ReducedPair {
  PairReduction reduction;
  ComparedSides compared;
};

/// How a smaller pair is sought.
struct ReductionOptions {
  std::string observe;  ///< what is observed, as `observe` reads it
  Engine engine = Engine::automatic;
  DecideOptions decide;
  RefinementOptions refinement;
  std::function<bool()> is_over;  ///< the result is then the smallest pair until now
};

/// Looks for a smaller pair than `given`, two litmus tests with these texts that differ.
std::shared_ptr<ReducedPair> reduced_pair(const ComparedSides& given, const PairTexts&,
                                          const ReductionOptions&);

}  // namespace ptxmc
