#pragma once

#include <vector>

#include "solver/threads/broadcasts.hpp"
#include "solver/threads/open_counters.hpp"

namespace ptxmc {

/// The counters of which a thread may find by its own addition that it is the last one: each thread executes
/// one atomic addition of one amount at most (`atom.add`, or `atom.inc` with a limit that is not reached
/// before), and writes something else only after it has found, perhaps from a broadcast, that all have added.
///
/// Such a reset is behind all additions: the first one in the order of dependencies and reads-from (PTX ISA
/// 8.7 § 8.10.4) follows an addition that has read the last value, and which is therefore the end of a chain
/// of all additions that holds no reset. So additions read what they would read without resets; this is
/// assumed of the counters that are not among those of assume_counters.
std::vector<FullCounter> find_last_additions(OpenQuestions&, const std::vector<Counter>&,
                                             const std::vector<Broadcast>&);

/// Assumes that at most one CTA broadcasts that it has added last.
void assume_one_last_cta(OpenQuestions&, const std::vector<FullCounter>& last_additions,
                         const std::vector<Broadcast>&);

}  // namespace ptxmc
