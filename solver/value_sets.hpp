#pragma once

#include <optional>
#include <vector>

#include "model/event.hpp"

namespace ptxmc {

/// The values that an access may read or write.
using ValueSet = std::optional<std::vector<Bits>>;  ///< none: any

/// For each event, the constants that can pass through it: what writes hold, and what flows from them through
/// reads, as far as no value comes out of thin air (`rf | dep` without cycles: no chain of flow passes a
/// write twice). Fences and barriers have none.
std::vector<ValueSet> possible_values(const EventStructure&);

/// Both are strong and each is in the other's scope, or of the same thread: they do not tear (PTX ISA 8.7
/// § 8.10.3).
bool are_whole_to_each_other(const EventStructure&, EventId, EventId);

}  // namespace ptxmc
