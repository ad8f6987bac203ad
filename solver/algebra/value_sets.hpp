#pragma once

#include <optional>
#include <vector>

#include "model/program/event.hpp"

namespace ptxmc {

/// The values that an access may read or write.
using ValueSet = std::optional<std::vector<Bits>>;  ///< none: any

/// For each event the constants that it may read or write: values of writes, and values computed from them
/// through reads. It assumes that no value comes out of thin air (`rf | dep` is acyclic), so that no chain of
/// such steps passes a write twice. Fences and barriers have no values.
std::vector<ValueSet> possible_values(const EventStructure&);

/// Whether two accesses cannot tear each other (PTX ISA 8.7 § 8.10.3): both are strong and each is in the
/// other's scope, or both are of the same thread.
bool are_whole_to_each_other(const EventStructure&, EventId, EventId);

}  // namespace ptxmc
