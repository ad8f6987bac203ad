#include "src/instruction/vector_line.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"
#include "src/instruction/interval.hpp"

using namespace ptxmc;

namespace {

std::string result_of(const std::string& text) {
  PreparedLines prepared;
  const VectorLine line = read_vector_line(text, "lines", 1);
  Evaluation& evaluation = prepared.find(line, "lines", 1)->evaluation;
  std::vector<Bits> inputs;
  read_inputs(line, evaluation, inputs, "lines", 1);
  std::string out;
  append_results(out, evaluation, evaluation.run(inputs));
  return out;
}

std::string error_of(const std::string& text) {
  try {
    return "result " + result_of(text);
  } catch (const InputError& error) {
    return std::to_string(error.where.column) + ": " + error.what();
  }
}

}  // namespace

TEST_CASE("results have the digits of their registers; predicates are 0 or 1; NaN is nan") {
  CHECK(result_of("add.u32;1,2") == "00000003");
  CHECK(result_of("add.u64;1,2") == "0000000000000003");
  CHECK(result_of("setp.lt.s32;ffffffff,1") == "1");
  CHECK(result_of("not.pred;1") == "0");
  CHECK(result_of("cvt.s8.s32;80") == "ff80");
  CHECK(result_of("cvt.u8.s32;180") == "0080");
  CHECK(result_of("sqrt.rn.f32;bf800000") == "nan");
  CHECK(result_of("setp.lt.f16x2;3c003c00,40003800") == "0,1");
}

TEST_CASE("immediates, chains of the carry, vectors, written operands") {
  CHECK(result_of("lop3.b32 imm=0x80;f0,cc,aa") == "00000080");
  CHECK(result_of("lop3.b32 d, a, b, c, 0x80;f0,cc,aa") == "00000080");
  CHECK(result_of("add.cc.u32;addc.u32;ffffffff,1,0,0") == "00000001");
  CHECK(result_of("cvt.rs.satfinite.e2m1x4.f32;3f800000,40000000,40400000,40800000,0") == "2456");
  CHECK(result_of("vadd.u32.u32.u32 d.b0, a.h1, b, c;00030000,1,ffffff00") == "ffffff04");
}

TEST_CASE("operands that are written out name registers, which instructions share") {
  CHECK(result_of("add.u32 d, a, b; mul.lo.u32 e, d, c;1,2,5") == "0000000f");
  CHECK(result_of("add.u32 d,a,b;1, 2") == "00000003");
  CHECK(result_of("add.u32 a, a, b; add.u32 a, a, b;1,2") == "00000005");
  CHECK(result_of("add.u32 d, a, a;3") == "00000006");
  CHECK(result_of("add.cc.u32 d,a,b;addc.u32 e,f,g;ffffffff,1,0,0") == "00000001");
  CHECK(result_of("setp.lt.u32 p, a, b; selp.b32 d, a, b, p;7,5") == "00000005");
  CHECK(error_of("add.u32 d,a,b;1") == "15: found 1 input, expected 2: a, b");
  CHECK(error_of("add.u32 d,a,b;mul.lo.u32 e,d,c;1,2") == "32: found 2 inputs, expected 3: a, b, c");
  CHECK(error_of("add.u32 d,a,b;") == "15: found 0 inputs, expected 2: a, b");
  CHECK(
      error_of("add.u32 d,a,b;neg.s32;1,2") ==
      "15: found an instruction without operands beside one with operands, expected them of all or of none");
  CHECK(error_of("cvt.u64.u32 d, a; add.u32 e, d, a;1") ==
        "19: found `d` for a value of 32 bits, expected another name: it is a register of 64 bits");
  CHECK(error_of("add.u32 d,a,b;neg.s33 e, d;1,2").starts_with("15: neg.s33: found `.s33`"));
  CHECK(error_of("@p add.u32 d,a,b;1,2") == "1: found a guard, expected an instruction without one");
  CHECK(error_of("add.u32 d,,b;1,2") == "1: found ``, expected an operand");
  CHECK(error_of("add.u32 d,a b,c;1,2") == "1: found `a b`, expected an operand");
}

TEST_CASE("wrong lines: what was found, what was expected, and where") {
  CHECK(error_of("add.u32") == "8: found no inputs, expected `instruction;input,input,…`");
  CHECK(error_of("add.u32;1") == "1: add.u32: found 1 input, expected those of add.type d, a, b");
  CHECK(
      error_of("lop3.b32;1,2,3") ==
      "1: lop3.b32: found 3 inputs, expected those of lop3.b32 d, a, b, c, immLut, a constant as `imm=0x96`");
  CHECK(error_of("add.u32;1,zz") == "11: found `zz`, expected hexadecimal digits");
  CHECK(error_of("add.u32;1,123456789") ==
        "11: found `123456789`, expected at most 8 hexadecimal digits for a value of 32 bits");
  CHECK(error_of("not.pred;2") == "10: found `2`, expected 0 or 1 for a predicate");
  CHECK(error_of("add.u33;1,2").find(".u33") != std::string::npos);
  CHECK(error_of("lop3.b32 imm=0xqq;1,2,3").find("expected a number") != std::string::npos);
  CHECK(error_of("lop3.b32 imm=0x100;1,2,3") == "1: lop3.b32: found 256 for immLut, expected 0 to 255");
  CHECK(error_of("add.u32;1,2;3,zz") == "15: found `zz`, expected hexadecimal digits or `nan`");
}

