// PTX ISA 8.7 § 9.7.1: integer arithmetic instructions.
#include "semantics/language/chapters.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

/// § 9.7.1.5: the 48-bit product of the low 24 bits, then bits 47..16 or 31..0.
Bits multiply_24(const Form& form, const Operands& x) {
  const auto low_24 = [&](const Bits& value) {
    const Bits low = value.extract(0, 24);
    return form.is_signed() ? low.sign_extend(48) : low.zero_extend(48);
  };
  const Bits product = low_24(x.a) * low_24(x.b);
  return product.extract(form.has(".hi") ? 16 : 0, 32);
}

/// § 9.7.1.3: the part of the product that the mode asks for.
Bits product_for_mode(const Form& form, const Operands& x) {
  const Bits product = multiply_wide(x.a, x.b, form.is_signed());
  if (form.has(".wide")) return product;
  return form.has(".hi") ? high_half(product) : low_half(product);
}

/// Element `index` of `size` bits, sign- or zero-extended to 32 bits according to its type.
Bits element(const Bits& packed, unsigned index, unsigned size, Type type) {
  const Bits value = packed.extract(index * size, size);
  return type.is_signed() ? value.sign_extend(32) : value.zero_extend(32);
}

/// § 9.7.1.17. Counts set bits away from `base` in both directions and takes the one whose rank is |offset|.
Bits find_nth_set(const Bits& mask, const Bits& base, const Bits& offset) {
  const Bits zero(32, 0);
  const Bits none(32, 0xffffffff);
  const Bits upward = less_signed(zero, offset);
  const Bits rank = absolute(offset);
  Bits found = none;
  Bits seen_up = zero;
  Bits seen_down = zero;
  for (unsigned step = 0; step < 32; ++step) {
    const auto visit = [&](unsigned position, Bits& seen, const Bits& direction, const Bits& reached) {
      const Bits counts = mask.bit(position) & reached;
      seen = seen + counts.zero_extend(32);
      found = ite(counts & direction & equal(seen, rank), Bits(32, position), found);
    };
    visit(step, seen_up, upward, less_equal_unsigned(base, Bits(32, step)));
    visit(31 - step, seen_down, ~upward, less_equal_unsigned(Bits(32, 31 - step), base));
  }
  const Bits at_base = shift_right_unsigned(mask, base).bit(0);
  const Bits is_inside = less_unsigned(base, Bits(32, 32));  // otherwise undefined; nothing is found
  return ite(is_inside, ite(is_zero(offset), ite(at_base, base, none), found), none);
}

/// Applies a rule to both halves of a packed type, or to the whole.
template <class Function>
Bits by_elements(const Form& form, const Operands& x, Function f) {
  return form.type().kind == Type::Kind::packed ? by_halves(x.a, x.b, f) : f(x.a, x.b);
}

/// Packed integer types compare as their elements do.
bool compares_signed(const Form& form) { return form.is_signed() || form.has(".s16x2"); }

Bits without_negative(const Form& form, const Bits& value) {
  return form.has(".relu") ? maximum(value, Bits(value.width(), 0), true) : value;
}

