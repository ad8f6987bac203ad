#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "solver/explorer/chosen_orders.hpp"
#include "solver/explorer/counted_phases.hpp"
#include "solver/explorer/explored_barriers.hpp"
#include "solver/explorer/next_step.hpp"
#include "solver/explorer/outcomes.hpp"
#include "solver/explorer/partial_execution.hpp"
#include "solver/explorer/thread_renaming.hpp"
#include "solver/explorer/tree_position.hpp"
#include "solver/explorer/walk_budget.hpp"
#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// Estimated numbers of executions.
struct SizeEstimate {
  double executions = 0;
  double inequivalent = 0;  ///< without those that differ only by a permutation of interchangeable threads
};

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

  /// The executions to visit after an execution.
  enum class Next : std::uint8_t {
    all,            ///< all further executions
    other_sources,  ///< none with the same sources and barriers
    nothing,
  };
  /// Called for an execution that the model accepts. `has_one_coherence`: all executions with the same
  /// sources and barriers have the same coherence order.
  virtual Next look(PartialExecution&, bool has_one_coherence) = 0;
  /// The number of executions of interest.
  virtual std::uint64_t executions() const = 0;
};

/// The interchangeable threads of a litmus test, and the counts of executions that differ only by a
/// permutation of them.
struct InterchangeableThreads {
  ThreadRenaming renaming;
  Outcomes& outcomes;
  std::unordered_map<std::string, Outcomes::Tally> explored = {};  ///< by key of the partial execution
};

/// Enumerates all executions of a structure: the sources of reads, the phases of barriers, then the orders
/// that the model chooses.
class ExecutionWalk {
 public:
  /// The result of a walk.
  struct Course : ptxmc::Course {
    /// No further choice was possible, possibly because of a value that no choice determines.
    bool was_blocked = false;
    bool lacked_values = false;  ///< an execution was complete except for such a value
    std::uint64_t blocked = 0;   ///< branches that ended without a consistent execution

    /// Appends the result of a later part of the walk.
    void add(const Course&);
  };

  /// The arguments must outlive it. `counted` is null in a launch. `starts` are unknowns that are assumed to
  /// be true or false, in every combination, beginning with all true. Throws Unsupported for models that
  /// allow values out of thin air.
  ExecutionWalk(const EventStructure&, const cat::Model&, PartialExecution&, const ExploredBarriers&,
                const CountedPhases* counted, ProgressReport&, std::span<const Bits> starts = {});

  /// Visits one of the executions that differ only by a permutation of these threads. The argument must
  /// outlive it.
  void take_one_for_all(InterchangeableThreads& threads) { alike_ = &threads; }

  /// Estimates the numbers of executions by random paths through the tree (D. E. Knuth, Estimating the
  /// efficiency of backtrack programs, 1975). The estimate is deterministic. Empty if it takes too long.
  std::optional<SizeEstimate> estimate(ExecutionObserver&, const StepLimit&);
  /// Walks through all executions.
  Course run(ExecutionObserver&, const StepLimit&);
  /// Walks through the executions behind the place with this path, or through the rest of them.
  Course run(ExecutionObserver&, std::span<const std::uint32_t> path, const AreTooMany&);
  /// Divides the tree into at least this many places, if possible, in the order of `run`. Their subtrees are
  /// disjoint and contain all executions. Also returns the result of the walk up to the places.
  std::pair<std::vector<Place>, Course> divide(std::size_t at_least, ExecutionObserver&);

  /// The step limit for at most `max_steps` steps; the walk ends earlier if it has made little progress by
  /// then.
  static StepLimit step_limit(std::uint64_t max_steps);

 private:
  /// A choice with its alternatives.
  struct Fork {
    Step step;
    std::vector<CountedPhases::Arrivals> phases = {};  ///< in place of the step, if there are any
  };
  struct Barriers {
    const ExploredBarriers& without_count;
    const CountedPhases* with_count;  // null in a launch
    CountedPhases::Refused refused = {};
  };

  Course run(ExecutionObserver&);
  void rule_out_sources();
  void extend();
  bool advance(Fork&);
  bool give_up(bool& any);
  bool orient_updates_of_one_write();
  bool is_update(const PartialExecution::Part&) const;
  bool orient_if_forced(std::size_t choice, std::size_t a, std::size_t b);
  bool can_orient(std::size_t choice, std::size_t from, std::size_t to);
  bool can_orient_suspects();
  void branch_once(const Fork&);
  void branch(const Fork&);
  void branch_over_start(const Bits& started);
  void branch_over_sources(const Step&);
  void branch_over_phases(std::span<const CountedPhases::Arrivals>);
  void choose(const Step&, EventId source);
  template <class Choose>
  void follow(std::uint32_t number, std::size_t alternatives, const Choose&);
  void complete();
  bool must_stop();

  // execution_walk_estimate.cpp
  SizeEstimate probe(std::mt19937_64&);
  double probe_orders(std::mt19937_64&);
  std::size_t choose_at_random(const Fork&, std::mt19937_64&);

  PartialExecution& execution_;
  Barriers barriers_;
  const std::span<const Bits> starts_;
  const bool may_lack_values_;  // a complete execution may have a value that no choice determines
  InterchangeableThreads* alike_ = nullptr;
  ExecutionObserver* observer_ = nullptr;
  ChosenOrders chosen_orders_;
  NextStep next_;
  std::deque<Fork> forks_;  // by depth; memory is reused
  int chosen_thread_ = -1;  // of the last read that was given a source
  bool has_started_ = false;
  Course course_;
  TreePosition position_;
  WalkBudget budget_;
};

}  // namespace ptxmc
