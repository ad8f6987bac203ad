#include "solver/launch/properties/properties.hpp"

// An access beyond its allocation, or misaligned.

namespace ptxmc {

namespace {

std::vector<Suspect> stray_accesses(const EventStructure& structure) {
  std::vector<Suspect> result = ending_suspects(structure, Ending::Kind::stray_access);
  for (Suspect& access : violation_suspects(structure, Violation::Kind::out_of_bounds))
    result.push_back(std::move(access));
  return result;
}

}  // namespace

PropertyDefinition out_of_bounds_property() {
  return {.property = LaunchProperty::out_of_bounds, .visible = stray_accesses};
}

}  // namespace ptxmc
