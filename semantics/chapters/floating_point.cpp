// PTX ISA 8.7 § 9.7.3: floating-point instructions.
#include "semantics/chapters/float_approximations.hpp"
#include "semantics/chapters/float_form.hpp"
#include "semantics/language/chapters.hpp"

namespace ptxmc {

namespace {

/// The positions of the fields of .f32 and .f64 (§ 9.7.3.1).
struct Fields {
  Bits sign, exponent, fraction;
};
Fields fields_of(const Bits& value) {
  const unsigned fraction = value.width() == 32 ? 23 : 52;
  return {value.bit(value.width() - 1), value.extract(fraction, value.width() - 1 - fraction),
          value.extract(0, fraction)};
}

/// § 9.7.3.1: "As a special case, positive and negative zero are considered normal numbers."
Bits has_property(const Form& form, const Bits& value) {
  const Fields x = fields_of(value);
  const Bits zero_fraction = equal(x.fraction, Bits(x.fraction.width(), 0));
  const Bits zero_exponent = equal(x.exponent, Bits(x.exponent.width(), 0));
  const Bits full_exponent = equal(~x.exponent, Bits(x.exponent.width(), 0));
  if (form.has(".finite")) return ~full_exponent;
  if (form.has(".infinite")) return full_exponent & zero_fraction;
  if (form.has(".number")) return ~(full_exponent & ~zero_fraction);
  if (form.has(".notanumber")) return full_exponent & ~zero_fraction;
  const Bits subnormal = zero_exponent & ~zero_fraction;
  return form.has(".normal") ? ~full_exponent & ~subnormal : subnormal;
}

Bits quotient(const Form& form, const Bits& p, const Bits& q) {
  const FloatForm f(form);
  const Bits a = f.operand(p), b = f.operand(q);
  return f.result(keep_payload(f.format, float_divide(f.format, f.rounding, a, b), {&a, &b}));
}

Bits square_root(const Form& form, const Operands& x) {
  const FloatForm f(form);
  const Bits a = f.operand(x.a);
  return f.result(keep_payload(f.format, float_square_root(f.format, f.rounding, a), {&a}));
}

/// min or max of three numbers; .abs: of their magnitudes.
Bits of_three(const Form& form, const Operands& x, Bits (*of_two)(const Form&, const Bits&, const Bits&)) {
  const auto number = [&](const Bits& a) { return form.has(".abs") ? float_magnitude(a) : a; };
  return of_two(form, of_two(form, number(x.a), number(x.b)), number(x.c));
}

constexpr Definition definitions_of_floating_point[] = {
    {"9.7.3.1", R"(
       testp.op.type  p, a;
       .op = { .finite, .infinite, .number, .notanumber, .normal, .subnormal };
       .type = { .f32, .f64 };
       PTX 2.0, sm_20;)",
     [](const Form& f, const Operands& x) -> Bits { return has_property(f, x.a); }},

    // The sign of a with the magnitude of b.
    {"9.7.3.2", R"(
       copysign.type  d, a, b;
       .type = { .f32, .f64 };
       PTX 2.0, sm_20;)",
     [](const Form& f, const Operands& x) -> Bits {
       return concat(x.a.bit(f.width() - 1), x.b.extract(0, f.width() - 1));
     }},

