// Vectors from the pseudo-code of PTX ISA 8.7 § 9.7.18, and § 9.7.9.22 (cvt.pack), § 9.7.3.1, § 9.7.3.2.
#include <doctest/doctest.h>

#include "tests/semantics/run_instruction.hpp"

using namespace ptxmc;
using test::evaluate;

namespace {

struct Source {
  u128 value;
  const char* selector = "";
  bool has_minus = false;
};

/// `d.selector` and sources with selectors and minus signs.
u128 video(const std::string& spelling, const char* destination, std::vector<Source> sources) {
  std::vector<OperandShape> shapes(1);
  shapes[0].selector = destination;
  std::vector<Bits> values;
  for (const Source& source : sources) {
    OperandShape shape;
    shape.selector = source.selector;
    shape.has_minus = source.has_minus;
    shapes.push_back(shape);
    values.emplace_back(32, source.value);
  }
  const Match match = ptx().match(spelling, shapes);
  INFO(match.error);
  REQUIRE(match);
  NoEffects effects;
  return test::run(*match.form, values, effects).at(0).value();
}

}  // namespace

TEST_CASE("scalar video: parts of sources, extended as their types say") {
  CHECK(video("vadd.s32.u32.s32", "", {{0x000000ff, "b0"}, {0x00ff0000, "b2"}}) == 0xfe);
  CHECK(video("vsub.s32.s32.u32", "", {{0x80000000, "h1"}, {1, "h0"}}) == 0xffff7fff);
  CHECK(video("vabsdiff.u32.u32.u32", "", {{3}, {0xffffffff}}) == 0xfffffffc);
  CHECK(video("vmin.s32.s32.u32", "", {{0xffffffff}, {1}}) == 0xffffffff);
  CHECK(video("vmax.s32.s32.u32", "", {{0xffffffff}, {1}}) == 1);
}

TEST_CASE("scalar video: saturation, second operation, merge") {
  CHECK(video("vadd.s32.u32.u32.sat", "", {{0xffffffff}, {1}}) == 0x7fffffff);
  CHECK(video("vsub.u32.u32.u32.sat", "", {{0}, {1}}) == 0);
  CHECK(video("vadd.s32.s32.s32.add", "", {{1}, {2}, {0xffffffff}}) == 2);
  CHECK(video("vadd.u32.u32.u32.max", "", {{1}, {2}, {0xffffffff}}) == 0xffffffff);
  CHECK(video("vadd.s32.s32.s32.max", "", {{1}, {2}, {0xffffffff}}) == 3);
  CHECK(video("vadd.u32.u32.u32.sat", "b1", {{200}, {100}, {0x12345678}}) == 0x1234ff78);
  CHECK(video("vadd.u32.u32.u32", "h1", {{0x12345}, {1}, {0xaaaabbbb}}) == 0x2346bbbb);
}

TEST_CASE("scalar video: shifts clamp or wrap") {
  CHECK(video("vshl.u32.u32.u32.clamp", "", {{1}, {40}}) == 0);
  CHECK(video("vshl.u32.u32.u32.wrap", "", {{1}, {40}}) == 0x100);
  CHECK(video("vshr.s32.s32.u32.clamp", "", {{0x80000000}, {40}}) == 0xffffffff);
  CHECK(video("vshr.u32.u32.u32.clamp", "", {{0x80000000}, {31}}) == 1);
  CHECK(video("vshl.u32.u32.u32.sat.clamp", "", {{0x80000000}, {1}}) == 0xffffffff);
}

TEST_CASE("vmad: signs, scale, plus one") {
  CHECK(video("vmad.u32.u32.u32", "", {{3}, {4}, {5}}) == 17);
  CHECK(video("vmad.s32.u32.u32", "", {{3, "", true}, {4}, {5}}) == 0xfffffff9);
  CHECK(video("vmad.s32.s32.u32", "", {{3}, {4}, {5, "", true}}) == 7);
  CHECK(video("vmad.u32.u32.u32", "", {{3, "", true}, {4, "", true}, {5}}) == 17);
  CHECK(video("vmad.u32.u32.u32.po.shr7", "", {{127}, {1}, {0}}) == 1);
  CHECK(video("vmad.u32.u32.u32.sat.shr15", "", {{0xffffffff}, {0xffffffff}, {0}}) == 0xffffffff);
  CHECK(video("vmad.s32.s32.s32.sat", "", {{0x80000000}, {2}, {0}}) == 0x80000000);
}

