#pragma once

#include <span>

#include "model/program/event.hpp"
#include "semantics/values/bits.hpp"

namespace ptxmc {

/// Whether some term of the structure, or of the further ones, has an unknown that is neither the result of a
/// read nor an unknown of a barrier nor `chosen`. No choice of the explorer gives such an unknown a value:
/// executions are missed where an event or an end of a thread needs it.
bool has_open_values(const EventStructure&, std::span<const Bits> further, std::span<const Bits> chosen);

}  // namespace ptxmc
