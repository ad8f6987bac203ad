// PTX ISA 8.7 § 9.7.13.1 to § 9.7.13.4: barriers and fences.
#include "semantics/language/chapters.hpp"
#include "semantics/language/memory_access.hpp"
#include "semantics/language/misuse.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

Barrier::Kind kind_of(const Form& form) {
  if (form.has(".arrive")) return Barrier::Kind::arrive;
  if (form.has(".wait")) return Barrier::Kind::wait;
  if (form.has(".popc")) return Barrier::Kind::reduce_popc;
  if (form.has(".and")) return Barrier::Kind::reduce_and;
  return form.has(".or") ? Barrier::Kind::reduce_or : Barrier::Kind::sync;
}

void check_operand(Effects& effects, Misuse misuse, const Bits& is_outside_of_range) {
  if (!is_outside_of_range.is_false()) effects.use(use_of_operand(misuse, is_outside_of_range));
}

/// What the threads of a warp do before they go on behind a barrier at which they do not wait for other
/// warps. "The barrier instructions cause the executing thread to wait for all non-exited threads from its
/// warp" (§ 9.7.13.1, § 9.7.13.3): the threads meet at instructions of one kind, which need not be at the
/// same place.
Results await_own_warp(Barrier::Gathering gathering, Effects& effects) {
  effects.begin_next_part();
  const Barrier barrier = {.group = Barrier::Group::warp,
                           .is_relaxed = true,
                           .id = Bits(lanes_per_warp, all_lanes),
                           .count = {},
                           .predicate = {},
                           .gathering = gathering};
  return effects.await_barrier(barrier, [](const Bits&) { return Results(); });
}

/// `bar` is `barrier.aligned`.
Results cta_barrier(const Form& form, const Operands& x, Effects& effects) {
  Barrier barrier;
  barrier.kind = kind_of(form);
  barrier.group = Barrier::Group::cta;
  check_operand(effects, Misuse::barrier_number, ~less_unsigned(x.a, Bits(32, 16)));
  if (x.b.width() != 0) {
    const bool may_be_zero = barrier.kind != Barrier::Kind::arrive;
    const Bits is_partial_warp = ~is_zero(x.b & Bits(32, lanes_per_warp - 1));
    check_operand(effects, Misuse::thread_count,
                  may_be_zero ? is_partial_warp : is_partial_warp | is_zero(x.b));
  }
  barrier.aligned = form.line->opcode == "bar" || form.has(".aligned");
  barrier.id = x.a;
  // "A non-zero thread count is required for barrier.arrive": for the others, zero is none.
  const bool is_zero_count = x.b.is_constant() && x.b.width() != 0 && x.b.to_u64() == 0;
  if (x.b.width() != 0 && !is_zero_count) barrier.count = x.b;
  barrier.predicate = x.c;
  if (barrier.kind == Barrier::Kind::arrive)
    return effects.await_barrier(barrier, [&effects](const Bits&) {
      return await_own_warp(Barrier::Gathering::at_arrivals, effects);
    });
  return effects.await_barrier(barrier, [](const Bits& result) { return Results(result); });
}

Fence fence_between_proxies(const Form& form) {
  Fence fence;
  fence.is_proxy_fence = true;
  fence.sem = sem_of(form, Sem::weak);
  fence.scope = scope_of(form);
  if (form.has(".alias")) fence.to = Proxy::alias;
  if (form.has(".async") || form.has(".async::generic")) fence.to = Proxy::async;
  if (form.has(".tensormap::generic")) fence.to = Proxy::tensormap;
  fence.space = space_of(form);
  return fence;
}

void restrict_to_space(const Form& form, Fence& fence) {
  if (form.has(".sync_restrict::shared::cta")) fence.restriction = Fence::Restriction::shared_cta;
  if (form.has(".sync_restrict::shared::cluster")) fence.restriction = Fence::Restriction::shared_cluster;
}

