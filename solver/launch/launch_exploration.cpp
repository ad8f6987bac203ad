#include "solver/launch/launch_exploration.hpp"

#include <algorithm>

#include "model/cat/cat_rewriting.hpp"
#include "model/cat/embedded_models.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/encoding/certainly_settled.hpp"
#include "solver/explorer/execution_walk.hpp"
#include "solver/explorer/explored_model.hpp"
#include "solver/explorer/open_values.hpp"
#include "solver/launch/launch_observer.hpp"
#include "solver/launch/related_suspects.hpp"
#include "solver/limits/stopwatch.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/barrier_matching.hpp"
#include "solver/unfolding/cut_off.hpp"

namespace ptxmc {

namespace {

/// The exploration of all executions of some events.
class LaunchExploration {
 public:
  LaunchExploration(const LaunchQuestion& question, const EventStructure& structure,
                    std::optional<BarrierSchedule> schedule, const cat::Model& model,
                    const DecideOptions& options, TermGraph& graph)
      : question_(question),
        structure_(structure),
        options_(options),
        model_(cat::specialized(with_voiding_flags(model, false), structure.events)),
        barriers_(structure, std::move(schedule)),
        counted_(counted_phases(structure, barriers_)),
        observer_(question, structure, model_, barriers_, graph),
        execution_(structure_, model_, observer_.relations(), PartialExecution::Ends::any,
                   observer_.conditions(), barriers_.terms()) {}

  /// What is found in the time stays true: the other properties are unknown.
  LaunchAnswer run() {
    answer_.engine = "explorer";
    try {
      decide();
    } catch (const OutOfTime& out) {
      give_up(answer_, question_, out.what());
    }
    return std::move(answer_);
  }

 private:
  void decide() {
    std::optional<std::string> reason = voiding_flag(structure_, model_);
    if (!reason) {
      assume_contents();
      course_ = walk_.run(observer_, ExecutionWalk::step_limit(options_.max_steps));
      answer_.findings = observer_.take_findings();
      if (stop_if_enough(answer_, question_)) return;
      reason = what_is_open();
      answer_.is_given_up = is_given_up();
    }
    if (!reason) answer_.executions = observer_.executions();
    answer_.lacks_complete_executions = !reason && !observer_.has_complete_execution();
    if (reason) give_up(answer_, question_, *reason);
  }

  /// The walk chooses phases with a count in a litmus test; a launch has a schedule for them.
  static std::optional<CountedPhases> counted_phases(const EventStructure& structure,
                                                     const ExploredBarriers& barriers) {
    if (structure.program->arrivals == Arrivals::by_warp) return std::nullopt;
    return std::optional<CountedPhases>(std::in_place, structure, barriers);
  }

  const Event& event(EventId id) const { return structure_.events[index(id)]; }

  bool has_open_content() const {
    const auto gaps = observer_.gaps();
    return gaps.reads_open_content || gaps.has_open_end;
  }

  std::optional<std::string> what_is_open() {
    if (observer_.gaps().has_mixed_race) return mixed_size_race_reason;
    if (!course_.reason.empty()) return course_.reason;
    if (has_open_content()) return "memory of unknown content in the explorer";
    if (needs_open_value()) return "values that the launch leaves open in the explorer";
    if (misses_load_buffering()) return "operations on mbarriers that may be undefined, in the explorer";
    if (observer_.gaps().reaches_bound) return cut_off_reason(structure_, options_.bound);
    return std::nullopt;
  }

  /// Whether the solver may decide more: the exploration ended for a reason that does not apply to the
  /// solver.
  bool is_given_up() {
    if (observer_.gaps().has_mixed_race) return false;
    return course_.reason == StepLimit::reason || has_open_content() || needs_open_value() ||
           misses_load_buffering();
  }

  /// Assumes that memory of unknown content holds zeros, which is one possible content. The executions found
  /// are therefore a subset of all executions.
  void assume_contents() {
    for_each_event(observer_.gives_no_value(), [&](EventId write) {
      const Bits& value = event(write).value;
      if (event(write).kind == EventKind::initial_write && !value.is_constant())
        execution_.assume(value, Bits(value.width(), 0));
    });
  }

