#include "semantics/chapters/open_result.hpp"

#include "semantics/values/float_operations.hpp"
#include "semantics/values/float_value.hpp"

namespace ptxmc {

Bits either(const Bits& first, const Bits& second, Effects& effects) {
  if (equal(first, second).is_true()) return first;
  return ite(equal(effects.unspecified(1), Bits(1, 0)), first, second);
}

Bits either_neighbour(const Bits& closest, const Bits& below, const Bits& above, Effects& effects) {
  return either(closest, ite(equal(closest, below), above, below), effects);
}

Bits any_between(const Bits& value, const Bits& lowest, const Bits& highest, Effects& effects) {
  constexpr FloatFormat f32 = FloatFormat::f32;
  if (equal(lowest, highest).is_true()) return value;
  const auto is_ordered = [](const Bits& a, const Bits& b) {
    return float_less(f32, a, b) | float_equal(f32, a, b);
  };
  // The difference of the bit patterns is what is chosen, so that 0 gives the value itself.
  const Bits chosen = value + effects.unspecified(32);
  return ite(is_ordered(lowest, chosen) & is_ordered(chosen, highest), chosen, value);
}

}  // namespace ptxmc
