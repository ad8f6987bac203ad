#include "src/litmus/property.hpp"

namespace ptxmc {

std::span<const LitmusPropertyWords> litmus_properties() {
  using enum LitmusProperty;
  static constexpr LitmusPropertyWords all[] = {
      {condition, "condition", "condition", "allowed", "forbidden", ""},
      {race, "race", "race", "race", "no race", "DataRace"},
      {termination, "termination", "hang", "hangs", "terminates", "Termination"},
      {assertion, "assertion", "assertion", "trap", "no trap", "Assertion"},
      {uninitialized, "uninitialized", "uninitialized", "uninitialized", "initialized", "Uninitialized"},
      {out_of_bounds, "out-of-bounds", "out-of-bounds", "out of bounds", "in bounds", "OutOfBounds"},
      {divergence, "divergence", "divergence", "divergence", "no divergence", "Divergence"},
      {undefined, "undefined", "undefined", "undefined", "defined", "Undefined"},
  };
  return all;
}

const LitmusPropertyWords& words_of(LitmusProperty property) {
  return litmus_properties()[static_cast<std::size_t>(property)];
}

std::optional<LaunchProperty> launch_property(LitmusProperty property) {
  switch (property) {
    case LitmusProperty::condition:
    case LitmusProperty::race:
    case LitmusProperty::termination:
      return std::nullopt;
    case LitmusProperty::assertion:
      return LaunchProperty::assertion;
    case LitmusProperty::uninitialized:
      return LaunchProperty::uninitialized;
    case LitmusProperty::out_of_bounds:
      return LaunchProperty::out_of_bounds;
    case LitmusProperty::divergence:
      return LaunchProperty::divergence;
    case LitmusProperty::undefined:
      return LaunchProperty::undefined;
  }
  return std::nullopt;
}

}  // namespace ptxmc
