// PTX ISA 8.7 § 9.7.13.7 and § 9.7.13.15 to § 9.7.13.18: asynchronous reductions, mbarrier objects, tensor
// map fences and cluster launch control.
#include "semantics/language/chapters.hpp"

namespace ptxmc {

namespace {

constexpr Definition definitions[] = {
    {"9.7.13.7", R"(
       red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.incop.u32  [a], b, [mbar];
       red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.minop.type  [a], b, [mbar];
       red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.bitop.b32  [a], b, [mbar];
       red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.add.addtype  [a], b, [mbar];
       .incop = { .inc, .dec };  .minop = { .min, .max };  .bitop = { .and, .or, .xor };
       .type = { .u32, .s32 };  .addtype = { .u32, .s32, .u64 };
       PTX 8.1, sm_90;)"},

    {"9.7.13.7", R"(
       red.async{.mmio}.release.scope{.global}.add.type  [a], b;
       .scope = { .gpu, .sys };  // the syntax paragraph says .cluster, the notes .sys
       .type = { .u32, .s32, .u64, .s64 };
       PTX 8.7, sm_100;)"},

    {"9.7.13.15.9", R"(
       mbarrier.init{.shared{::cta}}.b64  [addr], count;
       count : .u32;
       PTX 7.0, sm_80;  PTX 7.8, sm_80: .shared::cta;)"},

    {"9.7.13.15.10", R"(
       mbarrier.inval{.shared{::cta}}.b64  [addr];
       PTX 7.0, sm_80;  PTX 7.8, sm_80: .shared::cta;)"},

    {"9.7.13.15.11", R"(
       mbarrier.expect_tx{.sem}{.scope}{.space}.b64  [addr], txCount;
       .sem = { .relaxed };  .scope = { .cta, .cluster };
       .space = { .shared{::cta, ::cluster} };
       txCount : .u32;
       PTX 8.0, sm_90;)"},

    {"9.7.13.15.12", R"(
       mbarrier.complete_tx{.sem}{.scope}{.space}.b64  [addr], txCount;
       .sem = { .relaxed };  .scope = { .cta, .cluster };
       .space = { .shared{::cta, ::cluster} };
       txCount : .u32;
       PTX 8.0, sm_90;)"},

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
       PTX 8.6, sm_80: .relaxed;)"},

    {"9.7.13.15.13", R"(
       mbarrier.arrive.noComplete{.release}{.cta}{.shared{::cta}}.b64  state, [addr], count;
       count : .u32;  count in { 1.. by 1 };
       state or _;
       PTX 7.0, sm_80;  PTX 7.8, sm_80: .shared::cta;  PTX 8.0, sm_80: .release, .cta;)"},

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
       PTX 8.6, sm_80: .relaxed;)"},

    {"9.7.13.15.14", R"(
       mbarrier.arrive_drop.noComplete{.release}{.cta}{.shared{::cta}}.b64  state, [addr], count;
       count : .u32;  count in { 1.. by 1 };
       state or _;
       PTX 7.0, sm_80;  PTX 7.8, sm_80: .shared::cta;  PTX 8.0, sm_80: .release, .cta;)"},

    {"9.7.13.15.15", R"(
       cp.async.mbarrier.arrive{.noinc}{.shared{::cta}}.b64  [addr];
       PTX 7.0, sm_80;  PTX 7.8, sm_80: .shared::cta;)"},

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
       PTX 8.6, sm_80: .relaxed;)"},

    {"9.7.13.15.17", R"(
       mbarrier.pending_count.b64  count, state;
       count : .u32;
       PTX 7.0, sm_80;)"},

    {"9.7.13.16", R"(
       tensormap.cp_fenceproxy.cp_qualifiers.fence_qualifiers.scope.sync.aligned  [dst], [src], size;
       .cp_qualifiers = { .global.shared::cta };
       .fence_qualifiers = { .tensormap::generic.release };
       .scope = { .cta, .cluster, .gpu, .sys };
       size = { 128 };
       PTX 8.3, sm_90;)"},

    {"9.7.13.17", R"(
       clusterlaunchcontrol.try_cancel.async{.shared::cta}.completion_mechanism{.multicast::cluster::all}.b128
           [addr], [mbar];
       .completion_mechanism = { .mbarrier::complete_tx::bytes };
       PTX 8.6, sm_100;  PTX 8.6, sm_100a, sm_101a, sm_120a: .multicast::cluster::all;)"},

    {"9.7.13.18", R"(
       clusterlaunchcontrol.query_cancel.is_canceled.pred.b128  pred, try_cancel_response;
       clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128
           {xdim, ydim, zdim, _}, try_cancel_response;
       clusterlaunchcontrol.query_cancel.dimension.b32.b128  reg, try_cancel_response;
       .dimension = { .get_first_ctaid::x, .get_first_ctaid::y, .get_first_ctaid::z };
       PTX 8.6, sm_100;)"},
};

}  // namespace

std::span<const Definition> mbarriers() { return definitions; }

}  // namespace ptxmc
