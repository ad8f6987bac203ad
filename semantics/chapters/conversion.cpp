// PTX ISA 8.7 § 9.7.9.21 and § 9.7.9.22: cvt and cvt.pack.
#include "semantics/chapters/float_form.hpp"
#include "semantics/language/chapters.hpp"
#include "semantics/values/arithmetic.hpp"
#include "semantics/values/float_rounding.hpp"

namespace ptxmc {

namespace {

/// One more bit than the widest integer type, and one for the sign.
constexpr unsigned wide = 66;

Bits widen(const Bits& value, const Type& type) {
  return type.is_signed() ? value.sign_extend(wide) : value.zero_extend(wide);
}

/// Clamps to MININT..MAXINT of the destination type.
Bits saturate(const Bits& value, const Type& type) {
  const Bits highest(wide, (u128{1} << (type.is_signed() ? type.width - 1 : type.width)) - 1);
  const Bits lowest = type.is_signed() ? ~highest : Bits(wide, 0);
  return minimum(maximum(value, lowest, true), highest, true);
}

/// § 9.7.9.22: a above b, each clamped to .convertType.
Bits pack(const Form& form, const Operands& x) {
  const Type type = form.type(".convertType");
  const auto convert = [&](const Bits& value) {
    return saturate(value.sign_extend(wide), type).extract(0, type.width);
  };
  return concat(convert(x.a), convert(x.b));
}

/// Rounding to an integer that stays a floating-point number: .rni .rzi .rmi .rpi.
bool has_integer_rounding(const Form& form) {
  return form.has(".rni") || form.has(".rzi") || form.has(".rmi") || form.has(".rpi");
}

Bits float_to_float(const Form& form, FloatFormat to, FloatFormat from, const Bits& a) {
  const Bits number = has_integer_rounding(form) ? float_round_to_integral(from, rounding_of(form), a)
                      : to == from               ? a
                                                 : float_convert(to, from, rounding_of(form), a);
  return ite(is_nan(from, a), canonical_nan(to), number);
}

/// § 9.7.9.21: between the formats of IEEE 754 and integers, one number.
Bits convert(const Form& form, const Type& to, const Type& from, const Bits& a) {
  const Rounding rounding = rounding_of(form);
  const bool flushes_operand = form.has(".ftz") && from.format == FloatFormat::f32;
  const Bits x = flushes_operand ? flush_subnormal(*from.format, a) : a;
  if (!to.format)
    return to.is_signed() ? float_to_signed(to.width, *from.format, rounding, x)
                          : float_to_unsigned(to.width, *from.format, rounding, x);
  Bits result = from.format        ? float_to_float(form, *to.format, *from.format, x)
                : from.is_signed() ? float_from_signed(*to.format, rounding, x)
                                   : float_from_unsigned(*to.format, rounding, x);
  if (form.has(".ftz") && to.format == FloatFormat::f32) result = flush_subnormal(*to.format, result);
  if (form.has(".sat")) result = saturate_to_unit(*to.format, result);
  if (form.has(".satfinite")) result = clamp_infinity(*to.format, result);
  return form.has(".relu") ? clamp_negative(*to.format, result) : result;
}

/// Packs two or more numbers of `width` bits, the first in the highest bits.
Bits pack_elements(unsigned width, std::initializer_list<Bits> elements) {
  Bits packed;
  for (const Bits& element : elements) {
    const Bits padded = element.zero_extend(width);
    packed = packed.width() == 0 ? padded : concat(packed, padded);
  }
  return packed;
}

/// Converts to a format of at most 8 bits, or with random bits, including .relu: a negative number gives 0
/// whether .relu is applied before or after rounding.
Bits round_element(const Form& form, FloatFormat to, FloatFormat from, const RandomBits& random,
                   const Bits& a) {
  const Bits x = form.has(".relu") ? clamp_negative(from, a) : a;
  return round_to_format(to, from, rounding_of(form), random, form.has(".satfinite"), x);
}

/// The manual does not define .rna of a NaN without .satfinite. As in NVIDIA's assembler, its low bits are
/// cut off, even if no other fraction bits remain.
Bits round_to_tf32(const Form& form, const Bits& a) {
  const Bits rounded = round_element(form, FloatFormat::tf32, FloatFormat::f32, {}, a);
  if (!form.has(".rna") || form.has(".satfinite")) return rounded;
  const Bits kept_digits(32, 0xffffe000);
  return ite(is_nan(FloatFormat::f32, a), a & kept_digits, rounded);
}

Bits round_pair(const Form& form, const Operands& x) {
  const Type& to = form.operands[0].type;
  const FloatFormat from = form.operands[1].type.format.value();
  const auto round = [&](const Bits& a) { return round_element(form, *to.format, from, {}, a); };
  const unsigned width = to.width / to.elements;
  if (x.b.width() != 0) return pack_elements(width, {round(x.a), round(x.b)});
  return pack_elements(width, {round(high_half(x.a)), round(low_half(x.a))});
}

Bits round_pair_to_scales(const Form& form, const Operands& x) {
  const FloatFormat from = form.operands[1].type.format.value();
  const auto round = [&](const Bits& a) {
    return round_to_scale(from, rounding_of(form), form.has(".satfinite"), a);
  };
  return x.b.width() != 0 ? concat(round(x.a), round(x.b))
                          : concat(round(high_half(x.a)), round(low_half(x.a)));
}

Bits widen_pair(const Form& form, const Bits& a) {
  const FloatFormat from = form.operands[1].type.format.value();
  const auto widen = [&](const Bits& half) {
    const Bits number = widen_to_f16(from, half.extract(0, layout_of(from).width));
    return form.has(".relu") ? clamp_negative(FloatFormat::f16, number) : number;
  };
  return concat(widen(high_half(a)), widen(low_half(a)));
}

/// .rs, figures 37 to 40: a uses the random bits of the upper half of rbits, b those of the lower half; for
/// .f16 only the lower 13 of 16 bits are used.
Bits round_pair_randomly(const Form& form, const Operands& x) {
  const FloatFormat to = form.operands[0].type.format.value();
  const unsigned count = to == FloatFormat::f16 ? 13 : 16;
  const auto round = [&](const Bits& a, unsigned low) {
    return round_element(form, to, FloatFormat::f32, x["rbits"].extract(low, count), a);
  };
  return concat(round(x.a, 16), round(x.b, 0));
}

/// .rs of four numbers: a and b share random bits of the upper half of rbits, e and f of the lower. To .e2m1
/// a and b take the upper 8 bits of the halves, e and f the lower: a and e those of the upper half.
Bits round_four_randomly(const Form& form, const Operands& x) {
  const Type& to = form.operands[0].type;
  const Bits& random = x["rbits"];
  const auto round = [&](unsigned i, unsigned low, unsigned count) {
    return round_element(form, *to.format, FloatFormat::f32, random.extract(low, count), x.elements[i]);
  };
  const unsigned width = to.width / to.elements;
  if (*to.format == FloatFormat::e2m1)
    return pack_elements(width, {round(0, 24, 8), round(1, 8, 8), round(2, 16, 8), round(3, 0, 8)});
  return pack_elements(width, {round(0, 16, 16), round(1, 16, 16), round(2, 0, 16), round(3, 0, 16)});
}

constexpr Definition definitions_of_conversion[] = {
    // .sat is illegal where the destination type has every value of the source type.
    {"9.7.9.21", R"(
       cvt.dtype.atype  d, a;
       cvt.sat.u8.not_u8    d, a;
       cvt.sat.u16.not_u16  d, a;
       cvt.sat.u32.not_u32  d, a;
       cvt.sat.u64.not_u64  d, a;
       cvt.sat.s8.not_s8    d, a;
       cvt.sat.s16.not_s16  d, a;
       cvt.sat.s32.not_s32  d, a;
       cvt.sat.s64.not_s64  d, a;
       .dtype = .atype = { .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64 };
       .not_u8  = { .s8, .u16, .s16, .u32, .s32, .u64, .s64 };
       .not_u16 = { .s8, .s16, .u32, .s32, .u64, .s64 };
       .not_u32 = { .s8, .s16, .s32, .u64, .s64 };
       .not_u64 = { .s8, .s16, .s32, .s64 };
       .not_s8  = { .u8, .u16, .s16, .u32, .s32, .u64, .s64 };
       .not_s16 = { .u16, .u32, .s32, .u64, .s64 };
       .not_s32 = { .u32, .u64, .s64 };
       .not_s64 = { .u64 };
       PTX 1.0;)",
     [](const Form& f, const Operands& x) -> Bits {
       const Type to = f.operands[0].type;
       const Bits value = widen(x.a, f.operands[1].type);
       return (f.has(".sat") ? saturate(value, to) : value).extract(0, to.width);
     }},

