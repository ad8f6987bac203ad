// PTX ISA 8.7 § 9.7.9.14: operations on multimem addresses, each of which stands for the same offset in
// several buffers. The access to each replica is one of its own, in no order with the others.
#include <algorithm>

#include "semantics/chapters/float_form.hpp"
#include "semantics/language/chapters.hpp"
#include "semantics/language/memory_access.hpp"
#include "semantics/language/misuse.hpp"
#include "semantics/values/arithmetic.hpp"
#include "semantics/values/float_rounding.hpp"

namespace ptxmc {

namespace {

/// § 9.7.9.14: ld_reduce and st are weak by default, red is relaxed at system scope.
Access multimem_access(const Form& form) {
  Access access;
  access.space = StateSpace::global;
  access.sem = sem_of(form, form.has(".red") ? Sem::relaxed : Sem::weak);
  access.scope = scope_of(form);
  if (access.scope == Scope::none && access.sem != Sem::weak) access.scope = Scope::sys;
  access.is_reduction = form.has(".red");
  return access;
}

/// The accesses of one operation: the numbers of its registers, one after the other (§ 8.2.4).
struct Numbers {
  unsigned width;  ///< of a number, in bits
  std::size_t count;
};

Numbers numbers_of(const Form& form, std::size_t registers) {
  const std::size_t all = std::max<std::size_t>(registers, 1);
  if (!form.type().format) return {form.width(), all};
  const unsigned width = layout_of(*form.type().format).width;
  return {width, all * (form.width() / width)};
}

/// Combines two numbers of the type of the form. The manual leaves open whether sums of subnormal numbers are
/// flushed: here they are not.
Bits combined(const Form& form, const Bits& a, const Bits& b) {
  if (!form.type().format) {
    Operands x;
    x.b = b;
    return atomic_update(form, x, a).value;
  }
  if (form.has(".min")) return float_minimum(form, a, b);
  if (form.has(".max")) return float_maximum(form, a, b);
  return float_sum(form, a, b);
}

/// The format in which the numbers of replicas are combined: § 9.7.9.14, `.acc_prec`.
struct Accumulation {
  FloatFormat of_type, format;

  explicit Accumulation(const Form& form)
      : of_type(*form.type().format),
        format(form.has(".acc::f32")   ? FloatFormat::f32
               : form.has(".acc::f16") ? FloatFormat::f16
                                       : of_type) {}

