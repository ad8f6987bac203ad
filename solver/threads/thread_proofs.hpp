#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "solver/launch/launch_question.hpp"
#include "solver/threads/open_candidate.hpp"
#include "solver/threads/open_thread.hpp"

namespace ptxmc {

/// Whether the proofs below hold under the model: it is the embedded one of PTX ISA 8.7, which covers all
/// instructions.
bool can_stand_for_threads(const cat::Model&);

/// What questions about the open thread and pairs of threads show: docs/soundness.md, One thread for all.
struct ThreadsAnswer {
  std::set<LaunchProperty> excluded;      ///< no execution violates them
  std::vector<OpenCandidate> candidates;  ///< perhaps executions violate other properties in this way
  std::string not_excluded;               ///< why nothing can be excluded; empty: it can
};

/// Waits that are shown to end are removed from the thread: end_waits_at_counters. Throws OutOfTime; then the
/// answer has what is known so far.
void decide_by_threads(OpenThread&, const std::vector<LaunchProperty>& asked, const DecideOptions&,
                       TermGraph&, ThreadsAnswer&);

}  // namespace ptxmc
