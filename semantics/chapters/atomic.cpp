// PTX ISA 8.7 § 9.7.13.5 and § 9.7.13.6: atomic operations and reductions.
#include <algorithm>

#include "semantics/chapters/float_form.hpp"
#include "semantics/language/chapters.hpp"
#include "semantics/language/memory_access.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

/// inc(r, s) = (r >= s) ? 0 : r+1
Bits increment_below(const Bits& r, const Bits& s) {
  return ite(less_unsigned(r, s), r + Bits(r.width(), 1), Bits(r.width(), 0));
}

/// dec(r, s) = (r==0 || r > s) ? s : r-1
Bits decrement_to(const Bits& r, const Bits& s) {
  return ite(is_zero(r) | less_unsigned(s, r), s, r - Bits(r.width(), 1));
}

}  // namespace

Update integer_reduction(const Form& form, bool is_signed, const Bits& b, const Bits& r) {
  using enum Combination;
  const auto combined = [](const Bits& value, Combination combination) {
    return Update{.value = value, .combines = combination};
  };
  if (form.has(".and")) return combined(r & b, bit_and);
  if (form.has(".or")) return combined(r | b, bit_or);
  if (form.has(".xor")) return combined(r ^ b, bit_xor);
  if (form.has(".inc")) return {increment_below(r, b)};
  if (form.has(".dec")) return {decrement_to(r, b)};
  if (form.has(".min"))
    return combined(minimum(r, b, is_signed), is_signed ? minimum_signed : minimum_unsigned);
  if (form.has(".max"))
    return combined(maximum(r, b, is_signed), is_signed ? maximum_signed : maximum_unsigned);
  return combined(r + b, add);
}

Update atomic_update(const Form& form, const Operands& x, const Bits& r) {
  if (form.has(".cas")) return {x.c, equal(r, x.b)};
  if (form.has(".exch")) return {x.b};
  return integer_reduction(form, form.is_signed(), x.b, r);
}

namespace {

Bits read_modify_write(const Form& form, const Operands& x, const Access& access, Effects& effects) {
  return effects.read_modify_write(access, x.a, form.width(),
                                   [&](const Bits& r) { return atomic_update(form, x, r); });
}

Access reduction_access(const Form& form) {
  Access access = atomic_access(form);
  access.is_reduction = true;
  return access;
}

/// § 9.7.13.5: atom.add.f32 flushes subnormal operands and results in global memory, and not in shared
/// memory.
Bits flush_in_global(FloatFormat format, StateSpace space, const Bits& address, const Bits& value) {
  if (format != FloatFormat::f32 || space == StateSpace::shared_cta || space == StateSpace::shared_cluster)
    return value;
  const Bits flushed = flush_subnormal(FloatFormat::f32, value);
  if (space == StateSpace::global) return flushed;
  return ite(is_in_window(StateSpace::shared_cta, address), value, flushed);
}

}  // namespace

Update float_addition(FloatFormat format, StateSpace space, const Bits& address, const Bits& b,
                      const Bits& r) {
  const auto flush = [&](const Bits& value) { return flush_in_global(format, space, address, value); };
  const Bits x = flush(r), y = flush(b);
  const Bits sum = float_add(format, Rounding::nearest_even, x, y);
  return {flush(keep_payload(format, sum, {&x, &y}))};
}

Update float_update(const Form& form, StateSpace space, const Bits& address, const Bits& b, const Bits& r) {
  if (form.has(".min")) return {float_minimum(form, r, b)};
  if (form.has(".max")) return {float_maximum(form, r, b)};
  return float_addition(form.type().format.value(), space, address, b, r);
}

