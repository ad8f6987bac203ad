#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "model/cat/cat_model.hpp"
#include "solver/engine/engine.hpp"
#include "src/compiler/fence_report.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {

/// What `ptxmc fences` keeps besides the condition.
enum class RaceClause : std::uint8_t {
  keep,    ///< no data race if the program has none, otherwise none between other instructions than before
  forbid,  ///< no data race
  ignore,
};

struct FencesQuestion {
  RaceClause races = RaceClause::keep;
  bool same_outcomes = false;  ///< in place of the condition: no further final state
  StrengthCosts costs;
  WhatToTry tries = WhatToTry::nothing;  ///< programs to decide besides: FenceTrials
};

/// Which annotations of a test are needed, wasted or missing, so that no execution satisfies the condition
/// (of `forall`: violates it), no data race is added, and no thread may newly wait for ever. A program that
/// loses this is repaired to one without data races if there is one. Throws Unsupported, if the given program
/// cannot be decided.
///
/// A data race of a C++ test is undefined behaviour, so that RaceClause::keep forbids all of them. `text` is
/// that of a C++ test, whose programs are read from it with their changes.
///
/// An answer `unknown` about the given program is in `reason`, and the report is empty.
FenceReport fences_of(const LitmusTest&, const cat::Model&, const DecideOptions&, Engine,
                      const FencesQuestion&, std::string_view text = {});

}  // namespace ptxmc
