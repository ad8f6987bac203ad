// Each equation where it applies, and beside it where it must not.
#include "tests/semantics/rewriting.hpp"

using namespace ptxmc;
using test::check_rewriting;
using test::choice;
using test::eight;
using test::four;
using test::Values;

TEST_CASE("equality with numbers") {
  check_rewriting([](const Values& v) { return equal(four(5), v.a); }, "(a == 0x5)");
  check_rewriting([](const Values& v) { return equal(v.p, Bits(1, 1)); }, "p");
  check_rewriting([](const Values& v) { return equal(v.p, Bits(1, 0)); }, "~p");
  check_rewriting([](const Values& v) { return equal(v.a + four(5), four(3)); }, "(a == 0xe)");
  check_rewriting([](const Values& v) { return equal(v.a + v.b, four(3)); }, "((a + b) == 0x3)");
  check_rewriting([](const Values& v) { return equal(v.a ^ four(5), four(3)); }, "(a == 0x6)");
  check_rewriting([](const Values& v) { return equal(v.a ^ v.b, four(3)); }, "((a ^ b) == 0x3)");
  check_rewriting([](const Values& v) { return equal(four(5) - v.a, four(3)); }, "(a == 0x2)");
  check_rewriting([](const Values& v) { return equal(v.a - v.b, four(0)); }, "(a == b)");
  check_rewriting([](const Values& v) { return equal(v.a - v.b, four(1)); }, "((a - b) == 0x1)");
  check_rewriting([](const Values& v) { return equal(-v.a, four(3)); }, "(a == 0xd)");
  check_rewriting([](const Values& v) { return equal(~v.a, four(3)); }, "(a == 0xc)");
  check_rewriting([](const Values& v) { return equal(v.a.zero_extend(8), eight(3)); }, "(a == 0x3)");
  check_rewriting([](const Values& v) { return equal(v.a.zero_extend(8), eight(16)); }, "0x0");
  check_rewriting([](const Values& v) { return equal(v.a.sign_extend(8), eight(0xf9)); }, "(a == 0x9)");
  check_rewriting([](const Values& v) { return equal(v.a.sign_extend(8), eight(0x09)); }, "0x0");
  check_rewriting([](const Values& v) { return equal(concat(v.a, v.b), eight(0x35)); },
                  "((a == 0x3) & (b == 0x5))");
}

TEST_CASE("equality of choices with numbers") {
  check_rewriting([](const Values& v) { return equal(choice(v), four(3)); }, "p");
  check_rewriting([](const Values& v) { return equal(choice(v), four(9)); }, "~p");
  check_rewriting([](const Values& v) { return equal(choice(v), four(4)); }, "0x0");
  check_rewriting([](const Values& v) { return equal(ite(v.p, four(3), v.a), four(3)); }, "(p | (a == 0x3))");
  check_rewriting([](const Values& v) { return equal(ite(v.p, four(3), v.a), four(4)); },
                  "((a == 0x4) & ~p)");
  check_rewriting([](const Values& v) { return equal(ite(v.p, v.a, four(3)), four(4)); }, "(p & (a == 0x4))");
  check_rewriting(
      [](const Values& v) { return equal(ite(v.p, four(1), ite(v.q, four(2), four(3))), four(2)); },
      "(q & ~p)");
  check_rewriting([](const Values& v) { return equal(ite(v.p, v.a, v.b), four(4)); },
                  "(ite(p, a, b) == 0x4)");
}

