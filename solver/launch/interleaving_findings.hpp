#pragma once

#include <cstddef>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "solver/launch/interleavings.hpp"
#include "solver/launch/launch_findings.hpp"

namespace ptxmc {

/// The number of events up to which relations over all of them are computed at once. It takes more than
/// quadratic time.
constexpr std::size_t few_related_events = 1'500;

/// The findings of an interleaving. Each is shown by an execution that the judge accepts, or, where the
/// interleaving is large, by one that `is_interleaving` proves to be accepted: the whole interleaving, or the
/// part of it that a race needs.
std::vector<LaunchFinding> findings_of(const LaunchQuestion&, const EventStructure&, const cat::Model&,
                                       Interleaving);

}  // namespace ptxmc
