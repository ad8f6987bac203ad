// Another reader of what rules mean: Z3, given their terms. Some forms of every syntax line on random and
// edge operands.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "solver/smt_solver.hpp"
#include "solver/solve_terms.hpp"
#include "tests/semantics/every_form.hpp"
#include "tests/semantics/random_operands.hpp"
#include "tests/semantics/run_instruction.hpp"

using namespace ptxmc;

namespace {

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

void check_form(const Form& form, std::mt19937_64& random) {
  TermGraph graph;
  const auto [numbers, unknowns] = test::random_sources(form, graph, random);
  NoEffects effects;
  const std::vector<Bits> computed = test::run(form, numbers, effects);
  const std::vector<Bits> terms = test::run(form, unknowns, effects);
  if (std::ranges::any_of(terms, has_approximation)) return;  // any value within its bound
  const std::vector<Bits> solved = solve_terms(terms, unknowns, numbers);
  for (std::size_t i = 0; i < computed.size(); ++i) {
    INFO(form.spelling << " on " << to_string(numbers[0]) << " … " << to_string(numbers.back()));
    CHECK(to_string(computed[i]) == to_string(solved[i]));
  }
}

}  // namespace

TEST_CASE("Z3 computes every rule that computes as we do") {
  std::mt19937_64 random(11);
  for (const auto& entry : ptx().entries())
    for (const SyntaxLine& line : entry->notation.lines)
      test::for_each_spelling(*entry, line, 4, [&](const std::string& spelling, const auto& shapes) {
        const Match match = ptx().match(spelling, shapes);
        INFO(spelling << ": " << match.error);
        REQUIRE(match);
        if (!test::is_computation(*match.form, shapes)) return;
        try {
          check_form(*match.form, random);
        } catch (const UnexpectedEffect&) {
        }
      });
}

TEST_CASE("an approximation has the values within its bound, and none far from it") {
  const auto range = [](const char* spelling, u128 operand, u128 low, u128 high) {
    TermGraph graph;
    const Bits a = graph.variable(32, "a");
    const Match match = ptx().match(spelling, std::vector<OperandShape>(2));
    NoEffects effects;
    const Bits result = test::run(*match.form, {a}, effects).at(0);
    SmtSolver solver({});
    solver.add(equal(a, Bits(32, operand)));
    using Result = SmtSolver::Result;
    const std::vector<Bits> at_low = {equal(result, Bits(32, low))},
                            at_high = {equal(result, Bits(32, high))};
    CHECK(solver.check(at_low) == Result::satisfiable);
    CHECK(solver.check(at_high) == Result::satisfiable);
    const std::vector<Bits> outside = {less_unsigned(result, Bits(32, low - 3)) |
                                       less_unsigned(Bits(32, high + 3), result)};
    CHECK(solver.check(outside) == Result::unsatisfiable);
  };
  range("rcp.approx.f32", 0x40400000, 0x3eaaaaaa, 0x3eaaaaac);
  range("sqrt.approx.f32", 0x40000000, 0x3fb504f3, 0x3fb504f4);
  range("lg2.approx.f32", 0x40400000, 0x3f7ffff0, 0x40000010);   // of 3: 1 to 2
  range("ex2.approx.f32", 0x3fc00000, 0x3ffffff8, 0x40800008);   // of 1.5: 2 to 4
  range("tanh.approx.f32", 0xbf000000, 0x80000003, 0xbf002000);  // of −0.5: −0.5 to −0
}
