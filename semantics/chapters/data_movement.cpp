// PTX ISA 8.7 § 9.7.9.3 to § 9.7.9.7, § 9.7.9.19, § 9.7.9.20, § 9.7.9.23, § 9.7.9.24: moving and permuting
// registers, and addresses of the state spaces.
#include <stdexcept>

#include "semantics/chapters/lane_exchange.hpp"
#include "semantics/language/address_windows.hpp"
#include "semantics/language/chapters.hpp"
#include "semantics/language/memory_access.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

/// Packs elements into one value, the first lowest.
Bits pack(const Values& elements, unsigned width) {
  const unsigned size = width / static_cast<unsigned>(elements.size());
  Bits packed = elements[0].resize_unsigned(size);
  for (std::size_t i = 1; i < elements.size(); ++i)
    packed = concat(elements[i].resize_unsigned(size), packed);
  return packed;
}

Results unpack(const Bits& value, unsigned count) {
  const unsigned size = value.width() / count;
  Results elements;
  for (unsigned i = 0; i < count; ++i) elements.push_back(value.extract(i * size, size));
  return elements;
}

/// § 9.7.9.7: byte `selector` (3 bits) of the eight source bytes; if bit 3 is set, its sign is replicated to
/// all bits.
Bits select_byte(const Bits& source, const Bits& selector, bool may_take_sign) {
  const Bits distance = shift_left(selector.zero_extend(32) & Bits(32, 7), Bits(32, 3));
  const Bits byte = shift_right_unsigned(source, distance).extract(0, 8);
  return may_take_sign ? ite(selector.bit(3), byte.bit(7).sign_extend(8), byte) : byte;
}

