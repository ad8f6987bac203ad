// Each equation where it applies, and beside it where it must not.
#include "tests/semantics/rewriting.hpp"

using namespace ptxmc;
using test::check_rewriting;
using test::choice;
using test::eight;
using test::four;
using test::Values;

namespace {

// A value that went through memory: its bytes, put together again, the lowest first or last.
Bits bytes_upwards(const Bits& x) {
  Bits result = x.extract(0, 8);
  for (unsigned low = 8; low < x.width(); low += 8) result = concat(x.extract(low, 8), result);
  return result;
}
Bits bytes_downwards(const Bits& x) {
  Bits result = x.extract(x.width() - 8, 8);
  for (unsigned low = x.width() - 8; low != 0; low -= 8) result = concat(result, x.extract(low - 8, 8));
  return result;
}
}  // namespace

TEST_CASE("shifts by numbers rearrange bits") {
  check_rewriting([](const Values& v) { return shift_left(v.w, eight(0)); }, "w");
  check_rewriting([](const Values& v) { return shift_left(v.w, eight(3)); }, "(w[4:0] ++ 0b000)");
  check_rewriting([](const Values& v) { return shift_left(v.w, eight(7)); }, "(w[0] ++ 0b0000000)");
  check_rewriting([](const Values& v) { return shift_left(v.w, eight(8)); }, "0x0");
  check_rewriting([](const Values& v) { return shift_left(v.w, Bits(128, u128{1} << 100)); }, "0x0");
  check_rewriting([](const Values& v) { return shift_right_unsigned(v.w, eight(0)); }, "w");
  check_rewriting([](const Values& v) { return shift_right_unsigned(v.w, eight(3)); }, "zext8(w[7:3])");
  check_rewriting([](const Values& v) { return shift_right_unsigned(v.w, eight(8)); }, "0x0");
  check_rewriting([](const Values& v) { return shift_right_signed(v.w, eight(0)); }, "w");
  check_rewriting([](const Values& v) { return shift_right_signed(v.w, eight(3)); }, "sext8(w[7:3])");
  check_rewriting([](const Values& v) { return shift_right_signed(v.w, eight(7)); }, "sext8(w[7])");
  check_rewriting([](const Values& v) { return shift_right_signed(v.w, eight(8)); }, "sext8(w[7])");
  check_rewriting([](const Values& v) { return shift_right_signed(v.w, eight(255)); }, "sext8(w[7])");
}

TEST_CASE("shifts of shifts") {
  check_rewriting([](const Values& v) { return shift_left(shift_left(v.w, eight(2)), eight(3)); },
                  "(w[2:0] ++ 0b00000)");
  check_rewriting([](const Values& v) { return shift_left(shift_left(v.w, eight(4)), eight(4)); }, "0x0");
  check_rewriting(
      [](const Values& v) { return shift_right_signed(shift_right_signed(v.w, eight(4)), eight(3)); },
      "sext8(w[7])");
  check_rewriting([](const Values& v) { return shift_right_unsigned(shift_left(v.w, eight(4)), eight(4)); },
                  "zext8(w[3:0])");
  check_rewriting([](const Values& v) { return shift_right_signed(shift_left(v.w, eight(4)), eight(4)); },
                  "sext8(w[3:0])");
}

TEST_CASE("shifts by unknowns") {
  check_rewriting([](const Values& v) { return shift_left(v.w, v.a); }, "(w << a)");
  check_rewriting([](const Values& v) { return shift_left(v.w, v.a.zero_extend(32)); }, "(w << a)");
  check_rewriting([](const Values& v) { return shift_right_unsigned(v.w, v.a.sign_extend(8)); },
                  "(w >>u sext8(a))");
  check_rewriting([](const Values& v) { return shift_left(eight(0), v.a); }, "0x0");
  check_rewriting([](const Values& v) { return shift_right_signed(eight(255), v.a); }, "0xff");
  check_rewriting([](const Values& v) { return shift_right_unsigned(eight(255), v.a); }, "(0xff >>u a)");
  check_rewriting([](const Values& v) { return shift_left(eight(3), choice(v)); }, "ite(p, 0x18, 0x0)");
  check_rewriting([](const Values& v) { return shift_right_signed(four(8), choice(v)); }, "0xf");
  check_rewriting([](const Values& v) { return shift_right_signed(v.a, v.w); }, "(a >>s w)");
}

