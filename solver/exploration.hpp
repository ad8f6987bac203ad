#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "solver/execution_walk.hpp"
#include "solver/flags.hpp"
#include "solver/outcomes.hpp"

namespace ptxmc {

/// The executions of a litmus test in which all threads end, and what they show: final states, or flags of
/// the model. Besides, whether the bound on loops cuts an execution off.
class Exploration final : private ExecutionObserver {
 public:
  /// What was seen on the way.
  struct Course : ExecutionWalk::Course {
    bool was_cut_off = false;
    bool has_race = false;
    std::map<std::string, Execution> raised = {};  ///< the flags that are sought, by name

    /// What was seen after that.
    void add(Course);
  };

  /// The arguments outlive it. Throws Unsupported for what only the other engine does. `sought`: flags of the
  /// model that are looked for, and nothing else.
  Exploration(const Program&, const Question&, const cat::Model&, const DecideOptions&, const EventStructure&,
              const ExploredBarriers&, const CountedPhases&, ExplorationWatch&,
              std::vector<std::string> sought = {});

  /// The question has no answer: why.
  std::optional<std::string> void_reason() const { return void_reason_; }
  bool has_interchangeable_threads() const { return alike_.has_value(); }

  /// How many executions there are: see ExecutionWalk.
  std::optional<double> estimate(const StepLimit& limit) { return walk_.estimate(*this, limit); }
  /// Places that have no choice in common, and between them have all executions: see ExecutionWalk. And what
  /// was seen before them.
  std::pair<std::vector<Place>, Course> split(std::size_t at_least);
  /// Goes through everything, within a limit.
  Course explore(const StepLimit&);
  /// Goes through what is behind one place; `number` tells which of several.
  Course explore(const Place&, std::size_t number, const AreTooMany&);

  /// Others explore other places.
  void share(SharedStates& all) { outcomes_.share(all); }
  /// Puts to this one the states that another one has found, in a different part of the tree.
  void merge(const Exploration& other) { outcomes_.merge(other.outcomes_); }
  /// To be asked once, of all that was seen.
  Answer answer(const Course&);
  /// Of what is sought.
  std::vector<FlagFinding> flag_findings(const Course&) const;

 private:
  bool may_show_something(const PartialExecution&) override;
  bool begin(PartialExecution&) override;
  bool depends_on_orders(PartialExecution&) override { return looks_at_flags() && may_raise_flag(); }
  Next look(PartialExecution&, bool has_one_coherence) override;
  std::uint64_t executions() const override { return executions_; }

  Course take(ExecutionWalk::Course);
  bool looks_for_flags() const { return !sought_.empty(); }
  bool checks_race() const { return !looks_for_flags() && has_mixed_sizes_ && !model_.flags.empty(); }
  bool looks_at_flags() const { return looks_for_flags() || checks_race(); }
  bool looks_at_flag(const std::string& name) const;
  bool may_raise_flag();
  Next look_at_flags(PartialExecution&);
  Next add_states(PartialExecution&, bool has_one_coherence);

  const DecideOptions& options_;
  const EventStructure& structure_;
  const bool has_mixed_sizes_;
  const std::vector<std::string> sought_;
  const cat::Model model_;
  const std::optional<std::string> void_reason_;
  PartialExecution execution_;
  Outcomes outcomes_;
  std::optional<InterchangeableThreads> alike_;
  ExecutionWalk walk_;
  std::vector<bool> flag_falls_;     // by flag: the more is oriented, the less it can be raised
  bool coherence_tells_all_ = true;  // how each choice is oriented
  BitMatrix coherence_;
  Course seen_;
  std::uint64_t executions_ = 0;
};

}  // namespace ptxmc
