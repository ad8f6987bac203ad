#include "solver/phase_by_phase.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "semantics/diagnostic.hpp"
#include "solver/encoding.hpp"
#include "solver/explored_ends.hpp"
#include "solver/explored_model.hpp"
#include "solver/outcomes.hpp"
#include "solver/question.hpp"
#include "solver/shared_walk.hpp"
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
    if (some_ends_launch(structure_, execution)) return false;
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

 private:
  bool look_at_complete(PartialExecution& execution) override {
    for (std::size_t i = 0; i < model_.flags.size(); ++i)
      has_race_ = has_race_ || execution.model.is_raised(i);
    if (has_race_) return false;
    execution.model.copy_value(execution.model.find_step("co"), coherence_);
    outcomes_.add(execution, coherence_, true);
    const bool is_decided =
        !options_.all_states && !options_.count_executions && !checks_race() && outcomes_.is_condition_met();
    return !is_decided && !outcomes_.are_too_many_states();
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

/// What an observer has seen.
struct Walked : ExecutionWalk::Course {
  bool reaches_bound = false;

  bool is_all() const { return !stopped && !reaches_bound; }
  void add(const Walked& next) {
    Course::add(next);
    reaches_bound |= next.reaches_bound;
  }
};

struct WalkedOutcomes : Walked {
  std::unique_ptr<Outcomes> outcomes;
  bool has_race = false;

  void add(WalkedOutcomes next) {
    Walked::add(next);
    has_race |= next.has_race;
    if (outcomes)
      outcomes->merge(*next.outcomes);
    else
      outcomes = std::move(next.outcomes);
  }
};

struct WalkedFlags : Walked {
  std::map<std::string, Execution> raised;

  void add(WalkedFlags next) {
    Walked::add(next);
    raised.merge(next.raised);
  }
};

template <class Course>
Course walk_through(const EventStructure& structure, const cat::Model& model, const Look<Course>& look,
                    CompletedObserver& bystander, const DecideOptions& options) {
  check_contents(structure);
  const TimeLimit limit(options.timeout_seconds, options.interrupted);
  const ExploredBarriers barriers(structure);
  const CountedPhases counted(structure, barriers);
  ExplorationWatch watch(options);
  const auto another = [&] { return std::make_unique<Walker>(structure, model, barriers, counted, watch); };
  Course course = walk_together(another, look, bystander, watch, options);
  if (course.lacked_values) throw Unsupported("values that no choice determines, in the explorer", {});
  return course;
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
      unfold(program, graph, with_waits(unfold_options(program, shown_terms(question), model, options)));
  std::vector<std::string> voiding;
  if (may_overlap_partially(structure)) voiding.emplace_back(mixed_size_race);
  const cat::Model looked_at = with_only(model, voiding);
  const auto no_outcomes = [&] {
    return std::make_unique<Outcomes>(program, question, looked_at, structure, options);
  };
  const Look<WalkedOutcomes> look = [&](const auto& walk, std::size_t part) {
    WalkedOutcomes walked;
    walked.outcomes = no_outcomes();
    walked.outcomes->enter_part(part);
    OutcomeObserver observer(structure, looked_at, *walked.outcomes, options);
    walked.Walked::add({walk(observer), observer.reaches_bound()});
    walked.has_race = observer.has_race();
    return walked;
  };
  const auto nothing_seen = no_outcomes();
  OutcomeObserver bystander(structure, looked_at, *nothing_seen, options);
  WalkedOutcomes walked = walk_through(structure, looked_at, look, bystander, options);
  if (!walked.outcomes) walked.outcomes = no_outcomes();
  if (walked.reason.empty() && walked.outcomes->are_too_many_states()) walked.stop(state_limit);
  return walked.outcomes->answer(walked.is_all(), walked.reason,
                                 {.has_race = walked.has_race, .checks_race = bystander.checks_race()});
}

std::vector<FlagFinding> explore_flags_phase_by_phase(const Program& program, const cat::Model& model,
                                                      const DecideOptions& options,
                                                      const std::vector<std::string>& names) {
  TermGraph graph;
  const EventStructure structure = unfold(program, graph, with_waits(unfold_options(program, {}, model, options)));
  const cat::Model sought = with_only(model, names);
  const Look<WalkedFlags> look = [&](const auto& walk, std::size_t) {
    FlagObserver observer(structure, sought);
    WalkedFlags walked;
    walked.Walked::add({walk(observer), observer.reaches_bound()});
    walked.raised = observer.raised();
    return walked;
  };
  FlagObserver bystander(structure, sought);
  const WalkedFlags walked = walk_through(structure, sought, look, bystander, options);
  std::vector<FlagFinding> findings;
  for (const cat::Test& flag : sought.flags) {
    FlagFinding& finding = findings.emplace_back();
    finding.name = flag.name;
    finding.engine = "explorer";
    if (const auto found = walked.raised.find(flag.name); found != walked.raised.end()) {
      finding.raised = Verdict::allowed;
      finding.witness = found->second;
    } else if (walked.is_all()) {
      finding.raised = Verdict::forbidden;
    } else {
      finding.reason = walked.reason.empty() ? "loop bound " + std::to_string(options.bound) : walked.reason;
    }
  }
  return findings;
}

}  // namespace ptxmc
