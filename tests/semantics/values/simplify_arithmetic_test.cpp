// Each equation where it applies, and beside it where it must not.
#include "tests/semantics/rewriting.hpp"

using namespace ptxmc;
using test::check_rewriting;
using test::choice;
using test::four;
using test::Values;

TEST_CASE("negation") {
  check_rewriting([](const Values& v) { return -(-v.a); }, "a");
  check_rewriting([](const Values& v) { return -v.a; }, "-a");
  check_rewriting([](const Values& v) { return -(v.a - v.b); }, "(b - a)");
  check_rewriting([](const Values& v) { return -(v.a + four(3)); }, "(0xd - a)");
  check_rewriting([](const Values& v) { return -(v.a + v.b); }, "-(a + b)");
  check_rewriting([](const Values& v) { return -choice(v); }, "ite(p, 0xd, 0x7)");
}

TEST_CASE("addition") {
  check_rewriting([](const Values& v) { return v.a + four(0); }, "a");
  check_rewriting([](const Values& v) { return four(3) + v.a; }, "(a + 0x3)");
  check_rewriting([](const Values& v) { return v.b + v.a; }, "(a + b)");
  check_rewriting([](const Values& v) { return (v.a + four(3)) + four(14); }, "(a + 0x1)");
  check_rewriting([](const Values& v) { return (v.a + four(3)) + four(13); }, "a");
  check_rewriting([](const Values& v) { return (v.a + four(3)) + v.b; }, "((a + b) + 0x3)");
  check_rewriting([](const Values& v) { return v.b + (v.a + four(3)); }, "((a + b) + 0x3)");
  check_rewriting([](const Values& v) { return (v.a + four(3)) + (v.b + four(4)); }, "((a + b) + 0x7)");
  check_rewriting([](const Values& v) { return (four(3) - v.a) + four(4); }, "(0x7 - a)");
  check_rewriting([](const Values& v) { return v.a + -v.b; }, "(a - b)");
  check_rewriting([](const Values& v) { return -v.a + v.b; }, "(b - a)");
  check_rewriting([](const Values& v) { return -v.a + four(4); }, "(0x4 - a)");
  check_rewriting([](const Values& v) { return (v.a - v.b) + v.b; }, "a");
  check_rewriting([](const Values& v) { return v.b + (v.a - v.b); }, "a");
  check_rewriting([](const Values& v) { return (v.a - v.b) + v.c; }, "(c + (a - b))");
  check_rewriting([](const Values& v) { return choice(v) + four(4); }, "ite(p, 0x7, 0xd)");
}

TEST_CASE("addition: a constant in the younger operand, too") {
  check_rewriting(
      [](const Values& v) {
        const Bits sum = v.a + four(3);
        return sum + v.b * v.c;
      },
      "((a + (b * c)) + 0x3)");
}

TEST_CASE("addition of values without common bits puts them side by side") {
  const auto upper = [](const Values& v) { return concat(v.a, four(0)); };
  check_rewriting([&](const Values& v) { return upper(v) + v.b.zero_extend(8); }, "(a ++ b)");
  check_rewriting([&](const Values& v) { return v.p.zero_extend(8) + upper(v); }, "(a ++ zext4(p))");
  check_rewriting(
      [&](const Values& v) {
        const Bits low = v.w.zero_extend(16);
        return low + upper(v).zero_extend(16);
      },
      "(zext16(w) + zext16((a ++ 0x0)))");
  check_rewriting([&](const Values& v) { return v.b.zero_extend(8) + Bits(8, 0x30); }, "(zext8(b) + 0x30)");
}

TEST_CASE("subtraction") {
  check_rewriting([](const Values& v) { return v.a - v.a; }, "0x0");
  check_rewriting([](const Values& v) { return v.a - four(3); }, "(a + 0xd)");
  check_rewriting([](const Values& v) { return four(0) - v.a; }, "-a");
  check_rewriting([](const Values& v) { return four(3) - v.a; }, "(0x3 - a)");
  check_rewriting([](const Values& v) { return (v.a + four(3)) - v.b; }, "((a - b) + 0x3)");
  check_rewriting([](const Values& v) { return v.a - (v.b + four(3)); }, "((a - b) + 0xd)");
  check_rewriting([](const Values& v) { return (v.a + four(3)) - (v.a + four(5)); }, "0xe");
  check_rewriting([](const Values& v) { return v.a - -v.b; }, "(a + b)");
  check_rewriting([](const Values& v) { return four(7) - (four(3) - v.a); }, "(a + 0x4)");
  check_rewriting([](const Values& v) { return (v.a + v.b) - v.a; }, "b");
  check_rewriting([](const Values& v) { return (v.a + v.b) - v.b; }, "a");
  check_rewriting([](const Values& v) { return v.a - (v.a + v.b); }, "-b");
  check_rewriting([](const Values& v) { return (v.a + v.b) - v.c; }, "((a + b) - c)");
  check_rewriting([](const Values& v) { return choice(v) - ite(v.p, four(1), four(2)); }, "ite(p, 0x2, 0x7)");
}

