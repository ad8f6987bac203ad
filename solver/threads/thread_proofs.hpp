#pragma once

#include <set>

#include "model/cat/cat_model.hpp"
#include "solver/launch/launch_question.hpp"
#include "solver/threads/open_thread.hpp"

namespace ptxmc {

/// Whether the proofs below hold under the model: it is the embedded one of PTX ISA 8.7, which covers all
/// instructions.
bool can_stand_for_threads(const cat::Model&);

/// The properties that no execution of a launch violates, as far as questions about the open thread and pairs
/// of threads show it: docs/soundness.md, One thread for all. Throws OutOfTime.
std::set<LaunchProperty> excluded_by_threads(const OpenThread&, const std::vector<LaunchProperty>& asked,
                                             const DecideOptions&, TermGraph&);

}  // namespace ptxmc
