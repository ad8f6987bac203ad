#include "solver/explorer/explorer.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "model/cat/embedded_models.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/encoding/final_state.hpp"
#include "solver/explorer/exploration.hpp"
#include "solver/explorer/explore_together.hpp"
#include "solver/explorer/explored_model.hpp"
#include "solver/explorer/open_values.hpp"
#include "solver/explorer/race_free.hpp"
#include "solver/limits/stopwatch.hpp"
#include "solver/meetings/barrier_matching.hpp"
#include "solver/smt_engine/unfold_options.hpp"

namespace ptxmc {
namespace {

/// Executions with more events get no witness: checking one takes time with the cube of the number of events.
constexpr std::size_t most_events_with_witness = 1'000;

/// An estimate above this multiple of the step limit means that the explorer cannot finish.
constexpr double hopeless = 10'000;
/// Executions that are visited once for all permutations of threads take many steps each: up to this multiple
/// of the step limit, so many of them can be visited.
constexpr double few_of_steps = 0.05;

using MakeExploration = std::function<std::unique_ptr<Exploration>()>;

/// About `max_steps` choices, and some more if the rest seems short.
StepLimit step_limit(const Exploration& exploration, const DecideOptions& options) {
  constexpr std::uint64_t patience = 10;
  // The solver must enumerate each of the equivalent executions.
  constexpr std::uint64_t worth_up_to_renaming = 5;
  const std::uint64_t steps =
      options.max_steps * (exploration.has_interchangeable_threads() ? worth_up_to_renaming : 1);
  return {.anyway = steps, .at_most = patience * steps, .for_the_tree = patience * steps};
}

/// Raises the limit for a program without races, which has only one execution. Throws Unsupported for a
/// program that is too large.
DecideOptions with_limit_for(const EventStructure& structure, const cat::Model& model,
                             DecideOptions options) {
  constexpr std::size_t small = 64;  // events: explored with any limit
  if (options.max_steps > 0 && structure.events.size() > small && cat::is_embedded_ptx(model) &&
      run_without_races(structure))
    options.max_steps = 0;
  check_worth_exploring(structure, options);
  return options;
}

/// Enough steps for a few executions, the first of which may show what is looked for.
StepLimit steps_of_few_executions(const EventStructure& structure) {
  constexpr std::uint64_t executions = 2;
  const std::size_t events = structure.events.size();
  return StepLimit::of(executions * events * cost_of_step(events));
}

/// The limit of an exploration, after an estimate of the number of executions if one is requested. Empty if
/// the estimate needs more steps than allowed. Throws Unsupported if there are too many executions for the
/// step limit.
std::optional<StepLimit> estimated_step_limit(Exploration& exploration, const EventStructure& structure,
                                              ProgressReport& report, const DecideOptions& options) {
  constexpr std::size_t small = 48;  // events: less work than an estimate
  const StepLimit limit = step_limit(exploration, options);
  const bool merges = exploration.has_interchangeable_threads();
  const bool is_limited = options.max_steps > 0 && (structure.events.size() > small || merges);
  if (!is_limited && !options.on_progress) return limit;
  const auto estimate = exploration.estimate(limit);
  if (!estimate) return std::nullopt;
  report.set_estimate(estimate->executions);
  if (!is_limited) return limit;
  const double most =
      static_cast<double>(options.max_steps) / static_cast<double>(cost_of_step(structure.events.size()));
  if (merges && estimate->inequivalent > few_of_steps * most) return steps_of_few_executions(structure);
  if (!merges && estimate->executions > hopeless * most)
    throw Unsupported("so many executions in the explorer under a limit on steps", {});
  return limit;
}

/// Returns the result of an exploration.
Exploration::Course checked(Exploration::Course course, const EventStructure& structure) {
  if (course.lacked_values || (course.was_blocked && has_open_values(structure, {}, {})))
    throw Unsupported("values that nothing chooses in the explorer", {});
  return course;
}

/// Explores all paths. Afterwards the exploration has the states.
Exploration::Course explore_all(std::unique_ptr<Exploration>& exploration, const MakeExploration& another,
                                const EventStructure& structure, ProgressReport& report,
                                const DecideOptions& options) {
  if (exploration->void_reason()) return {};
  if (const auto limit = estimated_step_limit(*exploration, structure, report, options))
    return checked(explore_together(exploration, another, *limit, report, options), structure);
  Exploration::Course none;
  const std::string reason = report.reason_to_stop();
  none.stop(reason.empty() ? StepLimit::reason : reason);
  return none;
}

bool looks_at_condition_alone(const DecideOptions& options) {
  return !options.all_states && options.count_executions;
}

/// If there are more states than are kept, the verdict is not known: decides the condition alone in a second
/// exploration.
Answer with_verdict(Answer answer, const std::function<Answer(const DecideOptions&)>& explore,
                    DecideOptions options) {
  if (options.timeout_seconds > 0)
    options.timeout_seconds = std::max(options.timeout_seconds - answer.seconds, 0.001);
  const bool counts = options.count_executions;
  options.all_states = false;
  options.count_executions = true;
  Answer decided = explore(options);
  answer.verdict = decided.verdict;
  answer.holds = decided.holds;
  answer.witness = std::move(decided.witness);
  if (answer.verdict == Verdict::unknown) answer.reason = decided.reason;
  if (counts) answer.executions = decided.executions;
  answer.blocked = decided.blocked;
  answer.seconds += decided.seconds;
  return answer;
}

/// The events of a program. With barriers, the walk determines whether a thread continues, so its events are
/// unfolded so that threads may wait for ever; `plain` are those of executions in which all threads end.
struct Unfolded {
  Unfolded(const Program& program, const std::vector<FinalTerm>& shown, const cat::Model& model,
           const DecideOptions& options, TermGraph& graph) {
    UnfoldOptions unfolding = unfold_options(program, shown, model, options);
    plain = unfold(program, graph, unfolding);
    if (!has_barriers(plain)) return;
    unfolding.may_wait_for_ever = true;
    waiting = unfold(program, graph, unfolding);
  }

