#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "solver/launch/launch_properties.hpp"

namespace ptxmc {

/// What can be asked of a litmus test: its condition, or whether some execution has a fault. The faults are
/// those of kernel launches.
enum class LitmusProperty : std::uint8_t {
  condition,
  race,
  termination,
  assertion,
  uninitialized,
  out_of_bounds,
  divergence,
  undefined,
};

/// The words for a property.
struct LitmusPropertyWords {
  LitmusProperty property;
  std::string_view name;   ///< of `--property`
  std::string_view fault;  ///< what some execution has or does not have, as in JSON
  std::string_view yes;    ///< the verdict, and in `expect` lines: some execution has it
  std::string_view no;     ///< no execution has it
  std::string_view title;  ///< in place of the kind of condition in herd's form
};

/// All properties, `condition` first.
std::span<const LitmusPropertyWords> litmus_properties();
const LitmusPropertyWords& words_of(LitmusProperty);

/// The property of launches that a fault is decided as; empty for `condition`, `race` and `termination`,
/// which are asked of executions in which all threads end, or of fair ones.
std::optional<LaunchProperty> launch_property(LitmusProperty);

}  // namespace ptxmc
