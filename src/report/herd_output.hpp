#pragma once

#include <string>

#include "solver/smt_engine/answers.hpp"
#include "src/litmus/litmus_test.hpp"
#include "src/report/names.hpp"

namespace ptxmc {

struct HerdOutputOptions {
  bool mark_matches = false;  ///< `*>` before each state that satisfies the condition, as litmus7 does
};

/// The values of a final state: `1:r0=1; [x]=2;`.
std::string state_text(const FinalState&, const Answer&, const Program&, Naming = Naming::herd);

/// What herd prints behind the name of a test: `Allowed`, `Forbidden`, `Required`.
const char* kind_text(Quantifier);

/// The answer in the form that herd7 prints and scripts of the field parse: `Test MP Allowed`, `States 3`,
/// one state a line in order, `Ok`, `No` or `Unknown`, `Witnesses`, `Condition …`, `Observation …`, `Time …`,
/// and an empty line. Additions to herd's form: a reason after `Unknown`, and a line `States incomplete`.
/// Positive and Negative count executions if these were counted, otherwise final states. For `~exists`, as in
/// herd, a positive execution does not satisfy the proposition.
std::string herd_output(const LitmusTest&, const Answer&, const HerdOutputOptions& = {});

}  // namespace ptxmc