namespace {

/// Updates one number and returns its old value.
Bits update_float(const Form& form, const Access& access, const Bits& address, const Bits& b,
                  Effects& effects) {
  return effects.read_modify_write(access, address, b.width(), [&](const Bits& r) {
    return float_update(form, access.space, address, b, r);
  });
}

/// The numbers of a packed type are updated one by one, the lower first.
Bits update_floats(const Form& form, const Access& access, const Bits& address, const Bits& b,
                   Effects& effects) {
  const unsigned width = layout_of(form.type().format.value()).width;
  if (b.width() == width) return update_float(form, access, address, b, effects);
  Access first = access;
  first.alignment = std::max<std::uint8_t>(access.alignment, static_cast<std::uint8_t>(width / 4));
  const Bits low = update_float(form, first, address, b.extract(0, width), effects);
  const Bits second = address + Bits(64, width / 8);
  Access other = access;
  other.alignment = 0;
  return concat(update_float(form, other, second, b.extract(width, width), effects), low);
}

/// The same for the elements of a vector.
Results update_vector(const Form& form, const Operands& x, const Access& access, Effects& effects) {
  if (x.elements.size() == 0) return update_floats(form, access, x.a, x.b, effects);
  Results old;
  const std::size_t count = x.elements.size();
  for (std::size_t i = 0; i < count; ++i)
    old.push_back(update_floats(form, element_access(access, i, count, form.width()),
                                element_address(x, i, form.width()), x.elements[i], effects));
  return old;
}

constexpr Definition definitions_of_atomics[] = {
    {"9.7.13.5", R"(
       atom{.sem}{.scope}{.space}.bitop{.level::cache_hint}.btype  d, [a], b{, cache-policy};
       atom{.sem}{.scope}{.space}.add{.level::cache_hint}.addtype  d, [a], b{, cache-policy};
       atom{.sem}{.scope}{.space}.incop{.level::cache_hint}.u32    d, [a], b{, cache-policy};
       atom{.sem}{.scope}{.space}.minop{.level::cache_hint}.mintype  d, [a], b{, cache-policy};
       atom{.sem}{.scope}{.space}.cas.castype  d, [a], b, c;
       atom{.sem}{.scope}{.space}.cas.b128  d, [a], b, c{, cache-policy};
       atom{.sem}{.scope}{.space}.exch{.level::cache_hint}.b128  d, [a], b{, cache-policy};
       .sem = { .relaxed, .acquire, .release, .acq_rel };
       .scope = { .cta, .cluster, .gpu, .sys };
       .space = { .global, .shared{::cta, ::cluster} };
       .bitop = { .and, .or, .xor, .exch };  .btype = { .b32, .b64 };
       .addtype = { .u32, .s32, .u64 };
       .incop = { .inc, .dec };
       .minop = { .min, .max };  .mintype = { .u32, .s32, .u64, .s64 };
       .castype = { .b16, .b32, .b64 };
       .level::cache_hint = { .L2::cache_hint };
       except .shared.L2::cache_hint, .shared::cta.L2::cache_hint, .shared::cluster.L2::cache_hint;
       d, b : .btype;  d, b : .addtype;  d, b : .mintype;  d, b, c : .castype;
       d or _;
       PTX 1.1, sm_11;  PTX 1.2, sm_12: .shared, .add.u64, .cas.b64, .exch.b64;
       PTX 2.0, sm_20: .shared.add.u64, .shared.cas.b64, .shared.exch.b64;
       PTX 3.1, sm_32: .and.b64, .or.b64, .xor.b64, .min.u64, .min.s64, .max.u64, .max.s64;
       PTX 5.0, sm_60: .cta, .gpu, .sys;
       PTX 6.0, sm_70: .relaxed, .acquire, .release, .acq_rel;
       PTX 6.3, sm_70: .b16;  PTX 7.4, sm_80: .L2::cache_hint;
       PTX 7.8, sm_90: .cluster, .shared::cluster;  PTX 7.8, sm_30: .shared::cta;
       PTX 8.3, sm_90: .b128;  PTX 8.4, sm_90: .sys.b128;)",
     [](const Form& f, const Operands& x, Effects& effects) -> Bits {
       return read_modify_write(f, x, atomic_access(f), effects);
     }},

