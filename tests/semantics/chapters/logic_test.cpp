// Vectors from the text and examples of PTX ISA 8.7 § 9.7.6, § 9.7.8 and § 9.7.9.
#include <doctest/doctest.h>

#include "semantics/language/instruction.hpp"
#include "tests/semantics/run_instruction.hpp"

using namespace ptxmc;
using test::evaluate;

TEST_CASE("setp compares signed and unsigned, and combines with a predicate") {
  CHECK(evaluate("setp.lt.s32", {0xffffffff, 1}) == 1);
  CHECK(evaluate("setp.lt.u32", {0xffffffff, 1}) == 0);
  CHECK(evaluate("setp.hi.u32", {0xffffffff, 1}) == 1);
  CHECK(evaluate("setp.ls.u16", {2, 2}) == 1);
  CHECK(evaluate("setp.lo.u64", {2, 2}) == 0);
  CHECK(evaluate("setp.hs.u64", {2, 2}) == 1);
  CHECK(evaluate("setp.ge.s16", {0x8000, 0}) == 0);
  CHECK(evaluate("setp.le.s64", {~0ull, 0}) == 1);
  CHECK(evaluate("setp.gt.s32", {1, 0xffffffff}) == 1);
  CHECK(evaluate("setp.ne.b64", {1, 1}) == 0);
  CHECK(evaluate("setp.eq.and.u32", {1, 1, 0}) == 0);
  CHECK(evaluate("setp.eq.xor.u32", {1, 1, 1}) == 0);
}

TEST_CASE("setp p|q: q comes from the complement of the comparison") {
  const OperandShape piped{OperandShape::Kind::register_, OperandPattern::Link::pipe};
  const Match match = ptx().match("setp.eq.and.s32", std::vector<OperandShape>{{}, piped, {}, {}, {}});
  REQUIRE(match);
  NoEffects effects;
  const auto results = test::run(*match.form, {Bits(32, 1), Bits(32, 2), Bits(1, 1)}, effects);
  CHECK(results[0].is_false());
  CHECK(results[1].is_true());
  const auto masked = test::run(*match.form, {Bits(32, 1), Bits(32, 2), Bits(1, 0)}, effects);
  CHECK(masked[0].is_false());
  CHECK(masked[1].is_false());
}

TEST_CASE("set writes all ones, or 1.0f") {
  CHECK(evaluate("set.eq.u32.u32", {3, 3}) == 0xffffffff);
  CHECK(evaluate("set.lt.f32.s32", {0xffffffff, 3}) == 0x3f800000);
  CHECK(evaluate("set.lt.s32.u64", {~0ull, 3}) == 0);
  CHECK(evaluate("set.ne.or.u32.b16", {3, 3, 1}) == 0xffffffff);
}

TEST_CASE("selp and slct") {
  CHECK(evaluate("selp.s32", {1, 2, 1}) == 1);
  CHECK(evaluate("selp.f64", {1, 2, 0}) == 2);
  CHECK(evaluate("slct.u32.s32", {1, 2, 0}) == 1);
  CHECK(evaluate("slct.u32.s32", {1, 2, 0x80000000}) == 2);
  CHECK(evaluate("slct.u64.f32", {1, 2, 0x80000000}) == 1);      // negative zero equals zero
  CHECK(evaluate("slct.u64.f32", {1, 2, 0x7fc00000}) == 2);      // NaN: unordered
  CHECK(evaluate("slct.u64.f32", {1, 2, 0x80000001}) == 2);      // a negative subnormal
  CHECK(evaluate("slct.ftz.u64.f32", {1, 2, 0x80000001}) == 1);  // flushed to zero
  CHECK(evaluate("slct.u16.f32", {1, 2, 0x7f800000}) == 1);
}

TEST_CASE("and, or, xor, not, cnot") {
  CHECK(evaluate("and.b32", {6, 3}) == 2);
  CHECK(evaluate("or.pred", {1, 0}) == 1);
  CHECK(evaluate("xor.b64", {6, 3}) == 5);
  CHECK(evaluate("not.b16", {0xff}) == 0xff00);
  CHECK(evaluate("not.pred", {1}) == 0);
  CHECK(evaluate("cnot.b32", {0}) == 1);
  CHECK(evaluate("cnot.b32", {7}) == 0);
}

TEST_CASE("lop3: the functions of the manual's table") {
  const u128 a = 0xf0f0f0f0, b = 0xcccccccc, c = 0xaaaaaaaa;
  CHECK(evaluate("lop3.b32", {a, b, c, 0x80}) == (a & b & c));
  CHECK(evaluate("lop3.b32", {a, b, c, 0xfe}) == (a | b | c));
  CHECK(evaluate("lop3.b32", {a, b, c, 0x40}) == (a & b & (c ^ 0xffffffff)));
  CHECK(evaluate("lop3.b32", {a, b, c, 0x1a}) == (((a & b) | c) ^ a));
}

