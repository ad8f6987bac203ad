// Vectors from the text, pseudo-code and tables of PTX ISA 8.7 § 9.7.3 to § 9.7.7.
#include <doctest/doctest.h>

#include "tests/semantics/run_instruction.hpp"

using namespace ptxmc;
using test::evaluate;

namespace {

constexpr u128 one = 0x3f800000, minus_one = 0xbf800000, two = 0x40000000, infinite = 0x7f800000;
constexpr u128 minus_infinite = 0xff800000, zero = 0, minus_zero = 0x80000000;
constexpr u128 smallest = 1, smallest_normal = 0x00800000, a_nan = 0x7fc00000;

bool is_nan_f32(u128 value) { return (value & 0x7fffffff) > 0x7f800000; }

}  // namespace

TEST_CASE("add, sub: each rounding mode, signs of zero") {
  CHECK(evaluate("add.f32", {one, one}) == two);
  CHECK(evaluate("add.rn.f32", {one, 0x33800000}) == one);  // 1 + 2^-24: a tie, to even
  CHECK(evaluate("add.rz.f32", {one, 0x33800000}) == one);
  CHECK(evaluate("add.rm.f32", {one, 0x33800000}) == one);
  CHECK(evaluate("add.rp.f32", {one, 0x33800000}) == one + 1);
  CHECK(evaluate("add.rm.f32", {minus_one, 0xb3800000}) == minus_one + 1);
  CHECK(evaluate("sub.rn.f32", {one, one}) == zero);
  CHECK(evaluate("sub.rm.f32", {one, one}) == minus_zero);
  CHECK(evaluate("add.f32", {minus_zero, minus_zero}) == minus_zero);
  CHECK(is_nan_f32(evaluate("sub.f32", {infinite, infinite})));
  CHECK(evaluate("add.rn.f64", {0x3ff0000000000000, 0x3ca0000000000000}) == 0x3ff0000000000000);
  CHECK(evaluate("add.rp.f64", {0x3ff0000000000000, 0x3ca0000000000000}) == 0x3ff0000000000001);
  CHECK(evaluate("add.f32x2", {concat(Bits(32, one), Bits(32, two)).value(),
                               concat(Bits(32, one), Bits(32, minus_one)).value()}) ==
        concat(Bits(32, two), Bits(32, one)).value());
}

TEST_CASE("the largest finite number and infinity") {
  CHECK(evaluate("mul.rn.f32", {0x7f7fffff, two}) == infinite);
  CHECK(evaluate("mul.rz.f32", {0x7f7fffff, two}) == 0x7f7fffff);
  CHECK(evaluate("mul.rm.f32", {0xff7fffff, two}) == minus_infinite);
  CHECK(evaluate("mul.rp.f32", {0xff7fffff, two}) == 0xff7fffff);
}

TEST_CASE("subnormal operands and results: kept, or flushed to a zero of their sign") {
  CHECK(evaluate("add.f32", {smallest, smallest}) == 2);
  CHECK(evaluate("add.ftz.f32", {smallest, smallest_normal}) == smallest_normal);
  CHECK(evaluate("mul.f32", {smallest_normal, 0xbf000000}) == 0x80400000);
  CHECK(evaluate("mul.ftz.f32", {smallest_normal, 0xbf000000}) == minus_zero);
  CHECK(evaluate("mul.rn.f32", {smallest, 0x3f000000}) == zero);  // a tie, to even
  CHECK(evaluate("mul.rp.f32", {smallest, 0x3f000000}) == smallest);
  CHECK(evaluate("add.ftz.f16", {0x0001, 0x0000}) == 0);
  CHECK(evaluate("add.f16", {0x0001, 0x0001}) == 2);
}

