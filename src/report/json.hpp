#pragma once

#include <string>
#include <vector>

#include "solver/smt_engine/answers.hpp"
#include "src/kernel/unfolding/final_states.hpp"
#include "src/litmus/litmus_test.hpp"
#include "src/report/explanation_text.hpp"

namespace ptxmc {

/// The answer as one JSON object on one line, without the newline. The keys and their order are stable across
/// versions (docs/users-guide.md): file, name, model, engine, quantifier, condition, verdict, holds, states,
/// complete (`states` are all), executions, reason, notes, time_s, warnings.
std::string litmus_json(const LitmusTest&, const Answer&, const std::string& model,
                        const std::string& engine);

/// The same with the additional key explanation: {axioms, changes, reason}, with sections of the manual and
/// positions in the test.
std::string explained_json(const LitmusTest&, const Answer&, const cat::Model&, const std::string& engine,
                           const Reasons&);

/// The same for a property of the program (`condition` "race" or "hang", `quantifier` "~exists"), with the
/// additional key findings: sentences about the witness.
std::string property_json(const LitmusTest&, const std::string& condition, const Answer&,
                          const std::vector<std::string>& findings, const std::string& model,
                          const std::string& engine);

/// The final states of a launch as one JSON object on one line, without the newline. States are those of a
/// litmus test.
std::string launch_states_json(const kernel::LaunchStates&, const std::string& model);

}  // namespace ptxmc
