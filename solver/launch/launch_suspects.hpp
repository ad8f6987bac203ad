#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "solver/encoding/encoding.hpp"
#include "solver/launch/launch_properties.hpp"

namespace ptxmc {

/// A possible violation of a property of a launch.
struct Suspect {
  Bits condition;   ///< width 1
  LaunchSite site;  ///< with an event of the structure
  std::optional<LaunchSite> other;
  std::string message;
  /// For a site without an event: its position in program order, if known.
  std::optional<unsigned> step;
};

/// Suspects with the same lines are one finding. The tuple has the smaller line, the larger line, and the
/// message.
using SuspectLines = std::tuple<std::uint32_t, std::uint32_t, std::string>;
SuspectLines lines_of(const Suspect&);

/// A message without its numbers, so that it is the same for all threads and positions. Messages of
/// assertions stay unchanged.
std::string gist_of(std::string message);

/// Whether one of the sites of a suspect is accepted: LaunchQuestion::is_ignored.
bool is_ignored(const LaunchQuestion&, LaunchProperty, const Suspect&);

/// The suspects of a property that need no relations of the model: endings of threads, accesses to private
/// memory, barriers at which warps diverge.
std::vector<Suspect> visible_suspects(const EventStructure&, LaunchProperty);

/// Whether some thread may violate one of the properties that visible_suspects finds.
bool has_visible_suspect(const EventStructure&, LaunchProperty);

/// Whether some execution may use a barrier or an exchange in a way that the manual leaves undefined.
bool may_be_undefined(const EventStructure&);

/// The site of an event of a structure.
LaunchSite site_of(const EventStructure&, EventId);

/// Checks the sites of a divergence or an undefined use against the table of misuses, in its witness, and
/// adds the other site of a divergence. Returns whether the witness shows the misuse; true for findings of
/// other properties.
bool confirm_misuse(LaunchFinding&);

/// Whether two arrivals at a barrier must not be in one phase: one is a reduction and the other is not
/// (misuse.hpp).
bool are_mixed(const EventStructure&, EventId, EventId);

/// The suspect for two mixed arrivals, under the condition `meets` (width 1) that they are in one phase.
Suspect mixed_reduction(const EventStructure&, EventId, EventId, const Bits& meets);

/// All suspects of a property. `wrong_end`: all threads have ended, and the final condition is false.
std::vector<Suspect> suspects(const Encoding&, LaunchProperty, const Bits& wrong_end);

/// The pairs of a relation of the model that contains data races; empty if the model has no relation of this
/// name.
std::vector<Suspect> race_suspects(const Encoding&, const char* relation);

/// Whether the launch does not determine the value of this write: it is the unknown initial content of
/// memory, or a `discard`.
bool gives_no_value(const EventStructure&, const Event& write);

/// Whether the launch does not determine the initial content of these bytes of memory.
bool has_unknown_content(const EventStructure&, const Event& initial);

/// Whether a flag of a model is about races.
bool is_race_flag(const std::string& name);

}  // namespace ptxmc
