#pragma once

#include <map>
#include <optional>

#include "solver/encoding/candidate_executions.hpp"
#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// A value for each unknown in the open inputs of a launch and in the content of its memory at the beginning.
using ChosenInputs = std::map<VariableId, Bits>;

/// Inputs that satisfy the assumption of a launch. Unknowns that the assumption does not mention get
/// different values. Empty if no inputs satisfy the assumption, or if the solver finds none within the
/// limits.
std::optional<ChosenInputs> choose_inputs(const CandidateExecutions&, const DecideOptions&, const TermGraph&);

}  // namespace ptxmc
