#include "solver/launch_exploration.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "semantics/diagnostic.hpp"
#include "solver/explored_model.hpp"
#include "solver/launch_barriers.hpp"
#include "solver/launch_observer.hpp"
#include "solver/next_step.hpp"
#include "solver/orientations.hpp"
#include "solver/time_limit.hpp"

namespace ptxmc {

namespace {

constexpr const char* step_limit = "step limit";

std::size_t index(EventId id) { return static_cast<std::size_t>(id); }

/// The way through all executions of some events.
class LaunchExploration {
 public:
  LaunchExploration(const LaunchQuestion& question, const EventStructure& structure,
                    std::optional<BarrierSchedule> schedule, const cat::Model& model,
                    const DecideOptions& options, TermGraph& graph)
      : question_(question),
        structure_(structure),
        options_(options),
        model_(with_voiding_flags(model, false)),
        observer_(question, structure, model_, graph),
        barriers_(structure, std::move(schedule)),
        execution_(structure_, model_, observer_.relations(), PartialExecution::Ends::any,
                   observer_.conditions()),
        next_(execution_, structure_, model_),
        step_cost_(cost_of_step(structure.events.size())) {
    if (!execution_.model.forbids_thin_air() && may_read_from_thin_air(structure_, execution_.parts()))
      throw Unsupported("the explorer under a model that allows values out of thin air", {});
  }

  LaunchAnswer run() {
    LaunchAnswer answer;
    answer.engine = "explorer";
    std::optional<std::string> reason = voiding_flag(structure_, model_);
    if (!reason) {
      assume_contents();
      explore();
      answer.findings = observer_.take_findings();
      reason = what_is_open();
      answer.is_given_up = is_given_up();
    }
    if (!reason) answer.executions = observer_.executions();
    if (reason)
      for (const LaunchProperty property : question_.properties)
        if (std::ranges::find(answer.findings, property, &LaunchFinding::property) == answer.findings.end())
          answer.unknown.emplace(property, *reason);
    return answer;
  }

 private:
  using Clock = std::chrono::steady_clock;

  const Event& event(EventId id) const { return structure_.events[index(id)]; }

  void explore() {
    try {
      extend();
    } catch (const OutOfTime& out) {
      reason_ = out.what();
    }
  }

  std::optional<std::string> what_is_open() const {
    if (observer_.has_mixed_race()) return mixed_size_race_reason;
    if (!reason_.empty()) return reason_;
    if (reads_open_content_ || observer_.has_open_end()) return "memory of unknown content in the explorer";
    if (needs_open_value_) return "values that the launch leaves open in the explorer";
    if (observer_.reaches_bound()) return "loop bound " + std::to_string(options_.bound);
    return std::nullopt;
  }

  /// The solver may know more: nothing that holds for both ended it.
  bool is_given_up() const {
    if (observer_.has_mixed_race()) return false;
    return reason_ == step_limit || reads_open_content_ || observer_.has_open_end() || needs_open_value_;
  }

  /// Memory of unknown content holds zeros here, which is one of its contents: executions in which they are
  /// read are some of those that there are.
  void assume_contents() {
    for_each_event(observer_.gives_no_value(), [&](EventId write) {
      const Bits& value = event(write).value;
      if (event(write).kind == EventKind::initial_write && !value.is_constant())
        execution_.assume(value, Bits(value.width(), 0));
    });
  }

  void extend() {
    if (must_stop()) return;
    const std::size_t mark = execution_.mark();
    Step step;
    if (advance(step)) {
      reads_open_content_ = reads_open_content_ || takes_open_content();
      branch(step);
    } else {
      done_ += share_;
    }
    execution_.undo_to(mark);
  }

  /// Takes what is no choice, up to the next choice. False: there is no execution.
  bool advance(Step& step) {
    for (;;) {
      do {
        if (!execution_.settle()) return false;
      } while (barriers_.settle(execution_));
      next_.find(step);
      if (step.kind == Step::Kind::forced) {
        next_.take(step);
        continue;
      }
      const bool is_source = step.kind == Step::Kind::source;
      if (step.kind == Step::Kind::impossible || !execution_.model.may_become_consistent()) return false;
      if (!is_source && barriers_.give_up(execution_)) continue;
      if (!is_source) return true;
      next_.refuse_sources(step);
      if (step.has_no_way()) return false;
      if (!step.is_forced()) return true;
      next_.take(step);
    }
  }

