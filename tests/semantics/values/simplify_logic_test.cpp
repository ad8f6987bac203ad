// Each equation where it applies, and beside it where it must not.
#include "tests/semantics/rewriting.hpp"

using namespace ptxmc;
using test::check_rewriting;
using test::four;
using test::Values;

TEST_CASE("not") {
  check_rewriting([](const Values& v) { return ~~v.a; }, "a");
  check_rewriting([](const Values& v) { return ~v.a; }, "~a");
  check_rewriting([](const Values& v) { return ~less_unsigned(v.a, v.b); }, "(b <=u a)");
  check_rewriting([](const Values& v) { return ~less_equal_unsigned(v.a, v.b); }, "(b <u a)");
  check_rewriting([](const Values& v) { return ~less_signed(v.a, v.b); }, "(b <=s a)");
  check_rewriting([](const Values& v) { return ~less_equal_signed(v.a, v.b); }, "(b <s a)");
  check_rewriting([](const Values& v) { return ~equal(v.a, v.b); }, "~(a == b)");
  check_rewriting([](const Values& v) { return ~ite(v.p, four(3), four(5)); }, "ite(p, 0xc, 0xa)");
}

TEST_CASE("and: constants") {
  check_rewriting([](const Values& v) { return v.a & four(0); }, "0x0");
  check_rewriting([](const Values& v) { return four(15) & v.a; }, "a");
  check_rewriting([](const Values& v) { return v.a & four(5); }, "(a & 0x5)");
  check_rewriting([](const Values& v) { return four(5) & v.a; }, "(a & 0x5)");
  check_rewriting([](const Values& v) { return (v.a & four(13)) & four(11); }, "(a & 0x9)");
  check_rewriting([](const Values& v) { return (v.a & v.b) & four(5); }, "((a & b) & 0x5)");
  check_rewriting([](const Values& v) { return ite(v.p, four(3), four(6)) & four(5); }, "ite(p, 0x1, 0x4)");
}

TEST_CASE("and: a mask of consecutive ones cuts out a field") {
  check_rewriting([](const Values& v) { return v.w & Bits(8, 0x0f); }, "zext8(w[3:0])");
  check_rewriting([](const Values& v) { return Bits(8, 0x0f) & v.w; }, "zext8(w[3:0])");
  check_rewriting([](const Values& v) { return v.w & Bits(8, 0xf0); }, "(w[7:4] ++ 0x0)");
  check_rewriting([](const Values& v) { return v.w & Bits(8, 0x1c); }, "zext8((w[4:2] ++ 0b00))");
  check_rewriting([](const Values& v) { return v.w & Bits(8, 0x80); }, "(w[7] ++ 0b0000000)");
  check_rewriting([](const Values& v) { return v.w & Bits(8, 0x81); }, "(w & 0x81)");
  check_rewriting([](const Values& v) { return v.a.zero_extend(8) & Bits(8, 0xf5); }, "zext8((a & 0x5))");
  check_rewriting([](const Values& v) { return v.a.sign_extend(8) & Bits(8, 0xf5); }, "(sext8(a) & 0xf5)");
}

TEST_CASE("and: the same and the opposite") {
  check_rewriting([](const Values& v) { return v.a & v.a; }, "a");
  check_rewriting([](const Values& v) { return v.a & ~v.a; }, "0x0");
  check_rewriting([](const Values& v) { return ~v.a & v.a; }, "0x0");
  check_rewriting([](const Values& v) { return less_signed(v.a, v.b) & less_equal_signed(v.b, v.a); }, "0x0");
  check_rewriting(
      [](const Values& v) {
        const Bits less = less_signed(v.a, v.b);
        return less & less_equal_unsigned(v.b, v.a);
      },
      "((a <s b) & (b <=u a))");
  check_rewriting([](const Values& v) { return v.b & v.a; }, "(a & b)");
}

