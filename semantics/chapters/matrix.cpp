// PTX ISA 8.7 § 9.7.14.4 (wmma) and § 9.7.14.5.15 to § 9.7.14.5.17 (moving matrices): matrices held by a
// warp. Fragments are vectors of registers.
#include "semantics/chapters/matrix_product.hpp"
#include "semantics/chapters/warp_matrix.hpp"
#include "semantics/language/chapters.hpp"

namespace ptxmc {

namespace {

constexpr Definition definitions_of_warp_matrices[] = {
    {"9.7.14.4.3", R"(
       wmma.load.a.sync.aligned.layout.shape{.ss}.atype  r, [p]{, stride};
       wmma.load.b.sync.aligned.layout.shape{.ss}.atype  r, [p]{, stride};
       wmma.load.c.sync.aligned.layout.shape{.ss}.ctype  r, [p]{, stride};
       .layout = { .row, .col };
       .shape = { .m16n16k16, .m8n32k16, .m32n8k16 };
       .ss = { .global, .shared{::cta} };
       .atype = { .f16, .s8, .u8, .bf16 };
       .ctype = { .f16, .f32, .s32 };
       r : {};  stride : .u32;
       PTX 6.0, sm_70;  PTX 6.1, sm_70: .m8n32k16, .m32n8k16;
       PTX 6.3, sm_72: .s8, .u8, .s32;  PTX 7.0, sm_80: .bf16;  PTX 7.8, sm_70: .shared::cta;)",
     load_fragment},

    {"9.7.14.4.3", R"(
       wmma.load.a.sync.aligned.layout.m16n16k8{.ss}.tf32  r, [p]{, stride};
       wmma.load.b.sync.aligned.layout.m16n16k8{.ss}.tf32  r, [p]{, stride};
       wmma.load.c.sync.aligned.layout.m16n16k8{.ss}.f32   r, [p]{, stride};
       wmma.load.a.sync.aligned.layout.m8n8k4{.ss}.f64     r, [p]{, stride};
       wmma.load.b.sync.aligned.layout.m8n8k4{.ss}.f64     r, [p]{, stride};
       wmma.load.c.sync.aligned.layout.m8n8k4{.ss}.f64     r, [p]{, stride};
       .layout = { .row, .col };
       .ss = { .global, .shared{::cta} };
       r : {};  stride : .u32;
       PTX 7.0, sm_80;  PTX 7.8, sm_80: .shared::cta;)",
     load_fragment},

