#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "solver/launch/chosen_inputs.hpp"
#include "solver/meetings/barrier_schedules.hpp"

namespace ptxmc {

/// The events of a launch with mbarriers in which some reads have the values that they have in one course of
/// the execution.
struct GuessedReads {
  EventStructure structure;
  std::vector<std::pair<EventId, Bits>> values;  ///< the reads with their values
};

/// Guesses the values of reads on which other events depend, such as the index of the next tile that one
/// thread writes to shared memory for all others. They are the values that are read when the threads take
/// turns.
///
/// Turns need a schedule of the barriers. If the barriers depend on such reads, the first of these are
/// guessed before: each wait for an mbarrier is over, and threads go on behind their barriers. A read that
/// then happens takes the last write of its bytes by the one thread that certainly writes them; what depends
/// on it becomes known, and with it further writes and reads. Empty if nothing is guessed.
std::optional<GuessedReads> guess_reads(EventStructure, const ChosenInputs&);

/// Whether every execution has the guessed values, given the events and the schedule that mbarrier_schedules
/// finds for the structure with the guesses: the order of accesses alone gives each value.
///
/// Take an execution in a sequence as in mbarrier_phases.cpp, and its first event that is not as guessed. If
/// it is a read X, all events before X are those of the structure. X takes a write W before it in the
/// sequence. If a write is between W and X in causality order, or X precedes W, the path consists of events
/// before X, so that § 8.10.6 excludes W. Only the last write before X remains.
bool are_certain(const GuessedReads&, const EventStructure& scheduled, const BarrierSchedule&);

}  // namespace ptxmc