TEST_CASE("and: absorption") {
  check_rewriting([](const Values& v) { return v.a & (v.a & v.b); }, "(a & b)");
  check_rewriting([](const Values& v) { return (v.b & v.a) & v.a; }, "(a & b)");
  check_rewriting([](const Values& v) { return v.a & (v.c & v.b); }, "(a & (b & c))");
  check_rewriting([](const Values& v) { return v.a & (~v.a & v.b); }, "0x0");
  check_rewriting([](const Values& v) { return v.a & (v.b | v.a); }, "a");
  check_rewriting([](const Values& v) { return v.a & (v.b | ~v.a); }, "(a & b)");
  check_rewriting([](const Values& v) { return v.a & (v.b | v.c); }, "(a & (b | c))");
  check_rewriting(
      [](const Values& v) {
        const Bits older = v.a | v.b;
        return ~v.a & older;
      },
      "(b & ~a)");
  check_rewriting([](const Values& v) { return (v.a | v.b) & (v.a | ~v.b); }, "a");
  check_rewriting(
      [](const Values& v) {
        const Bits first = v.b | v.a;
        return first & (~v.b | v.c);
      },
      "((a | b) & (c | ~b))");
}

TEST_CASE("or: the dual of and") {
  check_rewriting([](const Values& v) { return v.a | four(15); }, "0xf");
  check_rewriting([](const Values& v) { return four(0) | v.a; }, "a");
  check_rewriting([](const Values& v) { return (v.a | four(1)) | four(4); }, "(a | 0x5)");
  check_rewriting([](const Values& v) { return (v.a & four(5)) | four(4); }, "((a & 0x5) | 0x4)");
  check_rewriting([](const Values& v) { return v.a | v.a; }, "a");
  check_rewriting([](const Values& v) { return v.a | ~v.a; }, "0xf");
  check_rewriting([](const Values& v) { return v.b | v.a; }, "(a | b)");
  check_rewriting([](const Values& v) { return v.a | (v.a | v.b); }, "(a | b)");
  check_rewriting([](const Values& v) { return v.a | (~v.a | v.b); }, "0xf");
  check_rewriting([](const Values& v) { return v.a | (v.a & v.b); }, "a");
  check_rewriting([](const Values& v) { return v.a | (~v.a & v.b); }, "(a | b)");
  check_rewriting([](const Values& v) { return v.a | (v.b & v.c); }, "(a | (b & c))");
  check_rewriting([](const Values& v) { return (v.p & v.q) | (~v.q & v.p); }, "p");
  check_rewriting([](const Values& v) { return ite(v.p, four(3), four(6)) | four(4); }, "ite(p, 0x7, 0x6)");
}

TEST_CASE("or and exclusive or of values without common bits put them side by side") {
  const auto upper = [](const Values& v) { return shift_left(v.w, Bits(8, 4)); };
  check_rewriting([&](const Values& v) { return upper(v) | v.b.zero_extend(8); }, "(w[3:0] ++ b)");
  check_rewriting([&](const Values& v) { return v.b.zero_extend(8) ^ upper(v); }, "(w[3:0] ++ b)");
  check_rewriting([&](const Values& v) { return v.b.zero_extend(8) | Bits(8, 0x30); }, "(0x3 ++ b)");
  check_rewriting([&](const Values& v) { return v.b.zero_extend(8) | Bits(8, 0x38); }, "(zext8(b) | 0x38)");
  const auto overlapping = [&](const Values& v) {
    const Bits extended = v.b.sign_extend(8);
    return upper(v) | extended;
  };
  check_rewriting(overlapping, "(sext8(b) | (w[3:0] ++ 0x0))");
}

TEST_CASE("exclusive or") {
  check_rewriting([](const Values& v) { return v.a ^ v.a; }, "0x0");
  check_rewriting([](const Values& v) { return v.a ^ ~v.a; }, "0xf");
  check_rewriting([](const Values& v) { return v.a ^ four(0); }, "a");
  check_rewriting([](const Values& v) { return v.a ^ four(15); }, "~a");
  check_rewriting([](const Values& v) { return four(6) ^ v.a; }, "(a ^ 0x6)");
  check_rewriting([](const Values& v) { return (v.a ^ four(6)) ^ four(3); }, "(a ^ 0x5)");
  check_rewriting([](const Values& v) { return (v.a ^ v.b) ^ v.a; }, "b");
  check_rewriting([](const Values& v) { return v.b ^ (v.a ^ v.b); }, "a");
  check_rewriting([](const Values& v) { return v.c ^ (v.a ^ v.b); }, "(c ^ (a ^ b))");
  check_rewriting([](const Values& v) { return ~v.a ^ v.b; }, "~(a ^ b)");
  check_rewriting([](const Values& v) { return ~v.a ^ ~v.b; }, "(a ^ b)");
  check_rewriting([](const Values& v) { return ite(v.p, four(3), four(6)) ^ four(1); }, "ite(p, 0x2, 0x7)");
}