  void branch(const Step& step) {
    if (step.kind != Step::Kind::source) {
      done_ += share_;
      if (step.kind == Step::Kind::complete) return complete();
      needs_open_value_ = needs_open_value_ || has_open_values();
      return;
    }
    const double share = share_;
    unsigned ways = step.later ? 1 : 0;
    for_each_event(step.options, [&](EventId) { ++ways; });
    share_ /= ways;
    for_each_event(step.options,
                   [&](EventId write) { follow([&] { execution_.choose_source(step.which, write); }); });
    if (step.later) follow([&] { execution_.exclude(step.which, step.options | step.refused); });
    share_ = share;
  }

  template <class Choose>
  void follow(const Choose& choose) {
    const std::size_t mark = execution_.mark();
    choose();
    extend();
    execution_.undo_to(mark);
  }

  /// Events, sources and barriers are complete.
  void complete() {
    if (!is_all_known()) {
      needs_open_value_ = true;
      return;
    }
    observer_.begin();
    const auto must_leave = [this] { return must_stop(); };
    const auto look = [this] { is_over_ = !observer_.look(execution_, barriers_); };
    if (orientations_.leave_coherence(coherence_) && !observer_.may_race(execution_))
      orientations_.for_one(coherence_, must_leave, look);
    else
      orientations_.for_each(must_leave, look);
  }

  bool must_stop() {
    if (is_over_ || !reason_.empty()) return true;
    steps_ += step_cost_;
    if (options_.max_steps > 0 && (steps_ > options_.max_steps || is_hopeless())) reason_ = step_limit;
    if (steps_ / 64 != (steps_ - step_cost_) / 64) {
      TimeLimit::check();
      report();
    }
    return !reason_.empty();
  }

  /// Once a second, how many executions there seem to be: as densely as in the part of the tree that is done.
  void report() {
    if (!options_.on_progress || observer_.executions() == 0 || done_ == 0) return;
    const double now = std::chrono::duration<double>(Clock::now() - start_).count();
    if (now < reported_ + 1) return;
    reported_ = now;
    const auto found = static_cast<double>(observer_.executions());
    options_.on_progress({found / done_, observer_.executions(), now});
  }

  /// Far more steps than there may be, as far as the part of the tree that is done tells.
  bool is_hopeless() const {
    constexpr std::uint64_t part = 8;
    constexpr double doubt = 2;
    const auto limit = static_cast<double>(options_.max_steps);
    return steps_ > options_.max_steps / part && static_cast<double>(steps_) > doubt * limit * done_;
  }

  /// Some read takes what nobody says.
  bool takes_open_content() const {
    return std::ranges::any_of(execution_.parts(), [&](const PartialExecution::Part& part) {
      return part.is_active && part.source >= 0 && observer_.gives_no_value().contains(index(part.source));
    });
  }

  /// What happened, how threads have ended, and what is seen of it.
  bool is_all_known() const {
    const KnownValues& values = execution_.values();
    for (EventId id = 0; id < static_cast<EventId>(structure_.events.size()); ++id)
      if (execution_.state(id) == PartialExecution::State::present && event(id).value.width() != 0 &&
          values.find(event(id).value) == nullptr)
        return false;
    for (std::size_t thread = 0; thread < structure_.endings.size(); ++thread)
      if (!execution_.ending(thread)) return false;
    for (const auto& registers : structure_.final_registers)
      for (const Bits& value : registers)
        if (values.find(value) == nullptr) return false;
    return std::ranges::all_of(observer_.conditions(),
                               [&](const Bits& condition) { return values.find(condition) != nullptr; });
  }

