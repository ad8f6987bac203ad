#include "solver/threads/open_questions.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <set>
#include <stdexcept>

#include "semantics/values/arithmetic.hpp"
#include "solver/launch/decisive_inputs.hpp"
#include "solver/limits/stopwatch.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {

OpenQuestions::OpenQuestions(const OpenThread& thread, const DecideOptions& options, TermGraph& graph)
    : thread_(thread),
      options_(options),
      graph_(graph),
      alone_(graph, limits(), has_few_threads(thread)),
      facts_(thread.facts) {
  alone_.define(thread.counts);
  alone_.add(thread.assumption & thread.is_thread & thread.facts);
}

SmtSolver::Limits OpenQuestions::limits() const {
  return {TimeLimit::seconds_left(), options_.memory_bytes, options_.interrupted};
}

bool OpenQuestions::is_impossible(CountSolver& solver, const Bits& condition) const {
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
    pair = std::make_unique<Pair>(ThreadPair(thread_, relation, graph_));
    pair->facts = pair->threads.exists() & facts_ & pair->threads.other(facts_);
  }
  return pair.get();
}

/// The solver for a pair of threads, or for the open thread alone.
CountSolver& OpenQuestions::solver_of(Pair* pair) {
  if (pair == nullptr) return alone_;
  if (!pair->solver) {
    pair->solver.emplace(graph_, limits(), has_few_threads(thread_), &alone_);
    define_counts(*pair);
    pair->solver->add(pair->facts);
  }
  return *pair->solver;
}

/// The numbers of both threads are compared with each other if these are lanes of one warp.
void OpenQuestions::define_counts(Pair& pair) const {
  std::vector<BitCount> own = thread_.counts, other;
  for (const auto& [value, count] : own)
    other.push_back({pair.threads.other(value), pair.threads.other(count)});
  if (pair.threads.relation() == Neighbours::in_warp) {
    own.insert(own.end(), other.begin(), other.end());
    other.clear();
  }
  pair.solver->define(own);
  pair.solver->define(other);
}

ThreadPair* OpenQuestions::pair(Neighbours relation) {
  Pair* const pair = find_pair(relation);
  return pair == nullptr ? nullptr : &pair->threads;
}

bool OpenQuestions::never(Neighbours relation, const Bits& condition) {
  if (condition.is_false()) return true;
  Pair* const pair = find_pair(relation);
  return pair == nullptr || is_impossible(solver_of(pair), condition);
}

std::optional<OpenQuestions::Sighting> OpenQuestions::find(std::optional<Neighbours> relation,
                                                           std::span<const OpenSuspect> suspects) {
  Pair* const pair = relation ? find_pair(*relation) : nullptr;
  if (relation && pair == nullptr) return std::nullopt;
  Bits some = Bits::boolean(false);
  for (const OpenSuspect& suspect : suspects) some = some | suspect.condition;
  if (some.is_false()) return std::nullopt;
  Assignment found{Bits::boolean(true), {}};
  if (!require(solver_of(pair), found, some)) return std::nullopt;
  prefer_simple_threads(pair, found);
  return sighting(pair, suspects, std::move(found.values));
}

/// Adds a wish to what an assignment satisfies, and looks for another one that does. Returns false, and
/// leaves the assignment as it is, if there is none.
bool OpenQuestions::require(CountSolver& solver, Assignment& found, const Bits& wish) const {
  if (is_impossible(solver, found.condition & wish)) return false;
  found = {found.condition & wish, solver.values()};
  return true;
}

/// Looks for an assignment with the fewest threads, of which the question needs at least so many.
void OpenQuestions::require_smallest_launch(CountSolver& solver, Assignment& found,
                                            std::uint64_t least) const {
  const auto threads_found = [&] { return found.values.apply(thread_.all_threads).to_u64(); };
  std::uint64_t possible = threads_found(), impossible = least - 1;
  const auto ask = [&](std::uint64_t most) {
    if (require(solver, found, less_equal_unsigned(thread_.all_threads, Bits(64, most))))
      possible = threads_found();
    else
      impossible = most;
  };
  for (std::uint64_t most = least; most < possible; most *= 2) ask(most);
  while (possible - impossible > 1) ask(impossible + (possible - impossible) / 2);
  found.condition = found.condition & less_equal_unsigned(thread_.all_threads, Bits(64, possible));
}

