// PTX ISA 8.7 § 9.7.18: video instructions.
#include "semantics/language/chapters.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

/// Wide enough for every intermediate result of a scalar operation: a shift by 32 makes 65 bits of 33.
constexpr unsigned exact_width = 66;
/// Wide enough for every intermediate result of one lane of a SIMD operation.
constexpr unsigned lane_width = 20;

constexpr std::size_t d = 0, a = 1, b = 2;  // indices of operands

Bits extend(const Bits& value, bool is_signed, unsigned width) {
  return is_signed ? value.sign_extend(width) : value.zero_extend(width);
}

/// The number of bits that "b0" or "h1" selects; 32 without a selector.
unsigned selected_width(const std::string& selector) {
  return selector.empty() ? 32 : selector[0] == 'b' ? 8 : 16;
}

unsigned selected_position(const std::string& selector) {
  return selector.empty() ? 0 : static_cast<unsigned>(selector[1] - '0') * selected_width(selector);
}

/// partSelectSignExtend: a byte, half-word or word of a source.
Bits part(const Form& form, std::size_t operand, const Bits& value, bool is_signed) {
  const std::string& selector = form.operands[operand].selector;
  return extend(value.extract(selected_position(selector), selected_width(selector)), is_signed, exact_width);
}

Bits clamp(const Bits& value, unsigned width, bool is_signed) {
  const Bits highest(value.width(), (u128{1} << (is_signed ? width - 1 : width)) - 1);
  const Bits lowest = is_signed ? ~highest : Bits(value.width(), 0);
  return minimum(maximum(value, lowest, true), highest, true);
}

/// optSecOp and optMerge, then the low 32 bits.
Bits finish(const Form& form, const Operands& x, const Bits& result, bool is_signed) {
  const std::string& selector = form.operands[d].selector;
  if (!selector.empty()) {
    const unsigned position = selected_position(selector);
    const Bits mask(32, ((u128{1} << selected_width(selector)) - 1) << position);
    return (shift_left(result.extract(0, 32), Bits(32, position)) & mask) | (x.c & ~mask);
  }
  const auto operation = form[".op2"];
  if (!operation) return result.extract(0, 32);
  const Bits c = extend(x.c, is_signed, exact_width);
  if (*operation == Modifier(".min")) return minimum(result, c, true).extract(0, 32);
  if (*operation == Modifier(".max")) return maximum(result, c, true).extract(0, 32);
  return (result + c).extract(0, 32);
}

Bits saturate_and_finish(const Form& form, const Operands& x, const Bits& result) {
  const bool is_signed = form.type(".dtype").is_signed();
  const unsigned width = selected_width(form.operands[d].selector);
  return finish(form, x, form.has(".sat") ? clamp(result, width, is_signed) : result, is_signed);
}

/// The arithmetic that vadd, vadd2, vadd4 and similar instructions share.
Bits arithmetic(std::string_view opcode, const Bits& ta, const Bits& tb) {
  if (opcode.starts_with("vadd")) return ta + tb;
  if (opcode.starts_with("vsub")) return ta - tb;
  if (opcode.starts_with("vabsdiff")) return absolute(ta - tb);
  if (opcode.starts_with("vmin")) return minimum(ta, tb, true);
  if (opcode.starts_with("vmax")) return maximum(ta, tb, true);
  const Bits sum = ta + tb;  // vavrg: rounds halves up when the sum is not negative
  const Bits one(sum.width(), 1);
  return shift_right_signed(ite(sum.bit(sum.width() - 1), sum, sum + one), one);
}

Bits compare(const Form& form, const Bits& ta, const Bits& tb) {
  if (form.has(".eq")) return equal(ta, tb);
  if (form.has(".ne")) return ~equal(ta, tb);
  if (form.has(".lt")) return less_signed(ta, tb);
  if (form.has(".le")) return less_equal_signed(ta, tb);
  return form.has(".gt") ? less_signed(tb, ta) : less_equal_signed(tb, ta);
}

Bits scalar_arithmetic(const Form& form, const Operands& x) {
  const Bits ta = part(form, a, x.a, form.type(".atype").is_signed());
  const Bits tb = part(form, b, x.b, form.type(".btype").is_signed());
  return saturate_and_finish(form, x, arithmetic(form.line->opcode, ta, tb));
}

Bits scalar_shift(const Form& form, const Operands& x) {
  const bool is_signed = form.type(".atype").is_signed();
  const Bits ta = part(form, a, x.a, is_signed);
  const Bits amount = part(form, b, x.b, false);
  const Bits n =
      form.has(".clamp") ? minimum(amount, Bits(exact_width, 32), false) : amount & Bits(exact_width, 31);
  return saturate_and_finish(form, x,
                             form.line->opcode == "vshl" ? shift_left(ta, n) : shift_right_signed(ta, n));
}

