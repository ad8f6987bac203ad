// What is known of all iterations of a loop.
#include "solver/threads/loop_induction.hpp"

#include <doctest/doctest.h>

#include "solver/smt/smt_solver.hpp"

using namespace ptxmc;

namespace {

/// A loop over `i`, which begins at `start` and changes by `stride`, both unknowns of 32 bits, or constants.
struct CountingLoop {
  TermGraph graph;
  Bits n = graph.variable(32, "n"), change = graph.variable(32, "change");
  Bits start = graph.variable(32, "start"), stride = graph.variable(32, "stride");

  Bits now() const { return start + change; }
  Bits next() const { return start + change + stride; }

  bool never(const Bits& condition) {
    SmtSolver solver{SmtSolver::Limits()};
    return solver.check({&condition, 1}) == SmtSolver::Result::unsatisfiable;
  }
  LoopInduction induction(const Bits& enters, const Bits& goes_on) {
    return {{{start, stride, change}}, enters, goes_on, [this](const Bits& condition) {
              return never(condition);
            }};
  }
  /// Whether this is true of the value at the beginning of each iteration.
  bool is_known(const LoopInduction& loop, const Bits& enters,
                const std::function<Bits(const Bits&)>& claim) {
    const Bits iteration = graph.variable(loop.iteration_width(), "iteration"),
               value = loop.value_in(loop.variables().front(), iteration);
    return never(enters & loop.holds_in(iteration) & ~claim(value));
  }
  static Bits is_not_negative(const Bits& value) { return ~value.bit(31); }
};

}  // namespace

TEST_CASE("a loop that counts up to a number ends, and its counter does not wrap around") {
  CountingLoop loop;
  loop.stride = Bits(32, 3);
  const Bits enters = less_signed(loop.start, loop.n) & CountingLoop::is_not_negative(loop.start) &
                      less_signed(loop.n, Bits(32, 1000));
  const LoopInduction induction = loop.induction(enters, less_signed(loop.next(), loop.n));
  REQUIRE(induction.is_finite());
  CHECK(induction.iteration_width() == 32);
  CHECK(loop.is_known(induction, enters, CountingLoop::is_not_negative));
  CHECK(loop.is_known(induction, enters,
                      [&](const Bits& value) { return less_equal_unsigned(loop.start, value); }));
}

TEST_CASE("a loop whose counter may wrap around is not known to end") {
  CountingLoop loop;
  loop.stride = Bits(32, 3);  // from 0x7fffffff - 1 on, n is always larger than the counter
  const Bits enters = less_signed(loop.start, loop.n);
  CHECK_FALSE(loop.induction(enters, less_signed(loop.next(), loop.n)).is_finite());
  loop.stride = Bits(32, 1);
  CHECK(loop.induction(enters, less_signed(loop.next(), loop.n)).is_finite());
}

TEST_CASE("a loop whose step may be 0 is not known to end") {
  CountingLoop loop;
  const Bits small = less_unsigned(loop.stride, Bits(32, 10)) & less_unsigned(loop.n, Bits(32, 1000)) &
                     less_unsigned(loop.start, loop.n);
  const Bits goes_on = less_unsigned(loop.next(), loop.n);
  CHECK_FALSE(loop.induction(small, goes_on).is_finite());
  CHECK(loop.induction(small & ~equal(loop.stride, Bits(32, 0)), goes_on).is_finite());
}

TEST_CASE("a loop that counts down in steps ends at 0 if it begins at a multiple of the step") {
  CountingLoop loop;
  loop.stride = Bits(32, 0) - Bits(32, 4);
  const Bits goes_on = ~equal(loop.next(), Bits(32, 0)), is_not_zero = ~equal(loop.start, Bits(32, 0));
  CHECK_FALSE(loop.induction(is_not_zero, goes_on).is_finite());
  const Bits enters = is_not_zero & equal(loop.start.extract(0, 2), Bits(2, 0));
  const LoopInduction induction = loop.induction(enters, goes_on);
  REQUIRE(induction.is_finite());
  CHECK(loop.is_known(induction, enters,
                      [&](const Bits& value) { return less_equal_unsigned(value, loop.start); }));
  CHECK(loop.is_known(induction, enters,
                      [&](const Bits& value) { return less_equal_unsigned(Bits(32, 4), value); }));
}

TEST_CASE("a loop that nothing of its counter ends is not known to end") {
  CountingLoop loop;
  loop.stride = Bits(32, 1);
  CHECK_FALSE(loop.induction(Bits::boolean(true), loop.graph.variable(1, "read")).is_finite());
}

TEST_CASE("equal summands are left out of a difference") {
  CountingLoop loop;
  const Bits four = loop.stride + loop.stride + loop.stride + loop.stride;
  CHECK(identical(difference(loop.now() + four, loop.now()), shift_left(loop.stride, Bits(32, 2))));
  CHECK(identical(difference((loop.start - loop.n) + Bits(32, 8), loop.start - loop.n), Bits(32, 8)));
  CHECK(difference(loop.n - loop.start, loop.n - loop.start).to_u64() == 0);
}
