#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/explorer/execution_walk.hpp"
#include "solver/explorer/explored_structure.hpp"
#include "solver/explorer/observed_flags.hpp"
#include "solver/explorer/outcomes.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

/// Explores the executions of a litmus test in which all threads end, and collects final states or flags of
/// the model. It also records whether the loop bound cuts off an execution.
class Exploration final : private ExecutionObserver {
 public:
  /// The result of an exploration.
  struct Course : ExecutionWalk::Course {
    bool was_cut_off = false;
    bool has_race = false;
    ObservedFlags::Raised raised = {};

    /// Appends the result of a later part.
    void add(Course);
  };

  /// The arguments must outlive it. Throws Unsupported for programs that only the SMT engine decides.
  /// `sought`: flags of the model to search for, instead of states.
  Exploration(const Question&, const cat::Model&, const DecideOptions&, const ExploredStructure&,
              ProgressReport&, std::vector<std::string> sought = {});

  /// Why the question has no answer; empty if it may have one.
  std::optional<std::string> void_reason() const { return void_reason_; }
  bool has_interchangeable_threads() const { return alike_.has_value(); }

  /// Estimates the number of executions: see ExecutionWalk.
  std::optional<SizeEstimate> estimate(const StepLimit& limit) { return walk_.estimate(*this, limit); }
  /// Divides the tree into places: see ExecutionWalk. Also returns the result of the exploration up to the
  /// places.
  std::pair<std::vector<Place>, Course> split(std::size_t at_least);
  /// Explores the whole tree, within a limit.
  Course explore(const StepLimit&);
  /// Explores the subtree of a place; `number` is its index among the places.
  Course explore(const Place&, std::size_t number, const AreTooMany&);

  // See explore_together.hpp.

  /// With interchangeable threads, results of one subtree save work in others.
  bool is_alone() const { return has_interchangeable_threads(); }
  /// Shares states with explorations of other places.
  void share(const std::vector<std::unique_ptr<Exploration>>& others, std::size_t places);
  /// Ends the search if there are too many states.
  void end_place(std::size_t number, Course&);
  /// Adds the states that another exploration has found in a different part of the tree.
  void merge(const Exploration& other) { outcomes_.merge(other.outcomes_); }

  /// The answer from the whole result; call it once.
  Answer answer(const Course&);
  /// The findings about the flags that are sought.
  std::vector<FlagFinding> flag_findings(const Course&) const;

 private:
  bool may_show_something(const PartialExecution&) override;
  bool begin(PartialExecution&) override;
  bool depends_on_orders(PartialExecution& execution) override {
    return flags_.are_any() && flags_.may_be_raised(execution, seen_.raised);
  }
  Next look(PartialExecution&, bool has_one_coherence) override;
  std::uint64_t executions() const override { return executions_; }

  Course take(ExecutionWalk::Course);
  Next add_states(PartialExecution&, bool has_one_coherence);

  const DecideOptions& options_;
  const ObservedFlags flags_;
  const std::optional<std::string> void_reason_;
  PartialExecution execution_;
  const std::uint32_t coherence_step_;
  Outcomes outcomes_;
  std::optional<InterchangeableThreads> alike_;
  ExecutionWalk walk_;
  bool coherence_tells_all_ = true;  // coherence order determines the orientations of each choice
  BitMatrix coherence_;
  Course seen_;
  std::uint64_t executions_ = 0;
  std::shared_ptr<SharedStates> states_;  // of all explorations of places
};

}  // namespace ptxmc