  /// Some term has an unknown that is no read, nor what is known of a barrier.
  bool has_open_values() {
    if (has_open_values_) return *has_open_values_;
    std::set<VariableId> known;
    const auto add_known = [&](const Bits& unknown) {
      if (unknown.width() != 0 && !unknown.is_constant() && unknown.term()->op == Operator::variable)
        known.insert(unknown.term()->variable);
    };
    for (const Event& each : structure_.events) {
      const bool is_result = each.is_read() || each.kind == EventKind::barrier;
      if (is_result) add_known(each.value);
      add_known(each.goes_on);
    }
    for_each_event(observer_.gives_no_value(), [&](EventId write) { add_known(event(write).value); });
    const auto is_open = [&](const Bits& term) {
      return term.width() != 0 && std::ranges::any_of(variables_of(term), [&](VariableId variable) {
               return !known.contains(variable);
             });
    };
    bool any = std::ranges::any_of(observer_.conditions(), is_open);
    for (const Event& each : structure_.events)
      for (const Bits* part : {&each.condition, &each.address, &each.location, &each.value})
        any = any || is_open(*part);
    for (const auto& endings : structure_.endings)
      for (const Ending& ending : endings) any = any || is_open(ending.condition);
    has_open_values_ = any;
    return any;
  }

  const LaunchQuestion& question_;
  const EventStructure& structure_;
  const DecideOptions& options_;
  const cat::Model model_;
  LaunchObserver observer_;
  const LaunchBarriers barriers_;
  PartialExecution execution_;
  Orientations orientations_{execution_, model_};
  BitMatrix coherence_;
  NextStep next_;
  const std::uint64_t step_cost_;
  const Clock::time_point start_ = Clock::now();
  double reported_ = 0;  // seconds
  std::uint64_t steps_ = 0;
  double share_ = 1;    // of the tree, behind the place at hand: each way of a choice has the same
  double done_ = 0;     // of the tree
  std::string reason_;  // it ended too early
  bool is_over_ = false;
  bool reads_open_content_ = false;
  bool needs_open_value_ = false;
  std::optional<bool> has_open_values_;
};

bool has_counted_barriers(const EventStructure& structure) {
  return std::ranges::any_of(structure.events, [](const Event& event) {
    return event.kind == EventKind::barrier && event.barrier.count && !event.condition.is_false();
  });
}

void check_closed(const LaunchQuestion& question, const cat::Model& model) {
  if (!question.inputs.empty() || !question.assumption.is_true())
    throw Unsupported("inputs that the launch leaves open in the explorer", {});
  if (question.are_meetings_chosen)
    throw Unsupported("lanes that meet in an order that is open in the explorer", {});
  const bool has_race_flags =
      std::ranges::any_of(model.flags, [](const cat::Test& flag) { return is_race_flag(flag.name); });
  if (has_race_flags && model.find("data_race") == nullptr)
    throw Unsupported("a model whose races are no relation data_race in the explorer", {});
}

LaunchAnswer explore_structure(const LaunchQuestion& question, const cat::Model& model,
                               const DecideOptions& options, TermGraph& graph) {
  const EventStructure& structure = *question.structure;
  if (!has_counted_barriers(structure))
    return LaunchExploration(question, structure, {}, model, options, graph).run();
  const auto schedules = barrier_schedules(structure);
  if (!schedules)
    throw Unsupported(
        "barriers with a thread count that depend on what is "
        "read in the explorer",
        {});
  LaunchAnswer answer;
  answer.engine = "explorer";
  answer.executions = 0;
  for (const BarrierSchedule& schedule : *schedules) {
    const EventStructure scheduled = under_schedule(structure, schedule);
    unite(answer, LaunchExploration(question, scheduled, schedule, model, options, graph).run());
  }
  return answer;
}

}  // namespace

LaunchAnswer explore_launch(const LaunchQuestion& question, const cat::Model& model,
                            const DecideOptions& options, TermGraph& graph) {
  const auto start = std::chrono::steady_clock::now();
  const TimeLimit limit(options.timeout_seconds, options.interrupted);
  check_closed(question, model);
  check_worth_exploring(*question.structure, options);
  LaunchAnswer answer = explore_structure(question, model, options, graph);
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return answer;
}

}  // namespace ptxmc