  const EventStructure& structure() const { return waiting ? *waiting : plain; }

  EventStructure plain;
  std::optional<EventStructure> waiting;
};

/// Explores the paths of one part.
Exploration::Course explore_part(Exploration& exploration, const MakeExploration& another,
                                 const TreePart& part, const EventStructure& structure,
                                 const DecideOptions& options) {
  if (exploration.void_reason()) return {};
  return checked(explore_part(exploration, another, part, options), structure);
}

bool are_races(const std::vector<std::string>& flags) {
  return std::ranges::all_of(
      flags, [](const std::string& name) { return name == "data_race" || name == mixed_size_race; });
}

/// `part`: of the tree; empty: the whole.
Answer explore(const EventStructure& structure, const EventStructure& plain, const Question& question,
               const cat::Model& model, const DecideOptions& asked,
               const std::optional<TreePart>& part = {}) {
  const Stopwatch stopwatch;
  const auto finish = [&](Answer answer) {
    answer.engine = "explorer";
    answer.seconds = stopwatch.seconds();
    return answer;
  };
  if (!part && plain.events.size() > most_events_with_witness && cat::is_embedded_ptx(model))
    if (auto answer = answer_without_races(plain, question, asked)) return finish(*std::move(answer));
  const DecideOptions options = with_limit_for(plain, model, asked);
  ProgressReport report(options);
  const ExploredStructure explored(structure);
  const auto another = [&] {
    return std::make_unique<Exploration>(question, model, options, explored, report);
  };
  auto exploration = another();
  const Exploration::Course course = part ? explore_part(*exploration, another, *part, structure, options)
                                          : explore_all(exploration, another, structure, report, options);
  Answer answer = finish(exploration->answer(course));
  const bool is_open = answer.verdict == Verdict::unknown && answer.reason == state_limit;
  if (!is_open || looks_at_condition_alone(asked)) return answer;
  exploration.reset();
  return with_verdict(
      std::move(answer),
      [&](const DecideOptions& rest) { return explore(structure, plain, question, model, rest, part); },
      asked);
}

std::vector<FlagFinding> explore_flags(const EventStructure& structure, const EventStructure& plain,
                                       const cat::Model& model, const DecideOptions& asked,
                                       const std::vector<std::string>& names) {
  if (are_races(names) && cat::is_embedded_ptx(model) && run_without_races(plain) &&
      (plain.events.size() > most_events_with_witness || !voiding_flag(plain, model))) {
    std::vector<FlagFinding> none;
    for (const std::string& name : names)
      none.push_back(
          {.name = name, .raised = Verdict::forbidden, .reason = {}, .witness = {}, .engine = "explorer"});
    return none;
  }
  check_worth_exploring(plain, asked);
  ProgressReport report(asked);
  const ExploredStructure explored(structure);
  const Question nothing;
  const auto another = [&] {
    return std::make_unique<Exploration>(nothing, model, asked, explored, report, names);
  };
  auto exploration = another();
  const Exploration::Course course = explore_all(exploration, another, structure, report, asked);
  return exploration->flag_findings(course);
}

}  // namespace

Answer explore(const CandidateExecutions& candidates, const Question& question, const cat::Model& model,
               const DecideOptions& options) {
  check_closed(candidates);
  return explore(*candidates.structure, *candidates.structure, question, model, options);
}

Answer explore(const Program& program, const Question& question, const cat::Model& model,
               const DecideOptions& options) {
  TermGraph graph;
  const Unfolded unfolded(program, shown_terms(question), model, options, graph);
  return explore(unfolded.structure(), unfolded.plain, question, model, options);
}

Answer explore_part(const Program& program, const Question& question, const cat::Model& model,
                    const DecideOptions& options, const TreePart& part) {
  TermGraph graph;
  const Unfolded unfolded(program, shown_terms(question), model, options, graph);
  return explore(unfolded.structure(), unfolded.plain, question, model, options, part);
}

std::vector<FlagFinding> explore_flags(const Program& program, const cat::Model& model,
                                       const DecideOptions& options, const std::vector<std::string>& names) {
  TermGraph graph;
  const Unfolded unfolded(program, {}, model, options, graph);
  return explore_flags(unfolded.structure(), unfolded.plain, model, options, names);
}

}  // namespace ptxmc
