#pragma once

#include <span>

#include "solver/arrival_order.hpp"
#include "solver/barrier_matching.hpp"
#include "solver/partial_execution.hpp"

namespace ptxmc {

/// Whether the arrival order of an execution of a litmus test, put together up to the choices of the model,
/// has no cycle when the phases of its meetings, in their order, follow each other in this way:
/// arrival_order.hpp, without unknowns.
bool come_about_in_order(const EventStructure&, const ReadsBehind&, const PartialExecution&,
                         std::span<const OrderedPhases>);

}  // namespace ptxmc
