#include "src/litmus/c_instructions.hpp"

#include "semantics/language/memory_access.hpp"

namespace ptxmc {

namespace {

/// Without an order: weak, and in no scope.
Access access_of(const Form& form) {
  Access access;
  access.sem = sem_of(form, Sem::weak);
  access.scope = scope_of(form);
  return access;
}

Update c_update(const Form& form, const Operands& x, const Bits& read) {
  if (form.has(".sub")) return {read - x.b};
  return atomic_update(form, x, read);
}

/// The last arrival of a phase begins the next one, for which all expected threads are missing again.
Update arrival(const Bits& word, bool drops) {
  const Bits one(barrier_count_width, 1);
  const Bits missing = word.extract(0, barrier_count_width);
  const Bits given = word.extract(barrier_count_width, barrier_count_width);
  const Bits expected = drops ? given - one : given;
  const Bits phase = word.extract(barrier_phase, 64 - barrier_phase);
  const Bits completed = concat(phase + Bits(64 - barrier_phase, 1), concat(expected, expected));
  return {ite(equal(missing, one), completed, concat(phase, concat(expected, missing - one)))};
}

Bits arrive(const Form& form, const Operands& x, Effects& effects, bool drops) {
  return effects.read_modify_write(access_of(form), x.a, form.width(),
                                   [&](const Bits& word) { return arrival(word, drops); });
}

constexpr Definition c_definitions[] = {
    {"C++", R"(
       load.weak.type        d, [a];
       load.volatile.type    d, [a];
       load.sem.scope.type   d, [a];
       .sem   = { .relaxed, .acquire, .sc };
       .scope = { .cta, .cluster, .gpu, .sys };
       .type  = { .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64 };)",
     [](const Form& f, const Operands& x, Effects& effects) {
       return load(f, x, load_store_access(f), effects);
     }},

    {"C++", R"(
       store.weak.type        [a], b;
       store.volatile.type    [a], b;
       store.sem.scope.type   [a], b;
       .sem   = { .relaxed, .release, .sc };
       .scope = { .cta, .cluster, .gpu, .sys };
       .type  = { .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64 };)",
     [](const Form& f, const Operands& x, Effects& effects) { store(f, x, load_store_access(f), effects); }},

    {"C++", R"(
       rmw.weak.op.type        d, [a], b;
       rmw.sem.scope.op.type   d, [a], b;
       .sem   = { .relaxed, .acquire, .release, .acq_rel, .sc };
       .scope = { .cta, .cluster, .gpu, .sys };
       .op    = { .exch, .add, .sub, .min, .max, .and, .or, .xor };
       .type  = { .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64 };)",
     [](const Form& f, const Operands& x, Effects& effects) -> Bits {
       return effects.read_modify_write(access_of(f), x.a, f.width(),
                                        [&](const Bits& read) { return c_update(f, x, read); });
     }},

    {"C++", R"(
       cas_fails_relaxed.weak.type        d, [a], b, c;
       cas_fails_relaxed.sem.scope.type   d, [a], b, c;
       cas_fails_acquire.sem.scope.type   d, [a], b, c;
       cas_fails_sc.sem.scope.type        d, [a], b, c;
       .sem   = { .relaxed, .acquire, .release, .acq_rel, .sc };
       .scope = { .cta, .cluster, .gpu, .sys };
       .type  = { .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64 };)",
     [](const Form& f, const Operands& x, Effects& effects) -> Bits {
       return effects.read_modify_write(access_of(f), x.a, f.width(), [&](const Bits& read) {
         return Update{x.c, equal(read, x.b)};
       });
     }},

    {"C++", R"(
       barrier_arrive.release.scope.u64   d, [a];
       .scope = { .cta, .cluster, .gpu, .sys };)",
     [](const Form& f, const Operands& x, Effects& effects) { return arrive(f, x, effects, false); }},

    {"C++", R"(
       barrier_drop.release.scope.u64   d, [a];
       .scope = { .cta, .cluster, .gpu, .sys };)",
     [](const Form& f, const Operands& x, Effects& effects) { return arrive(f, x, effects, true); }},

    {"C++", R"(
       barrier_wait.acquire.scope.u64   d, [a];
       .scope = { .cta, .cluster, .gpu, .sys };)",
     [](const Form& f, const Operands& x, Effects& effects) {
       return load(f, x, load_store_access(f), effects);
     }},

    {"C++", "weak_cas_fails  p;",
     [](const Form&, const Operands&, Effects& effects) -> Bits { return effects.unspecified(1); }},

    {"C++", R"(
       weak_cas_reads.weak.type        d, [a];
       weak_cas_reads.sem.scope.type   d, [a];
       .sem   = { .relaxed, .acquire, .sc };
       .scope = { .cta, .cluster, .gpu, .sys };
       .type  = { .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64 };)",
     [](const Form& f, const Operands& x, Effects& effects) {
       return load(f, x, load_store_access(f), effects);
     }},
};

}  // namespace

const InstructionSet& cpp_instructions() {
  static const InstructionSet set = [] {
    InstructionSet instructions;
    instructions.define(c_definitions);
    return instructions;
  }();
  return set;
}

bool is_weak_failure(const Instruction& instruction) {
  return instruction.form->spelling.starts_with("weak_cas_");
}

}  // namespace ptxmc