  bool needs_open_value() {
    if (!needs_open_value_)
      needs_open_value_ = course_.lacked_values || (course_.was_blocked && has_open_values());
    return *needs_open_value_;
  }

  /// Whether executions may have been missed in which arrivals at mbarriers buffer loads. Where an operation
  /// on an mbarrier may be undefined, later events of its thread have conditions over the value that it has
  /// read, without depending on it: the walk is blocked where that value comes from one of them.
  bool misses_load_buffering() const {
    return course_.was_blocked && std::ranges::any_of(structure_.endings, [](const auto& endings) {
             return std::ranges::any_of(
                 endings, [](const Ending& ending) { return ending.use && ending.use->mbarrier; });
           });
  }

  bool has_open_values() const {
    std::vector<Bits> contents;
    for_each_event(observer_.gives_no_value(),
                   [&](EventId write) { contents.push_back(event(write).value); });
    return ptxmc::has_open_values(structure_, observer_.conditions(), contents);
  }

  const LaunchQuestion& question_;
  const EventStructure& structure_;
  const DecideOptions& options_;
  const cat::Model model_;
  const ExploredBarriers barriers_;
  const std::optional<CountedPhases> counted_;
  LaunchObserver observer_;
  PartialExecution execution_;
  ProgressReport report_{options_};
  ExecutionWalk walk_{structure_, model_, execution_, barriers_, counted_ ? &*counted_ : nullptr, report_};
  ExecutionWalk::Course course_;
  std::optional<bool> needs_open_value_;
  LaunchAnswer answer_;
};

void check_flags(const cat::Model& model) {
  const bool has_race_flags =
      std::ranges::any_of(model.flags, [](const cat::Test& flag) { return is_race_flag(flag.name); });
  if (has_race_flags && model.find("data_race") == nullptr)
    throw Unsupported("a model with flags for races and no relation data_race, in the explorer", {});
}

LaunchAnswer explore_structure(const LaunchQuestion& question, const cat::Model& model,
                               const DecideOptions& options, TermGraph& graph) {
  const EventStructure& structure = *question.structure;
  const bool has_warps = structure.program->arrivals == Arrivals::by_warp &&
                         std::ranges::any_of(structure.events, [](const Event& event) {
                           return event.kind == EventKind::barrier && !event.condition.is_false();
                         });
  auto schedules = has_warps ? barrier_schedules(structure) : std::nullopt;
  // Without counts the walk finds the phases, which takes longer than one schedule that is known before.
  if (!(has_warps && has_counted_barriers(structure)) && !(schedules && schedules->size() == 1))
    return LaunchExploration(question, structure, {}, model, options, graph).run();
  if (!schedules)  // they may depend on reads that barriers settle, to which the walk gives the same values
    if (const auto settled = with_reads_settled_by_certain_barriers(structure, cat::has_axioms_of_ptx(model)))
      schedules = barrier_schedules(*settled);
  if (!schedules) throw Unsupported("barriers with a thread count that depend on reads, in the explorer", {});
  LaunchAnswer answer;
  answer.engine = "explorer";
  answer.executions = 0;
  answer.lacks_complete_executions = true;
  for (const BarrierSchedule& schedule : *schedules) {
    const EventStructure scheduled = under_schedule(structure, schedule);
    unite(answer, LaunchExploration(question, scheduled, schedule, model, options, graph).run());
    if (stop_if_enough(answer, question)) break;
  }
  return answer;
}

}  // namespace

LaunchAnswer explore_launch(const LaunchQuestion& question, const cat::Model& model,
                            const DecideOptions& options, TermGraph& graph) {
  const Stopwatch stopwatch;
  const TimeLimit limit(options.timeout_seconds, options.interrupted);
  check_closed(question);
  check_flags(model);
  check_worth_exploring(*question.structure, options);
  LaunchAnswer answer = explore_structure(question, model, options, graph);
  answer.seconds = stopwatch.seconds();
  return answer;
}

}  // namespace ptxmc
