#include "solver/smt_engine/termination.hpp"

#include <map>

#include "solver/limits/memory_limit.hpp"
#include "solver/limits/stopwatch.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/smt_engine/execution_search.hpp"
#include "solver/smt_engine/raised_flags.hpp"
#include "solver/smt_engine/unfold_options.hpp"

namespace ptxmc {
namespace {

using Kind = Ending::Kind;

/// By thread, the condition that it is started; threads in one scope share the unknown.
std::vector<Bits> start_conditions(const Program& program, const Progress& progress, TermGraph& graph) {
  if (progress.kind == Progress::Kind::fair) return {};
  std::map<int, Bits> groups;
  std::vector<Bits> started;
  for (const Thread& thread : program.threads) {
    const Placement& place = thread.placement;
    const int group = progress.together == Scope::gpu       ? place.gpu
                      : progress.together == Scope::cluster ? place.cluster
                                                            : place.cta;
    const auto [known, is_new] = groups.try_emplace(group);
    if (is_new) known->second = graph.variable(1, "started");
    started.push_back(known->second);
  }
  return started;
}

/// Whether an event belongs to an iteration that is repeated for ever.
Bits is_repeated(const EventStructure& structure, const Event& event) {
  Bits repeated = Bits::boolean(false);
  if (event.thread == Event::no_thread) return repeated;
  for (const Ending& ending : structure.endings[event.thread])
    if (ending.kind == Kind::spinning && event.step >= ending.first_step)
      repeated = repeated | ending.condition;
  return repeated & event.condition;
}

/// The condition that every read of an iteration which is repeated for ever takes a write that no other write
/// follows. Writes of such iterations do not count, since they change nothing.
Bits fair_reads(const Encoding& encoding) {
  Bits result = Bits::boolean(true);
  const EventStructure& structure = encoding.structure();
  for (const auto& choice : encoding.algebra().reads_from().choices) {
    const Bits repeated = is_repeated(structure, structure.events[choice.read]);
    if (repeated.is_false()) continue;
    for (const auto& [later, follows] : encoding.coherence().rows[choice.write]) {
      const Event& write = structure.events[later];
      const Bits overwritten = follows & covers(write, choice.atom) & ~is_repeated(structure, write);
      result = result & ~(repeated & choice.chosen & overwritten);
    }
  }
  return result;
}

}  // namespace

UnfoldOptions unfold_options(const Program& program, const cat::Model& model, const DecideOptions& options,
                             const Progress& progress, TermGraph& graph) {
  UnfoldOptions unfolding = unfold_options(program, {}, model, options);
  unfolding.may_wait_for_ever = true;
  unfolding.started = start_conditions(program, progress, graph);
  return unfolding;
}

Bits is_stuck(const Encoding& encoding) {
  Bits some = Bits::boolean(false);
  Bits all = Bits::boolean(true);
  for (std::size_t thread = 0; thread < encoding.structure().endings.size(); ++thread) {
    some = some | encoding.ends(thread, {Kind::spinning, Kind::waiting});
    all = all & encoding.ends(thread, {Kind::completed, Kind::spinning, Kind::waiting, Kind::not_started});
  }
  return some & all & fair_reads(encoding);
}

std::vector<StuckThread> stuck_threads(const EventStructure& structure,
                                       const std::function<bool(const Bits&)>& holds) {
  std::vector<StuckThread> stuck;
  for (std::size_t thread = 0; thread < structure.endings.size(); ++thread)
    for (const Ending& ending : structure.endings[thread])
      if (ending.kind != Kind::completed && holds(ending.condition))
        stuck.push_back({static_cast<int>(thread), ending.kind, ending.where, ending.first_step});
  return stuck;
}

namespace {

void look_for_hang(const Program& program, const cat::Model& model, const DecideOptions& options,
                   const Progress& progress, Termination& answer) {
  TermGraph graph;
  const EventStructure unfolded =
      unfold(program, graph, unfold_options(program, model, options, progress, graph));
  const CandidateExecutions candidates{&unfolded};
  ExecutionSearch search(settle(candidates, model, graph), model, ExecutionSearch::none, options, graph);
  if (const auto beyond = search.encoding().beyond_model()) {
    answer.reason = *beyond;
    return;
  }
  const EventStructure& structure = search.structure();
  if (may_overlap_partially(structure))
    if (const auto reason = why_void(find_flags(program, model, options, {mixed_size_race}))) {
      answer.reason = *reason;
      return;
    }
  search.require_executions();
  const Bits wanted[] = {is_stuck(search.encoding())};
  const Bits cut_off[] = {search.encoding().bound_reached()};
  const Existence hangs = search.exists(wanted, cut_off);
  answer.hangs = hangs.verdict;
  answer.reason = hangs.reason;
  if (hangs.verdict != Verdict::allowed) return;
  Witness witness = search.found();
  answer.stuck =
      stuck_threads(structure, [&](const Bits& bits) { return witness.values.apply(bits).is_true(); });
  answer.witness = std::move(witness.execution);
}

}  // namespace

Termination within_limits(const DecideOptions& options, const std::function<void(Termination&)>& decide) {
  const Stopwatch stopwatch;
  Termination answer;
  try {
    const TimeLimit limit(options.timeout_seconds, options.interrupted);
    const MemoryLimit memory(options.memory_bytes);
    decide(answer);
  } catch (const OutOfTime& out) {
    answer.reason = out.what();
  }
  answer.seconds = stopwatch.seconds();
  return answer;
}

Termination decide_termination(const Program& program, const cat::Model& model, const DecideOptions& options,
                               const Progress& progress) {
  return within_limits(
      options, [&](Termination& answer) { look_for_hang(program, model, options, progress, answer); });
}

}  // namespace ptxmc
