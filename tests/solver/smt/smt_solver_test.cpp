// The solver beside an enumeration of all assignments.
#include "solver/smt/smt_solver.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>

#include "semantics/values/approximation.hpp"
#include "semantics/values/float_operations.hpp"
#include "solver/limits/memory_limit.hpp"
#include "tests/semantics/random_terms.hpp"

using namespace ptxmc;

namespace {

using Result = SmtSolver::Result;

/// A few narrow unknowns, and random conditions on them.
struct Narrow {
  TermGraph graph;
  test::RandomTerms random;
  std::vector<Bits> variables;

  explicit Narrow(unsigned seed) : random(graph, seed) {
    for (const unsigned width : {1u, 2u, 3u}) variables.push_back(random.add_variable(width).term);
    for (int i = 0; i < 12; ++i) random.add_operation();
  }

  Bits condition() {
    const Bits term = random.add_operation().term;
    return term.width() == 1 ? term : equal(term, Bits(term.width(), random.below(4)));
  }

  /// Whether some assignment satisfies all conditions.
  bool is_satisfiable(const std::vector<Bits>& conditions) const {
    for (unsigned all = 0; all < 64; ++all) {
      Substitution values;
      unsigned rest = all;
      for (const Bits& variable : variables) {
        values.set(variable.term()->variable, Bits(variable.width(), rest));
        rest >>= variable.width();
      }
      if (std::ranges::all_of(conditions, [&](const Bits& c) { return values.apply(c).is_true(); }))
        return true;
    }
    return false;
  }

  Substitution values_of(const SmtSolver& solver) const {
    Substitution values;
    for (const Bits& variable : variables)
      values.set(variable.term()->variable, solver.value(variable.term()->variable, variable.width()));
    return values;
  }
};

}  // namespace

TEST_CASE("conditions stay for later checks, and assumptions do not") {
  int satisfiable = 0, unsatisfiable = 0;
  for (unsigned seed = 0; seed < 80; ++seed) {
    CAPTURE(seed);
    Narrow narrow(seed);
    SmtSolver solver({});
    std::vector<Bits> added;
    for (int step = 0; step < 6; ++step) {
      if (step % 2 == 1) {
        added.push_back(narrow.condition());
        solver.add(added.back());
      }
      const std::vector<Bits> assumed = {narrow.condition(), narrow.condition()};
      std::vector<Bits> all = added;
      all.insert(all.end(), assumed.begin(), assumed.end());
      const bool expected = narrow.is_satisfiable(all);
      ++(expected ? satisfiable : unsatisfiable);
      REQUIRE(solver.check(assumed) == (expected ? Result::satisfiable : Result::unsatisfiable));
      CHECK(solver.reason().empty());
      if (!expected) continue;
      Substitution values = narrow.values_of(solver);
      for (const Bits& condition : all) CHECK(values.apply(condition).is_true());
    }
  }
  CHECK(satisfiable > 50);
  CHECK(unsatisfiable > 50);
}

TEST_CASE("values of every width, and of variables that no condition mentions") {
  TermGraph graph;
  SmtSolver solver({});
  std::vector<Bits> numbers;
  for (const unsigned width : {1u, 5u, 64u, 65u, 128u}) {
    const Bits number = ~Bits(width, 0) - Bits(width, width == 1 ? 0 : 2);
    numbers.push_back(number);
    solver.add(equal(graph.variable(width, "x"), number));
  }
  const Bits free = graph.variable(9, "free");
  REQUIRE(solver.check() == Result::satisfiable);
  for (VariableId id = 0; id < numbers.size(); ++id)
    CHECK(identical(solver.value(id, numbers[id].width()), numbers[id]));
  CHECK(solver.value(free.term()->variable, 9).width() == 9);
}

TEST_CASE("a constant condition is decided like any other") {
  TermGraph graph;
  const Bits x = graph.variable(8, "x");
  const Bits yes = Bits::boolean(true), no = Bits::boolean(false);
  SmtSolver solver({});
  CHECK(solver.check({&yes, 1}) == Result::satisfiable);
  CHECK(solver.check({&no, 1}) == Result::unsatisfiable);
  CHECK(solver.check() == Result::satisfiable);
  solver.add(less_unsigned(x, Bits(8, 1)));
  CHECK(solver.check() == Result::satisfiable);
  solver.add(no);
  CHECK(solver.check() == Result::unsatisfiable);
}

TEST_CASE("limits: no answer is guessed, and the reason is given") {
  TermGraph graph;
  const Bits x = graph.variable(128, "x"), y = graph.variable(128, "y");
  // 2^60 - 93 and 2^60 - 107 are primes: no solver factors their product in a fifth of a second.
  const Bits power = Bits(128, u128{1} << 60);
  const Bits product = (power - Bits(128, 93)) * (power - Bits(128, 107));
  const auto is_factor = [&](const Bits& factor) {
    return less_unsigned(Bits(128, 1), factor) & less_unsigned(factor, power + power);
  };
  const Bits hard = equal(x * y, product) & is_factor(x) & is_factor(y);
  SmtSolver slow({.timeout_seconds = 0.2});
  slow.add(hard);
  CHECK(slow.check() == Result::unknown);
  CHECK(slow.reason() == "timeout");
  SmtSolver large({.timeout_seconds = 60});
  large.add(hard);
  {
    const MemoryLimit limit(1);  // of the whole process, so that it is reached
    CHECK(large.check() == Result::unknown);
    CHECK(large.reason() == "memory limit");
  }

  std::atomic<bool> interrupted = true;
  SmtSolver stopped({.interrupted = &interrupted});
  stopped.add(equal(x, y));
  CHECK(stopped.check() == Result::unknown);
  CHECK(stopped.reason() == "interrupted");
  interrupted = false;
  CHECK(stopped.check() == Result::satisfiable);
}

TEST_CASE("an approximate result is some value within the manual's bound") {
  // PTX ISA 8.7 § 9.7.3.16, sqrt.approx.f32: relative error at most 2^-23, so √4 is 2 up to one unit.
  TermGraph graph;
  const Bits x = graph.variable(32, "x");
  const Bits root = float_approximate(Approximation::square_root, FloatFormat::f32, x);
  SmtSolver solver({});
  solver.add(equal(x, Bits(32, 0x40800000)));
  CHECK(solver.check() == Result::satisfiable);
  const Bits is_two = equal(root, Bits(32, 0x40000000));
  const Bits is_one = equal(root, Bits(32, 0x3f800000));
  CHECK(solver.check({&is_two, 1}) == Result::satisfiable);
  CHECK(solver.check({&is_one, 1}) == Result::unsatisfiable);
}
