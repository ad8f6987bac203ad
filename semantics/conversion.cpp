// PTX ISA 8.7 § 9.7.9.21 and § 9.7.9.22: cvt and cvt.pack.
#include "semantics/arithmetic.hpp"
#include "semantics/chapters.hpp"

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

constexpr Definition definitions[] = {
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
       PTX 1.0;  PTX 1.0, sm_13: .f64;)"},

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
       PTX 7.8, sm_90;)"},

    {"9.7.9.21", R"(
       cvt{.ftz}.f32.bf16                         d, a;
       cvt.frnd{.ftz}.bf16.f32                    d, a;
       cvt.frnd2.relu{.satfinite}.bf16.f32        d, a;
       cvt.frnd2.satfinite.bf16.f32               d, a;
       cvt.frnd2.relu{.satfinite}.f16.f32         d, a;
       cvt.frnd2.satfinite.f16.f32                d, a;
       cvt.frnd2{.relu}{.satfinite}.f16x2.f32     d, a, b;
       cvt.frnd2{.relu}{.satfinite}.bf16x2.f32    d, a, b;
       .frnd = { .rn, .rz, .rm, .rp };
       .frnd2 = { .rn, .rz };
       PTX 7.0, sm_80;  PTX 7.8, sm_90: .rm.bf16.f32, .rp.bf16.f32;  PTX 8.1, sm_80: .satfinite;)"},

    {"9.7.9.21", R"(
       cvt.rna{.satfinite}.tf32.f32           d, a;
       cvt.frnd2{.satfinite}{.relu}.tf32.f32  d, a;
       .frnd2 = { .rn, .rz };
       d : .b32;
       PTX 7.0, sm_80: .rna;  PTX 7.8, sm_90: .rn, .rz;  PTX 8.1, sm_80: .rna.satfinite;
       PTX 8.6, sm_100: .rn.satfinite, .rz.satfinite;)"},

    {"9.7.9.21", R"(
       cvt.rn.satfinite{.relu}.f8x2type.f32    d, a, b;
       cvt.rn.satfinite{.relu}.f8x2type.f16x2  d, a;
       cvt.rn{.relu}.f16x2.f8x2type            d, a;
       .f8x2type = { .e4m3x2, .e5m2x2 };
       PTX 8.1, sm_89;)"},

    {"9.7.9.21", R"(
       cvt.rn.satfinite{.relu}.f4x2type.f32  d, a, b;
       cvt.rn{.relu}.f16x2.f4x2type          d, a;
       cvt.rn.satfinite{.relu}.f6x2type.f32  d, a, b;
       cvt.rn{.relu}.f16x2.f6x2type          d, a;
       cvt.frnd3{.satfinite}.ue8m0x2.f32     d, a, b;
       cvt.frnd3{.satfinite}.ue8m0x2.bf16x2  d, a;
       cvt.rn.bf16x2.ue8m0x2                 d, a;
       .frnd3 = { .rz, .rp };
       .f4x2type = { .e2m1x2 };
       .f6x2type = { .e2m3x2, .e3m2x2 };
       PTX 8.6, sm_100a, sm_101a, sm_120a;)"},

    {"9.7.9.21", R"(
       cvt.rs{.relu}{.satfinite}.f16x2.f32     d, a, b, rbits;
       cvt.rs{.relu}{.satfinite}.bf16x2.f32    d, a, b, rbits;
       cvt.rs{.relu}.satfinite.f8x4type.f32    d, {a, b, e, f}, rbits;
       cvt.rs{.relu}.satfinite.f4x4type.f32    d, {a, b, e, f}, rbits;
       cvt.rs{.relu}.satfinite.f6x4type.f32    d, {a, b, e, f}, rbits;
       .f4x4type = { .e2m1x4 };
       .f8x4type = { .e4m3x4, .e5m2x4 };
       .f6x4type = { .e2m3x4, .e3m2x4 };
       rbits : .b32;
       PTX 8.7, sm_100a;)"},

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

std::span<const Definition> conversion() { return definitions; }

}  // namespace ptxmc
