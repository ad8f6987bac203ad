#pragma once

#include "solver/encoding/witness.hpp"
#include "solver/launch/launch_suspects.hpp"

namespace ptxmc {

/// Sets Input::matters of a finding in a witness; `inputs` are the terms of its inputs in the structure. An
/// input matters if it may decide whether and where the accesses of the suspect happen, whether their threads
/// trap, whether something synchronizes, or a value read on which one of these depends. A value that is only
/// written does not matter. Of deadlocks and final conditions every input matters.
void mark_decisive_inputs(LaunchFinding&, const Suspect&, const Inputs& inputs, const EventStructure&,
                          const Witness&);

/// Whether an event may order others: a fence, a barrier, a wait or a strong access.
bool may_synchronize(const Event&);

}  // namespace ptxmc
