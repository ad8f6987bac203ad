// Vectors from the text, pseudo-code and examples of PTX ISA 8.7 § 9.7.1 and § 9.7.2.
#include <doctest/doctest.h>

#include "tests/semantics/run_instruction.hpp"

using namespace ptxmc;
using test::evaluate;

TEST_CASE("add: modulo, saturating, by halves") {
  CHECK(evaluate("add.u32", {0xffffffff, 2}) == 1);
  CHECK(evaluate("add.sat.s32", {0x7fffffff, 1}) == 0x7fffffff);
  CHECK(evaluate("add.sat.s32", {0x80000000, 0xffffffff}) == 0x80000000);
  CHECK(evaluate("add.u16x2", {0xffff'0001, 0x0001'ffff}) == 0);
  CHECK(evaluate("add.s64", {~0ull, 1}) == 0);
}

TEST_CASE("sub") {
  CHECK(evaluate("sub.u16", {0, 1}) == 0xffff);
  CHECK(evaluate("sub.sat.s32", {0x80000000, 1}) == 0x80000000);
}

TEST_CASE("mul: lo, hi, wide; signed and unsigned") {
  CHECK(evaluate("mul.lo.s16", {0xffff, 2}) == 0xfffe);
  CHECK(evaluate("mul.wide.s16", {0xffff, 2}) == 0xfffffffe);
  CHECK(evaluate("mul.wide.u16", {0xffff, 2}) == 0x1fffe);
  CHECK(evaluate("mul.hi.s32", {0xffffffff, 2}) == 0xffffffff);
  CHECK(evaluate("mul.hi.u32", {0xffffffff, 2}) == 1);
  CHECK(evaluate("mul.hi.u64", {~0ull, ~0ull}) == ~0ull - 1);
  CHECK(evaluate("mul.wide.s32", {0xffffffff, 0xffffffff}) == 1);
}

