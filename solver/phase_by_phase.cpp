#include "solver/phase_by_phase.hpp"

#include <algorithm>
#include <map>

#include "semantics/diagnostic.hpp"
#include "solver/encoding.hpp"
#include "solver/execution_walk.hpp"
#include "solver/explored_ends.hpp"
#include "solver/explored_model.hpp"
#include "solver/outcomes.hpp"
#include "solver/question.hpp"
#include "solver/time_limit.hpp"
#include "solver/witness.hpp"

namespace ptxmc {

namespace {

using Kind = Ending::Kind;

/// Looks at executions in which all threads end; besides, for one that the bound on loops cuts off.
class CompletedObserver : public ExecutionObserver {
 public:
  explicit CompletedObserver(const EventStructure& structure) : structure_(structure) {}

  bool may_show_something(const PartialExecution& execution) override {
    const auto some = [&](Kind kind) { return some_ends(structure_, execution, kind); };
    if (some(Kind::trapped) || some(Kind::stray_access)) return false;
    if (some(Kind::bound_reached)) return !reaches_bound_;
    return (!some(Kind::spinning) && !some(Kind::waiting)) || (!reaches_bound_ && execution.may_be_cut_off());
  }

  bool begin(PartialExecution& execution) override {
    return is_complete(execution) || some_ends(structure_, execution, Kind::bound_reached);
  }

  bool look(PartialExecution& execution) final {
    if (is_complete(execution)) return look_at_complete(execution);
    reaches_bound_ = true;
    return true;
  }

  std::uint64_t executions() const override { return 0; }
  bool reaches_bound() const { return reaches_bound_; }

 protected:
  /// False: nothing else is to be seen.
  virtual bool look_at_complete(PartialExecution&) = 0;
  bool is_complete(const PartialExecution& execution) const {
    return all_end(structure_, execution, {Kind::completed});
  }

 private:
  const EventStructure& structure_;
  bool reaches_bound_ = false;
};

class OutcomeObserver final : public CompletedObserver {
 public:
  /// The flags of the model that void everything are looked at.
  OutcomeObserver(const EventStructure& structure, const cat::Model& model, Outcomes& outcomes,
                  const DecideOptions& options)
      : CompletedObserver(structure), model_(model), outcomes_(outcomes), options_(options) {}

  bool begin(PartialExecution& execution) override {
    if (is_complete(execution)) outcomes_.begin(execution);
    return CompletedObserver::begin(execution);
  }
  bool depends_on_orders(PartialExecution&) override { return checks_race(); }

  /// Accesses that overlap partially may race.
  bool checks_race() const { return !model_.flags.empty(); }
  bool has_race() const { return has_race_; }
  bool has_too_many_states() const { return outcomes_.state_count() >= options_.max_states; }

 private:
  bool look_at_complete(PartialExecution& execution) override {
    for (std::size_t i = 0; i < model_.flags.size(); ++i)
      has_race_ = has_race_ || execution.model.is_raised(i);
    if (has_race_) return false;
    execution.model.copy_value(execution.model.find_step("co"), coherence_);
    outcomes_.add(execution, coherence_, true);
    const bool is_decided =
        !options_.all_states && !options_.count_executions && !checks_race() && outcomes_.is_condition_met();
    return !is_decided && !has_too_many_states();
  }

  const cat::Model& model_;
  Outcomes& outcomes_;
  const DecideOptions& options_;
  BitMatrix coherence_;
  bool has_race_ = false;
};

class FlagObserver final : public CompletedObserver {
 public:
  FlagObserver(const EventStructure& structure, const cat::Model& model)
      : CompletedObserver(structure), structure_(structure), model_(model) {}

  bool depends_on_orders(PartialExecution&) override { return true; }
  const std::map<std::string, Execution>& raised() const { return raised_; }

 private:
  bool look_at_complete(PartialExecution& execution) override {
    for (std::size_t i = 0; i < model_.flags.size(); ++i)
      note_flag(execution, structure_, model_, i, raised_);
    return raised_.size() < model_.flags.size();
  }

  const EventStructure& structure_;
  const cat::Model& model_;
  std::map<std::string, Execution> raised_;
};

/// Threads wait where the result of a barrier is not known.
UnfoldOptions with_waits(UnfoldOptions unfolding) {
  unfolding.may_wait_for_ever = true;
  return unfolding;
}

/// What was seen of the executions.
struct Walked {
  bool is_all = false;
  std::string reason;  ///< they were not all; empty: the bound on loops
};

Walked walk_through(const EventStructure& structure, const cat::Model& model, CompletedObserver& observer,
                    const DecideOptions& options) {
  check_contents(structure);
  const TimeLimit limit(options.timeout_seconds, options.interrupted);
  const ExploredBarriers barriers(structure);
  const CountedPhases counted(structure, barriers);
  PartialExecution execution(structure, model, std::vector<std::string>{"co"}, PartialExecution::Ends::any);
  ExecutionWalk walk(structure, model, execution, barriers, &counted, observer, options);
  walk.run();
  if (walk.lacked_values()) throw Unsupported("values that nothing chooses in the explorer", {});
  return {.is_all = walk.reason().empty() && !walk.was_ended() && !observer.reaches_bound(),
          .reason = walk.reason()};
}

cat::Model with_only(cat::Model model, const std::vector<std::string>& flags) {
  std::erase_if(model.flags,
                [&](const cat::Test& flag) { return std::ranges::find(flags, flag.name) == flags.end(); });
  return model;
}

}  // namespace

Answer explore_phase_by_phase(const Program& program, const Question& question, const cat::Model& model,
                              const DecideOptions& options) {
  TermGraph graph;
  const EventStructure structure =
      unfold(program, graph, with_waits(unfold_options(program, shown_terms(question), options)));
  std::vector<std::string> voiding;
  if (may_overlap_partially(structure)) voiding.emplace_back(mixed_size_race);
  const cat::Model looked_at = with_only(model, voiding);
  Outcomes outcomes(program, question, looked_at, structure, options);
  OutcomeObserver observer(structure, looked_at, outcomes, options);
  const Walked walked = walk_through(structure, looked_at, observer, options);
  const bool has_too_many = walked.reason.empty() && observer.has_too_many_states();
  return outcomes.answer(walked.is_all, has_too_many ? "state limit" : walked.reason,
                         {.has_race = observer.has_race(), .checks_race = observer.checks_race()});
}

std::vector<FlagFinding> explore_flags_phase_by_phase(const Program& program, const cat::Model& model,
                                                      const DecideOptions& options,
                                                      const std::vector<std::string>& names) {
  TermGraph graph;
  const EventStructure structure = unfold(program, graph, with_waits(unfold_options(program, {}, options)));
  const cat::Model sought = with_only(model, names);
  FlagObserver observer(structure, sought);
  const Walked walked = walk_through(structure, sought, observer, options);
  std::vector<FlagFinding> findings;
  for (const cat::Test& flag : sought.flags) {
    FlagFinding& finding = findings.emplace_back();
    finding.name = flag.name;
    finding.engine = "explorer";
    if (const auto found = observer.raised().find(flag.name); found != observer.raised().end()) {
      finding.raised = Verdict::allowed;
      finding.witness = found->second;
    } else if (walked.is_all) {
      finding.raised = Verdict::forbidden;
    } else {
      finding.reason = walked.reason.empty() ? "loop bound " + std::to_string(options.bound) : walked.reason;
    }
  }
  return findings;
}

}  // namespace ptxmc
