// PTX ISA 8.7 § 9.7.4 and § 9.7.5: half-precision and mixed-precision floating-point instructions.
#include "semantics/chapters/float_approximations.hpp"
#include "semantics/chapters/float_form.hpp"
#include "semantics/language/chapters.hpp"

namespace ptxmc {

namespace {

/// § 9.7.4.4, .oob: +0 for an element with an operand that is the NaN of tensor copies (§ 5.5.3.3), all ones
/// but the sign.
Bits zero_out_of_bounds(const Form& form, const Operands& x, const Bits& result) {
  const FloatForm f(form);
  return f.by_elements(
      [&](const Bits& a, const Bits& b, const Bits& c, const Bits& d) {
        const Bits nan = canonical_nan(f.format);
        const Bits is_out = equal(a, nan) | equal(b, nan) | equal(c, nan);
        return ite(is_out, Bits(d.width(), 0), d);
      },
      x.a, x.b, x.c, result);
}

/// § 9.7.5: converts an operand of half precision to single precision.
Bits convert(const Form& form, const Bits& a) {
  return float_convert(FloatFormat::f32, form.operands[1].type.format.value(), Rounding::nearest_even, a);
}

constexpr Definition definitions_of_half_precision[] = {
    {"9.7.4.1", R"(
       add{.rnd}{.ftz}{.sat}.f16    d, a, b;
       add{.rnd}{.ftz}{.sat}.f16x2  d, a, b;
       add{.rnd}.bf16               d, a, b;
       add{.rnd}.bf16x2             d, a, b;
       .rnd = { .rn };
       PTX 4.2, sm_53;  PTX 7.8, sm_90: .bf16, .bf16x2;)",
     [](const Form& f, const Operands& x) -> Bits { return float_sum(f, x.a, x.b); }},

    {"9.7.4.2", R"(
       sub{.rnd}{.ftz}{.sat}.f16    d, a, b;
       sub{.rnd}{.ftz}{.sat}.f16x2  d, a, b;
       sub{.rnd}.bf16               d, a, b;
       sub{.rnd}.bf16x2             d, a, b;
       .rnd = { .rn };
       PTX 4.2, sm_53;  PTX 7.8, sm_90: .bf16, .bf16x2;)",
     [](const Form& f, const Operands& x) -> Bits { return float_difference(f, x.a, x.b); }},

