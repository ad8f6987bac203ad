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

/// Looks at the executions that a walk comes to.
class ExecutionObserver {
 public:
  virtual ~ExecutionObserver() = default;

  /// Whether something can be seen where this goes on; asked at each choice.
  virtual bool may_show_something(const PartialExecution&) = 0;
  /// Sources and barriers are chosen; the executions seen next share them. False: nothing is seen in them.
  virtual bool begin(PartialExecution&) = 0;
  /// Something may be seen that depends on more of what the model orients than coherence.
  virtual bool depends_on_orders(PartialExecution&) = 0;
  /// An execution that the model accepts. False: nothing else is to be seen.
  virtual bool look(PartialExecution&) = 0;
  /// How many were of interest.
  virtual std::uint64_t executions() const = 0;
};

/// The way through all executions of events whose threads end in any way.
class ExecutionWalk {
 public:
  /// What was seen on the way.
  struct Course : ptxmc::Course {
    bool was_ended = false;      ///< nothing else was to be seen
    bool was_blocked = false;    ///< it came to where nothing could be chosen, because of some value that
                                 ///< nobody chooses, if there is one
    bool lacked_values = false;  ///< an execution was complete but for such a value

    /// What was seen after that.
    void add(const Course&);
  };

  /// The arguments outlive it. `counted`: none in a launch. `starts`: unknowns of which each is assumed to be
  /// true and to be false, in every combination; at first all of them true. Throws Unsupported for models
  /// that allow values out of thin air.
  ExecutionWalk(const EventStructure&, const cat::Model&, PartialExecution&, const ExploredBarriers&,
                const CountedPhases* counted, ExplorationWatch&, std::span<const Bits> starts = {});

  /// Goes through all of them.
  Course run(ExecutionObserver&, const StepLimit&);
  /// Through those behind a place of which this is the path, or the rest of it.
  Course run(ExecutionObserver&, std::span<const std::uint32_t> path, const AreTooMany&);
  /// What is at a depth of the tree, or ends before, and what was seen on the way there.
  std::pair<std::vector<Place>, Course> places_at(std::size_t depth, ExecutionObserver&);

  /// No more steps than these, and only some of them where little is done by then.
  static StepLimit step_limit(std::uint64_t max_steps);

 private:
  /// What is to be chosen.
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
  double share_ = 1;         // of the tree, behind the place at hand: each way of a choice has the same
  double done_ = 0;          // of the tree
  std::uint64_t noted_ = 0;  // of the executions
  double noted_done_ = 0;

  std::span<const std::uint32_t> place_;  // only what is behind it
  std::size_t depth_ = 0;
  std::vector<std::uint32_t> path_;       // of a tree that is divided
  std::vector<Place>* places_ = nullptr;  // found by dividing it, at this depth
  std::size_t divided_at_ = 0;
};

}  // namespace ptxmc
