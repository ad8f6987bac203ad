#pragma once

#include <vector>

#include "model/program/execution.hpp"
#include "solver/launch/launch_question.hpp"

namespace ptxmc {

/// The events that a picture or trace of a finding must show: those that it names, or all reads of its
/// thread.
std::vector<EventId> important_events(const LaunchFinding&);

/// By event: whether it explains the important ones. These are, from the threads of the important events and
/// of their sources, the events that access the same memory, that synchronize, or that are read.
std::vector<bool> events_that_explain(const Execution&, const std::vector<EventId>& important);

/// The part of an execution that explains some important events. `important` becomes the numbers of the same
/// events in the excerpt. A small execution is returned whole.
Execution excerpt_of(const Execution&, std::vector<EventId>& important);

}  // namespace ptxmc
