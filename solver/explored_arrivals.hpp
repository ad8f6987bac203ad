#pragma once

#include <optional>
#include <span>

#include "solver/arrival_order.hpp"
#include "solver/barrier_matching.hpp"
#include "solver/partial_execution.hpp"

namespace ptxmc {

/// The events of a litmus test that could meet, with one order of their phases: barrier_matching.hpp.
struct OrderedPhases {
  std::span<const EventId> meeting;  ///< those that happen
  std::span<const int> order;        ///< by event of the meeting; -1 where no phase was filled
  std::span<const EventId> may_come;
};

/// Whether the arrival order of an execution of a litmus test, put together up to the choices of the model,
/// has no cycle when phases follow each other in this way: arrival_order.hpp, without unknowns. What reads
/// make happen is left out where nobody waits because of it.
bool come_about_in_order(const EventStructure&, const std::optional<ReadsBehind>&, const PartialExecution&,
                         std::span<const OrderedPhases>);

}  // namespace ptxmc