constexpr Definition definitions_of_integer_arithmetic[] = {
    {"9.7.1.1", R"(
       add.type     d, a, b;
       add.sat.s32  d, a, b;
       .type = { .u16, .u32, .u64, .s16, .s32, .s64, .u16x2, .s16x2 };
       PTX 1.0;  PTX 8.0, sm_90: .u16x2, .s16x2;)",
     [](const Form& f, const Operands& x) -> Bits {
       if (f.has(".sat")) return add_saturating_signed(x.a, x.b);
       return by_elements(f, x, [](const Bits& a, const Bits& b) { return a + b; });
     }},

    {"9.7.1.2", R"(
       sub.type     d, a, b;
       sub.sat.s32  d, a, b;
       .type = { .u16, .u32, .u64, .s16, .s32, .s64 };
       PTX 1.0;)",
     [](const Form& f, const Operands& x) -> Bits {
       return f.has(".sat") ? subtract_saturating_signed(x.a, x.b) : x.a - x.b;
     }},

    {"9.7.1.3", R"(
       mul.mode.type   d, a, b;
       mul.wide.wtype  d, a, b;
       .mode  = { .hi, .lo };
       .type  = { .u16, .u32, .u64, .s16, .s32, .s64 };
       .wtype = { .u16, .u32, .s16, .s32 };  // .wide is supported only for 16-bit and 32-bit types
       d : 2 * .wtype;
       PTX 1.0;)",
     [](const Form& f, const Operands& x) -> Bits { return product_for_mode(f, x); }},

    {"9.7.1.4", R"(
       mad.mode.type   d, a, b, c;
       mad.hi.sat.s32  d, a, b, c;
       .mode = { .hi, .lo };
       .type = { .u16, .u32, .u64, .s16, .s32, .s64 };
       PTX 1.0;)",
     [](const Form& f, const Operands& x) -> Bits {
       const Bits product = product_for_mode(f, x);
       return f.has(".sat") ? add_saturating_signed(product, x.c) : product + x.c;
     }},

    {"9.7.1.4", R"(
       mad.wide.type  d, a, b, c;
       .type = { .u16, .u32, .s16, .s32 };
       d, c : 2 * .type;
       PTX 1.0;)",
     [](const Form& f, const Operands& x) -> Bits { return product_for_mode(f, x) + x.c; }},

    {"9.7.1.5", R"(
       mul24.mode.type  d, a, b;
       .mode = { .hi, .lo };
       .type = { .u32, .s32 };
       PTX 1.0;)",
     [](const Form& f, const Operands& x) -> Bits { return multiply_24(f, x); }},

    {"9.7.1.6", R"(
       mad24.mode.type   d, a, b, c;
       mad24.hi.sat.s32  d, a, b, c;
       .mode = { .hi, .lo };
       .type = { .u32, .s32 };
       PTX 1.0;)",
     [](const Form& f, const Operands& x) -> Bits {
       const Bits product = multiply_24(f, x);
       return f.has(".sat") ? add_saturating_signed(product, x.c) : product + x.c;
     }},

    {"9.7.1.7", R"(
       sad.type  d, a, b, c;
       .type = { .u16, .u32, .u64, .s16, .s32, .s64 };
       PTX 1.0;)",
     [](const Form& f, const Operands& x) -> Bits {
       return x.c + ite(less(x.a, x.b, f.is_signed()), x.b - x.a, x.a - x.b);
     }},

    // Division by zero yields an unspecified, machine-specific value: here that of SMT-LIB.
    {"9.7.1.8", R"(
       div.type  d, a, b;
       .type = { .u16, .u32, .u64, .s16, .s32, .s64 };
       PTX 1.0;)",
     [](const Form& f, const Operands& x) -> Bits {
       return f.is_signed() ? divide_signed(x.a, x.b) : divide_unsigned(x.a, x.b);
     }},

    {"9.7.1.9", R"(
       rem.type  d, a, b;
       .type = { .u16, .u32, .u64, .s16, .s32, .s64 };
       PTX 1.0;)",
     [](const Form& f, const Operands& x) -> Bits {
       return f.is_signed() ? remainder_signed(x.a, x.b) : remainder_unsigned(x.a, x.b);
     }},

    {"9.7.1.10", R"(
       abs.type  d, a;
       .type = { .s16, .s32, .s64 };
       PTX 1.0;)",
     [](const Form&, const Operands& x) -> Bits { return absolute(x.a); }},

    {"9.7.1.11", R"(
       neg.type  d, a;
       .type = { .s16, .s32, .s64 };
       PTX 1.0;)",
     [](const Form&, const Operands& x) -> Bits { return -x.a; }},

    {"9.7.1.12", R"(
       min.type         d, a, b;
       min{.relu}.btype d, a, b;
       .type  = { .u16, .u32, .u64, .u16x2, .s16, .s64 };
       .btype = { .s16x2, .s32 };
       PTX 1.0;  PTX 8.0, sm_90: .u16x2, .s16x2, .relu;)",
     [](const Form& f, const Operands& x) -> Bits {
       return by_elements(f, x, [&](const Bits& a, const Bits& b) {
         return without_negative(f, minimum(a, b, compares_signed(f)));
       });
     }},

    {"9.7.1.13", R"(
       max.type         d, a, b;
       max{.relu}.btype d, a, b;
       .type  = { .u16, .u32, .u64, .u16x2, .s16, .s64 };
       .btype = { .s16x2, .s32 };
       PTX 1.0;  PTX 8.0, sm_90: .u16x2, .s16x2, .relu;)",
     [](const Form& f, const Operands& x) -> Bits {
       return by_elements(f, x, [&](const Bits& a, const Bits& b) {
         return without_negative(f, maximum(a, b, compares_signed(f)));
       });
     }},

    {"9.7.1.14", R"(
       popc.type  d, a;
       .type = { .b32, .b64 };
       d : .u32;
       PTX 2.0, sm_20;)",
     [](const Form&, const Operands& x) -> Bits { return population_count(x.a).extract(0, 32); }},

    {"9.7.1.15", R"(
       clz.type  d, a;
       .type = { .b32, .b64 };
       d : .u32;
       PTX 2.0, sm_20;)",
     [](const Form&, const Operands& x) -> Bits { return count_leading_zeros(x.a).extract(0, 32); }},

    {"9.7.1.16", R"(
       bfind.type           d, a;
       bfind.shiftamt.type  d, a;
       .type = { .u32, .u64, .s32, .s64 };
       d : .u32;
       PTX 2.0, sm_20;)",
     [](const Form& f, const Operands& x) -> Bits {
       const Bits a = f.is_signed() ? ite(x.a.bit(f.width() - 1), ~x.a, x.a) : x.a;
       const Bits zeros = count_leading_zeros(a).extract(0, 32);
       if (f.has(".shiftamt")) return ite(is_zero(a), Bits(32, 0xffffffff), zeros);
       return Bits(32, f.width() - 1) - zeros;  // 0xffffffff when there is no such bit
     }},

    {"9.7.1.17", R"(
       fns.b32  d, mask, base, offset;
       PTX 6.0, sm_30;)",
     [](const Form&, const Operands& x) -> Bits { return find_nth_set(x["mask"], x["base"], x["offset"]); }},

    {"9.7.1.18", R"(
       brev.type  d, a;
       .type = { .b32, .b64 };
       PTX 2.0, sm_20;)",
     [](const Form&, const Operands& x) -> Bits { return reverse_bits(x.a); }},

    // Beyond the most significant bit, the field is filled with the sign.
    {"9.7.1.19", R"(
       bfe.type  d, a, b, c;
       .type = { .u32, .u64, .s32, .s64 };
       b, c : .u32;  b, c in { 0..255 };
       PTX 2.0, sm_20;)",
     [](const Form& f, const Operands& x) -> Bits {
       const Bits position = x.b.extract(0, 8).zero_extend(f.width());
       const Bits length = x.c.extract(0, 8).zero_extend(f.width());
       const Bits field =
           f.is_signed() ? shift_right_signed(x.a, position) : shift_right_unsigned(x.a, position);
       return extend_from(field, length, f.is_signed());
     }},

    {"9.7.1.20", R"(
       bfi.type  f, a, b, c, d;
       .type = { .b32, .b64 };
       c, d : .u32;  c, d in { 0..255 };
       PTX 2.0, sm_20;)",
     [](const Form& f, const Operands& x) -> Bits {
       const Bits position = x.c.extract(0, 8).zero_extend(f.width());
       const Bits length = x.d.extract(0, 8).zero_extend(f.width());
       const Bits mask = shift_left(low_ones(length), position);
       return (x.b & ~mask) | (shift_left(x.a, position) & mask);
     }},

    {"9.7.1.21", R"(
       szext.mode.type  d, a, b;
       .mode = { .clamp, .wrap };
       .type = { .u32, .s32 };
       b : .u32;
       PTX 7.6, sm_70;)",
     [](const Form& f, const Operands& x) -> Bits {
       const Bits length = f.has(".wrap") ? x.b & Bits(32, 31) : x.b;
       return extend_from(x.a, length, f.is_signed());
     }},

    {"9.7.1.22", R"(
       bmsk.mode.b32  d, a, b;
       .mode = { .clamp, .wrap };
       PTX 7.6, sm_70;)",
     [](const Form& f, const Operands& x) -> Bits {
       const auto in_mode = [&](const Bits& value) { return f.has(".wrap") ? value & Bits(32, 31) : value; };
       return shift_left(low_ones(in_mode(x.b)), in_mode(x.a));
     }},

    {"9.7.1.23", R"(
       dp4a.atype.btype  d, a, b, c;
       .atype = .btype = { .u32, .s32 };
       d, c : .b32;
       PTX 5.0, sm_61;)",
     [](const Form& f, const Operands& x) -> Bits {
       Bits sum = x.c;
       for (unsigned i = 0; i < 4; ++i)
         sum = sum + element(x.a, i, 8, f.type(".atype")) * element(x.b, i, 8, f.type(".btype"));
       return sum;
     }},

    {"9.7.1.24", R"(
       dp2a.mode.atype.btype  d, a, b, c;
       .atype = .btype = { .u32, .s32 };
       .mode = { .lo, .hi };
       d, c : .b32;
       PTX 5.0, sm_61;)",
     [](const Form& f, const Operands& x) -> Bits {
       const unsigned first = f.has(".lo") ? 0 : 2;
       Bits sum = x.c;
       for (unsigned i = 0; i < 2; ++i)
         sum = sum + element(x.a, i, 16, f.type(".atype")) * element(x.b, first + i, 8, f.type(".btype"));
       return sum;
     }},
};

}  // namespace

std::span<const Definition> integer_arithmetic() { return definitions_of_integer_arithmetic; }

}  // namespace ptxmc
