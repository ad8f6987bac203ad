#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "model/program/execution.hpp"

namespace ptxmc {

/// For each event of an execution its place in the order in which the events happen. `moments`: a number for
/// each event, which differs between events and increases in time; for a barrier the arrival. A barrier that
/// waits is placed behind all arrivals of its phase, so that several barriers may have the same place.
std::vector<std::size_t> places_in_time(const Execution&, std::span<const std::size_t> moments);

/// The events of an execution, ordered by place. Initial writes may have any place.
std::vector<EventId> in_time(const std::vector<std::size_t>& places);

/// Whether an execution is an interleaving in this order: each read takes the last write of each byte, and
/// the order contains program order, barriers, the order of asynchronous operations, and dependencies. False
/// also for some interleavings, those with griddepcontrol.wait for example.
///
/// Every model with the definitions of ptx-8.7 accepts an interleaving whose choices are oriented along the
/// places. The proof is in interleaved_execution.cpp. The function takes about linear time, and judge() more
/// than quadratic time.
bool is_interleaving(const Execution&, std::span<const std::size_t> moments);

/// Sets the choices of the model (`with … from orientations`) along the moments.
void orient_in_time(const cat::Model&, Execution&, std::span<const std::size_t> moments);

}  // namespace ptxmc