TEST_CASE("multiplication") {
  check_rewriting([](const Values& v) { return v.a * four(0); }, "0x0");
  check_rewriting([](const Values& v) { return v.a * four(1); }, "a");
  check_rewriting([](const Values& v) { return v.a * four(15); }, "-a");
  check_rewriting([](const Values& v) { return four(4) * v.a; }, "(a[1:0] ++ 0b00)");
  check_rewriting([](const Values& v) { return v.a * four(6); }, "(a * 0x6)");
  check_rewriting([](const Values& v) { return (v.a * four(3)) * four(5); }, "-a");
  check_rewriting([](const Values& v) { return (v.a * four(3)) * four(3); }, "(a * 0x9)");
  check_rewriting([](const Values& v) { return (v.a * v.b) * four(3); }, "((a * b) * 0x3)");
  check_rewriting([](const Values& v) { return v.b * v.a; }, "(a * b)");
  check_rewriting([](const Values& v) { return choice(v) * four(3); }, "ite(p, 0x9, 0xb)");
}

TEST_CASE("unsigned division") {
  check_rewriting([](const Values& v) { return divide_unsigned(v.a, four(0)); }, "0xf");
  check_rewriting([](const Values& v) { return divide_unsigned(v.a, four(1)); }, "a");
  check_rewriting([](const Values& v) { return divide_unsigned(v.a, four(4)); }, "zext4(a[3:2])");
  check_rewriting([](const Values& v) { return divide_unsigned(v.a, four(3)); }, "(a /u 0x3)");
  check_rewriting([](const Values& v) { return divide_unsigned(v.a, v.a); }, "(a /u a)");
  check_rewriting([](const Values& v) { return divide_unsigned(four(0), v.a); }, "(0x0 /u a)");
  check_rewriting([](const Values& v) { return divide_unsigned(choice(v), four(3)); }, "ite(p, 0x1, 0x3)");
  check_rewriting([](const Values& v) { return remainder_unsigned(v.a, four(0)); }, "a");
  check_rewriting([](const Values& v) { return remainder_unsigned(v.a, four(1)); }, "0x0");
  check_rewriting([](const Values& v) { return remainder_unsigned(v.a, four(4)); }, "zext4(a[1:0])");
  check_rewriting([](const Values& v) { return remainder_unsigned(v.a, four(6)); }, "(a %u 0x6)");
  check_rewriting([](const Values& v) { return remainder_unsigned(v.a, v.a); }, "0x0");
  check_rewriting([](const Values& v) { return remainder_unsigned(choice(v), four(7)); }, "ite(p, 0x3, 0x2)");
  check_rewriting([](const Values& v) { return remainder_unsigned(four(0), v.a); }, "0x0");
  check_rewriting([](const Values& v) { return remainder_unsigned(four(3), v.a); }, "(0x3 %u a)");
}

TEST_CASE("signed division") {
  check_rewriting([](const Values& v) { return divide_signed(v.a, four(0)); }, "(a /s 0x0)");
  check_rewriting([](const Values& v) { return divide_signed(v.a, four(1)); }, "a");
  check_rewriting([](const Values& v) { return divide_signed(v.a, four(15)); }, "-a");
  check_rewriting([](const Values& v) { return divide_signed(v.a, four(4)); }, "(a /s 0x4)");
  check_rewriting([](const Values& v) { return divide_signed(v.p, Bits(1, 1)); }, "-p");
  check_rewriting([](const Values& v) { return divide_signed(choice(v), four(2)); }, "ite(p, 0x1, 0xd)");
  check_rewriting([](const Values& v) { return remainder_signed(v.a, four(0)); }, "a");
  check_rewriting([](const Values& v) { return remainder_signed(v.a, four(1)); }, "0x0");
  check_rewriting([](const Values& v) { return remainder_signed(v.a, four(15)); }, "0x0");
  check_rewriting([](const Values& v) { return remainder_signed(v.a, four(4)); }, "(a %s 0x4)");
  check_rewriting([](const Values& v) { return remainder_signed(v.a, v.a); }, "0x0");
  check_rewriting([](const Values& v) { return remainder_signed(choice(v), four(2)); }, "ite(p, 0x1, 0xf)");
  check_rewriting([](const Values& v) { return remainder_signed(four(0), v.a); }, "0x0");
  check_rewriting([](const Values& v) { return remainder_signed(v.a, v.b); }, "(a %s b)");
}
