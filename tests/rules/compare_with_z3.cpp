// compare_with_z3 SPELLINGS [SECONDS]: another reader of what rules mean. So many spellings of every syntax
// line that computes, on random and edge operands: the value of its term is, for Z3, what the rule computes
// of numbers. Z3 may take SECONDS for each (2).
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <utility>

#include "solver/solve_terms.hpp"
#include "solver/time_limit.hpp"
#include "tests/semantics/every_form.hpp"
#include "tests/semantics/random_operands.hpp"
#include "tests/semantics/run_instruction.hpp"

using namespace ptxmc;

namespace {

enum class Result { agree, differ, approximate, too_long };

bool has_approximation(const Bits& x) {
  if (x.is_constant()) return false;
  std::vector<const Term*> open = {x.term()};
  NumberMap<bool> seen;
  while (!open.empty()) {
    const Term* term = open.back();
    open.pop_back();
    if (std::exchange(seen[term->number], true)) continue;
    if (term->op == Operator::float_approximate) return true;
    open.insert(open.end(), term->operands, term->operands + term->arity());
  }
  return false;
}

std::string text_of(std::span<const Bits> values) {
  std::string text;
  for (const Bits& value : values) text += (text.empty() ? "" : ", ") + to_string(value);
  return text;
}

Result check(const Form& form, std::mt19937_64& random, double seconds) {
  TermGraph graph;
  const auto [numbers, unknowns] = test::random_sources(form, graph, random);
  NoEffects effects;
  const std::vector<Bits> computed = test::run(form, numbers, effects);
  const std::vector<Bits> terms = test::run(form, unknowns, effects);
  if (std::ranges::any_of(terms, has_approximation))
    return Result::approximate;  // any value within its bound
  try {
    const TimeLimit limit(seconds, nullptr);
    const std::vector<Bits> solved = solve_terms(terms, unknowns, numbers);
    if (std::ranges::equal(computed, solved, [](const Bits& a, const Bits& b) { return identical(a, b); }))
      return Result::agree;
    fmt::print("{} of {}: {} computed, {} by Z3\n", form.spelling, text_of(numbers), text_of(computed),
               text_of(solved));
    return Result::differ;
  } catch (const OutOfTime&) {
    fmt::print("{} of {}: longer than {} s\n", form.spelling, text_of(numbers), seconds);
    return Result::too_long;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: compare_with_z3 SPELLINGS [SECONDS]\n");
    return 2;
  }
  const std::size_t most = std::strtoull(argv[1], nullptr, 10);
  const double seconds = argc > 2 ? std::strtod(argv[2], nullptr) : 2;
  std::mt19937_64 random(11);
  std::map<Result, std::uint64_t> count;
  for (const auto& entry : ptx().entries())
    for (const SyntaxLine& line : entry->notation.lines)
      test::for_each_spelling(*entry, line, most, [&](const std::string& spelling, const auto& shapes) {
        const Match match = ptx().match(spelling, shapes);
        if (!match) throw std::logic_error(spelling + ": " + match.error);
        if (!test::is_computation(*match.form, shapes)) return;
        try {
          ++count[check(*match.form, random, seconds)];
        } catch (const UnexpectedEffect&) {  // more than a computation
        }
      });
  fmt::print("{} spellings agree, {} differ, {} are approximate, {} took too long\n", count[Result::agree],
             count[Result::differ], count[Result::approximate], count[Result::too_long]);
  return count[Result::differ] == 0 ? 0 : 1;
}
