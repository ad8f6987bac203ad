#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "solver/launch/property_definition.hpp"

namespace ptxmc {

/// The definition of a property of launches.
const PropertyDefinition& definition_of(LaunchProperty);

/// The suspects of a property that need no relations of the model: endings of threads, accesses to private
/// memory, barriers at which warps diverge.
std::vector<Suspect> visible_suspects(const EventStructure&, LaunchProperty);
/// Whether some thread may violate one of the properties that visible_suspects finds.
bool has_visible_suspect(const EventStructure&, LaunchProperty);
/// Whether some event is an operation on an mbarrier.
bool has_mbarriers(const EventStructure&);
/// Whether two threads may use a phase of a barrier in a way that the manual leaves undefined.
bool may_misuse_phases(const EventStructure&);
/// Whether some execution may use a barrier or an exchange in a way that the manual leaves undefined.
bool may_be_undefined(const EventStructure&);

/// The relation of the model that a property depends on for these events; null if there is none.
const char* relation_of(LaunchProperty, const EventStructure&);

/// All suspects of a property. `wrong_end`: all threads have ended, and the final condition is false.
std::vector<Suspect> suspects(const Encoding&, LaunchProperty, const Bits& wrong_end);

/// The finding of a suspect in a witness. `number`: the number of an event of the structure in the witness,
/// or -1; `holds`: whether a condition is true in it. Empty if the witness does not show the violation.
std::optional<LaunchFinding> finding_of(LaunchProperty, const Suspect&, const EventStructure&,
                                        const Execution& witness,
                                        const std::function<EventId(EventId)>& number, const Holds& holds);

}  // namespace ptxmc
