// PTX ISA 8.7 § 9.7.13.7 and § 9.7.13.15 to § 9.7.13.18: asynchronous reductions, mbarrier objects, tensor
// map fences and cluster launch control.
#include "semantics/chapters/asynchronous_operation.hpp"
#include "semantics/language/chapters.hpp"
#include "semantics/language/memory_access.hpp"
#include "semantics/language/misuse.hpp"

namespace ptxmc {

namespace {

/// `.cta` without a scope. The `.shared::cluster` of a form is a state space, not a scope (§ 9.7.13.15.13).
Access mbarrier_access(const Form& form, Sem otherwise, MbarrierAccess mbarrier = MbarrierAccess::operation) {
  Access access;
  access.sem = sem_of(form, otherwise);
  access.scope = scope_of(form);
  if (access.scope == Scope::none && access.sem != Sem::weak) access.scope = Scope::cta;
  access.space = space_of(form);
  access.mbarrier = mbarrier;
  return access;
}

/// § 9.7.13.15.9, § 9.7.13.15.10, § 9.7.13.15.13, § 9.7.13.15.15, § 9.7.13.15.16: a generic address must be
/// in shared::cta.
void check_is_in_own_cta(const Form& form, const Operands& x, Effects& effects) {
  if (space_of(form) != StateSpace::generic || effects.ctas_of_cluster() == 1) return;
  const Bits is_misuse = ~is_in_cta(x["addr"], effects.cta_rank(), effects);
  if (!is_misuse.is_false()) effects.use(use_of_operand(Misuse::no_mbarrier, is_misuse));
}

/// § 9.7.13.15.11, § 9.7.13.15.12: relaxed.
void count_transactions(const Form& form, const Operands& x, MbarrierStep step, Effects& effects) {
  Access access = mbarrier_access(form, Sem::relaxed);
  access.is_reduction = true;
  update_mbarrier(access, x["addr"], {.step = step}, effects);
}

/// § 9.7.13.15.13, § 9.7.13.15.14. The state that an arrival returns, if it has a destination, is the object
/// before it, which contains its phase.
Results arrive(const Form& form, const Operands& x, Effects& effects) {
  if (!form.has(".arrive_drop")) check_is_in_own_cta(form, x, effects);
  Access access = mbarrier_access(form, Sem::release);
  access.is_reduction = true;
  MbarrierUse use;
  use.must_not_complete = form.has(".noComplete");
  use.step.may_complete = true;
  use.step.arrivals = Bits(32, 1);
  if (const Bits& count = x["count"]; count.width() != 0) {
    use.step.arrivals = count;
    use.counts_arrivals = true;
  }
  for (const char* name : {"txCount", "tx_count"})
    if (x[name].width() != 0) use.step.expects = x[name];
  if (form.has(".arrive_drop")) use.step.drops = use.step.arrivals;
  const Bits before = update_mbarrier(access, x["addr"], use, effects);
  return form.operands.front().is_destination ? Results(before) : Results();
}

/// § 9.7.13.15.16: the phase of the operand is complete if the object is in a later one. `try_wait` may
/// return False at any time, as `test_wait` does when it is executed early, so they have one meaning.
Results wait_for_phase(const Form& form, const Operands& x, Effects& effects) {
  check_is_in_own_cta(form, x, effects);
  Wait wait;
  wait.sem = sem_of(form, Sem::acquire);
  Access access = mbarrier_access(form, Sem::relaxed);
  access.sem = Sem::relaxed;
  wait.scope = access.scope;
  MbarrierUse use;
  use.word = effects.read(access, x["addr"], 64);
  const Bits phase = mbarrier_state(use.word).phase;
  if (form.has(".parity")) {
    use.parity = x["phaseParity"];
    wait.succeeds = ~equal(phase.bit(0), use.parity.bit(0));
  } else {
    use.token = x["state"];
    wait.succeeds = ~equal(phase, mbarrier_state(use.token).phase);
  }
  effects.use(use_of(use));
  effects.wait(wait);
  return wait.succeeds;
}

constexpr unsigned response_width = 128, response_flag = 96;  // of clusterlaunchcontrol.try_cancel

/// The response is opaque. Here: the three parts of %ctaid, and whether the request has succeeded.
Bits response_of(const CancelledCluster& cancelled) {
  const Bits low = concat(cancelled.ctaid[1], cancelled.ctaid[0]);
  return concat(cancelled.succeeds.zero_extend(32), concat(cancelled.ctaid[2], low));
}

/// § 9.7.13.17: a weak write through the async proxy, and the signal that it is complete.
void respond(const AsyncPlace& to, const AsyncPlace& mbarrier, const Bits& response, Effects& strand) {
  constexpr unsigned part = 64;
  Access access;
  access.proxy = Proxy::async;
  access.space = to.space;
  access.is_copy = true;
  access.alignment = response_width / 8;
  strand.write(access, to.address, response.extract(0, part));
  access.alignment = 0;
  strand.write(access, to.address + Bits(64, part / 8), response.extract(part, part));
  complete_transactions(mbarrier, Bits(32, response_width / 8), strand);
}

void try_cancel(const Form& form, const Operands& x, Effects& effects) {
  const bool is_for_all = form.has(".multicast::cluster::all");
  const StateSpace space = is_for_all ? StateSpace::shared_cluster : space_of(form);
  const AsyncPlace to{space, x["addr"]}, mbarrier{space, x["mbar"]};
  effects.use(use_of_operand(Misuse::request_after_failure, effects.knows_of_failed_request()));
  effects.start({}, [=](Effects& strand) {
    const Bits response = response_of(strand.cancel_cluster());
    if (!is_for_all) return respond(to, mbarrier, response, strand);
    for (std::uint32_t rank = 0; rank < strand.ctas_of_cluster(); ++rank)
      respond({space, strand.address_in_cta(to.address, Bits(32, rank))},
              {space, strand.address_in_cta(mbarrier.address, Bits(32, rank))}, response, strand);
  });
}

Results query_cancel(const Form& form, const Operands& x, Effects& effects) {
  const Bits& response = x["try_cancel_response"];
  const Bits is_canceled = response.bit(response_flag);
  effects.learn_response(is_canceled);
  if (form.has(".is_canceled")) return is_canceled;
  effects.use(use_of_operand(Misuse::cta_of_failed_request, ~is_canceled));
  const auto part = [&](unsigned i) { return response.extract(32 * i, 32); };
  if (form.has(".get_first_ctaid::x")) return part(0);
  if (form.has(".get_first_ctaid::y")) return part(1);
  if (form.has(".get_first_ctaid::z")) return part(2);
  Results all;
  for (unsigned i = 0; i < 3; ++i) all.push_back(part(i));
  all.push_back(effects.unspecified(32));
  return all;
}

constexpr Definition definitions_of_mbarriers[] = {
    {"9.7.13.7", R"(
       red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.incop.u32  [a], b, [mbar];
       red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.minop.type  [a], b, [mbar];
       red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.bitop.b32  [a], b, [mbar];
       red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.add.addtype  [a], b, [mbar];
       .incop = { .inc, .dec };  .minop = { .min, .max };  .bitop = { .and, .or, .xor };
       .type = { .u32, .s32 };  .addtype = { .u32, .s32, .u64 };
       PTX 8.1, sm_90;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       Access access;
       access.sem = Sem::relaxed;
       access.scope = Scope::cluster;
       access.space = space_of(f);
       access.is_reduction = true;
       Operands operands;
       operands.b = x.b;
       const Bits address = x.a;
       const AsyncPlace mbarrier{access.space, x["mbar"]};
       effects.start({}, [=, &f](Effects& strand) {
         strand.read_modify_write(access, address, f.width(),
                                  [&](const Bits& old) { return atomic_update(f, operands, old); });
         complete_transactions(mbarrier, Bits(32, f.width() / 8), strand);
       });
     }},

