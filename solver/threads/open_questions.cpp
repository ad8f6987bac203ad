#include "solver/threads/open_questions.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "solver/limits/time_limit.hpp"

namespace ptxmc {

OpenQuestions::OpenQuestions(const OpenThread& thread, const DecideOptions& options, TermGraph& graph)
    : thread_(thread), options_(options), graph_(graph), alone_(graph, limits(), has_few_threads(thread)) {
  alone_.add(thread.assumption & thread.is_thread);
}

SmtSolver::Limits OpenQuestions::limits() const {
  return {TimeLimit::seconds_left(), options_.memory_bytes, options_.interrupted};
}

bool OpenQuestions::is_impossible(ProductSolver& solver, const Bits& condition) const {
  TimeLimit::check();
  if (condition.is_false()) return true;
  const SmtSolver::Result result = solver.check(condition);
  if (result == SmtSolver::Result::unknown) throw OutOfTime(solver.reason());
  return result == SmtSolver::Result::unsatisfiable;
}

bool OpenQuestions::never(const Bits& condition) { return is_impossible(alone_, condition); }

OpenQuestions::Pair* OpenQuestions::find_pair(Neighbours relation) {
  const bool exists = relation == Neighbours::across_ctas ? thread_.ctas > 1 : thread_.threads_of_cta > 1;
  if (!exists) return nullptr;
  std::unique_ptr<Pair>& pair = pairs_[relation];
  if (!pair) {
    pair = std::make_unique<Pair>(ThreadPair(thread_, relation, graph_), graph_, limits(),
                                  has_few_threads(thread_), alone_);
    pair->solver.add(facts_ & pair->threads.other(facts_));
  }
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

std::optional<OpenQuestions::Sighting> OpenQuestions::find(std::optional<Neighbours> relation,
                                                           std::span<const OpenSuspect> suspects) {
  Pair* const pair = relation ? find_pair(*relation) : nullptr;
  if (relation && pair == nullptr) return std::nullopt;
  Bits some = Bits::boolean(false);
  for (const OpenSuspect& suspect : suspects) some = some | suspect.condition;
  if (is_impossible(pair == nullptr ? alone_ : pair->solver, some)) return std::nullopt;
  prefer_simple_threads(pair, some);
  return sighting(pair, suspects);
}

/// The condition that the launch has the fewest threads with which another one is possible. The last answer
/// is an assignment for that.
Bits OpenQuestions::is_smallest(ProductSolver& solver, const Bits& condition) {
  const auto has_at_most = [&](std::uint64_t threads) {
    return less_equal_unsigned(thread_.all_threads, Bits(64, threads));
  };
  const auto is_possible_with = [&](std::uint64_t threads) {
    return !is_impossible(solver, condition & has_at_most(threads));
  };
  std::uint64_t possible = 1;
  while (possible < thread_.most_threads && !is_possible_with(possible)) possible *= 2;
  std::uint64_t impossible = possible / 2;
  while (possible - impossible > 1) {
    const std::uint64_t middle = impossible + (possible - impossible) / 2;
    (is_possible_with(middle) ? possible : impossible) = middle;
  }
  return has_at_most(possible);
}

/// Looks for an assignment with a small launch, small inputs, and threads of different warps.
void OpenQuestions::prefer_simple_threads(Pair* pair, const Bits& wanted) {
  constexpr std::uint64_t small = 4096;
  ProductSolver& solver = pair == nullptr ? alone_ : pair->solver;
  Bits simple = Bits::boolean(true);
  const Bits condition = thread_.all_threads.is_constant() ? wanted : wanted & is_smallest(solver, wanted);
  for (const Bits& input : thread_.inputs)
    if (input.width() > std::bit_width(small))
      simple = simple & less_equal_unsigned(input, Bits(input.width(), small));
  if (pair != nullptr && pair->threads.relation() == Neighbours::in_cta) {
    const Bits lanes(32, lanes_per_warp), warp = divide_unsigned(thread_.number, lanes);
    if (thread_.threads_of_cta > lanes_per_warp && !thread_.has_open_block)
      simple = simple & ~equal(warp, pair->threads.other(warp));
  }
  const Bits both = condition & simple;
  if (!simple.is_true() && !is_impossible(solver, both)) return;
  if (is_impossible(solver, condition)) throw std::logic_error("a question has two answers");
}

OpenQuestions::Sighting OpenQuestions::sighting(Pair* pair, std::span<const OpenSuspect> suspects) const {
  Substitution values = (pair == nullptr ? alone_ : pair->solver).values();
  Sighting result;
  const auto holds = [&](const OpenSuspect& suspect) { return values.apply(suspect.condition).is_true(); };
  const auto found = std::ranges::find_if(suspects, holds);
  result.suspect = static_cast<std::size_t>(found - suspects.begin());
  if (found == suspects.end()) return result;
  OpenCandidate& candidate = result.candidate;
  candidate.property = found->property;
  candidate.line = found->line;
  candidate.other_line = found->other_line;
  for (std::size_t i = 0; i < 3; ++i) {
    candidate.grid[i] = static_cast<std::uint32_t>(values.apply(thread_.nctaid[i]).to_u64());
    candidate.block[i] = static_cast<std::uint32_t>(values.apply(thread_.ntid[i]).to_u64());
  }
  add_thread(candidate, values, found->step, nullptr);
  if (pair != nullptr) add_thread(candidate, values, found->other_step, &pair->threads);
  for (const Bits& input : thread_.inputs)
    candidate.inputs.push_back(input.width() == 0 ? input : values.apply(input));
  return result;
}

/// Adds a thread in an assignment, up to a step: the open thread, or the other one of a pair.
void OpenQuestions::add_thread(OpenCandidate& candidate, Substitution& values, unsigned step,
                               ThreadPair* of_other) const {
  const auto value = [&](const Bits& own) {
    return values.apply(of_other == nullptr ? own : of_other->other(own));
  };
  CandidateThread& result = candidate.threads.emplace_back();
  for (std::size_t i = 0; i < 3; ++i) {
    result.ctaid[i] = static_cast<std::uint32_t>(value(thread_.ctaid[i]).to_u64());
    result.tid[i] = static_cast<std::uint32_t>(value(thread_.tid[i]).to_u64());
  }
  for (const Event& event : thread_.structure.events) {
    if (event.step > step || !value(event.condition).is_true()) continue;
    const bool is_barrier = event.kind == EventKind::barrier && event.barrier.group == Barrier::Group::cta;
    if (is_barrier && event.step < step) ++result.barriers;
    if (!event.is_read()) continue;
    const std::uint64_t location = value(event.location).to_u64();
    const Bits content = value(event.value);
    for (unsigned i = 0; i < event.size; ++i)
      candidate.contents.emplace(location + i, static_cast<std::uint8_t>(content.extract(8 * i, 8).to_u64()));
  }
}

void OpenQuestions::assume(const Bits& fact) {
  alone_.add(fact);
  facts_ = facts_ & fact;
  for (auto& [relation, pair] : pairs_) pair->solver.add(fact & pair->threads.other(fact));
}

void OpenQuestions::assume(Neighbours relation, const Bits& fact) {
  if (Pair* const pair = find_pair(relation)) pair->solver.add(fact);
}

}  // namespace ptxmc
