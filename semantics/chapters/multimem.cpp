// PTX ISA 8.7 § 9.7.9.14: operations on multimem addresses, each of which stands for the same offset in
// several buffers. The access to each replica is one of its own, in no order with the others.
#include <algorithm>

#include "semantics/chapters/float_form.hpp"
#include "semantics/language/chapters.hpp"
#include "semantics/language/memory_access.hpp"
#include "semantics/language/misuse.hpp"
#include "semantics/values/arithmetic.hpp"

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

/// Combines two numbers. The manual leaves open whether sums of subnormal numbers are flushed: here they are
/// not.
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

/// Reads all replicas and combines them in their order: the manual leaves the order of a sum open.
Results load_and_reduce(const Form& form, std::span<const Bits> replicas, Effects& effects) {
  const Access access = multimem_access(form);
  const Numbers numbers = numbers_of(form, form.operands[0].elements);
  std::vector<Bits> result;
  for (std::size_t i = 0; i < numbers.count; ++i) {
    const Bits offset(64, i * (numbers.width / 8));
    const Access own = element_access(access, i, numbers.count, numbers.width);
    Bits value = effects.read(own, replicas.front() + offset, numbers.width);
    for (const Bits& replica : replicas.subspan(1))
      value = combined(form, value, effects.read(own, replica + offset, numbers.width));
    result.push_back(value);
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
  const bool has_other_precision = form.has(".acc::f32") || form.has(".acc::f16");
  const bool has_small_numbers = form.type().format && layout_of(*form.type().format).width < 16;
  if (has_other_precision || (has_small_numbers && !form.has(".st"))) throw UnhandledEffect();
  const std::vector<Bits> replicas = effects.replicas(x.a);
  effects.use(use_of_operand(Misuse::no_multimem_address, Bits::boolean(replicas.empty())));
  const bool loads = form.has(".ld_reduce");
  if (replicas.empty() && loads) return registers_of(form, unspecified_numbers(form, effects));
  if (loads) return load_and_reduce(form, replicas, effects);
  change_replicas(form, x, replicas, effects);
  return {};
});

constexpr Definition definitions[] = {
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

std::span<const Definition> multimem_operations() { return definitions; }

}  // namespace ptxmc
