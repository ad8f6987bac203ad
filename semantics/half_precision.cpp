// PTX ISA 8.7 § 9.7.4 and § 9.7.5: half-precision and mixed-precision floating-point instructions.
#include "semantics/chapters.hpp"

namespace ptxmc {

namespace {

constexpr Definition definitions[] = {
    {"9.7.4.1", R"(
       add{.rnd}{.ftz}{.sat}.f16    d, a, b;
       add{.rnd}{.ftz}{.sat}.f16x2  d, a, b;
       add{.rnd}.bf16               d, a, b;
       add{.rnd}.bf16x2             d, a, b;
       .rnd = { .rn };
       PTX 4.2, sm_53;  PTX 7.8, sm_90: .bf16, .bf16x2;)"},

    {"9.7.4.2", R"(
       sub{.rnd}{.ftz}{.sat}.f16    d, a, b;
       sub{.rnd}{.ftz}{.sat}.f16x2  d, a, b;
       sub{.rnd}.bf16               d, a, b;
       sub{.rnd}.bf16x2             d, a, b;
       .rnd = { .rn };
       PTX 4.2, sm_53;  PTX 7.8, sm_90: .bf16, .bf16x2;)"},

    {"9.7.4.3", R"(
       mul{.rnd}{.ftz}{.sat}.f16    d, a, b;
       mul{.rnd}{.ftz}{.sat}.f16x2  d, a, b;
       mul{.rnd}.bf16               d, a, b;
       mul{.rnd}.bf16x2             d, a, b;
       .rnd = { .rn };
       PTX 4.2, sm_53;  PTX 7.8, sm_90: .bf16, .bf16x2;)"},

    {"9.7.4.4", R"(
       fma.rnd{.ftz}{.sat}.f16     d, a, b, c;
       fma.rnd{.ftz}{.sat}.f16x2   d, a, b, c;
       fma.rnd{.ftz}.relu.f16      d, a, b, c;
       fma.rnd{.ftz}.relu.f16x2    d, a, b, c;
       fma.rnd{.relu}.bf16         d, a, b, c;
       fma.rnd{.relu}.bf16x2       d, a, b, c;
       fma.rnd.oob{.relu}.type     d, a, b, c;
       .rnd = { .rn };
       .type = { .f16, .f16x2, .bf16, .bf16x2 };
       PTX 4.2, sm_53;  PTX 7.0, sm_80: .relu, .bf16, .bf16x2;  PTX 8.1, sm_90: .oob;)"},

    {"9.7.4.5", R"(
       neg{.ftz}.f16    d, a;
       neg{.ftz}.f16x2  d, a;
       neg.bf16         d, a;
       neg.bf16x2       d, a;
       PTX 6.0, sm_53;  PTX 7.0, sm_80: .bf16, .bf16x2;)"},

    {"9.7.4.6", R"(
       abs{.ftz}.f16    d, a;
       abs{.ftz}.f16x2  d, a;
       abs.bf16         d, a;
       abs.bf16x2       d, a;
       PTX 6.5, sm_53;  PTX 7.0, sm_80: .bf16, .bf16x2;)"},

    {"9.7.4.7", R"(
       min{.ftz}{.NaN}{.xorsign.abs}.f16    d, a, b;
       min{.ftz}{.NaN}{.xorsign.abs}.f16x2  d, a, b;
       min{.NaN}{.xorsign.abs}.bf16         d, a, b;
       min{.NaN}{.xorsign.abs}.bf16x2       d, a, b;
       PTX 7.0, sm_80;  PTX 7.2, sm_86: .xorsign;)"},

    {"9.7.4.8", R"(
       max{.ftz}{.NaN}{.xorsign.abs}.f16    d, a, b;
       max{.ftz}{.NaN}{.xorsign.abs}.f16x2  d, a, b;
       max{.NaN}{.xorsign.abs}.bf16         d, a, b;
       max{.NaN}{.xorsign.abs}.bf16x2       d, a, b;
       PTX 7.0, sm_80;  PTX 7.2, sm_86: .xorsign;)"},

    {"9.7.4.9", R"(
       tanh.approx.type  d, a;
       .type = { .f16, .f16x2, .bf16, .bf16x2 };
       PTX 7.0, sm_75;  PTX 7.8, sm_90: .bf16, .bf16x2;)"},

    {"9.7.4.10", R"(
       ex2.approx.atype      d, a;
       ex2.approx.ftz.btype  d, a;
       .atype = { .f16, .f16x2 };
       .btype = { .bf16, .bf16x2 };
       PTX 7.0, sm_75;  PTX 7.8, sm_90: .bf16, .bf16x2;)"},

    {"9.7.5.1", R"(
       add{.rnd}{.sat}.f32.atype  d, a, c;
       .atype = { .f16, .bf16 };
       .rnd = { .rn, .rz, .rm, .rp };
       c : .f32;
       PTX 8.6, sm_100;)"},

    {"9.7.5.2", R"(
       sub{.rnd}{.sat}.f32.atype  d, a, c;
       .atype = { .f16, .bf16 };
       .rnd = { .rn, .rz, .rm, .rp };
       c : .f32;
       PTX 8.6, sm_100;)"},

    {"9.7.5.3", R"(
       fma.rnd{.sat}.f32.abtype  d, a, b, c;
       .abtype = { .f16, .bf16 };
       .rnd = { .rn, .rz, .rm, .rp };
       c : .f32;
       PTX 8.6, sm_100;)"},
};

}  // namespace

std::span<const Definition> half_precision() { return definitions; }

}  // namespace ptxmc
