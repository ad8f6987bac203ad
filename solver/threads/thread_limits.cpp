#include "solver/threads/thread_limits.hpp"

#include <algorithm>
#include <vector>

#include "semantics/values/arithmetic.hpp"
#include "semantics/values/subterms.hpp"

namespace ptxmc {

namespace {

/// A number of the thread that a condition compares with one that all threads have in common.
struct Comparison {
  Bits own, limit;
};

bool is_comparison(Operator op) {
  using enum Operator;
  return op == less_unsigned || op == less_equal_unsigned || op == less_signed || op == less_equal_signed;
}

bool is_common(const OpenThread& thread, const Bits& value) {
  return std::ranges::all_of(variables_of(value),
                             [&](VariableId unknown) { return thread.shared.contains(unknown); });
}

std::vector<Comparison> comparisons_in(const OpenThread& thread, const Bits& condition) {
  std::vector<Comparison> result;
  visit_subterms(condition, [&](const Term& term) {
    if (!is_comparison(term.op)) return true;
    const Bits a(term.operands[0]), b(term.operands[1]);
    if (a.width() > 64 || is_common(thread, a) == is_common(thread, b)) return true;
    result.push_back(is_common(thread, b) ? Comparison{a, b} : Comparison{b, a});
    return true;
  });
  return result;
}

/// Whether all threads that satisfy the condition have different numbers, which are below the limit.
bool are_numbered(OpenQuestions& questions, const Bits& condition, const Comparison& comparison) {
  const auto& [own, limit] = comparison;
  if (!questions.never(condition & ~less_unsigned(own, limit))) return false;
  for (const Neighbours relation : {Neighbours::in_cta, Neighbours::across_ctas})
    if (ThreadPair* const pair = questions.pair(relation))
      if (!questions.never(relation, condition & pair->other(condition) & equal(own, pair->other(own))))
        return false;
  return true;
}

}  // namespace

Bits most_threads_with(OpenQuestions& questions, const Bits& condition) {
  constexpr std::size_t most = 4;
  const OpenThread& thread = questions.thread();
  std::vector<Comparison> comparisons = comparisons_in(thread, condition);
  if (comparisons.size() > most) comparisons.resize(most);
  for (const Comparison& comparison : comparisons)
    if (are_numbered(questions, condition, comparison))
      return minimum(comparison.limit.zero_extend(64), thread.all_threads, false);
  return thread.all_threads;
}

}  // namespace ptxmc