TEST_CASE("equality of unknowns") {
  check_rewriting([](const Values& v) { return equal(v.a, v.a); }, "0x1");
  check_rewriting([](const Values& v) { return equal(v.b, v.a); }, "(a == b)");
  check_rewriting([](const Values& v) { return equal(v.p, v.q); }, "~(p ^ q)");
  check_rewriting([](const Values& v) { return equal(v.p, ~v.q); }, "(p ^ q)");
  check_rewriting([](const Values& v) { return equal(v.a, ~v.a); }, "0x0");
  check_rewriting([](const Values& v) { return equal(~v.a, ~v.b); }, "(a == b)");
  check_rewriting([](const Values& v) { return equal(v.a + four(3), v.a); }, "0x0");
  check_rewriting([](const Values& v) { return equal(v.a + four(3), v.a + four(4)); }, "0x0");
  check_rewriting([](const Values& v) { return equal(v.a + four(3), v.b + four(1)); }, "(b == (a + 0x2))");
  check_rewriting([](const Values& v) { return equal(v.a + four(3), v.b + four(3)); }, "(a == b)");
  check_rewriting([](const Values& v) { return equal(v.a, v.b + four(1)); }, "(b == (a + 0xf))");
  check_rewriting([](const Values& v) { return equal(v.a.zero_extend(8), v.b.zero_extend(8)); }, "(a == b)");
  check_rewriting([](const Values& v) { return equal(v.a.sign_extend(8), v.b.sign_extend(8)); }, "(a == b)");
  check_rewriting(
      [](const Values& v) {
        const Bits a = v.a.sign_extend(8), b = v.b.zero_extend(8);
        return equal(a, b);
      },
      "(sext8(a) == zext8(b))");
  check_rewriting(
      [](const Values& v) {
        const Bits a = v.a.zero_extend(8), p = v.p.zero_extend(8);
        return equal(a, p);
      },
      "(zext8(a) == zext8(p))");
  check_rewriting([](const Values& v) { return equal(choice(v), ite(v.p, four(3), four(8))); }, "p");
}

TEST_CASE("equations of terms 30,000 deep are simplified without recursion") {
  TermGraph graph;
  const Bits start = graph.variable(32, "x"), other = graph.variable(32, "y"), p = graph.variable(1, "p");
  Bits x = start, y = other, sum = start, masked = start;
  for (unsigned i = 0; i < 30'000; ++i) {
    x = (x ^ Bits(32, 0x55)) + Bits(32, i + 1);
    y = (y ^ Bits(32, 0x55)) + Bits(32, i + 1);
    sum = ite(p, Bits(32, 7), sum + Bits(32, 1));
    masked = (masked | Bits(32, 0x5000)) & Bits(32, 0xfffa0fff);
  }
  CHECK(equal(x, Bits(32, 5)).term()->operands[0] == start.term());
  CHECK_FALSE(equal(x, y).is_constant());
  CHECK_FALSE(equal(sum, Bits(32, 5)).is_constant());
  CHECK(to_string(masked.extract(4, 4)) == "x[7:4]");
}

TEST_CASE("unsigned order and its ends") {
  check_rewriting([](const Values& v) { return less_unsigned(v.a, v.b); }, "(a <u b)");
  check_rewriting([](const Values& v) { return less_unsigned(v.a, v.a); }, "0x0");
  check_rewriting([](const Values& v) { return less_equal_unsigned(v.a, v.a); }, "0x1");
  check_rewriting([](const Values& v) { return less_unsigned(v.a, four(0)); }, "0x0");
  check_rewriting([](const Values& v) { return less_unsigned(v.a, four(1)); }, "(a == 0x0)");
  check_rewriting([](const Values& v) { return less_unsigned(v.a, four(15)); }, "~(a == 0xf)");
  check_rewriting([](const Values& v) { return less_unsigned(v.a, four(5)); }, "(a <u 0x5)");
  check_rewriting([](const Values& v) { return less_unsigned(four(15), v.a); }, "0x0");
  check_rewriting([](const Values& v) { return less_unsigned(four(14), v.a); }, "(a == 0xf)");
  check_rewriting([](const Values& v) { return less_unsigned(four(0), v.a); }, "~(a == 0x0)");
  check_rewriting([](const Values& v) { return less_unsigned(four(5), v.a); }, "(0x6 <=u a)");
  check_rewriting([](const Values& v) { return less_equal_unsigned(v.a, four(15)); }, "0x1");
  check_rewriting([](const Values& v) { return less_equal_unsigned(v.a, four(0)); }, "(a == 0x0)");
  check_rewriting([](const Values& v) { return less_equal_unsigned(v.a, four(5)); }, "(a <u 0x6)");
  check_rewriting([](const Values& v) { return less_equal_unsigned(four(0), v.a); }, "0x1");
  check_rewriting([](const Values& v) { return less_equal_unsigned(four(15), v.a); }, "(a == 0xf)");
  check_rewriting([](const Values& v) { return less_equal_unsigned(four(1), v.a); }, "~(a == 0x0)");
  check_rewriting([](const Values& v) { return less_equal_unsigned(four(5), v.a); }, "(0x5 <=u a)");
}