namespace {

/// Inputs up to this number are small.
constexpr std::uint64_t small = 4096;

Bits is_at_most(const Bits& input, std::uint64_t most) {
  return less_equal_unsigned(input, Bits(input.width(), most));
}

Bits has_two_lanes_at_most(const Bits& mask) {
  const Bits one(mask.width(), 1), others = mask & (mask - one);
  return is_zero(others & (others - one));
}

/// Looks for the smallest value up to `small` that is possible. `require` asks whether a value of at most so
/// much is possible.
void look_for_smallest(const std::function<bool(std::uint64_t most)>& require,
                       const std::function<bool()>& may_ask) {
  if (require(0)) return;
  std::uint64_t impossible = 0, possible = 1;  // questions about few values are easy
  for (; !require(possible); possible *= 4) {
    impossible = possible;
    if (possible >= small || !may_ask()) return;
  }
  while (possible - impossible > 1 && may_ask()) {
    const std::uint64_t middle = impossible + (possible - impossible) / 2;
    (require(middle) ? possible : impossible) = middle;
  }
}

}  // namespace

/// The inputs that may be large.
std::vector<Bits> OpenQuestions::large_inputs() const {
  std::vector<Bits> result;
  for (const Bits& input : thread_.inputs)
    if (input.width() > std::bit_width(small)) result.push_back(input);
  return result;
}

/// What makes a candidate simple: threads of different warps, first iterations, small inputs, and small
/// groups of lanes.
std::vector<Bits> OpenQuestions::wishes(Pair* pair) const {
  std::vector<Bits> result;
  if (pair != nullptr && pair->threads.relation() == Neighbours::in_cta &&
      thread_.threads_of_cta > lanes_per_warp && !thread_.has_open_block) {
    const Bits lanes(32, lanes_per_warp), warp = divide_unsigned(thread_.number, lanes);
    result.push_back(~equal(warp, pair->threads.other(warp)));
  }
  for (const Bits& iteration : thread_.iterations) {
    const Bits is_first = is_zero(iteration);
    result.push_back(pair == nullptr ? is_first : is_first & pair->threads.other(is_first));
  }
  for (const Bits& input : large_inputs()) result.push_back(is_at_most(input, small));
  for (const OpenGroup& group : thread_.groups) {
    const Bits is_small = has_two_lanes_at_most(group.mask);
    result.push_back(pair == nullptr ? is_small : is_small & pair->threads.other(is_small));
  }
  return result;
}

/// Looks for an assignment with a small launch that fulfils the wishes, all or as many as possible, and then
/// for the smallest inputs.
void OpenQuestions::prefer_simple_threads(Pair* pair, Assignment& found) {
  CountSolver& solver = solver_of(pair);
  if (!thread_.all_threads.is_constant()) require_smallest_launch(solver, found, pair == nullptr ? 1 : 2);
  const Stopwatch stopwatch;
  const std::vector<Bits> wished = wishes(pair);
  if (wished.empty()) return;
  Bits all = Bits::boolean(true);
  for (const Bits& wish : wished) all = all & wish;
  if (!require(solver, found, all) && wished.size() > 1)
    for (const Bits& wish : wished) require(solver, found, wish);
  // A harder question is not asked again for smaller inputs: it would be given up.
  constexpr double few_seconds = 0.2;
  if (stopwatch.seconds() < few_seconds) prefer_small_inputs(solver, found);
}

/// Looks for an assignment in which each input has the smallest value that this allows, the first input
/// first. An input that cannot be small stays open, and the last ones if many questions or hard ones were
/// needed.
void OpenQuestions::prefer_small_inputs(CountSolver& solver, Assignment& found) {
  const std::vector<Bits> inputs = large_inputs();
  if (inputs.empty()) return;
  constexpr unsigned most_questions = 40;
  constexpr double most_seconds = 2;  // for all candidates
  const Stopwatch stopwatch;
  unsigned questions = 0;
  const auto may_ask = [&] {
    return questions < most_questions && seconds_for_inputs_ + stopwatch.seconds() < most_seconds;
  };
  const auto require_soon = [&](const Bits& wish) {
    constexpr double most_seconds_each = 0.2;
    ++questions;
    const Bits wanted = found.condition & wish;
    if (solver.check_within(most_seconds_each, wanted) != SmtSolver::Result::satisfiable) return false;
    found = {wanted, solver.values()};
    return true;
  };
  // If all can be small at once, what follows is easy.
  const auto all_are_at_most = [&](std::uint64_t most) {
    Bits result = Bits::boolean(true);
    for (const Bits& input : inputs) result = result & is_at_most(input, most);
    return result;
  };
  for (std::uint64_t most = 4; most < small && may_ask(); most *= 16)
    if (require_soon(all_are_at_most(most))) break;
  for (const Bits& input : inputs)
    if (may_ask())
      look_for_smallest([&](std::uint64_t most) { return require_soon(is_at_most(input, most)); }, may_ask);
  seconds_for_inputs_ += stopwatch.seconds();
}

