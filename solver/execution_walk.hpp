#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "solver/counted_phases.hpp"
#include "solver/decide.hpp"
#include "solver/explored_barriers.hpp"
#include "solver/next_step.hpp"
#include "solver/orientations.hpp"
#include "solver/partial_execution.hpp"

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
  static constexpr const char* step_limit = "step limit";

  /// The arguments outlive it. `counted`: none in a launch. Throws Unsupported for models that allow values
  /// out of thin air.
  ExecutionWalk(const EventStructure&, const cat::Model&, PartialExecution&, const ExploredBarriers&,
                const CountedPhases* counted, ExecutionObserver&, const DecideOptions&);

  /// Goes through all of them; several times, where each time something else is assumed, and the walk is that
  /// part of all walks.
  void run(double share = 1);

  /// Why it ended too early; empty: it did not.
  const std::string& reason() const { return reason_; }
  /// Nothing else was to be seen.
  bool was_ended() const { return is_over_; }
  /// It came to where nothing could be chosen, because of some value that nobody chooses, if there is one.
  bool was_blocked() const { return was_blocked_; }
  /// An execution was complete but for such a value.
  bool lacked_values() const { return lacked_values_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// What is to be chosen.
  struct Fork {
    Step step;
    std::optional<CountedPhases::Choice> phases = {};  ///< in place of the step
  };

  void extend();
  bool advance(Fork&);
  bool give_up(bool& any);
  void branch(const Fork&);
  void branch_over_sources(const Step&);
  void branch_over_phases(const CountedPhases::Choice&);
  template <class Choose>
  void follow(const Choose&);
  void complete();
  bool must_stop();
  bool is_hopeless() const;
  void report();

  PartialExecution& execution_;
  const ExploredBarriers& barriers_;
  const CountedPhases* counted_;
  ExecutionObserver& observer_;
  const DecideOptions& options_;
  Orientations orientations_;
  NextStep next_;
  BitMatrix coherence_;
  CountedPhases::Postponed postponed_;
  const std::uint64_t step_cost_;
  const Clock::time_point start_ = Clock::now();
  double reported_ = 0;  // seconds
  std::uint64_t steps_ = 0;
  double share_ = 1;  // of the tree, behind the place at hand: each way of a choice has the same
  double done_ = 0;   // of the tree
  std::string reason_;
  bool is_over_ = false;
  bool was_blocked_ = false;
  bool lacked_values_ = false;
};

}  // namespace ptxmc
