// PTX ISA 8.7 § 9.7.7: half-precision comparison instructions.
#include "semantics/chapters.hpp"

namespace ptxmc {

namespace {

constexpr Definition definitions[] = {
    {"9.7.7.1", R"(
       set.CmpOp{.ftz}.f16.ftype       d, a, b;
       set.CmpOp.f16.f64               d, a, b;
       set.IntegerOp.f16.itype         d, a, b;
       set.EqualityOp.f16.btype        d, a, b;
       set.CmpOp.BoolOp{.ftz}.f16.ftype  d, a, b, {!}c;
       set.CmpOp.BoolOp.f16.f64          d, a, b, {!}c;
       set.IntegerOp.BoolOp.f16.itype    d, a, b, {!}c;
       set.EqualityOp.BoolOp.f16.btype   d, a, b, {!}c;
       .ftype = { .f16, .f32 };
       .itype = { .u16, .u32, .u64, .s16, .s32, .s64 };
       .btype = { .b16, .b32, .b64 };
       .EqualityOp = { eq, ne };  .IntegerOp = { eq, ne, lt, le, gt, ge };
       .CmpOp = { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
       .BoolOp = { and, or, xor };
       a, b : .ftype;  a, b : .itype;  a, b : .btype;
       PTX 4.2, sm_53;)"},

    {"9.7.7.1", R"(
       set.CmpOp.bf16.ftype       d, a, b;
       set.IntegerOp.bf16.itype   d, a, b;
       set.EqualityOp.bf16.btype  d, a, b;
       set.CmpOp.BoolOp.bf16.ftype       d, a, b, {!}c;
       set.IntegerOp.BoolOp.bf16.itype   d, a, b, {!}c;
       set.EqualityOp.BoolOp.bf16.btype  d, a, b, {!}c;
       .ftype = { .f16, .f32, .f64 };
       .itype = { .u16, .u32, .u64, .s16, .s32, .s64 };
       .btype = { .b16, .b32, .b64 };
       .EqualityOp = { eq, ne };  .IntegerOp = { eq, ne, lt, le, gt, ge };
       .CmpOp = { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
       .BoolOp = { and, or, xor };
       a, b : .ftype;  a, b : .itype;  a, b : .btype;
       PTX 7.8, sm_90;)"},

    {"9.7.7.1", R"(
       set.CmpOp{.ftz}.dtype.f16  d, a, b;
       set.CmpOp.dtype.bf16       d, a, b;
       set.CmpOp.BoolOp{.ftz}.dtype.f16  d, a, b, {!}c;
       set.CmpOp.BoolOp.dtype.bf16       d, a, b, {!}c;
       .dtype = { .u16, .s16, .u32, .s32 };
       .CmpOp = { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
       .BoolOp = { and, or, xor };
       PTX 6.5, sm_53;  PTX 7.8, sm_90: .bf16;)"},

    {"9.7.7.1", R"(
       set.CmpOp{.ftz}.dtype.f16x2  d, a, b;
       set.CmpOp.BoolOp{.ftz}.dtype.f16x2  d, a, b, {!}c;
       .dtype = { .f16x2, .u32, .s32 };
       .CmpOp = { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
       .BoolOp = { and, or, xor };
       PTX 4.2, sm_53;  PTX 6.5, sm_53: .u32, .s32;)"},

    {"9.7.7.1", R"(
       set.CmpOp.dtype.bf16x2         d, a, b;
       set.CmpOp.BoolOp.dtype.bf16x2  d, a, b, {!}c;
       .dtype = { .bf16x2, .u32, .s32 };
       .CmpOp = { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
       .BoolOp = { and, or, xor };
       PTX 7.8, sm_90;)"},

    {"9.7.7.2", R"(
       setp.CmpOp{.ftz}.f16           p, a, b;
       setp.CmpOp.BoolOp{.ftz}.f16    p, a, b, {!}c;
       setp.CmpOp{.ftz}.f16x2         p|q, a, b;
       setp.CmpOp.BoolOp{.ftz}.f16x2  p|q, a, b, {!}c;
       setp.CmpOp.bf16                p, a, b;
       setp.CmpOp.BoolOp.bf16         p, a, b, {!}c;
       setp.CmpOp.bf16x2              p|q, a, b;
       setp.CmpOp.BoolOp.bf16x2       p|q, a, b, {!}c;
       .CmpOp = { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
       .BoolOp = { and, or, xor };
       PTX 4.2, sm_53;  PTX 7.8, sm_90: .bf16, .bf16x2;)"},
};

}  // namespace

std::span<const Definition> half_precision_comparison() { return definitions; }

}  // namespace ptxmc