TEST_CASE("concatenation") {
  check_rewriting([](const Values& v) { return concat(v.a, v.b); }, "(a ++ b)");
  check_rewriting([](const Values& v) { return concat(concat(v.a, v.b), v.c); }, "(a ++ (b ++ c))");
  check_rewriting([](const Values& v) { return concat(four(0), v.a); }, "zext8(a)");
  check_rewriting([](const Values& v) { return concat(four(1), v.a); }, "(0x1 ++ a)");
  check_rewriting([](const Values& v) { return concat(v.a, four(0)); }, "(a ++ 0x0)");
  check_rewriting([](const Values& v) { return concat(four(1), concat(four(2), v.a)); }, "(0x12 ++ a)");
  check_rewriting([](const Values& v) { return concat(concat(v.a, four(1)), four(2)); }, "(a ++ 0x12)");
  check_rewriting([](const Values& v) { return concat(v.p.zero_extend(4), v.a); }, "zext8((p ++ a))");
  check_rewriting([](const Values& v) { return concat(v.w.extract(5, 3), v.w.extract(2, 3)); }, "w[7:2]");
  check_rewriting([](const Values& v) { return concat(v.w.extract(2, 3), v.w.extract(5, 3)); },
                  "(w[4:2] ++ w[7:5])");
  check_rewriting([](const Values& v) { return concat(v.w.extract(4, 4), concat(v.w.extract(0, 4), v.a)); },
                  "(w ++ a)");
  check_rewriting([](const Values& v) { return concat(v.a.bit(3).sign_extend(4), v.a); }, "sext8(a)");
  check_rewriting([](const Values& v) { return concat(v.a.bit(2).sign_extend(4), v.a); },
                  "sext8((a[2] ++ a))");
  check_rewriting([](const Values& v) { return concat(choice(v), four(5)); }, "ite(p, 0x35, 0x95)");
  check_rewriting([](const Values& v) { return concat(choice(v), v.a); }, "(ite(p, 0x3, 0x9) ++ a)");
}

TEST_CASE("extraction") {
  check_rewriting([](const Values& v) { return v.w.extract(0, 8); }, "w");
  check_rewriting([](const Values& v) { return v.w.extract(2, 5).extract(1, 3); }, "w[5:3]");
  check_rewriting([](const Values& v) { return concat(v.a, v.b).extract(4, 4); }, "a");
  check_rewriting([](const Values& v) { return concat(v.a, v.b).extract(1, 2); }, "b[2:1]");
  check_rewriting([](const Values& v) { return concat(v.a, v.b).extract(2, 4); }, "(a[1:0] ++ b[3:2])");
  check_rewriting([](const Values& v) { return v.a.zero_extend(8).extract(5, 2); }, "0x0");
  check_rewriting([](const Values& v) { return v.a.zero_extend(8).extract(1, 2); }, "a[2:1]");
  check_rewriting([](const Values& v) { return v.a.zero_extend(8).extract(2, 4); }, "zext4(a[3:2])");
  check_rewriting([](const Values& v) { return v.a.sign_extend(8).extract(5, 2); }, "sext2(a[3])");
  check_rewriting([](const Values& v) { return v.a.sign_extend(8).extract(1, 2); }, "a[2:1]");
  check_rewriting([](const Values& v) { return v.a.sign_extend(8).extract(2, 4); }, "sext4(a[3:2])");
  check_rewriting([](const Values& v) { return v.a.sign_extend(8).extract(3, 1); }, "a[3]");
  check_rewriting([](const Values& v) { return choice(v).extract(1, 3); }, "ite(p, 0x1, 0x4)");
  check_rewriting([](const Values& v) { return (v.a + v.b).extract(0, 2); }, "(a + b)[1:0]");
}

TEST_CASE("the low half of a product needs no wider one") {
  check_rewriting([](const Values& v) { return (v.a.zero_extend(8) * v.b.zero_extend(8)).extract(0, 4); },
                  "(a * b)");
  check_rewriting([](const Values& v) { return (v.a.sign_extend(8) * v.b.zero_extend(8)).extract(0, 4); },
                  "(a * b)");
  check_rewriting([](const Values& v) { return (v.a.sign_extend(8) * Bits(8, 0x35)).extract(0, 4); },
                  "(a * 0x5)");
  check_rewriting([](const Values& v) { return (v.a.sign_extend(8) * v.w).extract(0, 4); },
                  "(w * sext8(a))[3:0]");
}

