#include "src/litmus/dialect.hpp"

#include "semantics/language/memory_access.hpp"

namespace ptxmc {

namespace {

Proxy proxy_of(const Form& form) {
  const std::string& opcode = form.line->opcode;
  if (opcode == "tld") return Proxy::texture;
  if (opcode == "cold") return Proxy::constant;
  return opcode.starts_with("su") ? Proxy::surface : Proxy::generic;
}

Access with_proxy(Access access, const Form& form) {
  access.proxy = proxy_of(form);
  access.is_reduction = form.line->opcode == "red" || form.line->opcode == "sured";
  return access;
}

/// The updates of PTX and the three additional operations of the dialect.
Update dialect_update(const Form& form, const Operands& x, const Bits& read) {
  if (form.has(".sub")) return {read - x.b};
  if (form.has(".mul")) return {read * x.b};
  if (form.has(".div")) return {form.is_signed() ? divide_signed(read, x.b) : divide_unsigned(read, x.b)};
  return atomic_update(form, x, read);
}

Bits read_modify_write(const Form& form, const Operands& x, Effects& effects) {
  return effects.read_modify_write(with_proxy(atomic_access(form), form), x.a, form.width(),
                                   [&](const Bits& read) { return dialect_update(form, x, read); });
}

/// The first number identifies the barrier in the text; it is also the id if none is given. Ids have the same
/// width as in `barrier`, since both may be used for one barrier.
void barrier(const Form& form, const Operands& x, Effects& effects) {
  Barrier barrier;
  barrier.kind = form.has(".arrive") ? Barrier::Kind::arrive : Barrier::Kind::sync;
  barrier.textual = static_cast<int>(x.a.to_u64());
  barrier.id = (x.b.width() ? x.b : x.a).resize_unsigned(32);
  if (x.c.width()) barrier.count = x.c;
  effects.barrier(barrier);
}

constexpr Definition dialect_definitions[] = {
    {"litmus", R"(
       tld.weak.type         d, [a];
       tld.sem.scope.type    d, [a];
       suld.weak.type        d, [a];
       suld.sem.scope.type   d, [a];
       cold.weak.type        d, [a];
       cold.sem.scope.type   d, [a];
       .sem   = { .relaxed, .acquire };
       .scope = { .cta, .cluster, .gpu, .sys };
       .type  = { .b8, .b16, .b32, .b64, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64 };)",
     [](const Form& f, const Operands& x, Effects& effects) {
       return load(f, x, with_proxy(load_store_access(f), f), effects);
     }},

    {"litmus", R"(
       sust.weak.type        [a], b;
       sust.sem.scope.type   [a], b;
       .sem   = { .relaxed, .release };
       .scope = { .cta, .cluster, .gpu, .sys };
       .type  = { .b8, .b16, .b32, .b64, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64 };)",
     [](const Form& f, const Operands& x, Effects& effects) {
       store(f, x, with_proxy(load_store_access(f), f), effects);
     }},

    {"litmus", R"(
       atom{.sem}{.scope}.op.type     d, [a], b;
       suatom.sem.scope.suop.type     d, [a], b;
       suatom.sem.scope.cas.type      d, [a], b, c;
       .sem   = { .relaxed, .acquire, .release, .acq_rel };
       .scope = { .cta, .cluster, .gpu, .sys };
       .op    = { .sub, .mul, .div };
       .suop  = { .add, .sub, .mul, .div, .and, .or, .xor, .min, .max, .exch };
       .type  = { .b32, .b64, .u32, .u64, .s32, .s64 };)",
     [](const Form& f, const Operands& x, Effects& effects) -> Bits {
       return read_modify_write(f, x, effects);
     }},

    {"litmus", R"(
       red{.sem}{.scope}.op.type      [a], b;
       red.acqsem.scope.suop.type     [a], b;
       sured.susem.scope.suop.type    [a], b;
       .sem    = { .relaxed, .release };
       .acqsem = { .acquire, .acq_rel };
       .susem  = { .relaxed, .acquire, .release, .acq_rel };
       .scope  = { .cta, .cluster, .gpu, .sys };
       .op     = { .sub, .mul, .div, .exch };
       .suop   = { .add, .sub, .mul, .div, .and, .or, .xor, .min, .max, .exch };
       .type   = { .b32, .b64, .u32, .u64, .s32, .s64 };)",
     [](const Form& f, const Operands& x, Effects& effects) { read_modify_write(f, x, effects); }},

    {"litmus", R"(
       fence.proxy.proxykind;
       .proxykind = { .generic, .constant, .texture, .surface };)",
     [](const Form& f, const Operands&, Effects& effects) {
       Fence fence;
       fence.is_proxy_fence = true;
       fence.sem = Sem::weak;
       if (f.has(".constant")) fence.to = Proxy::constant;
       if (f.has(".texture")) fence.to = Proxy::texture;
       if (f.has(".surface")) fence.to = Proxy::surface;
       effects.fence(fence);
     }},

    {"litmus", R"(
       bar.cta.kind   a;
       bar.cta.kind   a, b;
       bar.cta.kind   a, b, c;
       .kind = { .sync, .arrive };
       a, b, c : .u64;)",
     [](const Form& f, const Operands& x, Effects& effects) { barrier(f, x, effects); }},
};

}  // namespace

const InstructionSet& litmus_dialect() {
  static const InstructionSet set = [] {
    InstructionSet dialect;
    dialect.define(dialect_definitions);
    return dialect;
  }();
  return set;
}

}  // namespace ptxmc