TEST_CASE("what has effects computes nothing by itself") {
  CHECK_THROWS_AS(result_of("ld.global.u32;1234"), Unsupported);
  CHECK_THROWS_AS(result_of("bra;0"), std::exception);
}

TEST_CASE("registers of a vector share the bits of the value, registers of a fragment have 32") {
  CHECK(result_of("mov.b64 {%r2, %r3}, %rd1;100000002") == "00000002,00000001");
  CHECK(result_of("mov.b32 %r1, {%h2, %h3};1,ffff") == "ffff0001");
  CHECK_THROWS_AS(
      result_of("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r1, %r2}, {%r3, %r4, %r5, %r6}, "
                "%rd7, %p8, -1, -1, 0;1,1,1,1,0,0"),
      Unsupported);
  CHECK(error_of("movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;123456789") ==
        "48: found `123456789`, expected at most 8 hexadecimal digits for a value of 32 bits");
}

namespace {

std::string repeated(const std::string& text, unsigned times) {
  std::string all = text;
  for (unsigned i = 1; i < times; ++i) all += "," + text;
  return all;
}

}  // namespace

TEST_CASE("the lanes of a warp run an instruction together if there are inputs for all") {
  const std::string multiply =
      "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {d0,d1,d2,d3}, {a0,a1}, {b0}, {c0,c1,c2,c3};";
  // Eight products of 1 and 1, and 2.
  CHECK(result_of(multiply + repeated("3f803f80,3f803f80,3f803f80,40000000,40000000,40000000,40000000",
                                      32)) == repeated("41200000,41200000,41200000,41200000", 32));
  CHECK(result_of("shfl.sync.bfly.b32 d, a, 1, 31, 0xffffffff;" + repeated("1,2", 16)) ==
        repeated("00000002,00000001", 16));
}

TEST_CASE("agreement: any NaN is NaN, digits must fit") {
  PreparedLines prepared;
  const VectorLine line = read_vector_line("add.f32;7fc00000,0;nan;origin", "lines", 1);
  CHECK(line.output == "nan");
  Evaluation& evaluation = prepared.find(line, "lines", 1)->evaluation;
  std::vector<Bits> inputs;
  read_inputs(line, evaluation, inputs, "lines", 1);
  const auto values = evaluation.run(inputs);
  CHECK(agrees("nan", evaluation, values));
  CHECK(agrees("ffffffff", evaluation, values));
  CHECK_FALSE(agrees("7f800000", evaluation, values));
  CHECK_FALSE(agrees("", evaluation, values));
  CHECK_FALSE(agrees("nan,nan", evaluation, values));
}

TEST_CASE("the interval of an instruction goes through what its rule does to the approximation") {
  PreparedLines prepared;
  const VectorLine line = read_vector_line("rcp.approx.f32;40400000", "lines", 1);
  PreparedLine& rcp = *prepared.find(line, "lines", 1);
  rcp.make_terms();
  const auto of = [&](u128 operand) {
    const std::vector<Bits> values = {Bits(32, operand)};
    return result_interval(rcp.terms, values);
  };
  REQUIRE(of(0x40400000));
  CHECK(of(0x40400000)->low[0].value() == 0x3eaaaaaa);
  CHECK(of(0x40400000)->high[0].value() == 0x3eaaaaab);
  CHECK(of(0x7f800000)->low[0].value() == 0);
  CHECK(of(0x7f800000)->high[0].value() == 0);
}

// 1 + 2^-24 is between 1 and the next number; 1 + 1 is exact.
TEST_CASE("the interval of a sum of products") {
  const std::string text =
      "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {d0,d1,d2,d3}, {a0,a1}, {b0}, {c0,c1,c2,c3};" +
      repeated("0,0,0,0,0,0,0", 32);
  const VectorLine line = read_vector_line(text, "lines", 1);
  PreparedLines prepared;
  PreparedLine& multiply = *prepared.find(line, "lines", 1);
  multiply.make_terms();
  const auto first = [&](u128 a, u128 b, u128 c) {
    std::vector<Bits> values;
    for (unsigned lane = 0; lane < 32; ++lane)
      for (const u128 value :
           {lane == 0 ? a : 0, u128{0}, lane == 0 ? b : 0, lane == 0 ? c : 0, u128{0}, u128{0}, u128{0}})
        values.emplace_back(32, value);
    return result_interval(multiply.terms, values);
  };
  const auto exact = first(0x3f80, 0x3f80, 0x3f800000), inexact = first(0x3f80, 0x3380, 0x3f800000);
  CHECK(exact->low[0].value() == 0x40000000);
  CHECK(exact->high[0].value() == 0x40000000);
  CHECK(inexact->low[0].value() < 0x3f800000);
  CHECK(inexact->high[0].value() > 0x3f800000);
  CHECK(inexact->is_bounded);
}
