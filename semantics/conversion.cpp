// PTX ISA 8.7 § 9.7.9.21: cvt.
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
};

}  // namespace

std::span<const Definition> conversion() { return definitions; }

}  // namespace ptxmc
