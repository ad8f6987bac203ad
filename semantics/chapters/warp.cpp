// PTX ISA 8.7 § 9.7.13.8 to § 9.7.13.14: communication within a warp, and between grids.
#include "semantics/chapters/lane_exchange.hpp"
#include "semantics/language/chapters.hpp"

namespace ptxmc {

namespace {

/// § 9.7.13.13: of griddepcontrol.wait, only the executing thread waits.
Results control_dependent_grids(const Form& form, const Operands&, Effects& effects) {
  if (form.has(".launch_dependents")) {
    effects.launch_dependents();
    return {};
  }
  Barrier barrier;
  barrier.group = Barrier::Group::prerequisite;
  barrier.id = Bits(32, 0);
  return effects.await_barrier(barrier, [](const Bits&) { return Results(); });
}

constexpr Definition definitions_of_warp_communication[] = {
    {"9.7.13.8", R"(
       vote.mode.pred   d, {!}a;
       vote.ballot.b32  d, {!}a;
       .mode = { .all, .any, .uni };
       PTX 1.2, sm_12;  PTX 2.0, sm_20: .ballot;  removed PTX 6.4, sm_70;)",
     vote},

    {"9.7.13.9", R"(
       vote.sync.mode.pred   d, {!}a, membermask;
       vote.sync.ballot.b32  d, {!}a, membermask;
       .mode = { .all, .any, .uni };
       PTX 6.0, sm_30;)",
     vote},

    {"9.7.13.10", R"(
       match.any.sync.type  d, a, membermask;
       .type = { .b32, .b64 };
       d : .b32;
       PTX 6.0, sm_70;)",
     match_values},

    {"9.7.13.10", R"(
       match.all.sync.type  d[|p], a, membermask;
       .type = { .b32, .b64 };
       d : .b32;
       d, p or _;
       PTX 6.0, sm_70;)",
     match_values},

    {"9.7.13.11", R"(
       activemask.b32  d;
       PTX 6.2, sm_30;)",
     active_mask},

    {"9.7.13.12", R"(
       redux.sync.op.type               dst, src, membermask;
       redux.sync.bitop.b32             dst, src, membermask;
       redux.sync.minop{.abs}{.NaN}.f32  dst, src, membermask;
       .op = { .add, .min, .max };
       .type = { .u32, .s32 };
       .bitop = { .and, .or, .xor };
       .minop = { .min, .max };
       PTX 7.0, sm_80;  PTX 8.6, sm_100a: .f32;)",
     reduce_lanes},

    {"9.7.13.13", R"(
       griddepcontrol.action;
       .action = { .launch_dependents, .wait };
       PTX 7.8, sm_90;)",
     control_dependent_grids},

    {"9.7.13.14", R"(
       elect.sync  d|p, membermask;
       d : .b32;
       d or _;
       PTX 8.0, sm_90;)",
     elect},
};

}  // namespace

std::span<const Definition> warp_communication() { return definitions_of_warp_communication; }

}  // namespace ptxmc
