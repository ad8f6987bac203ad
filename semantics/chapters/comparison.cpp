// PTX ISA 8.7 § 9.7.6: comparison and selection instructions.
#include "semantics/chapters/comparison.hpp"

#include "semantics/chapters/float_form.hpp"
#include "semantics/language/chapters.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

/// § 9.3.1.1: integer comparison; `lo ls hi hs` are the unsigned names of `lt le gt ge`.
Bits integer_compare(const Form& form, const Bits& a, const Bits& b, bool is_signed) {
  if (form.has(".eq")) return equal(a, b);
  if (form.has(".ne")) return ~equal(a, b);
  if (form.has(".lt") || form.has(".lo")) return less(a, b, is_signed);
  if (form.has(".le") || form.has(".ls")) return ~less(b, a, is_signed);
  if (form.has(".gt") || form.has(".hi")) return less(b, a, is_signed);
  return ~less(a, b, is_signed);
}

/// c >= 0, as in IEEE 754: −0 is not less than 0, and NaN compares false. With .ftz a subnormal c is −0 or
/// +0.
Bits at_least_zero(const Form& form, const Bits& c) {
  const Bits magnitude = c & Bits(32, 0x7fffffff);
  const Bits flushed_to_zero(32, form.has(".ftz") ? 0x007fffff : 0);
  const Bits is_zero = less_equal_unsigned(magnitude, flushed_to_zero);
  const Bits is_number = less_equal_unsigned(magnitude, Bits(32, 0x7f800000));
  return is_number & (is_zero | ~c.bit(31));
}

}  // namespace

const Type& compared_type(const Form& form) {
  for (const FormOperand& operand : form.operands)
    if (operand.place == FormOperand::Place::a) return operand.type;
  fail_check("a comparison without operands");
}

Bits compare(const Form& form, const Type& type, const Bits& a, const Bits& b) {
  if (!type.format) return integer_compare(form, a, b, type.is_signed());
  const auto operand = [&](const Bits& x) { return form.has(".ftz") ? flush_subnormal(*type.format, x) : x; };
  return float_compare(form, *type.format, operand(a), operand(b));
}

Bits combine(const Form& form, const Bits& t, const Bits& c) {
  if (form.has(".and")) return t & c;
  if (form.has(".or")) return t | c;
  return form.has(".xor") ? t ^ c : t;
}

Bits truth_value(const Type& type, const Bits& t) {
  const Bits yes = type.format ? one(*type.format) : Bits(type.width, ~u128{0});
  return ite(t, yes, Bits(yes.width(), 0));
}

namespace {

Bits set(const Form& form, const Operands& x) {
  const Bits t = compare(form, compared_type(form), x.a, x.b);
  return truth_value(form.operands[0].type, combine(form, t, x.c));
}

Results set_predicates(const Form& form, const Operands& x) {
  const Bits t = compare(form, compared_type(form), x.a, x.b);
  const Bits p = combine(form, t, x.c);
  return form.operands[1].is_destination ? Results{p, combine(form, ~t, x.c)} : Results{p};
}

constexpr Definition definitions_of_comparison_and_selection[] = {
    {"9.7.6.1", R"(
       set.IntegerOp.dtype.stype  d, a, b;
       set.UnsignedOp.dtype.utype  d, a, b;
       set.EqualityOp.dtype.btype  d, a, b;
       set.IntegerOp.BoolOp.dtype.stype  d, a, b, {!}c;
       set.UnsignedOp.BoolOp.dtype.utype  d, a, b, {!}c;
       set.EqualityOp.BoolOp.dtype.btype  d, a, b, {!}c;
       .EqualityOp = { eq, ne };
       .IntegerOp = { eq, ne, lt, le, gt, ge };
       .UnsignedOp = { lo, ls, hi, hs };
       .BoolOp = { and, or, xor };
       .dtype = { .u32, .s32, .f32 };
       .stype = { .u16, .u32, .u64, .s16, .s32, .s64 };
       .utype = { .u16, .u32, .u64 };
       .btype = { .b16, .b32, .b64 };
       a, b : .stype;  a, b : .utype;  a, b : .btype;
       PTX 1.0;)",
     [](const Form& f, const Operands& x) -> Bits { return set(f, x); }},

    {"9.7.6.1", R"(
       set.CmpOp{.ftz}.dtype.f32  d, a, b;
       set.CmpOp.dtype.f64  d, a, b;
       set.CmpOp.BoolOp{.ftz}.dtype.f32  d, a, b, {!}c;
       set.CmpOp.BoolOp.dtype.f64  d, a, b, {!}c;
       .CmpOp = { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
       .BoolOp = { and, or, xor };
       .dtype = { .u32, .s32, .f32 };
       PTX 1.0;)",
     [](const Form& f, const Operands& x) -> Bits { return set(f, x); }},

    {"9.7.6.2", R"(
       setp.IntegerOp.type  p[|q], a, b;
       setp.UnsignedOp.utype  p[|q], a, b;
       setp.EqualityOp.btype  p[|q], a, b;
       setp.IntegerOp.BoolOp.type  p[|q], a, b, {!}c;
       setp.UnsignedOp.BoolOp.utype  p[|q], a, b, {!}c;
       setp.EqualityOp.BoolOp.btype  p[|q], a, b, {!}c;
       .EqualityOp = { eq, ne };
       .IntegerOp = { eq, ne, lt, le, gt, ge };
       .UnsignedOp = { lo, ls, hi, hs };
       .BoolOp = { and, or, xor };
       .type = { .u16, .u32, .u64, .s16, .s32, .s64 };
       .utype = { .u16, .u32, .u64 };
       .btype = { .b16, .b32, .b64 };
       a, b : .utype;  a, b : .btype;
       p, q or _;
       PTX 1.0;)",
     [](const Form& f, const Operands& x) -> Results { return set_predicates(f, x); }},

    {"9.7.6.2", R"(
       setp.CmpOp{.ftz}.f32  p[|q], a, b;
       setp.CmpOp.f64  p[|q], a, b;
       setp.CmpOp.BoolOp{.ftz}.f32  p[|q], a, b, {!}c;
       setp.CmpOp.BoolOp.f64  p[|q], a, b, {!}c;
       .CmpOp = { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
       .BoolOp = { and, or, xor };
       p, q or _;
       PTX 1.0;  PTX 1.0, sm_13: .f64;)",
     [](const Form& f, const Operands& x) -> Results { return set_predicates(f, x); }},

    {"9.7.6.3", R"(
       selp.type  d, a, b, c;
       .type = { .b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64 };
       c : .pred;
       PTX 1.0;  PTX 1.0, sm_13: .f64;)",
     [](const Form&, const Operands& x) -> Bits { return ite(x.c, x.a, x.b); }},

    {"9.7.6.4", R"(
       slct.dtype.s32  d, a, b, c;
       slct{.ftz}.dtype.f32  d, a, b, c;
       .dtype = { .b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64 };
       a, b : .dtype;
       PTX 1.0;  PTX 1.0, sm_13: .f64;)",
     [](const Form& f, const Operands& x) -> Bits {
       const bool by_integer = f.line->modifiers.back().choices[0][0] == Modifier(".s32");
       return ite(by_integer ? ~x.c.bit(31) : at_least_zero(f, x.c), x.a, x.b);
     }},
};

}  // namespace

std::span<const Definition> comparison_and_selection() { return definitions_of_comparison_and_selection; }

}  // namespace ptxmc