TEST_CASE("saturation: [0.0, 1.0], NaN to +0") {
  CHECK(evaluate("add.sat.f32", {one, one}) == one);
  CHECK(evaluate("add.sat.f32", {minus_one, zero}) == zero);
  CHECK(evaluate("add.sat.f32", {a_nan, zero}) == zero);
  CHECK(evaluate("mul.sat.f16x2", {0x4000'7e00, 0x3c00'3c00}) == 0x3c00'0000);
  CHECK(evaluate("fma.rn.relu.f16", {0xbc00, 0x3c00, 0x0000}) == 0);
  CHECK(evaluate("fma.rn.relu.bf16", {0x7fc0, 0x3f80, 0x0000}) == 0x7fff);
}

TEST_CASE("fma rounds once") {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24; the last term survives the subtraction of the others.
  CHECK(evaluate("fma.rn.f32", {0x3f800800, 0x3f800800, 0xbf801000}) == 0x33800000);
  CHECK(evaluate("mad.rn.f32", {0x3f800800, 0x3f800800, 0xbf801000}) == 0x33800000);
  CHECK(evaluate("fma.rn.f64", {0x3ff0000002000000, 0x3ff0000002000000, 0xbff0000004000000}) ==
        0x3c90000000000000);
}

TEST_CASE("double precision keeps the payload of a NaN") {
  CHECK(evaluate("add.f64", {0x7ff8000000001234, 0}) == 0x7ff8000000001234);
  CHECK(evaluate("mul.f64", {0x3ff0000000000000, 0xfff8000000000042}) == 0xfff8000000000042);
  CHECK(evaluate("abs.f64", {0xfff8000000000001}) == 0xfff8000000000001);
}

TEST_CASE("div, rcp, sqrt") {
  CHECK(evaluate("div.rn.f32", {one, 0x40400000}) == 0x3eaaaaab);
  CHECK(evaluate("div.rz.f32", {one, 0x40400000}) == 0x3eaaaaaa);
  CHECK(evaluate("div.rn.f32", {minus_one, zero}) == minus_infinite);
  CHECK(is_nan_f32(evaluate("div.rn.f32", {zero, zero})));
  CHECK(evaluate("rcp.rn.f64", {0x4008000000000000}) == 0x3fd5555555555555);
  CHECK(evaluate("rcp.rp.f64", {0x4008000000000000}) == 0x3fd5555555555556);
  CHECK(evaluate("sqrt.rn.f32", {two}) == 0x3fb504f3);
  CHECK(evaluate("sqrt.rp.f32", {two}) == 0x3fb504f4);
  CHECK(evaluate("sqrt.rn.f32", {minus_zero}) == minus_zero);
  CHECK(is_nan_f32(evaluate("sqrt.rn.f32", {minus_one})));
}

TEST_CASE("min and max: +0.0 > -0.0; NaN loses, or wins with .NaN; .xorsign.abs") {
  CHECK(evaluate("min.f32", {zero, minus_zero}) == minus_zero);
  CHECK(evaluate("max.f32", {minus_zero, zero}) == zero);
  CHECK(evaluate("min.f32", {a_nan, one}) == one);
  CHECK(evaluate("max.f32", {one, a_nan}) == one);
  CHECK(evaluate("min.NaN.f32", {a_nan, one}) == 0x7fffffff);
  CHECK(is_nan_f32(evaluate("min.f32", {a_nan, a_nan})));
  CHECK(evaluate("min.f32", {minus_one, 0xc0000000}) == 0xc0000000);
  CHECK(evaluate("max.xorsign.abs.f32", {0xc0000000, one}) == 0xc0000000);
  CHECK(evaluate("min.xorsign.abs.f32", {0xc0000000, minus_one}) == one);
  CHECK(evaluate("max.f16x2", {0x8000'3c00, 0x0000'bc00}) == 0x0000'3c00);
  CHECK(evaluate("min.ftz.f32", {smallest, one}) == zero);
}

TEST_CASE("min and max of three") {
  CHECK(evaluate("min.f32", {one, minus_one, two}) == minus_one);
  CHECK(evaluate("max.f32", {one, a_nan, two}) == two);
  CHECK(evaluate("max.NaN.f32", {one, two, a_nan}) == 0x7fffffff);
  CHECK(evaluate("max.abs.f32", {one, 0xc0000000, minus_one}) == two);
  CHECK(evaluate("min.ftz.f32", {one, 0x80000001, two}) == minus_zero);
}

TEST_CASE("approximations at the operands of the manual's tables") {
  CHECK(evaluate("rcp.approx.f32", {minus_infinite}) == minus_zero);
  CHECK(evaluate("rcp.approx.f32", {minus_zero}) == minus_infinite);
  CHECK(evaluate("rcp.approx.ftz.f64", {0xfff0000000000000}) == 0x8000000000000000);
  CHECK(evaluate("rcp.approx.ftz.f64", {0x0000000100000001}) == 0x7ff0000000000000);
  CHECK(evaluate("rcp.approx.ftz.f64", {0x7ff0000100000000}) == 0x7fffffff00000000);
  CHECK(is_nan_f32(evaluate("sqrt.approx.f32", {minus_infinite})));
  CHECK(evaluate("sqrt.approx.f32", {minus_zero}) == minus_zero);
  CHECK(evaluate("rsqrt.approx.f32", {minus_zero}) == minus_infinite);
  CHECK(evaluate("rsqrt.approx.f32", {infinite}) == zero);
  CHECK(evaluate("rsqrt.approx.ftz.f64", {0x8000000100000000}) == 0xfff0000000000000);
  CHECK(is_nan_f32(evaluate("sin.approx.f32", {infinite})));
  CHECK(evaluate("sin.approx.f32", {minus_zero}) == minus_zero);
  CHECK(evaluate("cos.approx.ftz.f32", {0x80000001}) == one);
  CHECK(evaluate("lg2.approx.f32", {minus_zero}) == minus_infinite);
  CHECK(is_nan_f32(evaluate("lg2.approx.f32", {minus_one})));
  CHECK(evaluate("ex2.approx.f32", {minus_infinite}) == zero);
  CHECK(evaluate("ex2.approx.f32", {minus_zero}) == one);
  CHECK(evaluate("ex2.approx.ftz.bf16", {0x8001}) == 0x3f80);
  CHECK(evaluate("tanh.approx.f32", {minus_infinite}) == minus_one);
  CHECK(evaluate("tanh.approx.f16x2", {0x7c00'8000}) == 0x3c00'8000);
  CHECK(evaluate("div.approx.f32", {minus_one, zero}) == minus_infinite);
  CHECK(evaluate("div.full.f32", {minus_one, zero}) == minus_infinite);
  for (const char* spelling : {"div.approx.f32", "div.full.f32"}) {  // a * (1/b)
    CHECK(evaluate(spelling, {one, minus_zero}) == minus_infinite);
    CHECK(evaluate(spelling, {minus_one, minus_zero}) == infinite);
    CHECK(is_nan_f32(evaluate(spelling, {zero, minus_zero})));
  }
  CHECK(evaluate("div.approx.f32", {one, 0x7f000000}) == zero);  // |b| > 2^126
  CHECK(is_nan_f32(evaluate("div.approx.f32", {infinite, 0x7f000000})));
  CHECK(evaluate("div.full.f32", {0x7f000000, 0x7f000000}) == one);
}

TEST_CASE(
    "rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 look at the upper 32 bits alone (9.7.3.14, 9.7.3.17)") {
  for (const char* spelling : {"rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64"}) {
    CAPTURE(spelling);
    CHECK(evaluate(spelling, {0x7ff0000000000001}) == 0);  // +Inf for them, whatever lies below
    CHECK(evaluate(spelling, {0x7ff8000000000001}) == 0x7fffffff00000000);
    CHECK(evaluate(spelling, {0xffffffff12345678}) == 0x7fffffff00000000);
    CHECK(evaluate(spelling, {0x00000000ffffffff}) == 0x7ff0000000000000);
    CHECK(evaluate(spelling, {0x800fffffffffffff}) == 0xfff0000000000000);
    CHECK(evaluate(spelling, {0x3ff00000ffffffff}) == 0x3ff0000000000000);
  }
  CHECK(evaluate("rcp.approx.ftz.f64", {0xfff0000000000001}) == 0x8000000000000000);
  CHECK(evaluate("rsqrt.approx.ftz.f64", {0xfff0000000000001}) == 0x7fffffff00000000);
  CHECK(evaluate("rcp.approx.ftz.f64", {0x7fefffffffffffff}) == 0);  // a subnormal result
}

TEST_CASE("approximations of exact results are those") {
  CHECK(evaluate("rcp.approx.f32", {two}) == 0x3f000000);
  CHECK(evaluate("ex2.approx.f32", {two}) == 0x40800000);
  CHECK(evaluate("lg2.approx.f32", {0x40800000}) == two);
  CHECK(evaluate("rsqrt.approx.f64", {0x4010000000000000}) == 0x3fe0000000000000);
}

TEST_CASE("testp and copysign") {
  CHECK(evaluate("testp.subnormal.f32", {smallest}) == 1);
  CHECK(evaluate("testp.normal.f32", {zero}) == 1);  // "zero … considered normal"
  CHECK(evaluate("testp.normal.f32", {minus_zero}) == 1);
  CHECK(evaluate("testp.normal.f64", {u128{1} << 63}) == 1);
  CHECK(evaluate("testp.normal.f32", {smallest}) == 0);
  CHECK(evaluate("testp.normal.f32", {smallest_normal}) == 1);
  CHECK(evaluate("testp.normal.f32", {infinite}) == 0);
  CHECK(evaluate("testp.normal.f32", {a_nan}) == 0);
  CHECK(evaluate("testp.subnormal.f32", {minus_zero}) == 0);
  CHECK(evaluate("testp.infinite.f64", {0xfff0000000000000}) == 1);
  CHECK(evaluate("copysign.f32", {minus_zero, one}) == minus_one);
}

TEST_CASE("mixed precision: the narrow operands are widened exactly") {
  CHECK(evaluate("add.f32.f16", {0x3c00, one}) == two);
  CHECK(evaluate("sub.rn.f32.bf16", {0x3f80, one}) == zero);
  CHECK(evaluate("fma.rn.f32.f16", {0x4000, 0x3c00, minus_one}) == one);
  CHECK(evaluate("add.sat.f32.bf16", {0x3f80, one}) == one);
}

TEST_CASE("set and setp: ordered, unordered, NaN tests; half precision in halves") {
  CHECK(evaluate("setp.lt.f32", {a_nan, one}) == 0);
  CHECK(evaluate("setp.ltu.f32", {a_nan, one}) == 1);
  CHECK(evaluate("setp.ne.f32", {a_nan, a_nan}) == 0);
  CHECK(evaluate("setp.neu.f32", {a_nan, a_nan}) == 1);
  CHECK(evaluate("setp.eq.f32", {zero, minus_zero}) == 1);
  CHECK(evaluate("setp.num.f64", {0, 0x7ff0000000000000}) == 1);
  CHECK(evaluate("setp.eq.ftz.f32", {smallest, minus_zero}) == 1);
  CHECK(evaluate("set.gt.f32.f32", {two, one}) == one);
  CHECK(evaluate("set.gt.u32.f32", {two, one}) == 0xffffffff);
  CHECK(evaluate("set.lt.u16.f16", {0x3c00, 0x4000}) == 0xffff);
  CHECK(evaluate("set.eq.u32.f16x2", {0x3c00'0000, 0x3c00'4000}) == 0xffff0000);
  CHECK(evaluate("set.eq.bf16x2.bf16x2", {0x3f80'0000, 0x3f80'4000}) == 0x3f800000);
  CHECK(evaluate("set.lt.f16.s32", {0xffffffff, 0}) == 0x3c00);
}

TEST_CASE("cvt between floating-point numbers and integers") {
  CHECK(evaluate("cvt.rzi.s32.f64", {0x43e0000000000000}) == 0x7fffffff);  // saturates by default
  CHECK(evaluate("cvt.rni.s32.f32", {a_nan}) == 0);                        // NaN is 0
  CHECK(evaluate("cvt.rni.s32.f32", {0x3f000000}) == 0);                   // 0.5: a tie, to even
  CHECK(evaluate("cvt.rni.s32.f32", {0x3fc00000}) == 2);
  CHECK(evaluate("cvt.rpi.u8.f32", {0x3f800001}) == 2);
  CHECK(evaluate("cvt.rmi.u32.f32", {minus_one}) == 0);
  CHECK(evaluate("cvt.rmi.s8.f32", {0xc3800000}) == 0x80);
  CHECK(evaluate("cvt.rn.f32.u32", {0xffffffff}) == 0x4f800000);
  CHECK(evaluate("cvt.rz.f32.u32", {0xffffffff}) == 0x4f7fffff);
  CHECK(evaluate("cvt.rn.f16.s32", {70000}) == 0x7c00);
  CHECK(evaluate("cvt.rni.f32.f32", {0xbf000000}) == minus_zero);
  CHECK(evaluate("cvt.sat.f32.f32", {two}) == one);
  CHECK(evaluate("cvt.ftz.f64.f32", {smallest}) == 0);
  CHECK(evaluate("cvt.rn.ftz.f32.f64", {0x36a0000000000000}) == 0);
}

TEST_CASE("cvt to and from the formats of 4 to 19 bits") {
  CHECK(evaluate("cvt.rn.satfinite.e4m3x2.f32", {0x43e00000, 0xc4000000}) == 0x7efe);  // 448, -512
  CHECK(evaluate("cvt.rn.satfinite.e4m3x2.f32", {a_nan, 0x3b000000}) == 0x7f01);       // 2^-9, the smallest
  CHECK(evaluate("cvt.rn.satfinite.relu.e5m2x2.f16x2", {0xbc00'3c00}) == 0x003c);
  CHECK(evaluate("cvt.rn.f16x2.e4m3x2", {0x0138}) == 0x1800'3c00);
  CHECK(evaluate("cvt.rn.f16x2.e5m2x2", {0x7c01}) == 0x7c00'0100);
  CHECK(evaluate("cvt.rn.satfinite.e2m1x2.f32", {0x40c00000, 0x7fc00000}) == 0x77);  // NaN: +MAX_NORM
  CHECK(evaluate("cvt.rn.f16x2.e2m1x2", {0x1f}) == 0x3800'c600);
  CHECK(evaluate("cvt.rn.satfinite.e2m3x2.f32", {one, 0x41000000}) == 0x081f);
  CHECK(evaluate("cvt.rz.ue8m0x2.f32", {0x40600000, 0x00000000}) == 0x8000);
  CHECK(evaluate("cvt.rp.ue8m0x2.f32", {0x40600000, one}) == 0x817f);
  CHECK(evaluate("cvt.rn.bf16x2.ue8m0x2", {0x7f00}) == 0x3f80'0040);
  CHECK(evaluate("cvt.rna.tf32.f32", {0x3f801000}) == 0x3f802000);
  CHECK(evaluate("cvt.rn.tf32.f32", {0x3f801000}) == one);
  CHECK(is_nan_f32(evaluate("cvt.rn.tf32.f32", {0x7f800001})));
  CHECK(is_nan_f32(evaluate("cvt.rz.tf32.f32", {0xff800001})));
  CHECK(is_nan_f32(evaluate("cvt.rna.satfinite.tf32.f32", {0x7f800001})));
  CHECK(evaluate("cvt.rna.tf32.f32", {0x7f800001}) == infinite);  // its low digits are cut off
  CHECK(evaluate("cvt.rz.satfinite.f16x2.f32", {0x7f7fffff, minus_infinite}) == 0x7bff'fbff);
}

TEST_CASE(".rs: the random bits decide by their carry") {
  // 1 + 2^-11 is half way between two f16 numbers: 13 digits are cut off, the highest of them 1.
  CHECK(evaluate("cvt.rs.f16x2.f32", {0x3f801000, one, 0x0fff'0000}) == 0x3c00'3c00);
  CHECK(evaluate("cvt.rs.f16x2.f32", {0x3f801000, one, 0x1000'0000}) == 0x3c01'3c00);
  CHECK(evaluate("cvt.rs.bf16x2.f32", {one, 0x3f800001, 0x0000'ffff}) == 0x3f80'3f81);
}

TEST_CASE("fma.oob: 0 for an element with the NaN of tensor copies") {
  CHECK(evaluate("fma.rn.oob.f16x2", {0x7fff'3c00, 0x3c00'3c00, 0x3c00'3c00}) == 0x0000'4000);
}
