#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "solver/counted_phases.hpp"
#include "solver/decide.hpp"
#include "solver/exploration_watch.hpp"
#include "solver/explored_barriers.hpp"
#include "solver/next_step.hpp"
#include "solver/orientations.hpp"
#include "solver/partial_execution.hpp"
#include "solver/tree_places.hpp"

namespace ptxmc {

/// Receives the executions of a walk.
class ExecutionObserver {
 public:
  virtual ~ExecutionObserver() = default;

  /// Whether completions of this execution can show something new. Called at each choice.
  virtual bool may_show_something(const PartialExecution&) = 0;
  /// Called when sources and barriers are chosen; the next executions share them. Returns false if none of
  /// them is of interest.
  virtual bool begin(PartialExecution&) = 0;
  /// Whether the observer depends on orientations other than coherence order.
  virtual bool depends_on_orders(PartialExecution&) = 0;
  /// Called for an execution that the model accepts. Returns false to end the walk.
  virtual bool look(PartialExecution&) = 0;
  /// The number of executions of interest.
  virtual std::uint64_t executions() const = 0;
};

/// Enumerates all executions of a structure whose threads may end in any way.
class ExecutionWalk {
 public:
  /// The result of a walk.
  struct Course : ptxmc::Course {
    bool was_ended = false;      ///< the observer ended the walk
    bool was_blocked = false;    ///< it came to where nothing could be chosen, because of some value that
                                 ///< nobody chooses, if there is one
    bool lacked_values = false;  ///< an execution was complete but for such a value

    /// Appends the result of a later part of the walk.
    void add(const Course&);
  };

  /// The arguments must outlive it. `counted` is null in a launch. `starts` are unknowns that are assumed to
  /// be true or false, in every combination, beginning with all true. Throws Unsupported for models that
  /// allow values out of thin air.
  ExecutionWalk(const EventStructure&, const cat::Model&, PartialExecution&, const ExploredBarriers&,
                const CountedPhases* counted, ExplorationWatch&, std::span<const Bits> starts = {});

  /// Walks through all executions.
  Course run(ExecutionObserver&, const StepLimit&);
  /// Walks through the executions behind the place with this path, or through the rest of them.
  Course run(ExecutionObserver&, std::span<const std::uint32_t> path, const AreTooMany&);
  /// The places at a depth of the tree, or leaves above it, and the result of the walk to them.
  std::pair<std::vector<Place>, Course> places_at(std::size_t depth, ExecutionObserver&);

  /// The step limit for at most `max_steps` steps; the walk ends earlier if it has made little progress by
  /// then.
  static StepLimit step_limit(std::uint64_t max_steps);

 private:
  /// A choice with its alternatives.
  struct Fork {
    Step step;
    std::optional<CountedPhases::Choice> phases = {};  ///< in place of the step
  };

  void extend();
  bool advance(Fork&);
  bool give_up(bool& any);
  void branch(const Fork&);
  void branch_over_start(const Bits& started);
  void branch_over_sources(const Step&);
  void branch_over_phases(const CountedPhases::Choice&);
  template <class Choose>
  void follow(std::uint32_t number, const Choose&);
  void complete();
  bool must_stop();
  Course run(ExecutionObserver&);
  void note();

  PartialExecution& execution_;
  const ExploredBarriers& barriers_;
  const CountedPhases* counted_;
  ExplorationWatch& watch_;
  const std::span<const Bits> starts_;
  ExecutionObserver* observer_ = nullptr;
  Orientations orientations_;
  NextStep next_;
  BitMatrix coherence_;
  CountedPhases::Postponed postponed_;
  const std::uint64_t step_cost_;
  Course course_;
  StepLimit limit_;
  const AreTooMany* are_too_many_ = nullptr;  // in place of the limit
  double share_ = 1;  // of the tree behind the current place; the alternatives of a choice have equal shares
  double done_ = 0;   // of the tree
  std::uint64_t noted_ = 0;  // of the executions
  double noted_done_ = 0;

  std::span<const std::uint32_t> place_;  // the walk is restricted to the subtree behind it
  std::size_t depth_ = 0;
  std::vector<std::uint32_t> path_;       // the current path, while a tree is divided
  std::vector<Place>* places_ = nullptr;  // found by dividing it, at this depth
  std::size_t divided_at_ = 0;
};

}  // namespace ptxmc
