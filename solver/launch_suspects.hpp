#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/encoding.hpp"
#include "solver/launch_properties.hpp"

namespace ptxmc {

/// A way in which a property of a launch would be violated.
struct Suspect {
  Bits condition;   ///< width 1
  LaunchSite site;  ///< its event is one of the structure
  std::optional<LaunchSite> other;
  std::string message;
  /// Of a site that is no event: its place in program order, where that is known.
  std::optional<unsigned> step;
};

/// All of a property. `wrong_end`: all threads have ended, and the final condition is false.
std::vector<Suspect> suspects(const Encoding&, LaunchProperty, const Bits& wrong_end);

/// The pairs of a relation of the model that is a kind of data race; none where the model has none of this
/// name.
std::vector<Suspect> race_suspects(const Encoding&, const char* relation);

/// The initial content of these bytes of memory is nothing that a launch says.
bool has_unknown_content(const EventStructure&, const Event& initial);

/// A flag of a model says something of races.
bool is_race_flag(const std::string& name);

}  // namespace ptxmc
