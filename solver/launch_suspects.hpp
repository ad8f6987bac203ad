#pragma once

#include <optional>
#include <string>
#include <tuple>
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

/// Suspects at the same lines are one finding: the lesser line, the greater, the message.
using SuspectLines = std::tuple<std::uint32_t, std::uint32_t, std::string>;
SuspectLines lines_of(const Suspect&);

/// What a message says of any thread and place: without its numbers, except those of an assertion.
std::string gist_of(std::string message);

/// What is known and accepted, wherever one of its sites is: LaunchQuestion::is_ignored.
bool is_ignored(const LaunchQuestion&, LaunchProperty, const Suspect&);

/// Those of a property that are seen without relations: ways in which threads end, what they do in memory of
/// their own, barriers at which warps diverge.
std::vector<Suspect> visible_suspects(const EventStructure&, LaunchProperty);

/// Where an event of a structure is.
LaunchSite site_of(const EventStructure&, EventId);

/// The other thread of a divergence, in an execution.
std::optional<LaunchSite> other_site(const Execution&, EventId barrier,
                                     const std::function<bool(int thread)>& has_exited);

/// These arrivals at a barrier may not be of one phase: a reduction beside what is none (misuse.hpp).
bool are_mixed(const EventStructure&, EventId, EventId);

/// Two mixed arrivals, where they are of one phase (width 1).
Suspect mixed_reduction(const EventStructure&, EventId, EventId, const Bits& meets);

/// All of a property. `wrong_end`: all threads have ended, and the final condition is false.
std::vector<Suspect> suspects(const Encoding&, LaunchProperty, const Bits& wrong_end);

/// The pairs of a relation of the model that is a kind of data race; none where the model has none of this
/// name.
std::vector<Suspect> race_suspects(const Encoding&, const char* relation);

/// What a read takes from this write is nothing that a launch says: the initial content of some memory, or
/// what has been discarded.
bool gives_no_value(const EventStructure&, const Event& write);

/// The initial content of these bytes of memory is nothing that a launch says.
bool has_unknown_content(const EventStructure&, const Event& initial);

/// A flag of a model says something of races.
bool is_race_flag(const std::string& name);

}  // namespace ptxmc
