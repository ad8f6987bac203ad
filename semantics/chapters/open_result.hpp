#pragma once

#include "semantics/language/effects.hpp"

namespace ptxmc {

// Results of which the manual gives a range only. Where the range has one value, there is no unknown.

/// One of two values of the same width. An execution that chooses nothing (`ptxmc run`) has the first.
Bits either(const Bits& first, const Bits& second, Effects&);

/// `closest`, which is one of two neighbours, or the other one.
Bits either_neighbour(const Bits& closest, const Bits& below, const Bits& above, Effects&);

/// `value`, or any other number of f32 from `lowest` to `highest`. An execution that chooses nothing has
/// `value`, and so has one in which a bound is NaN.
Bits any_between(const Bits& value, const Bits& lowest, const Bits& highest, Effects&);

}  // namespace ptxmc
