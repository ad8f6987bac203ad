// PTX ISA 8.7 § 9.7.2: extended-precision integer arithmetic instructions. CC.CF is a hidden operand: opcodes
// that end in `c` read it, and `.cc` writes it.
#include "semantics/language/chapters.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

/// The low bits of a sum or difference computed with one bit more, and that bit for CC.CF.
Results with_carry(const Form& form, const Bits& wider) {
  const Bits low = wider.extract(0, form.width());
  return form.has(".cc") ? Results{low, wider.bit(form.width())} : Results{low};
}

Bits one_bit_wider(const Bits& value) { return value.zero_extend(value.width() + 1); }

/// CC.CF as a number, 0 for instructions that do not read it.
Bits carry_in(const Form& form, const Operands& x) {
  const Bits& carry = x.carry();
  return carry.width() == 0 ? Bits(form.width() + 1, 0) : carry.zero_extend(form.width() + 1);
}

Results sum(const Form& form, const Operands& x, const Bits& a, const Bits& b) {
  return with_carry(form, one_bit_wider(a) + one_bit_wider(b) + carry_in(form, x));
}

/// The bit above the difference is the borrow.
Results difference(const Form& form, const Operands& x) {
  return with_carry(form, one_bit_wider(x.a) - one_bit_wider(x.b) - carry_in(form, x));
}

Results product_and_sum(const Form& form, const Operands& x) {
  const Bits product = multiply_wide(x.a, x.b, form.is_signed());
  return sum(form, x, form.has(".hi") ? high_half(product) : low_half(product), x.c);
}

constexpr Definition definitions_of_extended_precision_arithmetic[] = {
    {"9.7.2.1", R"(
       add.cc.type  d, a, b;
       .type = { .u32, .s32, .u64, .s64 };
       PTX 1.2;  PTX 4.3, sm_20: .u64, .s64;)",
     [](const Form& f, const Operands& x) { return sum(f, x, x.a, x.b); }},

    {"9.7.2.2", R"(
       addc{.cc}.type  d, a, b;
       .type = { .u32, .s32, .u64, .s64 };
       PTX 1.2;  PTX 4.3, sm_20: .u64, .s64;)",
     [](const Form& f, const Operands& x) { return sum(f, x, x.a, x.b); }},

    {"9.7.2.3", R"(
       sub.cc.type  d, a, b;
       .type = { .u32, .s32, .u64, .s64 };
       PTX 1.2;  PTX 4.3, sm_20: .u64, .s64;)",
     [](const Form& f, const Operands& x) { return difference(f, x); }},

    {"9.7.2.4", R"(
       subc{.cc}.type  d, a, b;
       .type = { .u32, .s32, .u64, .s64 };
       PTX 1.2;  PTX 4.3, sm_20: .u64, .s64;)",
     [](const Form& f, const Operands& x) { return difference(f, x); }},

    {"9.7.2.5", R"(
       mad.mode.cc.type  d, a, b, c;
       .mode = { .hi, .lo };
       .type = { .u32, .s32, .u64, .s64 };
       PTX 3.0, sm_20;  PTX 4.3, sm_20: .u64, .s64;)",
     [](const Form& f, const Operands& x) { return product_and_sum(f, x); }},

    {"9.7.2.6", R"(
       madc.mode{.cc}.type  d, a, b, c;
       .mode = { .hi, .lo };
       .type = { .u32, .s32, .u64, .s64 };
       PTX 3.0, sm_20;  PTX 4.3, sm_20: .u64, .s64;)",
     [](const Form& f, const Operands& x) { return product_and_sum(f, x); }},
};

}  // namespace

std::span<const Definition> extended_precision_arithmetic() {
  return definitions_of_extended_precision_arithmetic;
}

}  // namespace ptxmc