/// § 9.7.18.1.3, in 128 bits.
Bits multiply_add(const Form& form, const Operands& x) {
  const bool a_signed = form.type(".atype").is_signed();
  const bool b_signed = form.type(".btype").is_signed();
  const bool negates_product = form.operands[1].has_minus != form.operands[2].has_minus;
  const bool negates_c = form.operands[3].has_minus;
  const bool is_signed = a_signed || b_signed || negates_product || negates_c;
  const Bits product =
      part(form, a, x.a, a_signed).sign_extend(128) * part(form, b, x.b, b_signed).sign_extend(128);
  Bits sum = negates_product ? -product : product;
  if (negates_c && !negates_product && !form.has(".po")) {
    sum = sum + extend(~x.c, is_signed, 128) + Bits(128, 1);
  } else {
    sum = sum + extend(x.c, is_signed, 128) + Bits(128, form.has(".po") ? 1 : 0);
  }
  const Bits distance(128, form.has(".shr7") ? 7 : form.has(".shr15") ? 15 : 0);
  const Bits result = is_signed ? shift_right_signed(sum, distance) : shift_right_unsigned(sum, distance);
  return (form.has(".sat") ? clamp(result, 32, is_signed) : result).extract(0, 32);
}

Bits scalar_comparison(const Form& form, const Operands& x) {
  const Bits ta = part(form, a, x.a, form.type(".atype").is_signed());
  const Bits tb = part(form, b, x.b, form.type(".btype").is_signed());
  return finish(form, x, compare(form, ta, tb).zero_extend(exact_width), false);
}

/// Lane `lane` of a source: the selector's digits, the last for lane 0, number the parts of [b, a].
Bits lane_of(const Operands& x, const std::string& selector, unsigned lane, unsigned width, bool is_signed) {
  const unsigned part = static_cast<unsigned>(selector[selector.size() - 1 - lane] - '0');
  return extend(concat(x.b, x.a).extract(part * width, width), is_signed, lane_width);
}

std::string or_else(const std::string& selector, const char* otherwise) {
  return selector.empty() ? otherwise : selector;
}

/// A SIMD operation: 2 or 4 lanes, then merged with c or added to it.
template <class Operation>
Bits by_lanes(const Form& form, const Operands& x, unsigned lanes, Operation operation) {
  const unsigned width = 32 / lanes;
  const std::string a_parts = or_else(form.operands[a].selector, lanes == 2 ? "h10" : "b3210");
  const std::string b_parts = or_else(form.operands[b].selector, lanes == 2 ? "h32" : "b7654");
  const std::string mask = or_else(form.operands[d].selector, lanes == 2 ? "h10" : "b3210");
  Bits sum = x.c;
  Bits merged;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const bool is_selected = mask.find(static_cast<char>('0' + lane), 1) != std::string::npos;
    const Bits result = operation(lane_of(x, a_parts, lane, width, form.type(".atype").is_signed()),
                                  lane_of(x, b_parts, lane, width, form.type(".btype").is_signed()));
    if (is_selected) sum = sum + result.sign_extend(32);
    const Bits kept = is_selected ? result.extract(0, width) : x.c.extract(lane * width, width);
    merged = lane == 0 ? kept : concat(kept, merged);
  }
  return form.has(".add") ? sum : merged;
}

Bits simd_arithmetic(const Form& form, const Operands& x, unsigned lanes) {
  return by_lanes(form, x, lanes, [&](const Bits& ta, const Bits& tb) {
    const Bits result = arithmetic(form.line->opcode, ta, tb);
    return form.has(".sat") ? clamp(result, 32 / lanes, form.type(".dtype").is_signed()) : result;
  });
}

Bits simd_comparison(const Form& form, const Operands& x, unsigned lanes) {
  return by_lanes(form, x, lanes, [&](const Bits& ta, const Bits& tb) {
    return compare(form, ta, tb).zero_extend(lane_width);
  });
}

