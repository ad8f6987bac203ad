#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "semantics/values/bits.hpp"

using namespace ptxmc;

TEST_CASE("constants for people") {
  CHECK(to_string(Bits(8, 0x1f)) == "0x1f");
  CHECK(to_string(Bits(32, 0)) == "0x0");
  CHECK(to_string(Bits(128, ~u128{0})) == "0xffffffffffffffffffffffffffffffff");
  CHECK_THROWS_AS(to_string(Bits()), std::logic_error);
}

TEST_CASE("expressions for people") {
  TermGraph graph;
  const Bits a = graph.variable(64, "a"), b = graph.variable(32, "b"), p = graph.variable(1, "p");
  CHECK(to_string(a + b.zero_extend(64)) == "(a + zext64(b))");
  const Bits complement = ~a, negative = -a;  // operands stand in the order in which they were made
  CHECK(to_string(negative * complement) == "(~a * -a)");
  CHECK(to_string(ite(p, b, -b)) == "ite(p, b, -b)");
  CHECK(to_string(b.extract(8, 8)) == "b[15:8]");
  CHECK(to_string(b.bit(31)) == "b[31]");
  CHECK(to_string(less_signed(b, b * b)) == "(b <s (b * b))");
  CHECK(to_string(divide_signed(b, Bits(32, 3)).sign_extend(64)) == "sext64((b /s 0x3))");
  CHECK(to_string(concat(Bits(3, 1), b)) == "(0b001 ++ b)");
  CHECK(to_string(concat(b, Bits(8, 1))) == "(b ++ 0x01)");
}

TEST_CASE("what a large term shares has a name") {
  TermGraph graph;
  Bits x = graph.variable(8, "x");
  const Bits y = graph.variable(8, "y");
  for (int i = 0; i < 10; ++i) x = x * x ^ y;
  const std::string text = to_string(x);
  CHECK(text.starts_with("let t3 = (y ^ (x * x)); let t5 = (y ^ (t3 * t3)); "));
  CHECK(text.ends_with("; (y ^ (t19 * t19))"));
}

TEST_CASE("SMT-LIB expressions") {
  TermGraph graph;
  const Bits a = graph.variable(8, "a"), b = graph.variable(8, "b"), p = graph.variable(1, "p");
  CHECK(to_smtlib(Bits(8, 0x1f)) == "#x1f");
  CHECK(to_smtlib(Bits(3, 5)) == "#b101");
  CHECK(to_smtlib(a - b) == "(bvsub a b)");
  CHECK(to_smtlib(a + Bits(8, 3)) == "(bvadd a #x03)");
  CHECK(to_smtlib(-a) == "(bvneg a)");
  CHECK(to_smtlib(less_signed(a, b)) == "(ite (bvslt a b) #b1 #b0)");
  CHECK(to_smtlib(ite(less_signed(a, b), a, b)) == "(ite (bvslt a b) a b)");
  CHECK(to_smtlib(ite(p, a, b)) == "(ite (= p #b1) a b)");
  CHECK(to_smtlib(a.extract(2, 4)) == "((_ extract 5 2) a)");
  CHECK(to_smtlib(a.zero_extend(12)) == "((_ zero_extend 4) a)");
  CHECK(to_smtlib(a.sign_extend(12)) == "((_ sign_extend 4) a)");
  CHECK_THROWS_AS(to_smtlib(Bits()), std::logic_error);
}

TEST_CASE("SMT-LIB shifts have amounts as wide as their values") {
  TermGraph graph;
  const Bits a = graph.variable(8, "a"), b = graph.variable(8, "b");
  const Bits narrow = graph.variable(4, "n"), wide = graph.variable(12, "w");
  CHECK(to_smtlib(shift_left(a, b)) == "(bvshl a b)");
  CHECK(to_smtlib(shift_left(a, narrow)) == "(bvshl a ((_ zero_extend 4) n))");
  CHECK(to_smtlib(shift_right_unsigned(a, wide)) == "((_ extract 7 0) (bvlshr ((_ zero_extend 4) a) w))");
  CHECK(to_smtlib(shift_right_signed(a, wide)) == "((_ extract 7 0) (bvashr ((_ sign_extend 4) a) w))");
}

TEST_CASE("SMT-LIB text shares by let what is shared in the graph") {
  TermGraph graph;
  const Bits x = graph.variable(8, "x"), y = graph.variable(8, "y");
  const Bits product = x * y, sum = x + y;
  CHECK(to_smtlib(product ^ -product) == "(let ((?2 (bvmul x y))) (bvxor ?2 (bvneg ?2)))");
  // neither contains the other: one let
  CHECK(to_smtlib(shift_left(product - sum, product ^ sum)) ==
        "(let ((?2 (bvmul x y))(?3 (bvadd x y))) (bvshl (bvsub ?2 ?3) (bvxor ?2 ?3)))");
  // a shared condition is a bit-vector
  const Bits less = less_signed(x, y);
  CHECK(to_smtlib(concat(less, ite(less, x, product))).find("(ite (= ?") != std::string::npos);
  Bits doubled = x;
  for (int i = 0; i < 1000; ++i) doubled = doubled * (doubled ^ y);
  CHECK(to_smtlib(doubled).size() < 100'000);
}

TEST_CASE("deep terms have a text") {
  TermGraph graph;
  const Bits y = graph.variable(32, "y");
  Bits x = graph.variable(32, "x");
  for (int i = 0; i < 30'000; ++i) x = (x ^ y) * y;
  CHECK(std::ranges::count(to_string(x), '*') == 30'000);
  CHECK(std::ranges::count(to_smtlib(x), '(') == 60'000);
}

TEST_CASE("SMT-LIB symbols") {
  TermGraph graph;
  const auto symbol = [&](const char* name) {
    return smtlib_symbol(graph, graph.variable(8, name).term()->variable);
  };
  CHECK(symbol("x") == "x");
  CHECK(symbol("%r1") == "%r1");
  CHECK(symbol("x") == "|x!2|");          // the second of this name
  CHECK(symbol("bvadd") == "|bvadd!3|");  // a function of the logic
  CHECK(symbol("let") == "|let!4|");
  CHECK(symbol("P0:r1") == "|P0:r1!5|");
  CHECK(symbol("a|b") == "|a_b!6|");
  CHECK(symbol("x!2") == "|x!2!7|");
  CHECK(symbol("?3") == "|?3!8|");
  CHECK(symbol("7up") == "|7up!9|");
  CHECK(symbol("") == "|!10|");
}