TEST_CASE("extraction from masked values") {
  check_rewriting([](const Values& v) { return (v.w & eight(0x73)).extract(4, 3); }, "w[6:4]");
  check_rewriting([](const Values& v) { return (v.w & eight(0x73)).extract(2, 2); }, "0x0");
  check_rewriting([](const Values& v) { return (v.w & eight(0x73)).extract(0, 4); }, "(w & 0x73)[3:0]");
  check_rewriting([](const Values& v) { return (v.w | eight(0x73)).extract(4, 3); }, "0x7");
  check_rewriting([](const Values& v) { return (v.w | eight(0x73)).extract(2, 2); }, "w[3:2]");
  check_rewriting([](const Values& v) { return (v.w | eight(0x73)).extract(0, 4); }, "(w | 0x73)[3:0]");
}

TEST_CASE("the alignment of a sum") {
  const auto address = [](const Values& v) { return shift_left(v.w, eight(2)) + eight(0x45); };
  check_rewriting([&](const Values& v) { return address(v).extract(0, 2); }, "0x1");
  check_rewriting([&](const Values& v) { return address(v).extract(0, 3); },
                  "((w[5:0] ++ 0b00) + 0x45)[2:0]");
  check_rewriting([&](const Values& v) { return address(v).extract(1, 1); }, "((w[5:0] ++ 0b00) + 0x45)[1]");
}

TEST_CASE("the alignment of a sum with an extended value") {
  check_rewriting(
      [](const Values& v) {
        return (concat(v.a, Bits(2, 0)).sign_extend(16) + Bits(16, 0x7003)).extract(0, 2);
      },
      "0x3");
}

TEST_CASE("extension") {
  check_rewriting([](const Values& v) { return v.a.zero_extend(4); }, "a");
  check_rewriting([](const Values& v) { return v.a.zero_extend(8).zero_extend(16); }, "zext16(a)");
  check_rewriting([](const Values& v) { return v.a.sign_extend(8).sign_extend(16); }, "sext16(a)");
  check_rewriting([](const Values& v) { return v.a.zero_extend(8).sign_extend(16); }, "zext16(a)");
  check_rewriting([](const Values& v) { return v.a.sign_extend(8).zero_extend(16); }, "zext16(sext8(a))");
  check_rewriting([](const Values& v) { return choice(v).zero_extend(8); }, "ite(p, 0x3, 0x9)");
  check_rewriting([](const Values& v) { return choice(v).sign_extend(8); }, "ite(p, 0x3, 0xf9)");
  check_rewriting([](const Values& v) { return v.w.resize_unsigned(4); }, "w[3:0]");
  check_rewriting([](const Values& v) { return v.w.resize_signed(4); }, "w[3:0]");
  check_rewriting([](const Values& v) { return v.w.resize_unsigned(9); }, "zext9(w)");
  check_rewriting([](const Values& v) { return v.w.resize_signed(9); }, "sext9(w)");
}

TEST_CASE("a value written and read by bytes is the value") {
  TermGraph graph;
  const Bits x = graph.variable(32, "x"), y = graph.variable(32, "y"), p = graph.variable(1, "p");
  const Bits half = graph.variable(16, "half");
  for (const Bits& value :
       {x, x + y, x + Bits(32, 300), ~x, x * y, x & y, half.zero_extend(32), half.sign_extend(32),
        half.extract(0, 8).sign_extend(32), p.sign_extend(32), concat(half, half), ite(p, x, y),
        ite(p, Bits(32, 0x12345678), Bits(32, 0x12005600)), shift_left(x, Bits(32, 5)),
        shift_right_unsigned(x, Bits(32, 5)), shift_right_signed(x, Bits(32, 11)), x & Bits(32, 0xfff)}) {
    CHECK(to_string(bytes_upwards(value)) == to_string(value));
    CHECK(to_string(bytes_downwards(value)) == to_string(value));
  }
}