/// By input: whether the condition of a suspect may depend on it, or what may order or initialize. Where that
/// depends on values that are read, all values that are written count too.
std::vector<bool> OpenQuestions::decisive_inputs(Pair* pair, const OpenSuspect& suspect) const {
  std::set<VariableId> unknowns;
  const auto add = [&](const Bits& term) {
    if (term.width() != 0)
      for (const VariableId unknown : variables_of(term)) unknowns.insert(unknown);
  };
  const auto has_any = [&](const Bits& value) {
    return std::ranges::any_of(variables_of(value),
                               [&](VariableId unknown) { return unknowns.contains(unknown); });
  };
  const auto& events = thread_.structure.events;
  add(suspect.condition);
  for (const auto& endings : thread_.structure.endings)
    for (const Ending& ending : endings)
      if (ending.kind == Ending::Kind::trapped) add(ending.condition);
  for (const Event& event : events) {
    const bool may_initialize =
        suspect.property == LaunchProperty::uninitialized && event.kind == EventKind::write;
    if (may_initialize) add(event.location);
    if (may_initialize || may_synchronize(event)) add(event.condition);
  }
  if (std::ranges::any_of(events, [&](const Event& event) {
        return event.is_read() &&
               (has_any(event.value) || (pair != nullptr && has_any(pair->threads.other(event.value))));
      }))
    for (const Event& event : events)
      if (event.is_write())
        for (const Bits* term : {&event.condition, &event.location, &event.value}) add(*term);
  std::vector<bool> result;
  for (const Bits& input : thread_.inputs) result.push_back(input.width() != 0 && has_any(input));
  return result;
}

OpenQuestions::Sighting OpenQuestions::sighting(Pair* pair, std::span<const OpenSuspect> suspects,
                                                Substitution values) const {
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
  if (pair == nullptr && !thread_.groups.empty()) add_contents_for_all(candidate, values, found->step);
  for (const Bits& input : thread_.inputs)
    candidate.inputs.push_back(input.width() == 0 ? input : values.apply(input));
  candidate.input_matters = decisive_inputs(pair, *found);
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
  for (const OpenGroup& group : thread_.groups)
    if (group.step < step && value(group.condition).is_true())
      result.lanes |= static_cast<std::uint32_t>(value(group.mask).to_u64());
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

/// Adds what all threads read if each reads the values of this one, at its own place.
void OpenQuestions::add_contents_for_all(OpenCandidate& candidate, Substitution& values,
                                         unsigned step) const {
  constexpr std::uint64_t most_threads = 1024, most_reads = 1U << 14;
  const auto reads =
      static_cast<std::uint64_t>(std::ranges::count_if(thread_.structure.events, &Event::is_read));
  const bool has_open_size = thread_.has_open_block || thread_.has_open_grid;
  if (has_open_size || thread_.most_threads > most_threads || reads * thread_.most_threads > most_reads)
    return;
  for (std::uint64_t i = 0; i < thread_.most_threads; ++i) {
    Substitution position =
        position_in_launch(thread_, i / thread_.threads_of_cta, i % thread_.threads_of_cta);
    for (const Event& event : thread_.structure.events) {
      if (!event.is_read() || event.step > step || !values.apply(event.condition).is_true()) continue;
      const Bits location = values.apply(position.apply(event.location)), content = values.apply(event.value);
      for (unsigned byte = 0; byte < event.size; ++byte)
        candidate.contents_for_all.emplace(location.to_u64() + byte,
                                           static_cast<std::uint8_t>(content.extract(8 * byte, 8).to_u64()));
    }
  }
}

void OpenQuestions::assume(const Bits& fact) {
  alone_.add(fact);
  facts_ = facts_ & fact;
  for (const auto& [relation, pair] : pairs_) assume(relation, fact & pair->threads.other(fact));
}

void OpenQuestions::assume(Neighbours relation, const Bits& fact) {
  Pair* const pair = find_pair(relation);
  if (pair == nullptr) return;
  if (pair->solver)
    pair->solver->add(fact);
  else
    pair->facts = pair->facts & fact;
}

}  // namespace ptxmc
