#include <doctest/doctest.h>

#include <stdexcept>

#include "semantics/values/bits.hpp"

using namespace ptxmc;

TEST_CASE("substitution of numbers evaluates") {
  TermGraph graph;
  const Bits x = graph.variable(32, "x"), y = graph.variable(32, "y");
  Substitution values;
  values.set(0, Bits(32, 6));
  values.set(1, Bits(32, 7));
  CHECK(values.apply(x * y).value() == 42);
  CHECK(values.apply(x - y).to_s64() == -1);
  CHECK(values.apply(Bits(8, 3)).value() == 3);
  CHECK(values.apply(ite(less_signed(x, y), x, y)).value() == 6);
}

TEST_CASE("every operator is computed again") {
  TermGraph graph;
  const Bits x = graph.variable(8, "x"), y = graph.variable(8, "y");
  Substitution values;
  values.set(0, Bits(8, 0xb5));
  values.set(1, Bits(8, 3));
  const auto value = [&](const Bits& term) {
    CHECK_FALSE(term.is_constant());
    return values.apply(term).value();
  };
  CHECK(value(~x) == 0x4a);
  CHECK(value(x & y) == 0x01);
  CHECK(value(x | y) == 0xb7);
  CHECK(value(x ^ y) == 0xb6);
  CHECK(value(-x) == 0x4b);
  CHECK(value(x + y) == 0xb8);
  CHECK(value(x - y) == 0xb2);
  CHECK(value(x * y) == 0x1f);                // 181 * 3 = 543 = 2 * 256 + 31
  CHECK(value(divide_unsigned(x, y)) == 60);  // 181 = 60 * 3 + 1
  CHECK(value(remainder_unsigned(x, y)) == 1);
  CHECK(value(divide_signed(x, y)) == 0xe7);  // -75 = -25 * 3
  CHECK(value(remainder_signed(x, y)) == 0);
  CHECK(value(shift_left(x, y)) == 0xa8);
  CHECK(value(shift_right_unsigned(x, y)) == 0x16);
  CHECK(value(shift_right_signed(x, y)) == 0xf6);
  CHECK(value(concat(x, y)) == 0xb503);
  CHECK(value(x.extract(2, 4)) == 0xd);
  CHECK(value(x.zero_extend(16)) == 0xb5);
  CHECK(value(x.sign_extend(16)) == 0xffb5);
  CHECK(value(equal(x, y)) == 0);
  CHECK(value(less_unsigned(x, y)) == 0);
  CHECK(value(less_equal_unsigned(x, y)) == 0);
  CHECK(value(less_signed(x, y)) == 1);
  CHECK(value(less_equal_signed(x, y)) == 1);
  CHECK(value(ite(y.bit(0), x, y)) == 0xb5);
  CHECK(value(ite(y.bit(3), x, y)) == 3);
}

TEST_CASE("what is not replaced stays, and the rest folds") {
  TermGraph graph;
  const Bits x = graph.variable(32, "x"), y = graph.variable(32, "y"), p = graph.variable(1, "p");
  Substitution values;
  values.set(1, Bits(32, 0));
  CHECK(identical(values.apply(x), x));
  CHECK(identical(values.apply(x + y), x));
  CHECK(identical(values.apply(ite(p, x * y, x)), ite(p, Bits(32, 0), x)));
  CHECK(identical(values.apply(ite(p, x, ~x)), ite(p, x, ~x)));
}

TEST_CASE("all variables are replaced at once") {
  TermGraph graph;
  const Bits x = graph.variable(32, "x"), y = graph.variable(32, "y");
  Substitution exchange;
  exchange.set(0, y);
  exchange.set(1, x);
  CHECK(identical(exchange.apply(x - y), y - x));
}

TEST_CASE("values may come from another graph") {
  TermGraph one, two;
  const Bits x = one.variable(32, "x");
  const Bits z = two.variable(32, "z");
  Substitution values;
  values.set(0, z);
  CHECK(identical(values.apply(x * x), z * z));
}

TEST_CASE("only the chosen branch of a known condition is computed") {
  TermGraph graph;
  const Bits p = graph.variable(1, "p"), x = graph.variable(32, "x"), y = graph.variable(32, "y");
  Substitution values;
  values.set(0, Bits::boolean(true));
  values.set(1, Bits(32, 5));
  values.set(2, Bits(64, 0));  // of a wrong width: an error when it is used
  CHECK(values.apply(ite(p, x, y * y)).value() == 5);
  CHECK_THROWS_AS(values.apply(y), std::logic_error);
}

TEST_CASE("no value is no replacement") {
  Substitution values;
  CHECK_THROWS_AS(values.set(0, Bits()), std::logic_error);
}

TEST_CASE("a term 100,000 deep") {
  TermGraph graph;
  const Bits x = graph.variable(64, "x"), y = graph.variable(64, "y");
  Bits term = x;
  std::uint64_t expected = 3;
  for (int i = 0; i < 100'000; ++i) {
    term = (term ^ y) * y;
    expected = (expected ^ 0x10001) * 0x10001;
  }
  Substitution values;
  values.set(0, Bits(64, 3));
  values.set(1, Bits(64, 0x10001));
  CHECK(values.apply(term).value() == expected);
}
