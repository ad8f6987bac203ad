// Questions about floating-point numbers, answered by examples and by Z3's theory.
#include <doctest/doctest.h>

#include <map>
#include <random>

#include "semantics/values/float_operations.hpp"
#include "solver/smt/smt_solver.hpp"
#include "tests/sanitized.hpp"

using namespace ptxmc;

namespace {

using FloatingPoint = SmtSolver::FloatingPoint;
using Result = SmtSolver::Result;

/// Asks one question in one way; what the solver answers must be one.
Result ask(const Bits& condition, FloatingPoint way) {
  SmtSolver solver({}, way);
  const Result result = solver.check({&condition, 1});
  if (result == Result::satisfiable) {
    Substitution values;
    for (const VariableId id : variables_of(condition))
      values.set(id, solver.value(id, condition.term()->graph->variable_width(id)));
    CHECK(values.apply(condition).is_true());
  }
  return result;
}

/// An operation on unknowns and small numbers, in half precision: Z3 settles those at once.
Bits random_operation(std::mt19937& random, const std::vector<Bits>& operands) {
  const auto operand = [&] { return operands[random() % operands.size()]; };
  constexpr Rounding roundings[] = {Rounding::nearest_even, Rounding::toward_zero, Rounding::upward,
                                    Rounding::downward};
  const Rounding rounding = roundings[random() % 4];
  switch (random() % 5) {
    case 0:
      return float_add(FloatFormat::f16, rounding, operand(), operand());
    case 1:
      return float_multiply(FloatFormat::f16, rounding, operand(), operand());
    case 2:
      return float_multiply_add(FloatFormat::f16, rounding, operand(), operand(), operand());
    case 3:
      return float_from_signed(FloatFormat::f16, rounding, operand());
    default:
      return float_to_signed(16, FloatFormat::f16, rounding, operand());
  }
}

}  // namespace

TEST_CASE("examples and Z3's theory of floating point give the same answers") {
  std::map<Result, int> answers;
  for (int seed = 0; seed < sampled(12); ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    TermGraph graph;
    std::vector<Bits> operands = {graph.variable(16, "a"), graph.variable(16, "b"), Bits(16, 0x3c00),
                                  Bits(16, random() & 0xffff)};
    for (int i = 0; i < 3; ++i) operands.push_back(random_operation(random, operands));
    const Bits& last = operands.back();
    const Bits some = operands[random() % 2];
    const Bits conditions[] = {equal(last, Bits(16, random() & 0xffff)), equal(last, some),
                               less_signed(last, some) & equal(operands[4], operands[0])};
    for (const Bits& condition : conditions) {
      if (condition.is_constant()) continue;
      const Result by_theory = ask(condition, FloatingPoint::by_theory);
      CHECK(ask(condition, FloatingPoint::by_examples) == by_theory);
      ++answers[by_theory];
    }
  }
  CHECK(answers[Result::satisfiable] > sampled(5));
  CHECK(answers[Result::unsatisfiable] > sampled(3));
  CHECK(answers[Result::unknown] == 0);
}

TEST_CASE("what is learned of floating point in one question holds in the next") {
  TermGraph graph;
  const Bits a = graph.variable(32, "a"), b = graph.variable(32, "b"), one(32, 0x3f800000);
  const Bits sum = float_add(FloatFormat::f32, Rounding::nearest_even, a, one);
  const Bits product = float_multiply(FloatFormat::f32, Rounding::nearest_even, sum, b);
  SmtSolver solver({});
  solver.add(equal(b, Bits(32, 0x40000000)));
  const std::vector<Bits> is_six = {equal(product, Bits(32, 0x40c00000)), equal(a, Bits(32, 0x40000000))};
  CHECK(solver.check(is_six) == Result::satisfiable);
  const std::vector<Bits> is_seven = {equal(product, Bits(32, 0x40e00000)), equal(a, Bits(32, 0x40000000))};
  CHECK(solver.check(is_seven) == Result::unsatisfiable);
  const std::vector<Bits> is_open = {equal(product, Bits(32, 0x40e00000))};
  REQUIRE(solver.check(is_open) == Result::satisfiable);
  CHECK(solver.value(a.term()->variable, 32).to_u64() == 0x40200000);  // (2.5 + 1) · 2 = 7
}

TEST_CASE("definitions of floating-point operations hold after a question that was given up") {
  TermGraph graph;
  const Bits a = graph.variable(32, "a"), b = graph.variable(32, "b"), one(32, 0x3f800000);
  const Bits c = graph.variable(64, "c"), d = graph.variable(64, "d");
  const Bits product = float_multiply(FloatFormat::f32, Rounding::nearest_even, a, b);
  SmtSolver solver({}, FloatingPoint::by_theory);
  solver.add(equal(b, one));
  // The product of two primes: too hard for the time.
  const Bits is_small = less_unsigned(c, Bits(64, 1ULL << 32)) & less_unsigned(d, Bits(64, 1ULL << 32));
  const std::vector<Bits> is_hard = {equal(c * d, Bits(64, 4294967291ULL * 4294967279ULL)), is_small,
                                     equal(product, a)};
  solver.limit_checks(0.05);
  CHECK(solver.check(is_hard) == Result::unknown);
  CHECK(solver.reason() == "timeout");
  solver.limit_checks(0);
  const std::vector<Bits> is_one = {equal(product, one)};
  const std::vector<Bits> differ = {equal(product, one), equal(a, Bits(32, 0))};
  REQUIRE(solver.check(is_one) == Result::satisfiable);
  CHECK(solver.value(a.term()->variable, 32).to_u64() == one.to_u64());
  CHECK(solver.check(differ) == Result::unsatisfiable);
}

TEST_CASE("Z3 rounds .bf16 to integers, which it does not do by itself") {
  TermGraph graph;
  const Bits x = graph.variable(16, "x");
  const Bits integer = float_to_signed(32, FloatFormat::bf16, Rounding::toward_zero, x);
  const Bits is_2_and_a_half = equal(x, Bits(16, 0x4020));
  const Bits integral = float_round_to_integral(FloatFormat::bf16, Rounding::upward, x);
  for (const FloatingPoint way : {FloatingPoint::by_examples, FloatingPoint::by_theory}) {
    CHECK(ask(is_2_and_a_half & equal(integer, Bits(32, 2)), way) == Result::satisfiable);
    CHECK(ask(is_2_and_a_half & ~equal(integer, Bits(32, 2)), way) == Result::unsatisfiable);
    CHECK(ask(is_2_and_a_half & ~equal(integral, Bits(16, 0x4040)), way) == Result::unsatisfiable);
    CHECK(ask(less_signed(integer, Bits(32, 0)) & ~x.bit(15), way) == Result::unsatisfiable);
  }
}
