#pragma once

#include <set>

#include "solver/encoding/candidate_executions.hpp"
#include "solver/launch/launch_question.hpp"

namespace ptxmc {

/// The properties that no values of reads and inputs violate, whatever the model allows. The suspects of such
/// a property follow from the conditions of events, endings and violations alone, and none of these can be
/// true. No relation of the model is computed. There are none if a thread may need more iterations than the
/// bound, or if accesses may overlap partially (PTX ISA 8.7 § 8.7.2).
///
/// `is_bound_reached`: false if it is known that in no execution of the model a thread needs more iterations.
std::set<LaunchProperty> properties_without_suspects(const LaunchQuestion&, const SettledCandidates&,
                                                     const DecideOptions&, bool is_bound_reached = true);

}  // namespace ptxmc
