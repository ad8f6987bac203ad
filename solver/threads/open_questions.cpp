#include "solver/threads/open_questions.hpp"

#include "solver/limits/time_limit.hpp"

namespace ptxmc {

OpenQuestions::OpenQuestions(const OpenThread& thread, const DecideOptions& options, TermGraph& graph)
    : thread_(thread), options_(options), graph_(graph), alone_(limits()) {
  alone_.add(thread.assumption & thread.is_thread);
}

SmtSolver::Limits OpenQuestions::limits() const {
  return {TimeLimit::seconds_left(), options_.memory_bytes, options_.interrupted};
}

bool OpenQuestions::is_impossible(SmtSolver& solver, const Bits& condition) const {
  TimeLimit::check();
  if (condition.is_false()) return true;
  const SmtSolver::Result result = solver.check({&condition, 1});
  if (result == SmtSolver::Result::unknown) throw OutOfTime(solver.reason());
  return result == SmtSolver::Result::unsatisfiable;
}

bool OpenQuestions::never(const Bits& condition) { return is_impossible(alone_, condition); }

OpenQuestions::Pair* OpenQuestions::find_pair(Neighbours relation) {
  const bool exists = relation == Neighbours::across_ctas ? thread_.ctas > 1 : thread_.threads_of_cta > 1;
  if (!exists) return nullptr;
  std::unique_ptr<Pair>& pair = pairs_[relation];
  if (!pair) pair = std::make_unique<Pair>(ThreadPair(thread_, relation, graph_), limits());
  return pair.get();
}

ThreadPair* OpenQuestions::pair(Neighbours relation) {
  Pair* const pair = find_pair(relation);
  return pair == nullptr ? nullptr : &pair->threads;
}

bool OpenQuestions::never(Neighbours relation, const Bits& condition) {
  Pair* const pair = find_pair(relation);
  return pair == nullptr || is_impossible(pair->solver, condition);
}

void OpenQuestions::assume(Neighbours relation, const Bits& fact) {
  if (Pair* const pair = find_pair(relation)) pair->solver.add(fact);
}

}  // namespace ptxmc
