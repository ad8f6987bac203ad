// PTX ISA 8.7 § 9.7.7: half-precision comparison instructions.
#include "semantics/chapters/comparison.hpp"
#include "semantics/chapters/float_form.hpp"
#include "semantics/language/chapters.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

Bits set_halves(const Form& form, const Operands& x) {
  const Type& type = compared_type(form);
  const Type& result = form.operands[0].type;
  if (type.elements == 1) return truth_value(result, combine(form, compare(form, type, x.a, x.b), x.c));
  const Type half = result.format ? element_type(result) : Type{Type::Kind::unsigned_integer, 16};
  return by_halves(x.a, x.b, [&](const Bits& a, const Bits& b) {
    return truth_value(half, combine(form, compare(form, element_type(type), a, b), x.c));
  });
}

/// p is the result of the lower half, q that of the upper.
Results set_predicates_of_halves(const Form& form, const Operands& x) {
  const Type& type = compared_type(form);
  if (type.elements == 1) return {combine(form, compare(form, type, x.a, x.b), x.c)};
  const auto result = [&](auto half_of) {
    return combine(form, compare(form, element_type(type), half_of(x.a), half_of(x.b)), x.c);
  };
  return {result(low_half), result(high_half)};
}

constexpr Definition definitions_of_half_precision_comparison[] = {
    {"9.7.7.1", R"(
       set.CmpOp{.ftz}.f16.ftype       d, a, b;
       set.CmpOp.f16.f64               d, a, b;
       set.IntegerOp.f16.itype         d, a, b;
       set.EqualityOp.f16.btype        d, a, b;
       set.CmpOp.BoolOp{.ftz}.f16.ftype  d, a, b, {!}c;
       set.CmpOp.BoolOp.f16.f64          d, a, b, {!}c;
       set.IntegerOp.BoolOp.f16.itype    d, a, b, {!}c;
       set.EqualityOp.BoolOp.f16.btype   d, a, b, {!}c;
       .ftype = { .f16, .f32 };
       .itype = { .u16, .u32, .u64, .s16, .s32, .s64 };
       .btype = { .b16, .b32, .b64 };
       .EqualityOp = { eq, ne };  .IntegerOp = { eq, ne, lt, le, gt, ge };
       .CmpOp = { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
       .BoolOp = { and, or, xor };
       a, b : .ftype;  a, b : .itype;  a, b : .btype;
       PTX 4.2, sm_53;)",
     [](const Form& f, const Operands& x) -> Bits { return set_halves(f, x); }},

    {"9.7.7.1", R"(
       set.CmpOp.bf16.ftype       d, a, b;
       set.IntegerOp.bf16.itype   d, a, b;
       set.EqualityOp.bf16.btype  d, a, b;
       set.CmpOp.BoolOp.bf16.ftype       d, a, b, {!}c;
       set.IntegerOp.BoolOp.bf16.itype   d, a, b, {!}c;
       set.EqualityOp.BoolOp.bf16.btype  d, a, b, {!}c;
       .ftype = { .f16, .f32, .f64 };
       .itype = { .u16, .u32, .u64, .s16, .s32, .s64 };
       .btype = { .b16, .b32, .b64 };
       .EqualityOp = { eq, ne };  .IntegerOp = { eq, ne, lt, le, gt, ge };
       .CmpOp = { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
       .BoolOp = { and, or, xor };
       a, b : .ftype;  a, b : .itype;  a, b : .btype;
       PTX 7.8, sm_90;)",
     [](const Form& f, const Operands& x) -> Bits { return set_halves(f, x); }},

    {"9.7.7.1", R"(
       set.CmpOp{.ftz}.dtype.f16  d, a, b;
       set.CmpOp.dtype.bf16       d, a, b;
       set.CmpOp.BoolOp{.ftz}.dtype.f16  d, a, b, {!}c;
       set.CmpOp.BoolOp.dtype.bf16       d, a, b, {!}c;
       .dtype = { .u16, .s16, .u32, .s32 };
       .CmpOp = { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
       .BoolOp = { and, or, xor };
       PTX 6.5, sm_53;  PTX 7.8, sm_90: .bf16;)",
     [](const Form& f, const Operands& x) -> Bits { return set_halves(f, x); }},

    {"9.7.7.1", R"(
       set.CmpOp{.ftz}.dtype.f16x2  d, a, b;
       set.CmpOp.BoolOp{.ftz}.dtype.f16x2  d, a, b, {!}c;
       .dtype = { .f16x2, .u32, .s32 };
       .CmpOp = { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
       .BoolOp = { and, or, xor };
       PTX 4.2, sm_53;  PTX 6.5, sm_53: .u32, .s32;)",
     [](const Form& f, const Operands& x) -> Bits { return set_halves(f, x); }},

    {"9.7.7.1", R"(
       set.CmpOp.dtype.bf16x2         d, a, b;
       set.CmpOp.BoolOp.dtype.bf16x2  d, a, b, {!}c;
       .dtype = { .bf16x2, .u32, .s32 };
       .CmpOp = { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
       .BoolOp = { and, or, xor };
       PTX 7.8, sm_90;)",
     [](const Form& f, const Operands& x) -> Bits { return set_halves(f, x); }},

    {"9.7.7.2", R"(
       setp.CmpOp{.ftz}.f16           p, a, b;
       setp.CmpOp.BoolOp{.ftz}.f16    p, a, b, {!}c;
       setp.CmpOp{.ftz}.f16x2         p|q, a, b;
       setp.CmpOp.BoolOp{.ftz}.f16x2  p|q, a, b, {!}c;
       setp.CmpOp.bf16                p, a, b;
       setp.CmpOp.BoolOp.bf16         p, a, b, {!}c;
       setp.CmpOp.bf16x2              p|q, a, b;
       setp.CmpOp.BoolOp.bf16x2       p|q, a, b, {!}c;
       .CmpOp = { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
       .BoolOp = { and, or, xor };
       p, q or _;
       PTX 4.2, sm_53;  PTX 7.8, sm_90: .bf16, .bf16x2;)",
     [](const Form& f, const Operands& x) -> Results { return set_predicates_of_halves(f, x); }},
};

}  // namespace

std::span<const Definition> half_precision_comparison() { return definitions_of_half_precision_comparison; }

}  // namespace ptxmc
