// What Z3 makes of approximate instructions.
#include <doctest/doctest.h>

#include "solver/smt/smt_solver.hpp"
#include "tests/semantics/run_instruction.hpp"

using namespace ptxmc;

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