TEST_CASE("mad: the third operand is as wide as the result") {
  CHECK(evaluate("mad.lo.s32", {3, 4, 5}) == 17);
  CHECK(evaluate("mad.wide.u32", {0xffffffff, 0xffffffff, 0xffffffff}) == 0xffffffff'00000000ull);
  CHECK(evaluate("mad.hi.sat.s32", {0x40000000, 4, 0x7fffffff}) == 0x7fffffff);
  CHECK(evaluate("mad.hi.s32", {0x40000000, 4, 0x7fffffff}) == 0x80000000);
}

TEST_CASE("mul24 and mad24 ignore the upper byte of their factors") {
  CHECK(evaluate("mul24.lo.u32", {0xff000003, 5}) == 15);
  CHECK(evaluate("mul24.lo.s32", {0x00ffffff, 5}) == 0xfffffffb);
  CHECK(evaluate("mul24.hi.u32", {0x00ffffff, 0x00ffffff}) == 0xfffffe00);
  CHECK(evaluate("mad24.hi.sat.s32", {0x007fffff, 0x007fffff, 0x7fffffff}) == 0x7fffffff);
}

TEST_CASE("sad, abs, neg") {
  CHECK(evaluate("sad.u32", {1, 0xffffffff, 1}) == 0xffffffff);
  CHECK(evaluate("sad.s32", {1, 0xffffffff, 1}) == 3);
  CHECK(evaluate("abs.s16", {0x8000}) == 0x8000);
  CHECK(evaluate("abs.s32", {0xffffffff}) == 1);
  CHECK(evaluate("neg.s32", {1}) == 0xffffffff);
}

TEST_CASE("div and rem: the remainder has the sign of the dividend") {
  CHECK(evaluate("div.s32", {0xfffffff9, 2}) == 0xfffffffd);
  CHECK(evaluate("rem.s32", {0xfffffff9, 8}) == 0xfffffff9);
  CHECK(evaluate("div.u64", {~0ull, 3}) == ~0ull / 3);
  CHECK(evaluate("rem.u16", {0xffff, 16}) == 15);
}

TEST_CASE("min and max: signed, unsigned, packed, clamped at zero") {
  CHECK(evaluate("min.s32", {0xffffffff, 1}) == 0xffffffff);
  CHECK(evaluate("min.u32", {0xffffffff, 1}) == 1);
  CHECK(evaluate("max.u64", {~0ull, 1}) == ~0ull);
  CHECK(evaluate("max.u16x2", {0xffff'0001, 0x0001'0002}) == 0xffff0002);
  CHECK(evaluate("max.s16x2", {0xffff'0001, 0x0001'0002}) == 0x00010002);
  CHECK(evaluate("min.relu.s16x2", {0xffff'0003, 0x0001'0002}) == 0x00000002);
  CHECK(evaluate("max.relu.s32", {0xffffffff, 0xfffffffe}) == 0);
}

TEST_CASE("popc, clz, brev") {
  CHECK(evaluate("popc.b32", {0xffffffff}) == 32);
  CHECK(evaluate("popc.b64", {0x8000000000000001ull}) == 2);
  CHECK(evaluate("clz.b32", {0}) == 32);
  CHECK(evaluate("clz.b64", {1}) == 63);
  CHECK(evaluate("clz.b64", {0}) == 64);
  CHECK(evaluate("brev.b32", {1}) == 0x80000000);
  CHECK(evaluate("brev.b64", {0xf}) == 0xf000000000000000ull);
}

TEST_CASE("bfind: the highest bit that is not the sign") {
  CHECK(evaluate("bfind.u32", {0}) == 0xffffffff);
  CHECK(evaluate("bfind.u32", {0x00010000}) == 16);
  CHECK(evaluate("bfind.s32", {0xffffffff}) == 0xffffffff);
  CHECK(evaluate("bfind.s32", {0xfffffffe}) == 0);
  CHECK(evaluate("bfind.shiftamt.u32", {0x00010000}) == 15);
  CHECK(evaluate("bfind.shiftamt.s64", {~0ull}) == 0xffffffff);
}

TEST_CASE("fns: the examples of the manual") {
  CHECK(evaluate("fns.b32", {0xaaaaaaaa, 3, 1}) == 3);
  CHECK(evaluate("fns.b32", {0xaaaaaaaa, 3, 0xffffffff}) == 3);
  CHECK(evaluate("fns.b32", {0xaaaaaaaa, 2, 1}) == 3);
  CHECK(evaluate("fns.b32", {0xaaaaaaaa, 2, 0xffffffff}) == 1);
  CHECK(evaluate("fns.b32", {0xaaaaaaaa, 2, 0}) == 0xffffffff);
  CHECK(evaluate("fns.b32", {0xaaaaaaaa, 3, 0}) == 3);
  CHECK(evaluate("fns.b32", {0xaaaaaaaa, 0, 17}) == 0xffffffff);
  CHECK(evaluate("fns.b32", {0xaaaaaaaa, 31, 0x80000000}) == 0xffffffff);
  // Undefined beyond bit 31; as the manual writes the search, it does not begin.
  CHECK(evaluate("fns.b32", {0xaaaaaaaa, 40, 0xffffffff}) == 0xffffffff);
}

TEST_CASE("bfe and bfi: positions and lengths over the width") {
  CHECK(evaluate("bfe.u32", {0xabcd1234, 8, 8}) == 0x12);
  CHECK(evaluate("bfe.s32", {0xabcd1234, 24, 8}) == 0xffffffab);
  CHECK(evaluate("bfe.s32", {0x80000000, 40, 4}) == 0xffffffff);
  CHECK(evaluate("bfe.u32", {0x80000000, 40, 4}) == 0);
  CHECK(evaluate("bfe.s32", {0xffffffff, 3, 0}) == 0);
  CHECK(evaluate("bfe.s64", {0x8000000000000000ull, 60, 200}) == 0xfffffffffffffff8ull);
  CHECK(evaluate("bfe.u32", {0xabcd1234, 0x108, 8}) == 0x12);
  CHECK(evaluate("bfi.b32", {0xff, 0, 8, 4}) == 0xf00);
  CHECK(evaluate("bfi.b32", {0xff, 0x12345678, 32, 4}) == 0x12345678);
  CHECK(evaluate("bfi.b32", {0xff, 0x12345678, 4, 0}) == 0x12345678);
  CHECK(evaluate("bfi.b64", {~0ull, 0, 60, 64}) == 0xf000000000000000ull);
}

TEST_CASE("szext and bmsk: clamp and wrap") {
  CHECK(evaluate("szext.wrap.u32", {0xffffffff, 0}) == 0);
  CHECK(evaluate("szext.clamp.s32", {0x80, 8}) == 0xffffff80);
  CHECK(evaluate("szext.clamp.s32", {0x80, 40}) == 0x80);
  CHECK(evaluate("szext.wrap.s32", {0x80, 40}) == 0xffffff80);
  CHECK(evaluate("bmsk.wrap.b32", {1, 2}) == 6);
  CHECK(evaluate("bmsk.clamp.b32", {32, 2}) == 0);
  CHECK(evaluate("bmsk.clamp.b32", {4, 40}) == 0xfffffff0);
  CHECK(evaluate("bmsk.wrap.b32", {4, 32}) == 0);
  CHECK(evaluate("bmsk.clamp.b32", {30, 5}) == 0xc0000000);
}

TEST_CASE("dp4a and dp2a") {
  CHECK(evaluate("dp4a.u32.u32", {0x01020304, 0x01010101, 5}) == 15);
  CHECK(evaluate("dp4a.s32.u32", {0xff000000, 0x02000000, 0}) == 0xfffffffe);
  CHECK(evaluate("dp2a.lo.u32.u32", {0x00020003, 0x05070b0d, 1}) == 1 + 3 * 0x0d + 2 * 0x0b);
  CHECK(evaluate("dp2a.hi.s32.s32", {0xffff0000, 0x02000000, 0}) == 0xfffffffe);
}

TEST_CASE("the carry goes from one instruction to the next") {
  const auto form = [](const char* spelling) {
    const Match match = ptx().match(spelling, std::vector<OperandShape>(3));
    REQUIRE(match);
    return match.form;
  };
  NoEffects effects;
  const Bits ones(32, 0xffffffff), one(32, 1), zero(32, 0);
  const auto low = test::run(*form("add.cc.u32"), {ones, one}, effects);
  REQUIRE(low.size() == 2);
  CHECK(low[0].value() == 0);
  CHECK(low[1].is_true());
  const auto high = test::run(*form("addc.u32"), {zero, zero, low[1]}, effects);
  REQUIRE(high.size() == 1);
  CHECK(high[0].value() == 1);
  const auto both = test::run(*form("addc.cc.u32"), {ones, zero, low[1]}, effects);
  CHECK(both[0].value() == 0);
  CHECK(both[1].is_true());

  const auto borrow = test::run(*form("sub.cc.u32"), {zero, one}, effects);
  CHECK(borrow[0].value() == 0xffffffff);
  CHECK(borrow[1].is_true());
  CHECK(test::run(*form("subc.u32"), {one, zero, borrow[1]}, effects)[0].value() == 0);
}

TEST_CASE("mad.cc carries out of the addition") {
  const Match match = ptx().match("mad.hi.cc.u32", std::vector<OperandShape>(4));
  REQUIRE(match);
  NoEffects effects;
  const auto results =
      test::run(*match.form, {Bits(32, 0x80000000), Bits(32, 4), Bits(32, 0xffffffff)}, effects);
  CHECK(results[0].value() == 1);
  CHECK(results[1].is_true());
}