/// The rows of the table of modes: which source bytes become bytes 3, 2, 1, 0 for selectors 0 to 3.
struct PermutationMode {
  Modifier mode;
  std::uint16_t rows[4];
};
constexpr PermutationMode permutation_modes[] = {
    {".f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {".b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
    {".rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {".ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
    {".ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {".rc16", {0x1010, 0x3232, 0x1010, 0x3232}},
};

/// The four selectors of a mode, in the form of operand c.
Bits selectors_for_mode(Modifier mode, const Bits& c) {
  for (const PermutationMode& row : permutation_modes) {
    if (row.mode != mode) continue;
    const auto selectors = [&](unsigned i) { return Bits(32, row.rows[i]); };
    return ite(c.bit(1), ite(c.bit(0), selectors(3), selectors(2)),
               ite(c.bit(0), selectors(1), selectors(0)));
  }
  throw std::logic_error("prmt without a mode");
}

Bits permute(const Form& form, const Operands& x) {
  const auto mode = form[".mode"];
  const Bits selectors = mode ? selectors_for_mode(*mode, x.c) : x.c;
  const Bits source = concat(x.b, x.a);
  Bits result = select_byte(source, selectors.extract(0, 4), !mode);
  for (unsigned i = 1; i < 4; ++i)
    result = concat(select_byte(source, selectors.extract(4 * i, 4), !mode), result);
  return result;
}

/// § 9.7.9.19: global memory is everything outside of the windows, and the parameters of kernels.
Bits is_in_space(StateSpace space, const Bits& address) {
  if (space != StateSpace::global) return is_in_window(space, address);
  return ~(is_in_window(StateSpace::shared_cta, address) | is_in_window(StateSpace::local, address) |
           is_in_window(StateSpace::constant, address));
}

/// The rank in bits 24 to 31 of an address of shared memory, generic or not.
Bits rank_of(const Bits& address) { return address.extract(cta_rank_shift, 8); }

/// § 9.7.9.19: shared::cta is the shared memory of the thread's own CTA.
Bits is_in_own_cta(const Bits& address, const Bits& rank) {
  return is_in_window(StateSpace::shared_cta, address) & equal(rank_of(address).zero_extend(32), rank);
}

constexpr Definition definitions_of_data_movement[] = {
    // `a` may also be a special register, a variable or a function: when a rule runs, they are values.
    {"9.7.9.3", R"(
       mov.type  d, a;
       .type = { .pred, .b16, .b32, .b64, .b128, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64 };
       PTX 1.0;  PTX 1.0, sm_13: .f64;  PTX 8.3, sm_70: .b128;)",
     [](const Form&, const Operands& x) -> Bits { return x.a; }},

    // Elements of registers whose sizes add up to that of the type.
    {"9.7.9.4", R"(
       mov.b16   d, {x, y};
       mov.type  d, {x, y};
       mov.type  d, {x, y, z, w};
       .type = { .b32, .b64, .b128 };
       x : {};
       PTX 1.0;  PTX 8.3, sm_70: .b128;)",
     [](const Form& f, const Operands& x) -> Bits { return pack(x.elements, f.width()); }},

    {"9.7.9.4", R"(
       mov.b16   {r, s}, a;
       mov.type  {r, s}, a;
       mov.type  {r, s, t, u}, a;
       .type = { .b32, .b64, .b128 };
       r : {};
       PTX 1.0;  PTX 8.3, sm_70: .b128;)",
     [](const Form& f, const Operands& x) -> Results { return unpack(x.a, f.operands[0].elements); }},

    // Whole vectors, as in the example of § 6.4.3.
    {"9.7.9.3", R"(
       mov.vec.type  d, b;
       .vec = { .v2, .v4 };
       .type = { .b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64 };
       except .v4.b64, .v4.u64, .v4.s64, .v4.f64;
       PTX 1.0;  PTX 1.0, sm_13: .f64;)",
     [](const Form&, const Operands& x) -> Results { return x.elements; }},

    {"9.7.9.5", R"(
       shfl.mode.b32  d[|p], a, b, c;
       .mode = { .up, .down, .bfly, .idx };
       b, c : .b32;
       p or _;
       PTX 3.0, sm_30;  removed PTX 6.4, sm_70;)",
     shuffle},

    {"9.7.9.6", R"(
       shfl.sync.mode.b32  d[|p], a, b, c, membermask;
       .mode = { .up, .down, .bfly, .idx };
       b, c : .b32;
       p or _;
       PTX 6.0, sm_30;)",
     shuffle},

    {"9.7.9.7", R"(
       prmt.b32{.mode}  d, a, b, c;
       .mode = { .f4e, .b4e, .rc8, .ecl, .ecr, .rc16 };
       PTX 2.0, sm_20;)",
     [](const Form& f, const Operands& x) -> Bits { return permute(f, x); }},

    {"9.7.9.19", R"(
       isspacep.space  p, a;
       .space = { .const, .global, .local, .shared::cluster, .param{::entry} };
       PTX 2.0, sm_20;  PTX 3.1, sm_20: .const;  PTX 7.7, sm_70: .param;
       PTX 7.8, sm_90: .shared::cluster;  PTX 8.3, sm_70: .param::entry;)",
     [](const Form& f, const Operands& x) -> Bits {
       return is_in_space(space_of(f), x.a.resize_unsigned(64));
     }},

    {"9.7.9.19", R"(
       isspacep.space  p, a;
       .space = { .shared{::cta} };
       PTX 2.0, sm_20;  PTX 7.8, sm_30: .shared::cta;)",
     [](const Form&, const Operands& x, Effects& effects) -> Bits {
       return is_in_own_cta(x.a.resize_unsigned(64), effects.cta_rank());
     }},

    // `a` may also be a variable.
    {"9.7.9.20", R"(
       cvta.space.size     d, a;
       cvta.to.space.size  d, a;
       .space = { .const, .global, .local, .shared{::cta, ::cluster}, .param{::entry} };
       .size = { .u32, .u64 };
       PTX 2.0, sm_20;  PTX 3.1, sm_20: .const;  PTX 7.7, sm_70: .param;
       PTX 7.8, sm_30: .shared::cta;  PTX 7.8, sm_90: .shared::cluster;  PTX 8.3, sm_70: .param::entry;)",
     [](const Form& f, const Operands& x) -> Bits {
       const Bits window(f.width(), window_of(space_of(f)));
       return f.has(".to") ? x.a - window : x.a + window;
     }},

    {"9.7.9.23", R"(
       mapa{.space}.type  d, a, b;
       .space = { .shared::cluster };
       .type = { .u32, .u64 };
       b : .u32;
       PTX 7.8, sm_90;)",
     [](const Form&, const Operands& x) -> Bits { return address_in_cta(x.a, x.b); }},

    {"9.7.9.24", R"(
       getctarank{.space}.type  d, a;
       .space = { .shared::cluster };
       .type = { .u32, .u64 };
       d : .u32;
       PTX 7.8, sm_90;)",
     [](const Form&, const Operands& x) -> Bits { return rank_of(x.a).zero_extend(32); }},
};

}  // namespace

std::span<const Definition> data_movement() { return definitions_of_data_movement; }

}  // namespace ptxmc