  /// A format of 8 bits has no arithmetic of its own: an operation is one in f16, whose result is rounded.
  bool is_small() const { return layout_of(of_type).width == 8; }
  FloatFormat computes_in() const { return is_small() ? FloatFormat::f16 : format; }
  Bits widened(const Bits& a) const {
    if (is_small()) return widen_to_f16(of_type, a);
    return format == of_type ? a : float_convert(format, of_type, Rounding::nearest_even, a);
  }
  /// To the type of the form. A number that is too large for a format without infinities is the highest one.
  Bits narrowed(const Bits& a) const {
    if (is_small())
      return round_to_format(of_type, FloatFormat::f16, Rounding::nearest_even, std::nullopt, false, a);
    return format == of_type ? a : float_convert(of_type, format, Rounding::nearest_even, a);
  }
  /// Between two steps, the precision is that of `format`.
  Bits between_steps(const Bits& a) const {
    return is_small() && format == of_type ? widened(narrowed(a)) : a;
  }
};

/// The smaller or larger number; −0 < +0, and NaN is no candidate.
Bits extreme(FloatFormat format, bool is_minimum, const Bits& a, const Bits& b) {
  const Bits is_first = float_less(format, is_minimum ? a : b, is_minimum ? b : a);
  const Bits of_equal = is_minimum ? a | b : a & b;
  const Bits chosen = ite(float_equal(format, a, b), of_equal, ite(is_first, a, b));
  return ite(is_nan(format, a), b, ite(is_nan(format, b), a, chosen));
}

/// One step of a reduction in the precision of the accumulation.
Bits accumulated(const Form& form, const Accumulation& accumulation, const Bits& a, const Bits& b) {
  const FloatFormat format = accumulation.computes_in();
  if (form.has(".add")) return accumulation.between_steps(float_add(format, Rounding::nearest_even, a, b));
  return extreme(format, form.has(".min"), a, b);
}

bool has_own_precision(const Form& form) {
  return !form.type().format || (!form.has(".acc::f32") && layout_of(*form.type().format).width > 8);
}

/// Joins numbers to registers.
Results registers_of(const Form& form, const std::vector<Bits>& numbers) {
  const std::size_t per_register = form.width() / numbers.front().width();
  Results result;
  for (std::size_t i = 0; i < numbers.size(); i += per_register) {
    Bits value = numbers[i];
    for (std::size_t k = 1; k < per_register; ++k) value = concat(numbers[i + k], value);
    result.push_back(value);
  }
  return result;
}

std::vector<Bits> unspecified_numbers(const Form& form, Effects& effects) {
  const Numbers numbers = numbers_of(form, form.operands[0].elements);
  std::vector<Bits> result;
  for (std::size_t i = 0; i < numbers.count; ++i) result.push_back(effects.unspecified(numbers.width));
  return result;
}

/// The reduction of the numbers of all replicas, in their order.
Bits reduced(const Form& form, std::span<const Bits> values) {
  Bits result = values.front();
  if (has_own_precision(form)) {
    for (const Bits& value : values.subspan(1)) result = combined(form, result, value);
    return result;
  }
  const Accumulation accumulation(form);
  result = accumulation.widened(result);
  for (const Bits& value : values.subspan(1))
    result = accumulated(form, accumulation, result, accumulation.widened(value));
  return accumulation.narrowed(result);
}

/// Reads all replicas and combines them in their order: the manual leaves the order of a sum open.
Results load_and_reduce(const Form& form, std::span<const Bits> replicas, Effects& effects) {
  const Access access = multimem_access(form);
  const Numbers numbers = numbers_of(form, form.operands[0].elements);
  std::vector<Bits> result;
  for (std::size_t i = 0; i < numbers.count; ++i) {
    const Bits offset(64, i * (numbers.width / 8));
    const Access own = element_access(access, i, numbers.count, numbers.width);
    std::vector<Bits> values;
    for (const Bits& replica : replicas) values.push_back(effects.read(own, replica + offset, numbers.width));
    result.push_back(reduced(form, values));
  }
  return registers_of(form, result);
}

/// Writes to each replica, or updates it.
void change_replicas(const Form& form, const Operands& x, std::span<const Bits> replicas, Effects& effects) {
  const Access access = multimem_access(form);
  const Numbers numbers = numbers_of(form, x.elements.size());
  const std::size_t per_register = form.width() / numbers.width;
  for (const Bits& replica : replicas)
    for (std::size_t i = 0; i < numbers.count; ++i) {
      const Bits& source = x.elements.size() == 0 ? x.b : x.elements[i / per_register];
      const Bits value =
          source.extract(static_cast<unsigned>(i % per_register) * numbers.width, numbers.width);
      const Bits place = replica + Bits(64, i * (numbers.width / 8));
      const Access own = element_access(access, i, numbers.count, numbers.width);
      if (form.has(".st"))
        effects.write(own, place, value);
      else
        effects.read_modify_write(own, place, numbers.width, [&](const Bits& old) -> Update {
          if (form.type().format) return {combined(form, old, value)};
          Operands operand;
          operand.b = value;
          return atomic_update(form, operand, old);
        });
    }
}

constexpr Rule operate_on_replicas([](const Form& form, const Operands& x, Effects& effects) -> Results {
  const std::vector<Bits> replicas = effects.replicas(x.a);
  effects.use(use_of_operand(Misuse::no_multimem_address, Bits::boolean(replicas.empty())));
  const bool loads = form.has(".ld_reduce");
  if (replicas.empty() && loads) return registers_of(form, unspecified_numbers(form, effects));
  if (loads) return load_and_reduce(form, replicas, effects);
  change_replicas(form, x, replicas, effects);
  return {};
});

constexpr Definition definitions_of_multimem_operations[] = {
    {"9.7.9.14", R"(
       multimem.ld_reduce{.ldsem}{.scope}{.global}.add.addtype  d, [a];
       multimem.ld_reduce{.ldsem}{.scope}{.global}.bitop.btype  d, [a];
       multimem.ld_reduce{.ldsem}{.scope}{.global}.minop.mintype  d, [a];
       multimem.red{.redsem}{.scope}{.global}.add.addtype  [a], b;
       multimem.red{.redsem}{.scope}{.global}.bitop.btype  [a], b;
       multimem.red{.redsem}{.scope}{.global}.minop.mintype  [a], b;
       multimem.st{.stsem}{.scope}{.global}.type  [a], b;
       .ldsem = { .weak, .relaxed, .acquire };
       .stsem = { .weak, .relaxed, .release };
       .redsem = { .relaxed, .release };
       .scope = { .cta, .cluster, .gpu, .sys };
       .bitop = { .and, .or, .xor };  .btype = { .b32, .b64 };
       .minop = { .min, .max };  .mintype = { .u32, .u64, .s32, .s64 };
       .addtype = { .u32, .u64, .s32 };
       .type = { .b32, .b64, .u32, .u64, .s32, .s64 };
       d, b : .addtype;  d, b : .btype;  d, b : .mintype;
       PTX 8.1, sm_90;)",
     operate_on_replicas},