    // Rounding is required where precision is lost, and illegal elsewhere.
    {"9.7.9.21", R"(
       cvt.frnd{.sat}.f16.itype        d, a;
       cvt.frnd{.ftz}{.sat}.f32.itype  d, a;
       cvt.frnd{.sat}.f64.itype        d, a;
       cvt.irnd{.sat}.itype.f16        d, a;
       cvt.irnd{.ftz}{.sat}.itype.f32  d, a;
       cvt.irnd{.sat}.itype.f64        d, a;
       cvt.irnd{.sat}.f16.f16          d, a;
       cvt.irnd{.ftz}{.sat}.f32.f32    d, a;
       cvt.irnd{.sat}.f64.f64          d, a;
       cvt{.sat}.f16.f16               d, a;
       cvt{.ftz}{.sat}.f32.f32         d, a;
       cvt{.sat}.f64.f64               d, a;
       cvt{.ftz}{.sat}.f32.f16         d, a;
       cvt{.sat}.f64.f16               d, a;
       cvt{.ftz}{.sat}.f64.f32         d, a;
       cvt.frnd{.ftz}{.sat}.f16.f32    d, a;
       cvt.frnd{.sat}.f16.f64          d, a;
       cvt.frnd{.ftz}{.sat}.f32.f64    d, a;
       .itype = { .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64 };
       .irnd = { .rni, .rzi, .rmi, .rpi };
       .frnd = { .rn, .rz, .rm, .rp };
       PTX 1.0;  PTX 1.0, sm_13: .f64;)",
     [](const Form& f, const Operands& x) -> Bits {
       return convert(f, f.operands[0].type, f.operands[1].type, x.a);
     }},

