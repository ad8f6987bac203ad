#pragma once

#include <vector>

#include "solver/smt_engine/answers.hpp"
#include "src/library/public.hpp"
#include "src/report/names.hpp"

namespace ptxmc {

/// The final states of an answer without executions, in the order of ordered_states.
std::vector<v1::State> shown_states(const Answer&, const Program&, Naming);

}  // namespace ptxmc
