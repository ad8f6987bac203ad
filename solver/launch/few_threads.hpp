#pragma once

#include <vector>

#include "model/cat/cat_model.hpp"
#include "solver/encoding/candidate_executions.hpp"
#include "solver/launch/launch_question.hpp"

namespace ptxmc {

/// A question about the events of a few threads of a launch.
struct FewThreads {
  SettledCandidates candidates;
  LaunchQuestion asked;
};

/// Questions about a few threads each. What no execution of these parts violates, no execution of the launch
/// violates.
///
/// A part contains the threads from whose writes its reads may read. So the events of the part in an
/// execution of the launch are an execution of the part, since axioms that are violated by some events are
/// violated by more events as well (`cat::monotone_axioms`); and causality order (PTX ISA 8.7 § 8.9.5)
/// relates no more of them than in the launch, so that races stay races. Two threads with conflicting
/// accesses are in a common part, and the writers of the memory that a part of the final condition speaks of.
///
/// The questions have the same properties, some of the given ones: those that can be seen in a few threads.
/// They are empty if there is no such property, if parts are no smaller than the launch, or if the model or
/// the events do not allow it: asynchronous operations, mbarriers, accesses to the shared memory of other
/// CTAs.
std::vector<FewThreads> questions_about_few_threads(const LaunchQuestion&, const SettledCandidates&,
                                                    const cat::Model&, TermGraph&);

}  // namespace ptxmc