    {"9.7.14.4.3", R"(
       wmma.load.a.sync.aligned.row.m8n8k32{.ss}.type4     r, [p]{, stride};
       wmma.load.b.sync.aligned.col.m8n8k32{.ss}.type4     r, [p]{, stride};
       wmma.load.c.sync.aligned.layout.m8n8k32{.ss}.s32    r, [p]{, stride};
       wmma.load.a.sync.aligned.row.m8n8k128{.ss}.b1       r, [p]{, stride};
       wmma.load.b.sync.aligned.col.m8n8k128{.ss}.b1       r, [p]{, stride};
       wmma.load.c.sync.aligned.layout.m8n8k128{.ss}.s32   r, [p]{, stride};
       .layout = { .row, .col };
       .ss = { .global, .shared{::cta} };
       .type4 = { .s4, .u4 };
       r : {};  stride : .u32;
       PTX 6.3, sm_75;  PTX 7.8, sm_75: .shared::cta;)",
     load_fragment},

    {"9.7.14.4.4", R"(
       wmma.store.d.sync.aligned.layout.shape{.ss}.type       [p], r{, stride};
       wmma.store.d.sync.aligned.layout.small_shape{.ss}.s32  [p], r{, stride};
       wmma.store.d.sync.aligned.layout.m16n16k8{.ss}.f32     [p], r{, stride};
       wmma.store.d.sync.aligned.layout.m8n8k4{.ss}.f64       [p], r{, stride};
       .layout = { .row, .col };
       .shape = { .m16n16k16, .m8n32k16, .m32n8k16 };
       .small_shape = { .m8n8k32, .m8n8k128 };
       .ss = { .global, .shared{::cta} };
       .type = { .f16, .f32, .s32 };
       r : {};  stride : .u32;
       PTX 6.0, sm_70;  PTX 6.1, sm_70: .m8n32k16, .m32n8k16;  PTX 6.3, sm_72: .s32;
       PTX 6.3, sm_75: .m8n8k32, .m8n8k128;  PTX 7.0, sm_80: .m16n16k8, .m8n8k4;
       PTX 7.8, sm_70: .shared::cta;)",
     store_fragment},

    {"9.7.14.4.5", R"(
       wmma.mma.sync.aligned.alayout.blayout.shape.dtype.ctype  d, a, b, c;
       wmma.mma.sync.aligned.alayout.blayout.shape.s32.type8.type8.s32{.satfinite}  d, a, b, c;
       wmma.mma.sync.aligned.alayout.blayout.shape.f32.bf16.bf16.f32     d, a, b, c;
       wmma.mma.sync.aligned.alayout.blayout.m16n16k8.f32.tf32.tf32.f32  d, a, b, c;
       wmma.mma.sync.aligned.alayout.blayout.m8n8k4{.rnd}.f64.f64.f64.f64  d, a, b, c;
       wmma.mma.sync.aligned.row.col.m8n8k32.s32.type4.type4.s32{.satfinite}  d, a, b, c;
       wmma.mma.op.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32  d, a, b, c;
       .alayout = .blayout = { .row, .col };
       .shape = { .m16n16k16, .m8n32k16, .m32n8k16 };
       .dtype = .ctype = { .f16, .f32 };
       .type8 = { .s8, .u8 };  .type4 = { .s4, .u4 };
       .rnd = { .rn, .rz, .rm, .rp };
       .op = { .xor, .and };
       d, a, b, c : {};
       PTX 6.0, sm_70;  PTX 6.1, sm_70: .m8n32k16, .m32n8k16;
       PTX 6.3, sm_72: .s8, .u8;  PTX 6.3, sm_75: .s4, .u4, .b1;
       PTX 7.0, sm_80: .bf16, .tf32, .f64;  PTX 7.1, sm_80: .and;
       except .s8.u8, .s4.u4;)",
     multiply_matrices},

    // Deprecated in PTX ISA 6.4: § 9.7.13.8 there.
    {"6.4: 9.7.13.8", R"(
       wmma.mma.sync.aligned.alayout.blayout.shape.dtype.ctype.satfinite  d, a, b, c;
       .alayout = .blayout = { .row, .col };
       .shape = { .m16n16k16, .m8n32k16, .m32n8k16 };
       .dtype = .ctype = { .f16, .f32 };
       d, a, b, c : {};
       PTX 6.0, sm_70;  PTX 6.1, sm_70: .m8n32k16, .m32n8k16;  removed PTX 6.5;)",
     multiply_matrices},

    {"9.7.14.5.15", R"(
       ldmatrix.sync.aligned.m8n8.num{.trans}{.ss}.b16  r, [p];
       ldmatrix.sync.aligned.m16n16.num2.trans{.ss}.b8  r, [p];
       ldmatrix.sync.aligned.m8n16.num{.ss}.dst_fmt.src_fmt  r, [p];
       ldmatrix.sync.aligned.m16n16.num2.trans{.ss}.dst_fmt.src_fmt  r, [p];
       .num = { .x1, .x2, .x4 };  .num2 = { .x1, .x2 };
       .ss = { .shared{::cta} };
       .dst_fmt = { .b8x16 };
       .src_fmt = { .b6x16_p32, .b4x16_p64 };
       r : {.b32};
       PTX 6.5, sm_75;  PTX 7.8, sm_75: .shared::cta;
       PTX 8.6, sm_100a, sm_101a, sm_120a: .m16n16, .m8n16;)",
     load_matrices},

    {"9.7.14.5.16", R"(
       stmatrix.sync.aligned.m8n8.num{.trans}{.ss}.b16  [p], r;
       stmatrix.sync.aligned.m16n8.num.trans{.ss}.b8    [p], r;
       .num = { .x1, .x2, .x4 };
       .ss = { .shared{::cta} };
       r : {.b32};
       PTX 7.8, sm_90;  PTX 8.6, sm_100a, sm_101a, sm_120a: .m16n8;)",
     store_matrices},

    {"9.7.14.5.17", R"(
       movmatrix.sync.aligned.m8n8.trans.b16  d, a;
       d, a : .b32;
       PTX 7.8, sm_75;)",
     transpose_matrix},
};

}  // namespace

std::span<const Definition> warp_matrices() { return definitions_of_warp_matrices; }

}  // namespace ptxmc
