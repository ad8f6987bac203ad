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

/// The undefined uses of an execution.
struct UndefinedUses {
  Pairs misuses, after;     ///< the pairs of the relations `misuse` and `after_misuse`
  bool has_end = false;     ///< a thread ends with an undefined use
  std::vector<int> phases;  ///< by event: Execution::barrier_phase
};

/// The part of an execution that precedes its undefined uses. The manual does not define what follows them,
/// so that only this part shows violations of other properties. Two arrivals misuse their phase when the
/// later one of them happens; if it is open which one this is, what is behind `barrier.arrive` may precede
/// the misuse.
class DefinedPart {
 public:
  /// The events must outlive it.
  DefinedPart(const Program&, std::span<const Event>, const UndefinedUses&);

  /// Whether it contains the sites of a suspect; `number` gives the event of a site among the events. A
  /// suspect without a thread needs an execution without undefined uses.
  bool contains(LaunchProperty, const Suspect&, const std::function<EventId(EventId)>& number) const;

 private:
  void add_phases(std::span<const int> phases);

  const Program& program_;
  std::span<const Event> events_;
  std::vector<bool> is_misuse_, is_after_;  // by event
  Pairs misusing_;                          // arrivals that misuse their phase
  bool has_undefined_use_;
};

/// The condition (width 1) that an undefined use happens in an execution.
Bits some_undefined_use(const Encoding&);

/// Restricts suspects to executions whose defined part contains them. The encoding has values for the
/// relations `misuse` and `after_misuse`.
void restrict_to_defined_part(const Encoding&, LaunchProperty, std::vector<Suspect>&);

}  // namespace ptxmc
