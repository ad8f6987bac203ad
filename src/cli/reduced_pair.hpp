#pragma once

#include <filesystem>
#include <memory>

#include "src/library/compared_sides.hpp"
#include "src/cli/supervision.hpp"
#include "src/compiler/pair_reduction.hpp"

namespace ptxmc {

/// A smaller pair that still differs, and what is different in it.
struct ReducedPair {
  PairReduction reduction;
  ComparedSides compared;
};

/// Looks for a smaller pair than one of two litmus tests that differs; `observe_flag` says what is observed,
/// as `observe` reads it. Null if a side is a launch, or if the pair does not differ. When the budget is
/// spent, the result is the smallest pair until then.
std::shared_ptr<ReducedPair> reduced_pair(const ComparedSides&, const std::string& observe_flag,
                                          const DecideOptions&, Engine, const RefinementOptions&,
                                          const Budget&);

/// Writes the tests as `NAME.source.litmus` and `NAME.target.litmus` to a folder, which is made.
void write_pair(const PairTexts&, const std::filesystem::path& folder, const std::string& name);

}  // namespace ptxmc