TEST_CASE("vset compares and gives 1 or 0") {
  CHECK(video("vset.s32.u32.lt", "", {{0xffffffff}, {0}}) == 1);
  CHECK(video("vset.u32.u32.lt", "", {{0xffffffff}, {0}}) == 0);
  CHECK(video("vset.u32.u32.ne.add", "", {{1}, {0}, {41}}) == 42);
}

TEST_CASE("two lanes: selection, saturation, mask, accumulation") {
  CHECK(video("vadd2.u32.u32.u32", "", {{0x00020001}, {0x00040003}, {0}}) == 0x00060004);
  CHECK(video("vadd2.s32.s32.s32.sat", "", {{0x7fff8000}, {0x0001ffff}, {0}}) == 0x7fff8000);
  CHECK(video("vsub2.s32.s32.s32", "h0", {{0x00020001}, {0x00040003}, {0xaaaabbbb}}) == 0xaaaafffe);
  CHECK(video("vsub2.s32.s32.s32.add", "h10", {{0x00020001}, {0x00040003}, {100}}) == 96);
  CHECK(video("vmin2.u32.u32.u32", "", {{0x00050006, "h01"}, {0x00070001, "h23"}, {0}}) == 0x00010005);
  CHECK(video("vavrg2.s32.s32.s32", "", {{0x0001ffff}, {0x0002fffe}, {0}}) == 0x0002fffe);
  CHECK(video("vset2.u32.u32.ge", "", {{0x00020001}, {0x00010002}, {0}}) == 0x00010000);
}

TEST_CASE("four lanes") {
  CHECK(video("vadd4.u32.u32.u32", "", {{0x01020304}, {0x10203040}, {0}}) == 0x11223344);
  CHECK(video("vadd4.u32.u32.u32.sat", "", {{0xff0000ff}, {0x01000001}, {0}}) == 0xff0000ff);
  CHECK(video("vabsdiff4.s32.s32.s32.add", "", {{0x01ff0001}, {0x0100ff03}, {10}}) == 10 + 0 + 1 + 1 + 2);
  CHECK(video("vmax4.u32.u32.u32", "b20", {{0x01020304}, {0x04030201}, {0xaabbccdd}}) == 0xaa03cc04);
  CHECK(video("vset4.u32.u32.eq.add", "", {{0x01020304, "b3210"}, {0x01020305, "b7654"}, {0}}) == 3);
}

TEST_CASE("cvt.pack clamps a above b, and fills up from c") {
  CHECK(evaluate("cvt.pack.sat.s16.s32", {0x12345678, 0xffff0000}) == 0x7fff8000);
  CHECK(evaluate("cvt.pack.sat.u8.s32.b32", {300, 0xffffffff, 0x11223344}) == 0x3344ff00);
  CHECK(evaluate("cvt.pack.sat.s4.s32.b32", {7, 0xfffffff0, 0x123456}) == 0x12345678);
  CHECK(evaluate("cvt.pack.sat.u2.s32.b32", {5, 1, 3}) == 0x3d);
}

TEST_CASE("testp and copysign look at the fields") {
  CHECK(evaluate("testp.finite.f32", {0x7f7fffff}) == 1);
  CHECK(evaluate("testp.infinite.f32", {0xff800000}) == 1);
  CHECK(evaluate("testp.infinite.f32", {0x7f800001}) == 0);
  CHECK(evaluate("testp.notanumber.f64", {0x7ff8000000000000ull}) == 1);
  CHECK(evaluate("testp.number.f64", {0x7ff0000000000000ull}) == 1);
  CHECK(evaluate("testp.normal.f32", {0}) == 1);
  CHECK(evaluate("testp.subnormal.f32", {1}) == 1);
  CHECK(evaluate("testp.subnormal.f32", {0x80000000}) == 0);
  CHECK(evaluate("copysign.f32", {0x80000000, 0x3f800000}) == 0xbf800000);
  CHECK(evaluate("copysign.f64", {0, 0x8000000000000001ull}) == 1);
}
