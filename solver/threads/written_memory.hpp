#pragma once

#include <vector>

#include "solver/threads/counter_order.hpp"
#include "solver/threads/open_suspects.hpp"

namespace ptxmc {

/// Whether each read takes bytes that were written before: by the launch, by the thread itself, or by any
/// thread before a barrier. Barriers must be uniform, and no two threads may race with accesses that overlap
/// partially. Adds candidates.
bool are_reads_initialized(OpenQuestions&, OpenSuspects&, const std::vector<CounterOrder>&);

}  // namespace ptxmc