    {"9.7.3.3", R"(
       add{.rnd}{.ftz}{.sat}.f32  d, a, b;
       add{.rnd}{.ftz}.f32x2      d, a, b;
       add{.rnd}.f64              d, a, b;
       .rnd = { .rn, .rz, .rm, .rp };
       PTX 1.0;  PTX 1.0, sm_13: .f64;  PTX 1.0, sm_20: .rm.f32, .rp.f32;  PTX 8.6, sm_100: .f32x2;)",
     [](const Form& f, const Operands& x) -> Bits { return float_sum(f, x.a, x.b); }},

    {"9.7.3.4", R"(
       sub{.rnd}{.ftz}{.sat}.f32  d, a, b;
       sub{.rnd}{.ftz}.f32x2      d, a, b;
       sub{.rnd}.f64              d, a, b;
       .rnd = { .rn, .rz, .rm, .rp };
       PTX 1.0;  PTX 1.0, sm_13: .f64;  PTX 1.0, sm_20: .rm.f32, .rp.f32;  PTX 8.6, sm_100: .f32x2;)",
     [](const Form& f, const Operands& x) -> Bits { return float_difference(f, x.a, x.b); }},

    {"9.7.3.5", R"(
       mul{.rnd}{.ftz}{.sat}.f32  d, a, b;
       mul{.rnd}{.ftz}.f32x2      d, a, b;
       mul{.rnd}.f64              d, a, b;
       .rnd = { .rn, .rz, .rm, .rp };
       PTX 1.0;  PTX 1.0, sm_13: .f64;  PTX 1.0, sm_20: .rm.f32, .rp.f32;  PTX 8.6, sm_100: .f32x2;)",
     [](const Form& f, const Operands& x) -> Bits { return float_product(f, x.a, x.b); }},

    {"9.7.3.6", R"(
       fma.rnd{.ftz}{.sat}.f32  d, a, b, c;
       fma.rnd{.ftz}.f32x2      d, a, b, c;
       fma.rnd.f64              d, a, b, c;
       .rnd = { .rn, .rz, .rm, .rp };
       PTX 2.0, sm_20: .f32;  PTX 1.4, sm_13: .f64;  PTX 8.6, sm_100: .f32x2;)",
     [](const Form& f, const Operands& x) -> Bits { return float_product_and_sum(f, x.a, x.b, x.c); }},

    // The form without rounding is for sm_1x only.
    {"9.7.3.7", R"(
       mad.rnd{.ftz}{.sat}.f32  d, a, b, c;
       mad.rnd.f64              d, a, b, c;
       .rnd = { .rn, .rz, .rm, .rp };
       PTX 1.0;  PTX 1.4, sm_13: .f64;  PTX 2.0, sm_20: .f32;)",
     [](const Form& f, const Operands& x) -> Bits { return float_product_and_sum(f, x.a, x.b, x.c); }},

    {"9.7.3.8", R"(
       div.approx{.ftz}.f32  d, a, b;
       div.full{.ftz}.f32    d, a, b;
       PTX 1.4;)",
     [](const Form& f, const Operands& x) -> Bits { return approximate_quotient(f, x.a, x.b); }},

    {"9.7.3.8", R"(
       div.rnd{.ftz}.f32  d, a, b;
       div.rnd.f64        d, a, b;
       .rnd = { .rn, .rz, .rm, .rp };
       PTX 1.4;  PTX 1.4, sm_20: .rn.f32, .rz, .rm, .rp;  PTX 1.4, sm_13: .f64;)",
     [](const Form& f, const Operands& x) -> Bits { return quotient(f, x.a, x.b); }},

    {"9.7.3.9", R"(
       abs{.ftz}.f32  d, a;
       abs.f64        d, a;
       PTX 1.0;  PTX 1.0, sm_13: .f64;)",
     [](const Form& f, const Operands& x) -> Bits { return float_absolute(f, x.a); }},

    {"9.7.3.10", R"(
       neg{.ftz}.f32  d, a;
       neg.f64        d, a;
       PTX 1.0;  PTX 1.0, sm_13: .f64;)",
     [](const Form& f, const Operands& x) -> Bits { return float_negate(f, x.a); }},

    {"9.7.3.11", R"(
       min{.ftz}{.NaN}{.xorsign.abs}.f32  d, a, b;
       min.f64                            d, a, b;
       PTX 1.0;  PTX 1.0, sm_13: .f64;  PTX 7.0, sm_80: .NaN;  PTX 7.2, sm_86: .xorsign;)",
     [](const Form& f, const Operands& x) -> Bits { return float_minimum(f, x.a, x.b); }},

    {"9.7.3.12", R"(
       max{.ftz}{.NaN}{.xorsign.abs}.f32  d, a, b;
       max.f64                            d, a, b;
       PTX 1.0;  PTX 1.0, sm_13: .f64;  PTX 7.0, sm_80: .NaN;  PTX 7.2, sm_86: .xorsign;)",
     [](const Form& f, const Operands& x) -> Bits { return float_maximum(f, x.a, x.b); }},

    // The smallest and the largest of three, which PTX ISA 8.8 has added.
    {"9.7.3.11", R"(
       min{.ftz}{.NaN}{.abs}.f32  d, a, b, c;
       PTX 8.8, sm_100;)",
     [](const Form& f, const Operands& x) -> Bits { return of_three(f, x, float_minimum); }},

    {"9.7.3.12", R"(
       max{.ftz}{.NaN}{.abs}.f32  d, a, b, c;
       PTX 8.8, sm_100;)",
     [](const Form& f, const Operands& x) -> Bits { return of_three(f, x, float_maximum); }},

    {"9.7.3.13", R"(
       rcp.approx{.ftz}.f32  d, a;
       PTX 1.4;)",
     [](const Form& f, const Operands& x) -> Bits { return approximate_reciprocal(f, x.a); }},

    {"9.7.3.13", R"(
       rcp.rnd{.ftz}.f32  d, a;
       rcp.rnd.f64        d, a;
       .rnd = { .rn, .rz, .rm, .rp };
       PTX 1.4;  PTX 1.4, sm_13: .rn.f64;  PTX 2.0, sm_20: .rn.f32, .rz, .rm, .rp;)",
     [](const Form& f, const Operands& x) -> Bits { return quotient(f, one(FloatForm(f).format), x.a); }},

    {"9.7.3.14", R"(
       rcp.approx.ftz.f64  d, a;
       PTX 2.1, sm_20;)",
     [](const Form& f, const Operands& x) -> Bits {
       return approximate_upper_half(f, Approximation::reciprocal, x.a);
     }},

    {"9.7.3.15", R"(
       sqrt.approx{.ftz}.f32  d, a;
       PTX 1.4;)",
     [](const Form& f, const Operands& x) -> Bits { return approximate_square_root(f, x.a); }},

    {"9.7.3.15", R"(
       sqrt.rnd{.ftz}.f32  d, a;
       sqrt.rnd.f64        d, a;
       .rnd = { .rn, .rz, .rm, .rp };
       PTX 1.4;  PTX 1.4, sm_13: .rn.f64;  PTX 2.0, sm_20: .rn.f32, .rz, .rm, .rp;)",
     [](const Form& f, const Operands& x) -> Bits { return square_root(f, x); }},

    {"9.7.3.16", R"(
       rsqrt.approx{.ftz}.f32  d, a;
       rsqrt.approx.f64        d, a;
       PTX 1.4;  PTX 1.4, sm_13: .f64;)",
     [](const Form& f, const Operands& x) -> Bits { return approximate_reciprocal_square_root(f, x.a); }},

    {"9.7.3.17", R"(
       rsqrt.approx.ftz.f64  d, a;
       PTX 4.0, sm_20;)",
     [](const Form& f, const Operands& x) -> Bits {
       return approximate_upper_half(f, Approximation::reciprocal_square_root, x.a);
     }},

    {"9.7.3.18", R"(
       sin.approx{.ftz}.f32  d, a;
       PTX 1.4;)",
     [](const Form& f, const Operands& x) -> Bits { return approximate_sine(f, x.a); }},

    {"9.7.3.19", R"(
       cos.approx{.ftz}.f32  d, a;
       PTX 1.4;)",
     [](const Form& f, const Operands& x) -> Bits { return approximate_cosine(f, x.a); }},

    {"9.7.3.20", R"(
       lg2.approx{.ftz}.f32  d, a;
       PTX 1.4;)",
     [](const Form& f, const Operands& x) -> Bits { return approximate_logarithm(f, x.a); }},

    {"9.7.3.21", R"(
       ex2.approx{.ftz}.f32  d, a;
       PTX 1.4;)",
     [](const Form& f, const Operands& x) -> Bits { return approximate_exponential(f, x.a); }},

    {"9.7.3.22", R"(
       tanh.approx.f32  d, a;
       PTX 7.0, sm_75;)",
     [](const Form& f, const Operands& x) -> Bits { return approximate_hyperbolic_tangent(f, x.a); }},
};

}  // namespace

std::span<const Definition> floating_point() { return definitions_of_floating_point; }

}  // namespace ptxmc