TEST_CASE("choice") {
  check_rewriting([](const Values& v) { return ite(Bits::boolean(true), v.a, v.b); }, "a");
  check_rewriting([](const Values& v) { return ite(Bits::boolean(false), v.a, v.b); }, "b");
  check_rewriting([](const Values& v) { return ite(v.p, v.a, v.a); }, "a");
  check_rewriting([](const Values& v) { return ite(v.p, v.a, v.b); }, "ite(p, a, b)");
  check_rewriting([](const Values& v) { return ite(~v.p, v.a, v.b); }, "ite(p, b, a)");
  check_rewriting([](const Values& v) { return ite(less_equal_signed(v.a, v.b), v.a, v.b); },
                  "ite((b <s a), b, a)");
  check_rewriting([](const Values& v) { return ite(less_equal_unsigned(v.a, v.b), v.a, v.b); },
                  "ite((b <u a), b, a)");
}

TEST_CASE("choice of predicates") {
  const Bits yes = Bits::boolean(true), no = Bits::boolean(false);
  check_rewriting([&](const Values& v) { return ite(v.p, yes, no); }, "p");
  check_rewriting([&](const Values& v) { return ite(v.p, no, yes); }, "~p");
  check_rewriting([&](const Values& v) { return ite(v.p, yes, v.q); }, "(p | q)");
  check_rewriting([&](const Values& v) { return ite(v.p, no, v.q); }, "(q & ~p)");
  check_rewriting([&](const Values& v) { return ite(v.p, v.q, yes); }, "(q | ~p)");
  check_rewriting([&](const Values& v) { return ite(v.p, v.q, no); }, "(p & q)");
  check_rewriting([&](const Values& v) { return ite(v.p, v.p, v.q); }, "(p | q)");
  check_rewriting([&](const Values& v) { return ite(v.p, ~v.p, v.q); }, "(q & ~p)");
  check_rewriting([&](const Values& v) { return ite(v.p, v.q, v.p); }, "(p & q)");
  check_rewriting([&](const Values& v) { return ite(v.p, v.q, ~v.p); }, "(q | ~p)");
  check_rewriting([&](const Values& v) { return ite(v.p, ~v.q, v.q); }, "(p ^ q)");
  check_rewriting([&](const Values& v) { return ite(v.p, v.q, v.w.bit(0)); }, "ite(p, q, w[0])");
}

TEST_CASE("choice of choices") {
  check_rewriting([](const Values& v) { return ite(v.p, ite(v.p, v.a, v.b), v.c); }, "ite(p, a, c)");
  check_rewriting([](const Values& v) { return ite(v.p, v.a, ite(v.p, v.b, v.c)); }, "ite(p, a, c)");
  check_rewriting([](const Values& v) { return ite(v.p, v.a, ite(v.q, v.a, v.c)); }, "ite((p | q), a, c)");
  check_rewriting([](const Values& v) { return ite(v.p, v.a, ite(v.q, v.b, v.c)); },
                  "ite(p, a, ite(q, b, c))");
  check_rewriting([](const Values& v) { return ite(v.p, v.a, ite(v.q, v.c, v.a)); },
                  "ite(p, a, ite(q, c, a))");
}

TEST_CASE("operations on two choices by one condition") {
  const auto choice = [](const Bits& condition, u128 x, u128 y) { return ite(condition, four(x), four(y)); };
  check_rewriting([&](const Values& v) { return choice(v.p, 1, 2) + choice(v.p, 3, 5); }, "ite(p, 0x4, 0x7)");
  check_rewriting(
      [&](const Values& v) {
        const Bits first = choice(v.p, 1, 2);
        return first + choice(v.q, 3, 5);
      },
      "(ite(p, 0x1, 0x2) + ite(q, 0x3, 0x5))");
  check_rewriting([&](const Values& v) { return choice(v.p, 1, 2) + v.a; }, "(a + ite(p, 0x1, 0x2))");
}
