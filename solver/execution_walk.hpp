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

#include "solver/counted_phases.hpp"
#include "solver/decide.hpp"
#include "solver/exploration_watch.hpp"
#include "solver/explored_barriers.hpp"
#include "solver/next_step.hpp"
#include "solver/orientations.hpp"
#include "solver/outcomes.hpp"
#include "solver/partial_execution.hpp"
#include "solver/thread_renaming.hpp"
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

  /// What is to be seen after an execution.
  enum class Next : std::uint8_t {
    all,            ///< all that follow
    other_sources,  ///< none with the same sources and barriers
    nothing,
  };
  /// An execution that the model accepts. `has_one_coherence`: all with the same sources and barriers have
  /// the same coherence order.
  virtual Next look(PartialExecution&, bool has_one_coherence) = 0;
  /// How many were of interest.
  virtual std::uint64_t executions() const = 0;
};

/// Threads of a litmus test that can change places, and what is counted for those executions that differ only
/// by who is who of them.
struct InterchangeableThreads {
  ThreadRenaming renaming;
  Outcomes& outcomes;
};

/// The way through all executions of some events: through the sources of reads, the phases of barriers, then
/// the orders that the model chooses.
class ExecutionWalk {
 public:
  /// What was seen on the way.
  struct Course : ptxmc::Course {
    bool was_ended = false;      ///< nothing else was to be seen
    bool was_blocked = false;    ///< it came to where nothing could be chosen, because of some value that
                                 ///< nothing chooses, if there is one
    bool lacked_values = false;  ///< an execution was complete but for such a value
    std::uint64_t blocked = 0;   ///< branches that ended without a consistent execution

    /// What was seen after that.
    void add(const Course&);
  };

  /// The arguments outlive it. `counted`: none in a launch. `starts`: unknowns of which each is assumed to be
  /// true and to be false, in every combination; at first all of them true. Throws Unsupported for models
  /// that allow values out of thin air.
  ExecutionWalk(const EventStructure&, const cat::Model&, PartialExecution&, const ExploredBarriers&,
                const CountedPhases* counted, ExplorationWatch&, std::span<const Bits> starts = {});

  /// Of executions that differ only by who is who of these threads, one is gone through. They outlive it.
  void take_one_for_all(InterchangeableThreads& threads) { alike_ = &threads; }

  /// How many executions there are, by some random ways through the tree (D. E. Knuth, Estimating the
  /// efficiency of backtrack programs, 1975). The same every time. None: that takes too long.
  std::optional<double> estimate(ExecutionObserver&, const StepLimit&);
  /// Goes through all of them.
  Course run(ExecutionObserver&, const StepLimit&);
  /// Through those behind a place of which this is the path, or the rest of it.
  Course run(ExecutionObserver&, std::span<const std::uint32_t> path, const AreTooMany&);
  /// Into so many places, if there are, which have no choice in common and between them have all executions,
  /// in the order in which `run` comes to them; and what was seen before them.
  std::pair<std::vector<Place>, Course> divide(std::size_t at_least, ExecutionObserver&);

  /// No more steps than these, and only some of them where little is done by then.
  static StepLimit step_limit(std::uint64_t max_steps);

 private:
  /// What is to be chosen.
  struct Fork {
    Step step;
    std::optional<CountedPhases::Choice> phases = {};  ///< in place of the step
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
  void branch_over_phases(const CountedPhases::Choice&);
  void choose(const Step&, EventId source);
  template <class Choose>
  void follow(std::uint32_t number, const Choose&);
  void complete();
  bool must_stop();
  void note();

  // execution_walk_estimate.cpp
  double probe(std::mt19937_64&);
  double probe_orders(std::mt19937_64&);
  std::size_t choose_at_random(const Fork&, std::mt19937_64&);

  PartialExecution& execution_;
  const ExploredBarriers& barriers_;
  const CountedPhases* counted_;
  ExplorationWatch& watch_;
  const std::span<const Bits> starts_;
  const bool may_lack_values_;  // a complete execution may have a value that nothing chooses
  InterchangeableThreads* alike_ = nullptr;
  std::unordered_map<std::string, Outcomes::Tally> explored_;  // by key, where threads can change places
  ExecutionObserver* observer_ = nullptr;
  Orientations orientations_;
  NextStep next_;
  std::deque<Fork> forks_;  // by depth: nothing is allocated the next time
  BitMatrix coherence_;
  CountedPhases::Postponed postponed_;
  int chosen_thread_ = -1;  // of the last read that was given a source
  bool has_started_ = false;
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
