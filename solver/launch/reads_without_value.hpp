#pragma once

#include <functional>
#include <vector>

#include "solver/launch/launch_suspects.hpp"
#include "solver/reads/reads_from.hpp"

namespace ptxmc {

/// Where a read takes the bytes of an atom from. `chosen` has width 1; in an execution it is true.
using SourceOfRead = ReadsFromChoices::Choice;

/// What is known of the structure: the addresses of events (64 bits), and values of conditions. In an
/// execution both are constants.
struct KnownTerms {
  std::function<Bits(EventId)> location;
  std::function<Bits(const Bits&)> value;
};

/// The reads that violate the property `uninitialized`, with the conditions: a thread uses a byte that no
/// write has initialized or that was discarded, or a copy of such a byte; or no write has initialized any
/// byte that the instruction reads. The sources are those of all reads of the structure.
std::vector<Suspect> reads_without_value(const EventStructure&, const std::vector<SourceOfRead>&,
                                         const KnownTerms&);

}  // namespace ptxmc