    {"9.7.13.7", R"(
       red.async{.mmio}.release.scope{.global}.add.type  [a], b;
       .scope = { .gpu, .sys };  // the syntax paragraph says .cluster, the notes .sys
       .type = { .u32, .s32, .u64, .s64 };
       PTX 8.7, sm_100;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       Access access = release_access(f);
       access.is_reduction = true;
       Operands operands;
       operands.b = x.b;
       const Bits address = x.a;
       effects.start({}, [=, &f](Effects& strand) {
         strand.read_modify_write(access, address, f.width(),
                                  [&](const Bits& old) { return atomic_update(f, operands, old); });
       });
     }},

    {"9.7.13.15.9", R"(
       mbarrier.init{.shared{::cta}}.b64  [addr], count;
       count : .u32;
       PTX 7.0, sm_80;  PTX 7.8, sm_80: .shared::cta;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       check_is_in_own_cta(f, x, effects);
       const Bits& count = x["count"];
       effects.use(use_of({.step = {.arrivals = count}, .counts_arrivals = true}));
       effects.write(mbarrier_access(f, Sem::weak, MbarrierAccess::init), x["addr"],
                     word_of(initial_mbarrier_state(count)));
     }},

    {"9.7.13.15.10", R"(
       mbarrier.inval{.shared{::cta}}.b64  [addr];
       PTX 7.0, sm_80;  PTX 7.8, sm_80: .shared::cta;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       check_is_in_own_cta(f, x, effects);
       Access access = mbarrier_access(f, Sem::weak, MbarrierAccess::inval);
       access.is_indeterminate = true;
       effects.write(access, x["addr"], effects.unspecified(64));
     }},

    {"9.7.13.15.11", R"(
       mbarrier.expect_tx{.sem}{.scope}{.space}.b64  [addr], txCount;
       .sem = { .relaxed };  .scope = { .cta, .cluster };
       .space = { .shared{::cta, ::cluster} };
       txCount : .u32;
       PTX 8.0, sm_90;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       count_transactions(f, x, {.expects = x["txCount"]}, effects);
     }},

    {"9.7.13.15.12", R"(
       mbarrier.complete_tx{.sem}{.scope}{.space}.b64  [addr], txCount;
       .sem = { .relaxed };  .scope = { .cta, .cluster };
       .space = { .shared{::cta, ::cluster} };
       txCount : .u32;
       PTX 8.0, sm_90;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       count_transactions(f, x, {.completes = x["txCount"], .may_complete = true}, effects);
     }},

    {"9.7.13.15.13", R"(
       mbarrier.arrive{.sem}{.scope}{.shared{::cta}}.b64  state, [addr]{, count};
       mbarrier.arrive{.sem}{.scope}.shared::cluster.b64  _, [addr]{, count};
       mbarrier.arrive.expect_tx{.sem}{.scope}{.shared{::cta}}.b64  state, [addr], txCount;
       mbarrier.arrive.expect_tx{.sem}{.scope}.shared::cluster.b64  _, [addr], txCount;
       .sem = { .release, .relaxed };  .scope = { .cta, .cluster };
       count, txCount : .u32;  count in { 1.. by 1 };
       state or _;
       PTX 7.0, sm_80;  PTX 7.8, sm_80: .shared::cta;  PTX 7.8, sm_90: (count);
       PTX 8.0, sm_80: .release, .cta;  PTX 8.0, sm_90: .expect_tx, .cluster, .shared::cluster;
       PTX 8.6, sm_80: .relaxed;)",
     arrive},

    {"9.7.13.15.13", R"(
       mbarrier.arrive.noComplete{.release}{.cta}{.shared{::cta}}.b64  state, [addr], count;
       count : .u32;  count in { 1.. by 1 };
       state or _;
       PTX 7.0, sm_80;  PTX 7.8, sm_80: .shared::cta;  PTX 8.0, sm_80: .release, .cta;)",
     arrive},

    {"9.7.13.15.14", R"(
       mbarrier.arrive_drop{.sem}{.scope}{.shared{::cta}}.b64  state, [addr]{, count};
       mbarrier.arrive_drop{.sem}{.scope}.shared::cluster.b64  _, [addr]{, count};
       mbarrier.arrive_drop.expect_tx{.sem}{.scope}{.shared{::cta}}.b64  state, [addr], tx_count;
       mbarrier.arrive_drop.expect_tx{.sem}{.scope}.shared::cluster.b64  _, [addr], tx_count;
       .sem = { .release, .relaxed };  .scope = { .cta, .cluster };
       count, tx_count : .u32;  count in { 1.. by 1 };
       state or _;
       PTX 7.0, sm_80;  PTX 7.8, sm_80: .shared::cta;  PTX 7.8, sm_90: (count);
       PTX 8.0, sm_80: .release, .cta;  PTX 8.0, sm_90: .expect_tx, .cluster, .shared::cluster;
       PTX 8.6, sm_80: .relaxed;)",
     arrive},

    {"9.7.13.15.14", R"(
       mbarrier.arrive_drop.noComplete{.release}{.cta}{.shared{::cta}}.b64  state, [addr], count;
       count : .u32;  count in { 1.. by 1 };
       state or _;
       PTX 7.0, sm_80;  PTX 7.8, sm_80: .shared::cta;  PTX 8.0, sm_80: .release, .cta;)",
     arrive},

    {"9.7.13.15.15", R"(
       cp.async.mbarrier.arrive{.noinc}{.shared{::cta}}.b64  [addr];
       PTX 7.0, sm_80;  PTX 7.8, sm_80: .shared::cta;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       check_is_in_own_cta(f, x, effects);
       Access access = mbarrier_access(f, Sem::release);
       access.is_reduction = true;
       const Bits address = x["addr"];
       // The increment is at the instruction: the arrival cannot complete the phase before it.
       if (!f.has(".noinc")) {
         Access increment = access;
         increment.sem = Sem::relaxed;
         update_mbarrier(increment, address, {.step = {.increments = Bits(32, 1)}}, effects);
       }
       effects.start({.follows = AsyncGroup::cp_async}, [=](Effects& strand) {
         update_mbarrier(access, address, {.step = {.arrivals = Bits(32, 1), .may_complete = true}}, strand);
       });
     }},

    {"9.7.13.15.16", R"(
       mbarrier.test_wait{.sem}{.scope}{.shared{::cta}}.b64  waitComplete, [addr], state;
       mbarrier.test_wait.parity{.sem}{.scope}{.shared{::cta}}.b64  waitComplete, [addr], phaseParity;
       mbarrier.try_wait{.sem}{.scope}{.shared{::cta}}.b64  waitComplete, [addr], state{, suspendTimeHint};
       mbarrier.try_wait.parity{.sem}{.scope}{.shared{::cta}}.b64
           waitComplete, [addr], phaseParity{, suspendTimeHint};
       .sem = { .acquire, .relaxed };  .scope = { .cta, .cluster };
       waitComplete : .pred;  phaseParity, suspendTimeHint : .u32;  phaseParity in { 0, 1 };
       PTX 7.0, sm_80;  PTX 7.1, sm_80: .parity;  PTX 7.8, sm_90: .try_wait;
       PTX 7.8, sm_80: .shared::cta;  PTX 8.0, sm_80: .acquire, .cta;  PTX 8.0, sm_90: .cluster;
       PTX 8.6, sm_80: .relaxed;)",
     wait_for_phase},

    {"9.7.13.15.17", R"(
       mbarrier.pending_count.b64  count, state;
       count : .u32;
       PTX 7.0, sm_80;)",
     [](const Form&, const Operands& x) -> Bits {
       return mbarrier_state(x["state"]).pending.zero_extend(32);
     }},

    {"9.7.13.17", R"(
       clusterlaunchcontrol.try_cancel.async{.shared::cta}.completion_mechanism{.multicast::cluster::all}.b128
           [addr], [mbar];
       .completion_mechanism = { .mbarrier::complete_tx::bytes };
       PTX 8.6, sm_100;  PTX 8.6, sm_100a, sm_101a, sm_120a: .multicast::cluster::all;)",
     [](const Form& f, const Operands& x, Effects& effects) { try_cancel(f, x, effects); }},

    {"9.7.13.18", R"(
       clusterlaunchcontrol.query_cancel.is_canceled.pred.b128  pred, try_cancel_response;
       clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128
           {xdim, ydim, zdim, _}, try_cancel_response;
       clusterlaunchcontrol.query_cancel.dimension.b32.b128  reg, try_cancel_response;
       .dimension = { .get_first_ctaid::x, .get_first_ctaid::y, .get_first_ctaid::z };
       PTX 8.6, sm_100;)",
     query_cancel},
};

}  // namespace

std::span<const Definition> mbarriers() { return definitions_of_mbarriers; }

}  // namespace ptxmc