TEST_CASE("lop3 with a predicate") {
  const OperandShape piped{OperandShape::Kind::register_, OperandPattern::Link::pipe};
  const OperandShape immediate{OperandShape::Kind::immediate};
  const Match match =
      ptx().match("lop3.and.b32", std::vector<OperandShape>{{}, piped, {}, {}, {}, immediate, {}});
  REQUIRE(match);
  NoEffects effects;
  const Bits one(32, 1);
  const auto results = test::run(*match.form, {one, one, one, Bits(32, 0x80), Bits(1, 1)}, effects);
  CHECK(results[0].value() == 1);
  CHECK(results[1].is_true());
}

TEST_CASE("shl, shr: amounts over the width shift everything out") {
  CHECK(evaluate("shl.b32", {1, 31}) == 0x80000000);
  CHECK(evaluate("shl.b32", {1, 32}) == 0);
  CHECK(evaluate("shl.b16", {1, 0xffffffff}) == 0);
  CHECK(evaluate("shl.b64", {1, 63}) == 1ull << 63);
  CHECK(evaluate("shr.s32", {0x80000000, 100}) == 0xffffffff);
  CHECK(evaluate("shr.u32", {0x80000000, 100}) == 0);
  CHECK(evaluate("shr.b16", {0x8000, 15}) == 1);
  CHECK(evaluate("shr.s16", {0x8000, 15}) == 0xffff);
}

TEST_CASE("shf: the source is [b, a]") {
  CHECK(evaluate("shf.l.clamp.b32", {0x80000000, 1, 1}) == 3);
  CHECK(evaluate("shf.l.clamp.b32", {0x12345678, 1, 40}) == 0x12345678);
  CHECK(evaluate("shf.l.wrap.b32", {0x12345678, 1, 32}) == 1);
  CHECK(evaluate("shf.r.clamp.b32", {2, 1, 1}) == 0x80000001);
  CHECK(evaluate("shf.r.clamp.b32", {2, 0xabcd, 33}) == 0xabcd);
  CHECK(evaluate("shf.r.wrap.b32", {2, 0xabcd, 33}) == 0x80000001);
}

TEST_CASE("prmt: selectors, signs, modes") {
  CHECK(evaluate("prmt.b32", {0x33221100, 0x77665544, 0x7531}) == 0x77553311);
  CHECK(evaluate("prmt.b32", {0x80, 0x7f000000, 0x8f08}) == 0xff0080ff);
  CHECK(evaluate("prmt.b32.f4e", {0x33221100, 0x77665544, 1}) == 0x44332211);
  CHECK(evaluate("prmt.b32.b4e", {0x33221100, 0x77665544, 1}) == 0x66770011);
  CHECK(evaluate("prmt.b32.rc8", {0x33221100, 0x77665544, 2}) == 0x22222222);
  CHECK(evaluate("prmt.b32.ecl", {0x33221100, 0x77665544, 2}) == 0x33222222);
  CHECK(evaluate("prmt.b32.ecr", {0x33221100, 0x77665544, 2}) == 0x22221100);
  CHECK(evaluate("prmt.b32.rc16", {0x33221100, 0x77665544, 3}) == 0x33223322);
}

TEST_CASE("cvt between integers: extended as the source says, clamped as the destination says") {
  CHECK(evaluate("cvt.s32.s8", {0x80}) == 0xffffff80);
  CHECK(evaluate("cvt.u32.u8", {0x80}) == 0x80);
  CHECK(evaluate("cvt.u64.s32", {0x80000000}) == 0xffffffff80000000ull);
  CHECK(evaluate("cvt.u8.s32", {0x1234}) == 0x34);
  CHECK(evaluate("cvt.sat.u8.s32", {0xffffffff}) == 0);
  CHECK(evaluate("cvt.sat.s8.s32", {1000}) == 0x7f);
  CHECK(evaluate("cvt.sat.u64.s32", {0xffffffff}) == 0);
  CHECK(evaluate("cvt.sat.s64.u64", {~0ull}) == 0x7fffffffffffffffull);
  CHECK_FALSE(ptx().match("cvt.sat.u32.u16", std::vector<OperandShape>(2)));
}

TEST_CASE("mov packs and unpacks vectors, the first element lowest") {
  const auto execute_mov = [](const char* spelling, const Operand& d, const Operand& a,
                              std::vector<Bits> registers) {
    Instruction instruction;
    const Match match = ptx().match(spelling, std::vector<OperandShape>{shape_of(d), shape_of(a)});
    INFO(match.error);
    REQUIRE(match);
    instruction.form = match.form;
    instruction.operands = {d, a};
    NoEffects effects;
    execute(instruction, registers, effects);
    return registers;
  };
  const Operand whole{Operand::Register{0}};
  const Operand pair{Operand::Vector{{{Operand::Register{1}}, {Operand::Register{2}}}}};
  const std::vector<Bits> registers = {Bits(64, 0x5555555544444444ull), Bits(32, 1), Bits(32, 2)};
  CHECK(execute_mov("mov.b64", whole, pair, registers)[0].value() == 0x200000001ull);
  const auto unpacked = execute_mov("mov.b64", pair, whole, registers);
  CHECK(unpacked[1].value() == 0x44444444);
  CHECK(unpacked[2].value() == 0x55555555);
  CHECK(evaluate("mov.pred", {1}) == 1);
}
