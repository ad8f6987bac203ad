#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "solver/encoding/candidate_executions.hpp"
#include "solver/launch/launch_question.hpp"

namespace ptxmc {

/// A question about the events of a few threads of a launch.
struct FewThreads {
  SettledCandidates candidates;
  LaunchQuestion asked;
  /// Questions with one description have one answer (part_description.hpp).
  std::optional<std::string> description;
};

/// Questions about a few threads each. What no execution of these parts violates, no execution of the launch
/// violates.
///
/// A part contains the threads from whose writes its reads may read. So the events of the part in an
/// execution of the launch are an execution of the part, since axioms that are violated by some events are
/// violated by more events as well (`cat::monotone_axioms`); and causality order (PTX ISA 8.7 § 8.9.5)
/// relates no more of them than in the launch, so that races stay races. Two threads with conflicting
/// accesses are in a common part, and the writers of the memory that a part of the final condition speaks of.
/// A thread that never ends in an execution of the launch never ends in the part with this thread: the others
/// of the part end or never end too, and its reads take writes that no write of the part follows.
///
/// There are none if no property can be seen in a few threads, if parts are no smaller than the launch, or if
/// the model or the events do not allow it: asynchronous operations, mbarriers, accesses to the shared memory
/// of other CTAs.
class PartsOfLaunch {
 public:
  /// The arguments must outlive it.
  PartsOfLaunch(const LaunchQuestion&, const SettledCandidates&, const cat::Model&, TermGraph&);
  ~PartsOfLaunch();
  PartsOfLaunch(const PartsOfLaunch&) = delete;
  PartsOfLaunch& operator=(const PartsOfLaunch&) = delete;

  /// The properties of the question that can be seen in a few threads.
  const std::vector<LaunchProperty>& properties() const { return properties_; }
  std::size_t size() const;
  /// The question about a part, with these properties. It is made anew each time.
  FewThreads operator[](std::size_t) const;

 private:
  struct Groups;

  const LaunchQuestion& question_;
  const SettledCandidates& candidates_;
  const std::vector<LaunchProperty> properties_;
  std::unique_ptr<const Groups> groups_;
};

}  // namespace ptxmc