TEST_CASE("signed order and its ends") {
  check_rewriting([](const Values& v) { return less_signed(v.a, v.b); }, "(a <s b)");
  check_rewriting([](const Values& v) { return less_signed(v.a, v.a); }, "0x0");
  check_rewriting([](const Values& v) { return less_signed(v.a, four(8)); }, "0x0");
  check_rewriting([](const Values& v) { return less_signed(v.a, four(9)); }, "(a == 0x8)");
  check_rewriting([](const Values& v) { return less_signed(v.a, four(7)); }, "~(a == 0x7)");
  check_rewriting([](const Values& v) { return less_signed(v.a, four(15)); }, "(a <s 0xf)");
  check_rewriting([](const Values& v) { return less_signed(v.a, four(0)); }, "(a <s 0x0)");
  check_rewriting([](const Values& v) { return less_signed(four(7), v.a); }, "0x0");
  check_rewriting([](const Values& v) { return less_signed(four(15), v.a); }, "(0x0 <=s a)");
  check_rewriting([](const Values& v) { return less_equal_signed(v.a, four(7)); }, "0x1");
  check_rewriting([](const Values& v) { return less_equal_signed(four(8), v.a); }, "0x1");
  check_rewriting([](const Values& v) { return less_equal_signed(v.a, four(15)); }, "(a <s 0x0)");
  check_rewriting([](const Values& v) { return less_signed(v.p, v.q); }, "(p <s q)");
  check_rewriting([](const Values& v) { return less_signed(v.p, Bits(1, 0)); }, "p");
}

TEST_CASE("the order of extended values") {
  check_rewriting([](const Values& v) { return less_unsigned(v.a.zero_extend(8), v.b.zero_extend(8)); },
                  "(a <u b)");
  check_rewriting([](const Values& v) { return less_signed(v.a.zero_extend(8), v.b.zero_extend(8)); },
                  "(a <u b)");
  check_rewriting([](const Values& v) { return less_unsigned(v.a.sign_extend(8), v.b.sign_extend(8)); },
                  "(a <u b)");
  check_rewriting([](const Values& v) { return less_signed(v.a.sign_extend(8), v.b.sign_extend(8)); },
                  "(a <s b)");
  check_rewriting([](const Values& v) { return less_equal_signed(v.a.zero_extend(8), v.b.zero_extend(8)); },
                  "(a <=u b)");
  check_rewriting([](const Values& v) { return less_signed(v.a.sign_extend(8), v.b.zero_extend(8)); },
                  "(sext8(a) <s zext8(b))");
  check_rewriting([](const Values& v) { return less_unsigned(v.a.zero_extend(8), eight(5)); }, "(a <u 0x5)");
  check_rewriting([](const Values& v) { return less_unsigned(v.a.zero_extend(8), eight(16)); }, "0x1");
  check_rewriting([](const Values& v) { return less_unsigned(v.a.zero_extend(8), eight(15)); },
                  "~(a == 0xf)");
  check_rewriting([](const Values& v) { return less_unsigned(eight(15), v.a.zero_extend(8)); }, "0x0");
  check_rewriting([](const Values& v) { return less_unsigned(eight(5), v.a.zero_extend(8)); }, "(0x6 <=u a)");
  check_rewriting([](const Values& v) { return less_signed(v.a.zero_extend(8), eight(0x80)); }, "0x0");
  check_rewriting([](const Values& v) { return less_signed(eight(0xff), v.a.zero_extend(8)); }, "0x1");
  check_rewriting([](const Values& v) { return less_signed(v.a.zero_extend(8), eight(0x7f)); }, "0x1");
  check_rewriting([](const Values& v) { return less_equal_signed(eight(9), v.a.zero_extend(8)); },
                  "(0x9 <=u a)");
  check_rewriting([](const Values& v) { return less_signed(v.a.sign_extend(8), eight(3)); },
                  "(sext8(a) <s 0x3)");
}

TEST_CASE("the order of choices") {
  check_rewriting([](const Values& v) { return less_unsigned(choice(v), four(5)); }, "p");
  check_rewriting([](const Values& v) { return less_signed(choice(v), four(0)); }, "~p");
  check_rewriting([](const Values& v) { return less_equal_unsigned(four(5), choice(v)); }, "~p");
  check_rewriting([](const Values& v) { return less_unsigned(choice(v), v.a); }, "(ite(p, 0x3, 0x9) <u a)");
}
