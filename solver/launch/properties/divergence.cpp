#include "solver/meetings/divergence.hpp"

#include "model/program/misuses.hpp"
#include "solver/launch/properties/properties.hpp"

// Threads of a warp at barriers of which the table of misuses says that they exclude each other: PTX ISA 8.7
// § 9.7.13.1, § 9.7.13.3.

namespace ptxmc {

namespace {

std::vector<Suspect> divergent_barriers(const EventStructure& structure) {
  std::vector<Suspect> result;
  for (const Divergence& divergence : divergences(structure))
    result.push_back(
        {divergence.elsewhere | divergence.without, site_of(structure, divergence.barrier), {}, {}, {}});
  return result;
}

/// Adds the site of a thread that is not at the barrier, according to the table of misuses.
bool add_absentee(LaunchFinding& finding, const EventStructure&, const Holds&) {
  const Execution& execution = finding.witness;
  const auto absentee = divergence_at(execution, finding.site.event);
  if (!absentee) return false;
  finding.other = LaunchSite{absentee->thread, {}, -1};
  if (absentee->barrier < 0) return true;
  const Event& event = execution.events[static_cast<std::size_t>(absentee->barrier)];
  finding.other = LaunchSite{absentee->thread, event.instruction->where, absentee->barrier};
  return true;
}

}  // namespace

PropertyDefinition divergence_property() {
  return {.property = LaunchProperty::divergence, .visible = divergent_barriers, .complete = add_absentee};
}

}  // namespace ptxmc
