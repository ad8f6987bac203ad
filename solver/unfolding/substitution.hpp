#pragma once

#include "model/program/event.hpp"

namespace ptxmc {

/// Applies a substitution to all terms of the events, endings and violations.
void substitute(EventStructure&, Substitution&);

}  // namespace ptxmc
