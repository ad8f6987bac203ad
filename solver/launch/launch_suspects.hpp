#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "solver/launch/launch_question.hpp"

namespace ptxmc {

/// A possible violation of a property of a launch.
struct Suspect {
  Bits condition;   ///< width 1
  LaunchSite site;  ///< with an event of the structure
  std::optional<LaunchSite> other;
  std::string message;
  /// For a site without an event: its position in program order, if known.
  std::optional<unsigned> step;
  /// The threads that must have completed in the execution.
  std::vector<int> completed = {};
};

/// Suspects with the same lines are one finding. The tuple has the smaller line, the larger line, and the
/// message.
using SuspectLines = std::tuple<std::uint32_t, std::uint32_t, std::string>;
SuspectLines lines_of(const Suspect&);

/// Whether a suspect is accepted: LaunchQuestion::is_ignored for one of its sites, or racing_lines for both.
bool is_ignored(const LaunchQuestion&, LaunchProperty, const Suspect&);

/// The site of an event of a structure.
LaunchSite site_of(const EventStructure&, EventId);

/// The suspects for the endings of one kind, and for the violations of one kind.
std::vector<Suspect> ending_suspects(const EventStructure&, Ending::Kind);
std::vector<Suspect> violation_suspects(const EventStructure&, Violation::Kind);

/// Whether the launch does not determine the value of this write: it is the unknown initial content of
/// memory, or a `discard`.
bool gives_no_value(const EventStructure&, const Event& write);

}  // namespace ptxmc