    {"9.7.13.5", R"(
       atom{.sem}{.scope}{.space}.add{.level::cache_hint}.type  d, [a], b{, cache-policy};
       atom{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.halftype  d, [a], b{, cache-policy};
       atom{.sem}{.scope}{.global}.add{.level::cache_hint}.vec_32_bit.f32  d, [a], b{, cache-policy};
       atom{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec_16_bit.half_word_type
           d, [a], b{, cache-policy};
       atom{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec_32_bit.packed_type
           d, [a], b{, cache-policy};
       .sem = { .relaxed, .acquire, .release, .acq_rel };
       .scope = { .cta, .cluster, .gpu, .sys };
       .space = { .global, .shared{::cta, ::cluster} };
       .type = { .f32, .f64 };  .halftype = { .f16, .f16x2, .bf16, .bf16x2 };
       .op = { .add, .min, .max };
       .half_word_type = { .f16, .bf16 };  .packed_type = { .f16x2, .bf16x2 };
       .vec_16_bit = { .v2, .v4, .v8 };  .vec_32_bit = { .v2, .v4 };
       .level::cache_hint = { .L2::cache_hint };
       except .shared.L2::cache_hint, .shared::cta.L2::cache_hint, .shared::cluster.L2::cache_hint;
       d or _;
       PTX 2.0, sm_20: .f32;  PTX 5.0, sm_60: .f64;
       PTX 5.0, sm_60: .cta, .gpu, .sys;
       PTX 6.0, sm_70: .relaxed, .acquire, .release, .acq_rel;
       PTX 6.2, sm_60: .f16x2;  PTX 6.3, sm_70: .f16;  PTX 7.8, sm_90: .bf16, .bf16x2;
       PTX 7.4, sm_80: .L2::cache_hint;
       PTX 7.8, sm_90: .cluster, .shared::cluster;  PTX 7.8, sm_30: .shared::cta;
       PTX 8.1, sm_90: .v2, .v4, .v8;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       return update_vector(f, x, atomic_access(f), effects);
     }},

    {"9.7.13.6", R"(
       red{.sem}{.scope}{.space}.bitop{.level::cache_hint}.btype  [a], b{, cache-policy};
       red{.sem}{.scope}{.space}.add{.level::cache_hint}.addtype  [a], b{, cache-policy};
       red{.sem}{.scope}{.space}.incop{.level::cache_hint}.u32    [a], b{, cache-policy};
       red{.sem}{.scope}{.space}.minop{.level::cache_hint}.mintype  [a], b{, cache-policy};
       .sem = { .relaxed, .release };
       .scope = { .cta, .cluster, .gpu, .sys };
       .space = { .global, .shared{::cta, ::cluster} };
       .bitop = { .and, .or, .xor };  .btype = { .b32, .b64 };
       .addtype = { .u32, .s32, .u64 };
       .incop = { .inc, .dec };
       .minop = { .min, .max };  .mintype = { .u32, .s32, .u64, .s64 };
       .level::cache_hint = { .L2::cache_hint };
       except .shared.L2::cache_hint, .shared::cta.L2::cache_hint, .shared::cluster.L2::cache_hint;
       PTX 1.2, sm_11;  PTX 1.2, sm_12: .shared, .add.u64;  PTX 2.0, sm_20: .shared.add.u64;
       PTX 3.1, sm_32: .and.b64, .or.b64, .xor.b64, .min.u64, .min.s64, .max.u64, .max.s64;
       PTX 5.0, sm_60: .cta, .gpu, .sys;  PTX 6.0, sm_70: .relaxed, .release;
       PTX 7.4, sm_80: .L2::cache_hint;
       PTX 7.8, sm_90: .cluster, .shared::cluster;  PTX 7.8, sm_30: .shared::cta;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       read_modify_write(f, x, reduction_access(f), effects);
     }},

    {"9.7.13.6", R"(
       red{.sem}{.scope}{.space}.add{.level::cache_hint}.type  [a], b{, cache-policy};
       red{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.halftype  [a], b{, cache-policy};
       red{.sem}{.scope}{.global}.add{.level::cache_hint}.vec_32_bit.f32  [a], b{, cache-policy};
       red{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec_16_bit.half_word_type
           [a], b{, cache-policy};
       red{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec_32_bit.packed_type
           [a], b{, cache-policy};
       .sem = { .relaxed, .release };
       .scope = { .cta, .cluster, .gpu, .sys };
       .space = { .global, .shared{::cta, ::cluster} };
       .type = { .f32, .f64 };  .halftype = { .f16, .f16x2, .bf16, .bf16x2 };
       .op = { .add, .min, .max };
       .half_word_type = { .f16, .bf16 };  .packed_type = { .f16x2, .bf16x2 };
       .vec_16_bit = { .v2, .v4, .v8 };  .vec_32_bit = { .v2, .v4 };
       .level::cache_hint = { .L2::cache_hint };
       except .shared.L2::cache_hint, .shared::cta.L2::cache_hint, .shared::cluster.L2::cache_hint;
       PTX 2.0, sm_20: .f32;  PTX 5.0, sm_60: .f64;
       PTX 5.0, sm_60: .cta, .gpu, .sys;  PTX 6.0, sm_70: .relaxed, .release;
       PTX 6.2, sm_60: .f16x2;  PTX 6.3, sm_70: .f16;  PTX 7.8, sm_90: .bf16, .bf16x2;
       PTX 7.4, sm_80: .L2::cache_hint;
       PTX 7.8, sm_90: .cluster, .shared::cluster;  PTX 7.8, sm_30: .shared::cta;
       PTX 8.1, sm_90: .v2, .v4, .v8;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       update_vector(f, x, reduction_access(f), effects);
     }},
};

}  // namespace

std::span<const Definition> atomics() { return definitions_of_atomics; }

}  // namespace ptxmc
