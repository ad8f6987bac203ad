#pragma once

#include <vector>

#include "solver/smt_engine/answers.hpp"
#include "src/litmus/resolved_test.hpp"

namespace ptxmc {

/// Whether the test is one of C++ and some execution has a data race: its behaviour is undefined, so that
/// every outcome is allowed.
bool is_undefined(const LitmusTest&, const Answer&);

/// `allowed`, `forbidden`, `unknown`.
const char* verdict_text(Verdict);

/// The final states in the order of every output: sorted by the values of the terms, in the order in which
/// these are shown.
std::vector<const FinalState*> ordered_states(const Answer&);

}  // namespace ptxmc