    {"9.7.9.21", R"(
       cvt.frnd.bf16.itype  d, a;
       cvt.irnd.itype.bf16  d, a;
       cvt.irnd.bf16.bf16   d, a;
       cvt.bf16.bf16        d, a;
       cvt.f64.bf16         d, a;
       cvt.frnd.bf16.f64    d, a;
       cvt{.frnd}.bf16.f16  d, a;
       cvt{.frnd}.f16.bf16  d, a;
       .itype = { .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64 };
       .irnd = { .rni, .rzi, .rmi, .rpi };
       .frnd = { .rn, .rz, .rm, .rp };
       PTX 7.8, sm_90;)",
     [](const Form& f, const Operands& x) -> Bits {
       return convert(f, f.operands[0].type, f.operands[1].type, x.a);
     }},

    {"9.7.9.21", R"(
       cvt{.ftz}.f32.bf16                         d, a;
       cvt.frnd{.ftz}.bf16.f32                    d, a;
       cvt.frnd2.relu{.satfinite}.bf16.f32        d, a;
       cvt.frnd2.satfinite.bf16.f32               d, a;
       cvt.frnd2.relu{.satfinite}.f16.f32         d, a;
       cvt.frnd2.satfinite.f16.f32                d, a;
       .frnd = { .rn, .rz, .rm, .rp };
       .frnd2 = { .rn, .rz };
       PTX 7.0, sm_80;  PTX 8.1, sm_80: .satfinite;)",
     [](const Form& f, const Operands& x) -> Bits {
       return convert(f, f.operands[0].type, f.operands[1].type, x.a);
     }},

    {"9.7.9.21", R"(
       cvt.frnd2{.relu}{.satfinite}.f16x2.f32   d, a, b;
       cvt.frnd2{.relu}{.satfinite}.bf16x2.f32  d, a, b;
       .frnd2 = { .rn, .rz };
       PTX 7.0, sm_80;  PTX 8.1, sm_80: .satfinite;)",
     [](const Form& f, const Operands& x) -> Bits {
       const Type to = element_type(f.operands[0].type), from = f.operands[1].type;
       return concat(convert(f, to, from, x.a), convert(f, to, from, x.b));
     }},

    {"9.7.9.21", R"(
       cvt.rna{.satfinite}.tf32.f32           d, a;
       cvt.frnd2{.satfinite}{.relu}.tf32.f32  d, a;
       .frnd2 = { .rn, .rz };
       d : .b32;
       PTX 7.0, sm_80: .rna;  PTX 7.8, sm_90: .rn, .rz;  PTX 8.1, sm_80: .rna.satfinite;
       PTX 8.6, sm_100: .rn.satfinite, .rz.satfinite;)",
     [](const Form& f, const Operands& x) -> Bits { return round_to_tf32(f, x.a); }},

    {"9.7.9.21", R"(
       cvt.rn.satfinite{.relu}.f8x2type.f32    d, a, b;
       cvt.rn.satfinite{.relu}.f8x2type.f16x2  d, a;
       .f8x2type = { .e4m3x2, .e5m2x2 };
       PTX 7.8, sm_90, sm_89 since PTX 8.1;)",
     [](const Form& f, const Operands& x) -> Bits { return round_pair(f, x); }},

    {"9.7.9.21", R"(
       cvt.rn{.relu}.f16x2.f8x2type  d, a;
       .f8x2type = { .e4m3x2, .e5m2x2 };
       PTX 7.8, sm_90, sm_89 since PTX 8.1;)",
     [](const Form& f, const Operands& x) -> Bits { return widen_pair(f, x.a); }},

    {"9.7.9.21", R"(
       cvt.rn.satfinite{.relu}.f4x2type.f32  d, a, b;
       cvt.rn.satfinite{.relu}.f6x2type.f32  d, a, b;
       .f4x2type = { .e2m1x2 };
       .f6x2type = { .e2m3x2, .e3m2x2 };
       PTX 8.6, sm_100a, sm_101a, sm_120a;)",
     [](const Form& f, const Operands& x) -> Bits { return round_pair(f, x); }},

    {"9.7.9.21", R"(
       cvt.rn{.relu}.f16x2.f4x2type  d, a;
       cvt.rn{.relu}.f16x2.f6x2type  d, a;
       .f4x2type = { .e2m1x2 };
       .f6x2type = { .e2m3x2, .e3m2x2 };
       PTX 8.6, sm_100a, sm_101a, sm_120a;)",
     [](const Form& f, const Operands& x) -> Bits { return widen_pair(f, x.a); }},

    {"9.7.9.21", R"(
       cvt.frnd3{.satfinite}.ue8m0x2.f32     d, a, b;
       cvt.frnd3{.satfinite}.ue8m0x2.bf16x2  d, a;
       .frnd3 = { .rz, .rp };
       PTX 8.6, sm_100a, sm_101a, sm_120a;)",
     [](const Form& f, const Operands& x) -> Bits { return round_pair_to_scales(f, x); }},

    {"9.7.9.21", R"(
       cvt.rn.bf16x2.ue8m0x2  d, a;
       PTX 8.6, sm_100a, sm_101a, sm_120a;)",
     [](const Form&, const Operands& x) -> Bits {
       return concat(widen_scale_to_bf16(high_half(x.a)), widen_scale_to_bf16(low_half(x.a)));
     }},

    {"9.7.9.21", R"(
       cvt.rs{.relu}{.satfinite}.f16x2.f32   d, a, b, rbits;
       cvt.rs{.relu}{.satfinite}.bf16x2.f32  d, a, b, rbits;
       rbits : .b32;
       PTX 8.7, sm_100a;)",
     [](const Form& f, const Operands& x) -> Bits { return round_pair_randomly(f, x); }},

    {"9.7.9.21", R"(
       cvt.rs{.relu}.satfinite.f8x4type.f32  d, {a, b, e, f}, rbits;
       cvt.rs{.relu}.satfinite.f4x4type.f32  d, {a, b, e, f}, rbits;
       cvt.rs{.relu}.satfinite.f6x4type.f32  d, {a, b, e, f}, rbits;
       .f4x4type = { .e2m1x4 };
       .f8x4type = { .e4m3x4, .e5m2x4 };
       .f6x4type = { .e2m3x4, .e3m2x4 };
       rbits : .b32;
       PTX 8.7, sm_100a;)",
     [](const Form& f, const Operands& x) -> Bits { return round_four_randomly(f, x); }},

    // The elements of d below the two new ones are those of c.
    {"9.7.9.22", R"(
       cvt.pack.sat.convertType.abType  d, a, b;
       .convertType = { .u16, .s16 };
       .abType = { .s32 };
       d : .b32;  a, b : .abType;
       PTX 6.5, sm_72;)",
     [](const Form& f, const Operands& x) -> Bits { return pack(f, x); }},

    {"9.7.9.22", R"(
       cvt.pack.sat.convertType.abType.cType  d, a, b, c;
       .convertType = { .u2, .s2, .u4, .s4, .u8, .s8 };
       .abType = { .s32 };
       .cType = { .b32 };
       d, c : .cType;  a, b : .abType;
       PTX 6.5, sm_72;  PTX 6.5, sm_75: .u2, .s2, .u4, .s4;)",
     [](const Form& f, const Operands& x) -> Bits {
       const Bits pair = pack(f, x);
       const unsigned kept = 32 - pair.width();
       return concat(x.c.extract(0, kept), pair);
     }},
};

}  // namespace

std::span<const Definition> conversion() { return definitions_of_conversion; }

}  // namespace ptxmc