constexpr Definition definitions_of_video[] = {
    {"9.7.18.1.1", R"(
       vop.dtype.atype.btype{.sat}      d, a{.asel}, b{.bsel};
       vop.dtype.atype.btype{.sat}.op2  d, a{.asel}, b{.bsel}, c;
       vop.dtype.atype.btype{.sat}      d.dsel, a{.asel}, b{.bsel}, c;
       vop = { vadd, vsub, vabsdiff, vmin, vmax };
       .dtype = .atype = .btype = { .u32, .s32 };
       .dsel = .asel = .bsel = { .b0, .b1, .b2, .b3, .h0, .h1 };
       .op2 = { .add, .min, .max };
       c : .dtype;
       PTX 2.0, sm_20;)",
     [](const Form& f, const Operands& x) -> Bits { return scalar_arithmetic(f, x); }},

    {"9.7.18.1.2", R"(
       vop.dtype.atype.u32{.sat}.mode      d, a{.asel}, b{.bsel};
       vop.dtype.atype.u32{.sat}.mode.op2  d, a{.asel}, b{.bsel}, c;
       vop.dtype.atype.u32{.sat}.mode      d.dsel, a{.asel}, b{.bsel}, c;
       vop = { vshl, vshr };
       .dtype = .atype = { .u32, .s32 };
       .mode = { .clamp, .wrap };
       .dsel = .asel = .bsel = { .b0, .b1, .b2, .b3, .h0, .h1 };
       .op2 = { .add, .min, .max };
       c : .dtype;
       PTX 2.0, sm_20;)",
     [](const Form& f, const Operands& x) -> Bits { return scalar_shift(f, x); }},

    {"9.7.18.1.3", R"(
       vmad.dtype.atype.btype{.sat}{.scale}     d, {-}a{.asel}, {-}b{.bsel}, {-}c;
       vmad.dtype.atype.btype.po{.sat}{.scale}  d, a{.asel}, b{.bsel}, c;
       .dtype = .atype = .btype = { .u32, .s32 };
       .asel = .bsel = { .b0, .b1, .b2, .b3, .h0, .h1 };
       .scale = { .shr7, .shr15 };
       c : .dtype;
       PTX 2.0, sm_20;)",
     [](const Form& f, const Operands& x) -> Bits { return multiply_add(f, x); }},

    {"9.7.18.1.4", R"(
       vset.atype.btype.cmp      d, a{.asel}, b{.bsel};
       vset.atype.btype.cmp.op2  d, a{.asel}, b{.bsel}, c;
       vset.atype.btype.cmp      d.dsel, a{.asel}, b{.bsel}, c;
       .atype = .btype = { .u32, .s32 };
       .cmp = { .eq, .ne, .lt, .le, .gt, .ge };
       .dsel = .asel = .bsel = { .b0, .b1, .b2, .b3, .h0, .h1 };
       .op2 = { .add, .min, .max };
       d, c : .u32;
       PTX 2.0, sm_20;)",
     [](const Form& f, const Operands& x) -> Bits { return scalar_comparison(f, x); }},

    {"9.7.18.2.1", R"(
       vop2.dtype.atype.btype{.sat}  d{.mask}, a{.asel}, b{.bsel}, c;
       vop2.dtype.atype.btype.add    d{.mask}, a{.asel}, b{.bsel}, c;
       vop2 = { vadd2, vsub2, vavrg2, vabsdiff2, vmin2, vmax2 };
       .dtype = .atype = .btype = { .u32, .s32 };
       .mask = { .h0, .h1, .h10 };
       .asel = .bsel = { .hxy };
       c : .dtype;
       PTX 3.0, sm_30;)",
     [](const Form& f, const Operands& x) -> Bits { return simd_arithmetic(f, x, 2); }},

    {"9.7.18.2.2", R"(
       vset2.atype.btype.cmp      d{.mask}, a{.asel}, b{.bsel}, c;
       vset2.atype.btype.cmp.add  d{.mask}, a{.asel}, b{.bsel}, c;
       .atype = .btype = { .u32, .s32 };
       .cmp = { .eq, .ne, .lt, .le, .gt, .ge };
       .mask = { .h0, .h1, .h10 };
       .asel = .bsel = { .hxy };
       d, c : .u32;
       PTX 3.0, sm_30;)",
     [](const Form& f, const Operands& x) -> Bits { return simd_comparison(f, x, 2); }},

    {"9.7.18.2.3", R"(
       vop4.dtype.atype.btype{.sat}  d{.mask}, a{.asel}, b{.bsel}, c;
       vop4.dtype.atype.btype.add    d{.mask}, a{.asel}, b{.bsel}, c;
       vop4 = { vadd4, vsub4, vavrg4, vabsdiff4, vmin4, vmax4 };
       .dtype = .atype = .btype = { .u32, .s32 };
       .mask = { .b0, .b1, .b10, .b2, .b20, .b21, .b210,
                 .b3, .b30, .b31, .b310, .b32, .b320, .b321, .b3210 };
       .asel = .bsel = { .bxyzw };
       c : .dtype;
       PTX 3.0, sm_30;)",
     [](const Form& f, const Operands& x) -> Bits { return simd_arithmetic(f, x, 4); }},

    {"9.7.18.2.4", R"(
       vset4.atype.btype.cmp      d{.mask}, a{.asel}, b{.bsel}, c;
       vset4.atype.btype.cmp.add  d{.mask}, a{.asel}, b{.bsel}, c;
       .atype = .btype = { .u32, .s32 };
       .cmp = { .eq, .ne, .lt, .le, .gt, .ge };
       .mask = { .b0, .b1, .b10, .b2, .b20, .b21, .b210,
                 .b3, .b30, .b31, .b310, .b32, .b320, .b321, .b3210 };
       .asel = .bsel = { .bxyzw };
       d, c : .u32;
       PTX 3.0, sm_30;)",
     [](const Form& f, const Operands& x) -> Bits { return simd_comparison(f, x, 4); }},
};

}  // namespace

std::span<const Definition> video() { return definitions_of_video; }

}  // namespace ptxmc
