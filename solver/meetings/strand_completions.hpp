#pragma once

#include <vector>

#include "model/program/event.hpp"

namespace ptxmc {

/// What completes asynchronous operations (PTX ISA 8.7 § 8.9.1.1). A *completion* is a signal to an mbarrier,
/// or a wait for the groups of an operation. The threads that observe it follow the events that it covers.
class StrandCompletions {
 public:
  using Numbers = std::vector<std::size_t>;

  /// Only considers events that happen in every execution.
  explicit StrandCompletions(const EventStructure&);

  std::size_t count() const { return count_; }
  /// The completions that cover an event of an asynchronous operation.
  const Numbers& covering(EventId id) const { return covering_[static_cast<std::size_t>(id)]; }
  /// The completions that this event is: a signal is one, and a wait for groups one for each operation.
  const Numbers& completions_at(EventId id) const { return made_[static_cast<std::size_t>(id)]; }

 private:
  class Builder;

  std::size_t count_ = 0;
  std::vector<Numbers> covering_, made_;  // by event
};

/// Whether the event waits for groups of asynchronous operations, and not for a phase of an mbarrier.
bool waits_for_groups(const Event&);

}  // namespace ptxmc
