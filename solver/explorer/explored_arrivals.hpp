#pragma once

#include <optional>
#include <span>

#include "solver/explorer/partial_execution.hpp"
#include "solver/meetings/arrival_order.hpp"
#include "solver/meetings/barrier_matching.hpp"

namespace ptxmc {

/// The events of one meeting of a litmus test, with one order of their phases: barrier_matching.hpp.
struct OrderedPhases {
  std::span<const EventId> meeting;  ///< the events that happen
  std::span<const int> order;        ///< by event of the meeting; -1 if its phase is not complete
  std::span<const EventId> may_come;
};

/// Whether the arrival order of an execution of a litmus test is acyclic if phases follow each other in this
/// order: arrival_order.hpp, without unknowns. The execution is complete except for the choices of the model.
/// Reads are left out if no waiting depends on reads.
bool come_about_in_order(const EventStructure&, const std::optional<ReadsBehind>&, const PartialExecution&,
                         std::span<const OrderedPhases>);

}  // namespace ptxmc
