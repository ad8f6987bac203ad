// PTX ISA 8.7 § 9.7.19: miscellaneous instructions.
#include "semantics/language/chapters.hpp"

namespace ptxmc {

namespace {

constexpr Definition definitions_of_miscellaneous[] = {
    // Suspends execution until a debugger continues it.
    {"9.7.19.1", R"(
       brkpt;
       PTX 1.0, sm_11;)",
     [](const Form&, const Operands&) -> Results { return {}; }},

    {"9.7.19.2", R"(
       nanosleep.u32  t;
       PTX 6.3, sm_70;)",
     [](const Form&, const Operands&) -> Results { return {}; }, Flow::next, true},

    {"9.7.19.3", R"(
       pmevent  immEvent;
       immEvent : .u32;  immEvent in { 0..15 };
       PTX 1.4;)",
     [](const Form&, const Operands&) -> Results { return {}; }},

    {"9.7.19.3", R"(
       pmevent.mask  immMask;
       immMask : .u32;  immMask in { 0..65535 };
       PTX 3.0, sm_20;)",
     [](const Form&, const Operands&) -> Results { return {}; }},

    {"9.7.19.4", R"(
       trap;
       PTX 1.0;)",
     [](const Form&, const Operands&, Effects& effects) { effects.trap(); }, Flow::end},

    {"9.7.19.5", R"(
       setmaxnreg.action.sync.aligned.u32  imm-reg-count;
       .action = { .inc, .dec };
       imm-reg-count in { 24..256 by 8 };
       PTX 8.0, sm_90a, sm_100a, sm_101a, sm_120a;)",
     [](const Form&, const Operands&) -> Results { return {}; }},
};

}  // namespace

std::span<const Definition> miscellaneous() { return definitions_of_miscellaneous; }

}  // namespace ptxmc
