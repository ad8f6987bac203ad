#pragma once

#include <vector>

#include "model/program/event.hpp"
#include "solver/encoding/candidate_executions.hpp"

namespace ptxmc {

/// Some of the events of a structure.
struct StructurePart {
  EventStructure structure;
  std::vector<EventId> numbers;  ///< by event of the whole: its number in the part, or -1
};

/// The part with these events of threads (`kept`, by event), and the initial writes that one of them may
/// overlap. Dependencies on other events are left out, and so are endings and violations.
StructurePart part_of(const EventStructure&, std::vector<bool> kept);

/// The phases of the events of a part. They have the constraints of the whole that share an unknown with the
/// events and endings of the part; no order of arrivals is required. So no execution of the whole is left
/// out.
BarrierPhases phases_of_part(const BarrierPhases&, const EventStructure& part,
                             const std::vector<EventId>& numbers);

}  // namespace ptxmc
