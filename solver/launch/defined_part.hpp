#pragma once

#include <functional>
#include <span>
#include <vector>

#include "model/program/execution.hpp"
#include "solver/launch/launch_suspects.hpp"

namespace ptxmc {

class Encoding;

/// The relation of a model from an undefined use of an mbarrier to the events that follow it in execution.
constexpr const char* after_misuse = "after_misuse";
/// The relation of a model whose second events are undefined uses of mbarriers.
constexpr const char* misuse_of_mbarrier = "misuse";

/// The part of an execution that precedes its undefined uses. The manual does not define what follows them,
/// so that only this part shows violations of other properties.
class DefinedPart {
 public:
  /// The pairs of the relations `misuse` and `after_misuse` over these events, and whether a thread has ended
  /// with an undefined use. The events must outlive it.
  DefinedPart(std::span<const Event>, const Pairs& misuses, const Pairs& after, bool has_undefined_end);

  /// Whether it contains the sites of a suspect; `number` gives the event of a site among the events. A
  /// suspect without a thread needs an execution without undefined uses.
  bool contains(LaunchProperty, const Suspect&, const std::function<EventId(EventId)>& number) const;

 private:
  std::span<const Event> events_;
  std::vector<bool> is_misuse_, is_after_;  // by event
  bool has_undefined_use_;
};

/// The condition (width 1) that an undefined use happens in an execution.
Bits some_undefined_use(const Encoding&);

/// Restricts suspects to executions whose defined part contains them. The encoding has values for the
/// relations `misuse` and `after_misuse`.
void restrict_to_defined_part(const Encoding&, LaunchProperty, std::vector<Suspect>&);

}  // namespace ptxmc
