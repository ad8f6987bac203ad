#pragma once

#include "solver/launch/property_definition.hpp"

// The properties of launches, each defined in a file of its own: docs/soundness.md.

namespace ptxmc {

PropertyDefinition assertion_property();
PropertyDefinition race_property();
PropertyDefinition uninitialized_property();
PropertyDefinition out_of_bounds_property();
PropertyDefinition divergence_property();
PropertyDefinition undefined_property();
PropertyDefinition deadlock_property();

}  // namespace ptxmc