    // Type and vector together are 32, 64 or 128 bits.
    {"9.7.9.14", R"(
       multimem.ld_reduce{.ldsem}{.scope}{.global}.op{.acc::f32}.vec_16_bit.half_type      d, [a];
       multimem.ld_reduce{.ldsem}{.scope}{.global}.op{.acc::f32}{.vec_32_bit}.packed_type  d, [a];
       multimem.ld_reduce{.ldsem}{.scope}{.global}.op{.acc::f16}.vec_8_bit.type_8_bit      d, [a];
       multimem.ld_reduce{.ldsem}{.scope}{.global}.op{.acc::f16}.vec_16_bit.type_8_bitx2   d, [a];
       multimem.ld_reduce{.ldsem}{.scope}{.global}.op{.acc::f16}{.vec_32_bit}.type_8_bitx4  d, [a];
       multimem.ld_reduce{.ldsem}{.scope}{.global}.add{.vec_32_bit}.f32  d, [a];
       multimem.ld_reduce{.ldsem}{.scope}{.global}.add.f64  d, [a];
       multimem.st{.stsem}{.scope}{.global}.vec_16_bit.half_type      [a], b;
       multimem.st{.stsem}{.scope}{.global}{.vec_32_bit}.packed_type  [a], b;
       multimem.st{.stsem}{.scope}{.global}.vec_8_bit.type_8_bit      [a], b;
       multimem.st{.stsem}{.scope}{.global}.vec_16_bit.type_8_bitx2   [a], b;
       multimem.st{.stsem}{.scope}{.global}{.vec_32_bit}.type_8_bitx4  [a], b;
       multimem.st{.stsem}{.scope}{.global}{.vec_32_bit}.f32  [a], b;
       multimem.st{.stsem}{.scope}{.global}.f64  [a], b;
       multimem.red{.redsem}{.scope}{.global}.add.vec_16_bit.half_type      [a], b;
       multimem.red{.redsem}{.scope}{.global}.add{.vec_32_bit}.packed_type  [a], b;
       multimem.red{.redsem}{.scope}{.global}.add{.vec_32_bit}.f32  [a], b;
       multimem.red{.redsem}{.scope}{.global}.add.f64  [a], b;
       .ldsem = { .weak, .relaxed, .acquire };
       .stsem = { .weak, .relaxed, .release };
       .redsem = { .relaxed, .release };
       .scope = { .cta, .cluster, .gpu, .sys };
       .op = { .min, .max, .add };
       .vec_8_bit = { .v4, .v8 };  .vec_16_bit = { .v2, .v4, .v8 };  .vec_32_bit = { .v2, .v4 };
       .half_type = { .f16, .bf16 };  .packed_type = { .f16x2, .bf16x2 };
       .type_8_bit = { .e5m2, .e4m3 };
       .type_8_bitx2 = { .e5m2x2, .e4m3x2 };
       .type_8_bitx4 = { .e5m2x4, .e4m3x4 };
       PTX 8.1, sm_90;  PTX 8.2, sm_90: .acc::f32;
       PTX 8.6, sm_100a, sm_101a, sm_120a: .e5m2, .e4m3, .e5m2x2, .e4m3x2, .e5m2x4, .e4m3x4, .acc::f16;)",
     operate_on_replicas},
};

}  // namespace

std::span<const Definition> multimem_operations() { return definitions_of_multimem_operations; }

}  // namespace ptxmc
