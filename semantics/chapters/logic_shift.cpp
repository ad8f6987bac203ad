// PTX ISA 8.7 § 9.7.8: logic and shift instructions.
#include "semantics/language/chapters.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

/// A value of the width of `like` whose bits are all equal to a one-bit value.
Bits spread(const Bits& bit, const Bits& like) { return bit.sign_extend(like.width()); }

/// § 9.7.8.6: bit 4a+2b+c of the table is the result for one bit each of a, b and c.
Bits look_up(const Operands& x, const Bits& table) {
  Bits result(32, 0);
  for (unsigned entry = 0; entry < 8; ++entry) {
    const Bits a = (entry & 4) != 0 ? x.a : ~x.a;
    const Bits b = (entry & 2) != 0 ? x.b : ~x.b;
    const Bits c = (entry & 1) != 0 ? x.c : ~x.c;
    result = result | (a & b & c & spread(table.bit(entry), result));
  }
  return result;
}

constexpr Definition definitions_of_logic_and_shift[] = {
    {"9.7.8.1", R"(
       and.type  d, a, b;
       .type = { .pred, .b16, .b32, .b64 };
       PTX 1.0;)",
     [](const Form&, const Operands& x) -> Bits { return x.a & x.b; }},

    {"9.7.8.2", R"(
       or.type  d, a, b;
       .type = { .pred, .b16, .b32, .b64 };
       PTX 1.0;)",
     [](const Form&, const Operands& x) -> Bits { return x.a | x.b; }},

    {"9.7.8.3", R"(
       xor.type  d, a, b;
       .type = { .pred, .b16, .b32, .b64 };
       PTX 1.0;)",
     [](const Form&, const Operands& x) -> Bits { return x.a ^ x.b; }},

    {"9.7.8.4", R"(
       not.type  d, a;
       .type = { .pred, .b16, .b32, .b64 };
       PTX 1.0;)",
     [](const Form&, const Operands& x) -> Bits { return ~x.a; }},

    {"9.7.8.5", R"(
       cnot.type  d, a;
       .type = { .b16, .b32, .b64 };
       PTX 1.0;)",
     [](const Form&, const Operands& x) -> Bits { return is_zero(x.a).zero_extend(x.a.width()); }},

    {"9.7.8.6", R"(
       lop3.b32  d, a, b, c, immLut;
       immLut in { 0..255 };
       PTX 4.3, sm_50;)",
     [](const Form&, const Operands& x) -> Bits { return look_up(x, x["immLut"]); }},

    {"9.7.8.6", R"(
       lop3.BoolOp.b32  d|p, a, b, c, immLut, q;
       .BoolOp = { .or, .and };
       immLut in { 0..255 };
       d or _;
       PTX 8.2, sm_70;)",
     [](const Form& f, const Operands& x) -> Results {
       const Bits d = look_up(x, x["immLut"]);
       const Bits is_set = ~is_zero(d);
       return {d, f.has(".or") ? is_set | x["q"] : is_set & x["q"]};
     }},

    {"9.7.8.7", R"(
       shf.l.mode.b32  d, a, b, c;
       shf.r.mode.b32  d, a, b, c;
       .mode = { .clamp, .wrap };
       c : .u32;
       PTX 3.1, sm_32;)",
     [](const Form& f, const Operands& x) -> Bits {
       const Bits n = f.has(".clamp") ? minimum(x.c, Bits(32, 32), false) : x.c & Bits(32, 31);
       const Bits both = concat(x.b, x.a);
       return f.has(".l") ? high_half(shift_left(both, n)) : low_half(shift_right_unsigned(both, n));
     }},

    // Shift amounts greater than the width N are clamped to N.
    {"9.7.8.8", R"(
       shl.type  d, a, b;
       .type = { .b16, .b32, .b64 };
       b : .u32;
       PTX 1.0;)",
     [](const Form&, const Operands& x) -> Bits { return shift_left(x.a, x.b); }},

    {"9.7.8.9", R"(
       shr.type  d, a, b;
       .type = { .b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64 };
       b : .u32;
       PTX 1.0;)",
     [](const Form& f, const Operands& x) -> Bits {
       return f.is_signed() ? shift_right_signed(x.a, x.b) : shift_right_unsigned(x.a, x.b);
     }},
};

}  // namespace

std::span<const Definition> logic_and_shift() { return definitions_of_logic_and_shift; }

}  // namespace ptxmc
