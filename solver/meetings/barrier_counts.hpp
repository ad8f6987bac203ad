#pragma once

#include <optional>
#include <set>

#include "model/program/event.hpp"

namespace ptxmc {

/// The events of a launch in which each arrival at some barriers has a thread count.
struct GivenCounts {
  EventStructure structure;
  std::set<EventId> names_all;  ///< events that have no count of their own
};

/// Adds the number of threads of all warps of the CTA as thread count to events without one, at barriers that
/// are used both with and without a count: PTX ISA 8.7 § 9.7.13.1, "if no thread count is specified, all
/// threads in the CTA participate". Empty if there is no such barrier.
std::optional<GivenCounts> with_counts_of_all(const EventStructure&);

}  // namespace ptxmc