constexpr Definition definitions_of_barriers_and_fences[] = {
    {"9.7.13.1", R"(
       barrier{.cta}.sync{.aligned}  a{, b};
       bar{.cta}.sync                a{, b};
       a, b : .u32;  a in { 0..15 };  b in { 0.. by 32 };
       PTX 1.0;  PTX 6.0, sm_30: barrier;  PTX 7.8: .cta;)",
     cta_barrier},

    {"9.7.13.1", R"(
       barrier{.cta}.arrive{.aligned}  a, b;
       bar{.cta}.arrive                a, b;
       a, b : .u32;  a in { 0..15 };  b in { 32.. by 32 };
       PTX 2.0, sm_20;  PTX 6.0, sm_30: barrier;  PTX 7.8: .cta;)",
     cta_barrier},

    {"9.7.13.1", R"(
       barrier{.cta}.red.popc{.aligned}.u32  d, a{, b}, {!}c;
       barrier{.cta}.red.op{.aligned}.pred   p, a{, b}, {!}c;
       bar{.cta}.red.popc.u32  d, a{, b}, {!}c;
       bar{.cta}.red.op.pred   p, a{, b}, {!}c;
       .op = { .and, .or };
       a, b : .u32;  a in { 0..15 };  b in { 0.. by 32 };
       PTX 2.0, sm_20: bar;  PTX 6.0, sm_30: barrier;  PTX 7.8: .cta;)",
     cta_barrier},

    // Threads with the same membermask meet.
    {"9.7.13.2", R"(
       bar.warp.sync  membermask;
       PTX 6.0, sm_30;)",
     [](const Form&, const Operands& x, Effects& effects) {
       Barrier barrier;
       barrier.group = Barrier::Group::warp;
       barrier.id = x["membermask"];
       return effects.await_barrier(barrier, [](const Bits&) { return Results(); });
     }},

    {"9.7.13.3", R"(
       barrier.cluster.arrive{.sem}{.aligned};
       barrier.cluster.wait{.acquire}{.aligned};
       .sem = { .release, .relaxed };
       PTX 7.8, sm_90;  PTX 8.0, sm_90: .acquire, .relaxed, .release;)",
     [](const Form& f, const Operands&, Effects& effects) {
       Barrier barrier;
       barrier.kind = kind_of(f);
       barrier.group = Barrier::Group::cluster;
       barrier.aligned = f.has(".aligned");
       barrier.is_relaxed = f.has(".relaxed");
       barrier.id = Bits(32, 0);
       using enum Barrier::Gathering;
       const Barrier::Gathering gathering = f.has(".arrive") ? at_cluster_arrivals : at_cluster_waits;
       return effects.await_barrier(
           barrier, [gathering, &effects](const Bits&) { return await_own_warp(gathering, effects); });
     }},

    {"9.7.13.4", R"(
       fence{.sem}.scope;
       fence.acquire.sync_restrict::shared::cluster.cluster;
       fence.release.sync_restrict::shared::cta.cluster;
       .sem = { .sc, .acq_rel, .acquire, .release };
       .scope = { .cta, .cluster, .gpu, .sys };
       PTX 6.0, sm_70;  PTX 7.8, sm_90: .cluster;
       PTX 8.6, sm_90: .acquire, .release, .sync_restrict::shared::cta, .sync_restrict::shared::cluster;)",
     [](const Form& f, const Operands&, Effects& effects) {
       Fence fence;
       fence.sem = sem_of(f, Sem::acq_rel);
       fence.scope = scope_of(f);
       restrict_to_space(f, fence);
       effects.fence(fence);
     }},

    {"9.7.13.4", R"(
       fence.op_restrict.release.cluster;
       .op_restrict = { .mbarrier_init };
       PTX 8.0, sm_90;)",
     [](const Form&, const Operands&, Effects& effects) {
       Fence fence;
       fence.sem = Sem::release;
       fence.scope = Scope::cluster;
       fence.restriction = Fence::Restriction::mbarrier_init;
       effects.fence(fence);
     }},

    {"9.7.13.4", R"(
       fence.proxy.proxykind;
       membar.proxy.proxykind;
       fence.proxy.to_proxykind::from_proxykind.release.scope;
       fence.proxy.to_proxykind::from_proxykind.acquire.scope  [addr], size;
       fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;
       fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;
       .proxykind = { .alias, .async, .async.global, .async.shared::cta, .async.shared::cluster };
       .to_proxykind::from_proxykind = { .tensormap::generic };
       .scope = { .cta, .cluster, .gpu, .sys };
       size = { 128 };  size : .u32;
       PTX 7.5, sm_70: fence;  PTX 7.5, sm_60: membar;
       PTX 8.0, sm_90: .async;  PTX 8.3, sm_90: .tensormap::generic;
       PTX 8.6, sm_90: .sync_restrict::shared::cta, .sync_restrict::shared::cluster;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       Fence fence = fence_between_proxies(f);
       restrict_to_space(f, fence);
       if (f.has(".acquire") && f.has(".tensormap::generic")) {
         fence.address = x["addr"];
         fence.size = x["size"].to_u64();
       }
       effects.fence(fence);
     }},

    // A synonym of fence.sc on sm_70 and higher, where the memory model applies.
    {"9.7.13.4", R"(
       membar.level;
       .level = { .cta, .gl, .sys };
       PTX 1.4;  PTX 2.0, sm_20: .sys;)",
     [](const Form& f, const Operands&, Effects& effects) {
       Fence fence;
       fence.sem = Sem::sc;
       fence.scope = scope_of(f);
       effects.fence(fence);
     }},
};

}  // namespace

std::span<const Definition> barriers_and_fences() { return definitions_of_barriers_and_fences; }

}  // namespace ptxmc