    {"9.7.4.3", R"(
       mul{.rnd}{.ftz}{.sat}.f16    d, a, b;
       mul{.rnd}{.ftz}{.sat}.f16x2  d, a, b;
       mul{.rnd}.bf16               d, a, b;
       mul{.rnd}.bf16x2             d, a, b;
       .rnd = { .rn };
       PTX 4.2, sm_53;  PTX 7.8, sm_90: .bf16, .bf16x2;)",
     [](const Form& f, const Operands& x) -> Bits { return float_product(f, x.a, x.b); }},

    {"9.7.4.4", R"(
       fma.rnd{.ftz}{.sat}.f16     d, a, b, c;
       fma.rnd{.ftz}{.sat}.f16x2   d, a, b, c;
       fma.rnd{.ftz}.relu.f16      d, a, b, c;
       fma.rnd{.ftz}.relu.f16x2    d, a, b, c;
       fma.rnd{.relu}.bf16         d, a, b, c;
       fma.rnd{.relu}.bf16x2       d, a, b, c;
       fma.rnd.oob{.relu}.type     d, a, b, c;
       .rnd = { .rn };
       .type = { .f16, .f16x2, .bf16, .bf16x2 };
       PTX 4.2, sm_53;  PTX 7.0, sm_80: .relu, .bf16, .bf16x2;  PTX 8.1, sm_90: .oob;)",
     [](const Form& f, const Operands& x) -> Bits {
       const Bits result = float_product_and_sum(f, x.a, x.b, x.c);
       return f.has(".oob") ? zero_out_of_bounds(f, x, result) : result;
     }},

    {"9.7.4.5", R"(
       neg{.ftz}.f16    d, a;
       neg{.ftz}.f16x2  d, a;
       neg.bf16         d, a;
       neg.bf16x2       d, a;
       PTX 6.0, sm_53;  PTX 7.0, sm_80: .bf16, .bf16x2;)",
     [](const Form& f, const Operands& x) -> Bits { return float_negate(f, x.a); }},

    {"9.7.4.6", R"(
       abs{.ftz}.f16    d, a;
       abs{.ftz}.f16x2  d, a;
       abs.bf16         d, a;
       abs.bf16x2       d, a;
       PTX 6.5, sm_53;  PTX 7.0, sm_80: .bf16, .bf16x2;)",
     [](const Form& f, const Operands& x) -> Bits { return float_absolute(f, x.a); }},

    {"9.7.4.7", R"(
       min{.ftz}{.NaN}{.xorsign.abs}.f16    d, a, b;
       min{.ftz}{.NaN}{.xorsign.abs}.f16x2  d, a, b;
       min{.NaN}{.xorsign.abs}.bf16         d, a, b;
       min{.NaN}{.xorsign.abs}.bf16x2       d, a, b;
       PTX 7.0, sm_80;  PTX 7.2, sm_86: .xorsign;)",
     [](const Form& f, const Operands& x) -> Bits { return float_minimum(f, x.a, x.b); }},

    {"9.7.4.8", R"(
       max{.ftz}{.NaN}{.xorsign.abs}.f16    d, a, b;
       max{.ftz}{.NaN}{.xorsign.abs}.f16x2  d, a, b;
       max{.NaN}{.xorsign.abs}.bf16         d, a, b;
       max{.NaN}{.xorsign.abs}.bf16x2       d, a, b;
       PTX 7.0, sm_80;  PTX 7.2, sm_86: .xorsign;)",
     [](const Form& f, const Operands& x) -> Bits { return float_maximum(f, x.a, x.b); }},

    {"9.7.4.9", R"(
       tanh.approx.type  d, a;
       .type = { .f16, .f16x2, .bf16, .bf16x2 };
       PTX 7.0, sm_75;  PTX 7.8, sm_90: .bf16, .bf16x2;)",
     [](const Form& f, const Operands& x) -> Bits { return approximate_hyperbolic_tangent(f, x.a); }},

    {"9.7.4.10", R"(
       ex2.approx.atype      d, a;
       ex2.approx.ftz.btype  d, a;
       .atype = { .f16, .f16x2 };
       .btype = { .bf16, .bf16x2 };
       PTX 7.0, sm_75;  PTX 7.8, sm_90: .bf16, .bf16x2;)",
     [](const Form& f, const Operands& x) -> Bits { return approximate_exponential(f, x.a); }},

    {"9.7.5.1", R"(
       add{.rnd}{.sat}.f32.atype  d, a, c;
       .atype = { .f16, .bf16 };
       .rnd = { .rn, .rz, .rm, .rp };
       c : .f32;
       PTX 8.6, sm_100;)",
     [](const Form& f, const Operands& x) -> Bits { return float_sum(f, convert(f, x.a), x.c); }},

    {"9.7.5.2", R"(
       sub{.rnd}{.sat}.f32.atype  d, a, c;
       .atype = { .f16, .bf16 };
       .rnd = { .rn, .rz, .rm, .rp };
       c : .f32;
       PTX 8.6, sm_100;)",
     [](const Form& f, const Operands& x) -> Bits { return float_difference(f, convert(f, x.a), x.c); }},

    {"9.7.5.3", R"(
       fma.rnd{.sat}.f32.abtype  d, a, b, c;
       .abtype = { .f16, .bf16 };
       .rnd = { .rn, .rz, .rm, .rp };
       c : .f32;
       PTX 8.6, sm_100;)",
     [](const Form& f, const Operands& x) -> Bits {
       return float_product_and_sum(f, convert(f, x.a), convert(f, x.b), x.c);
     }},
};

}  // namespace

std::span<const Definition> half_precision() { return definitions_of_half_precision; }

}  // namespace ptxmc
