// PTX ISA 8.7 § 9.7.14.5.14 and § 9.7.14.6.3: mma and mma.sp. Fragments are vectors of registers.
#include "semantics/chapters/matrix_product.hpp"
#include "semantics/language/chapters.hpp"

namespace ptxmc {

namespace {

constexpr Definition definitions_of_warp_matrix_multiplication[] = {
    {"9.7.14.5.14", R"(
       mma.sync.aligned.m8n8k4.alayout.blayout.f16.f16.f16.f16    d, a, b, c;
       mma.sync.aligned.m8n8k4.alayout.blayout.f32.f16.f16.ctype  d, a, b, c;
       mma.sync.aligned.shape.row.col.f16.f16.f16.f16  d, a, b, c;
       mma.sync.aligned.shape.row.col.f32.f16.f16.f32  d, a, b, c;
       .alayout = .blayout = { .row, .col };
       .ctype = { .f16, .f32 };
       .shape = { .m16n8k8, .m16n8k16 };
       d, a, b, c : {};
       PTX 6.4, sm_70;  PTX 6.5, sm_75: .m16n8k8;  PTX 7.0, sm_80: .m16n8k16;)",
     multiply_matrices},

    {"9.7.14.5.14", R"(
       mma.sync.aligned.tf32shape.row.col.f32.tf32.tf32.f32  d, a, b, c;
       mma.sync.aligned.bf16shape.row.col.f32.bf16.bf16.f32  d, a, b, c;
       mma.sync.aligned.f8shape.row.col.f32.f8type.f8type.f32  d, a, b, c;
       mma.sync.aligned.f8shape.row.col.f16.f8type.f8type.f16  d, a, b, c;
       .tf32shape = { .m16n8k4, .m16n8k8 };
       .bf16shape = { .m16n8k8, .m16n8k16 };
       .f8shape = { .m16n8k16, .m16n8k32 };
       .f8type = { .e4m3, .e5m2 };
       d, a, b, c : {};
       PTX 7.0, sm_80;  PTX 8.4, sm_89: .e4m3, .e5m2;
       PTX 8.7, sm_89: .m16n8k16.e4m3, .m16n8k16.e5m2, .f16.e4m3, .f16.e5m2;)",
     multiply_matrices},

    {"9.7.14.5.14", R"(
       mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.f8f6f4type.f8f6f4type.f32  d, a, b, c;
       mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f16.f8f6f4type.f8f6f4type.f16  d, a, b, c;
       mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale{.scale_vec::2X}.f32.e2m1.e2m1.f32.ue8m0
           d, a, b, c, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};
       mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0
           d, a, b, c, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};
       mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3
           d, a, b, c, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};
       mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale{.scale_vec::1X}.f32.f8f6f4type.f8f6f4type.f32.ue8m0
           d, a, b, c, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};
       .f8f6f4type = { .e4m3, .e5m2, .e3m2, .e2m3, .e2m1 };
       d, a, b, c : {};  scale-a-data, scale-b-data : .b32;  byte-id-a, byte-id-b : .u16;
       PTX 8.7, sm_120a;)",
     multiply_matrices},

    {"9.7.14.5.14", R"(
       mma.sync.aligned.m8n8k4.row.col{.rnd}.f64.f64.f64.f64  d, a, b, c;
       mma.sync.aligned.shape.row.col{.rnd}.f64.f64.f64.f64   d, a, b, c;
       .shape = { .m16n8k4, .m16n8k8, .m16n8k16 };
       .rnd = { .rn, .rz, .rm, .rp };
       d, a, b, c : {};
       PTX 7.0, sm_80;  PTX 7.8, sm_90: .m16n8k4, .m16n8k8, .m16n8k16;)",
     multiply_matrices},

    {"9.7.14.5.14", R"(
       mma.sync.aligned.shape8.row.col{.satfinite}.s32.type8.type8.s32  d, a, b, c;
       mma.sync.aligned.shape4.row.col{.satfinite}.s32.type4.type4.s32  d, a, b, c;
       mma.sync.aligned.shape1.row.col.s32.b1.b1.s32.bitOp.popc         d, a, b, c;
       .shape8 = { .m8n8k16, .m16n8k16, .m16n8k32 };  .type8 = { .u8, .s8 };
       .shape4 = { .m8n8k32, .m16n8k32, .m16n8k64 };  .type4 = { .u4, .s4 };
       .shape1 = { .m8n8k128, .m16n8k128, .m16n8k256 };  .bitOp = { .xor, .and };
       d, a, b, c : {};
       PTX 6.5, sm_75;  PTX 7.0, sm_75: .b1;
       PTX 7.0, sm_80: .m16n8k16, .m16n8k32, .m16n8k64, .m16n8k128, .m16n8k256;
       PTX 7.1, sm_80: .and;)",
     multiply_matrices},

    {"9.7.14.6.3", R"(
       mma.spvariant.sync.aligned.halfshape.row.col.f16.f16.f16.f16    d, a, b, c, e, f;
       mma.spvariant.sync.aligned.halfshape.row.col.f32.f16.f16.f32    d, a, b, c, e, f;
       mma.spvariant.sync.aligned.halfshape.row.col.f32.bf16.bf16.f32  d, a, b, c, e, f;
       mma.spvariant.sync.aligned.tf32shape.row.col.f32.tf32.tf32.f32  d, a, b, c, e, f;
       mma.spvariant.sync.aligned.m16n8k64.row.col.f32.f8type.f8type.f32  d, a, b, c, e, f;
       mma.spvariant.sync.aligned.shape8.row.col{.satfinite}.s32.type8.type8.s32  d, a, b, c, e, f;
       mma.spvariant.sync.aligned.shape4.row.col{.satfinite}.s32.type4.type4.s32  d, a, b, c, e, f;
       .spvariant = { .sp, .sp::ordered_metadata };
       .halfshape = { .m16n8k16, .m16n8k32 };
       .tf32shape = { .m16n8k8, .m16n8k16 };
       .f8type = { .e4m3, .e5m2 };
       .shape8 = { .m16n8k32, .m16n8k64 };  .type8 = { .u8, .s8 };
       .shape4 = { .m16n8k64, .m16n8k128 };  .type4 = { .u4, .s4 };
       d, a, b, c : {};  e, f : .b32;  f = { 0..3 };
       PTX 7.1, sm_80;  PTX 8.4, sm_89: .e4m3, .e5m2;  PTX 8.5, sm_80: .sp::ordered_metadata;)",
     multiply_matrices},

    {"9.7.14.6.3", R"(
       mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.f8f6f4type.f8f6f4type.f32
           d, a, b, c, e, f;
       mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f16.f8f6f4type.f8f6f4type.f16
           d, a, b, c, e, f;
       mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale{.scale_vec::2X}.f32.e2m1.e2m1.f32.ue8m0
           d, a, b, c, e, f, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};
       mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0
           d, a, b, c, e, f, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};
       mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3
           d, a, b, c, e, f, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};
       mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale{.scale_vec::1X}.f32.f8f6f4type.f8f6f4type.f32.ue8m0
           d, a, b, c, e, f, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};
       .f8f6f4type = { .e4m3, .e5m2, .e3m2, .e2m3, .e2m1 };
       d, a, b, c : {};  e, f, scale-a-data, scale-b-data : .b32;  f = { 0..3 };  byte-id-a, byte-id-b : .u16;
       PTX 8.7, sm_120a;)",
     multiply_matrices},
};

}  // namespace

std::span<const Definition> warp_matrix_multiplication() { return definitions_of_warp_matrix_multiplication; }

}  // namespace ptxmc
