#include "solver/engine/mixed_size_atomicity.hpp"

#include <algorithm>

#include "model/cat/embedded_models.hpp"
#include "model/program/program_order.hpp"
#include "model/relations/base_relations.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/smt_engine/raised_flags.hpp"
#include "solver/unfolding/unfold.hpp"

namespace ptxmc {
namespace {

/// Whether two threads may execute atomic operations on common bytes; otherwise the manual promises nothing.
bool has_overlapping_atomics(const Program& program, const DecideOptions& options) {
  TermGraph graph;
  UnfoldOptions unfolding;
  unfolding.bound = options.bound;
  const EventStructure structure = unfold(program, graph, unfolding);
  const auto& events = structure.events;
  const BaseRelation& overlap = *find_base_relation("loc");
  const auto count = static_cast<EventId>(events.size());
  const auto is_atomic = [&](EventId id) {
    const Event& event = events[static_cast<std::size_t>(id)];
    return event.is_read() && event.rmw != -1 && !event.condition.is_false();
  };
  for (EventId a = 0; a < count; ++a)
    for (EventId b = a + 1; is_atomic(a) && b < count; ++b)
      if (is_atomic(b) &&
          !are_of_one_agent(events[static_cast<std::size_t>(a)], events[static_cast<std::size_t>(b)]) &&
          !overlap.holds(program, events, a, b).is_false())
        return true;
  return false;
}

}  // namespace

Answer with_atomicity_of_mixed_sizes(Answer answer, const Program& program, const cat::Model& model,
                                     const DecideOptions& asked, const AskUnder& ask) {
  const bool is_void = answer.verdict == Verdict::unknown && answer.reason == mixed_size_race_reason;
  if (!is_void || !cat::is_embedded_ptx(model) || !has_overlapping_atomics(program, asked)) return answer;
  DecideOptions options = asked;
  options.all_states = options.count_executions = false;
  if (options.timeout_seconds > 0)
    options.timeout_seconds = std::max(options.timeout_seconds - answer.seconds, 0.001);
  try {
    const Answer atomic = ask(cat::load("mixed-size"), options);
    answer.seconds += atomic.seconds;
    if (atomic.verdict == Verdict::unknown) answer.reason = atomic.reason;  // such as a limit on time
    if (atomic.verdict != Verdict::forbidden) return answer;
    answer.verdict = atomic.verdict;
    answer.holds = atomic.holds;
    answer.reason.clear();
  } catch (const Unsupported&) {  // the explorer does not support models that allow values out of thin air
  }
  return answer;
}

}  // namespace ptxmc
