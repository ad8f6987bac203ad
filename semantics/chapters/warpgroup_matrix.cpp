// PTX ISA 8.7 § 9.7.15: asynchronous matrix multiplication by a warpgroup. `a` is a vector of registers; `d`
// is read as well as written. (The manual prints n = 176 as ".m648176".)
#include "semantics/chapters/warpgroup_product.hpp"
#include "semantics/language/chapters.hpp"

namespace ptxmc {

namespace {

constexpr Definition definitions_of_warpgroup_matrix_multiplication[] = {
    {"9.7.15.5.2", R"(
       wgmma.mma_async.sync.aligned.shape.dtype.f16.f16
           d, a-desc, b-desc, scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b;
       wgmma.mma_async.sync.aligned.shape.dtype.f16.f16
           d, {a}, b-desc, scale-d, imm-scale-a, imm-scale-b, imm-trans-b;
       wgmma.mma_async.sync.aligned.shape.f32.bf16.bf16
           d, a-desc, b-desc, scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b;
       wgmma.mma_async.sync.aligned.shape.f32.bf16.bf16
           d, {a}, b-desc, scale-d, imm-scale-a, imm-scale-b, imm-trans-b;
       .shape = { .m64n8k16, .m64n16k16, .m64n24k16, .m64n32k16, .m64n40k16, .m64n48k16, .m64n56k16,
                   .m64n64k16, .m64n72k16, .m64n80k16, .m64n88k16, .m64n96k16, .m64n104k16,
                   .m64n112k16, .m64n120k16, .m64n128k16, .m64n136k16, .m64n144k16, .m64n152k16,
                   .m64n160k16, .m64n168k16, .m64n176k16, .m64n184k16, .m64n192k16, .m64n200k16,
                   .m64n208k16, .m64n216k16, .m64n224k16, .m64n232k16, .m64n240k16, .m64n248k16,
                   .m64n256k16 };
       .dtype = { .f16, .f32 };
       d, a : {};  a-desc, b-desc : .b64;  scale-d : .pred;
       imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b : .s32;
       imm-scale-a, imm-scale-b in { -1, 1 };  imm-trans-a, imm-trans-b in { 0..1 };
       PTX 8.0, sm_90a;)",
     multiply_by_warpgroup},

    {"9.7.15.5.2", R"(
       wgmma.mma_async.sync.aligned.shape.f32.tf32.tf32
           d, a-desc, b-desc, scale-d, imm-scale-a, imm-scale-b;
       wgmma.mma_async.sync.aligned.shape.f32.tf32.tf32
           d, {a}, b-desc, scale-d, imm-scale-a, imm-scale-b;
       .shape = { .m64n8k8, .m64n16k8, .m64n24k8, .m64n32k8, .m64n40k8, .m64n48k8, .m64n56k8,
                   .m64n64k8, .m64n72k8, .m64n80k8, .m64n88k8, .m64n96k8, .m64n104k8, .m64n112k8,
                   .m64n120k8, .m64n128k8, .m64n136k8, .m64n144k8, .m64n152k8, .m64n160k8,
                   .m64n168k8, .m64n176k8, .m64n184k8, .m64n192k8, .m64n200k8, .m64n208k8,
                   .m64n216k8, .m64n224k8, .m64n232k8, .m64n240k8, .m64n248k8, .m64n256k8 };
       d, a : {};  a-desc, b-desc : .b64;  scale-d : .pred;
       imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b : .s32;
       imm-scale-a, imm-scale-b in { -1, 1 };  imm-trans-a, imm-trans-b in { 0..1 };
       PTX 8.0, sm_90a;)",
     multiply_by_warpgroup},

    {"9.7.15.5.2", R"(
       wgmma.mma_async.sync.aligned.shape.dtype.f8type.f8type
           d, a-desc, b-desc, scale-d, imm-scale-a, imm-scale-b;
       wgmma.mma_async.sync.aligned.shape.dtype.f8type.f8type
           d, {a}, b-desc, scale-d, imm-scale-a, imm-scale-b;
       .shape = { .m64n8k32, .m64n16k32, .m64n24k32, .m64n32k32, .m64n40k32, .m64n48k32, .m64n56k32,
                   .m64n64k32, .m64n72k32, .m64n80k32, .m64n88k32, .m64n96k32, .m64n104k32,
                   .m64n112k32, .m64n120k32, .m64n128k32, .m64n136k32, .m64n144k32, .m64n152k32,
                   .m64n160k32, .m64n168k32, .m64n176k32, .m64n184k32, .m64n192k32, .m64n200k32,
                   .m64n208k32, .m64n216k32, .m64n224k32, .m64n232k32, .m64n240k32, .m64n248k32,
                   .m64n256k32 };
       .f8type = { .e4m3, .e5m2 };
       .dtype = { .f16, .f32 };
       d, a : {};  a-desc, b-desc : .b64;  scale-d : .pred;
       imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b : .s32;
       imm-scale-a, imm-scale-b in { -1, 1 };  imm-trans-a, imm-trans-b in { 0..1 };
       PTX 8.0, sm_90a;)",
     multiply_by_warpgroup},

    {"9.7.15.5.2", R"(
       wgmma.mma_async.sync.aligned.shape{.satfinite}.s32.type8.type8
           d, a-desc, b-desc, scale-d;
       wgmma.mma_async.sync.aligned.shape{.satfinite}.s32.type8.type8
           d, {a}, b-desc, scale-d;
       .shape = { .m64n8k32, .m64n16k32, .m64n24k32, .m64n32k32, .m64n48k32, .m64n64k32, .m64n80k32,
                   .m64n96k32, .m64n112k32, .m64n128k32, .m64n144k32, .m64n160k32, .m64n176k32,
                   .m64n192k32, .m64n208k32, .m64n224k32, .m64n240k32, .m64n256k32 };
       .type8 = { .s8, .u8 };
       d, a : {};  a-desc, b-desc : .b64;  scale-d : .pred;
       imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b : .s32;
       imm-scale-a, imm-scale-b in { -1, 1 };  imm-trans-a, imm-trans-b in { 0..1 };
       PTX 8.0, sm_90a;  PTX 8.4, sm_90a: .s8.u8;)",
     multiply_by_warpgroup},

    {"9.7.15.5.2", R"(
       wgmma.mma_async.sync.aligned.shape.s32.b1.b1.and.popc  d, a-desc, b-desc, scale-d;
       wgmma.mma_async.sync.aligned.shape.s32.b1.b1.and.popc  d, {a}, b-desc, scale-d;
       .shape = { .m64n8k256, .m64n16k256, .m64n24k256, .m64n32k256, .m64n48k256, .m64n64k256,
                   .m64n80k256, .m64n96k256, .m64n112k256, .m64n128k256, .m64n144k256, .m64n160k256,
                   .m64n176k256, .m64n192k256, .m64n208k256, .m64n224k256, .m64n240k256,
                   .m64n256k256 };
       d, a : {};  a-desc, b-desc : .b64;  scale-d : .pred;
       imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b : .s32;
       imm-scale-a, imm-scale-b in { -1, 1 };  imm-trans-a, imm-trans-b in { 0..1 };
       PTX 8.0, sm_90a;)",
     multiply_by_warpgroup},

    {"9.7.15.6.3", R"(
       wgmma.mma_async.sp.sync.aligned.shape.dtype.f16.f16
           d, a-desc, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b;
       wgmma.mma_async.sp.sync.aligned.shape.dtype.f16.f16
           d, {a}, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b, imm-trans-b;
       wgmma.mma_async.sp.sync.aligned.shape.f32.bf16.bf16
           d, a-desc, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b;
       wgmma.mma_async.sp.sync.aligned.shape.f32.bf16.bf16
           d, {a}, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b, imm-trans-b;
       .shape = { .m64n8k32, .m64n16k32, .m64n24k32, .m64n32k32, .m64n40k32, .m64n48k32, .m64n56k32,
                   .m64n64k32, .m64n72k32, .m64n80k32, .m64n88k32, .m64n96k32, .m64n104k32,
                   .m64n112k32, .m64n120k32, .m64n128k32, .m64n136k32, .m64n144k32, .m64n152k32,
                   .m64n160k32, .m64n168k32, .m64n176k32, .m64n184k32, .m64n192k32, .m64n200k32,
                   .m64n208k32, .m64n216k32, .m64n224k32, .m64n232k32, .m64n240k32, .m64n248k32,
                   .m64n256k32 };
       .dtype = { .f16, .f32 };
       d, a : {};  a-desc, b-desc : .b64;  scale-d : .pred;
       imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b : .s32;
       imm-scale-a, imm-scale-b in { -1, 1 };  imm-trans-a, imm-trans-b in { 0..1 };
       sp-meta, sp-sel : .b32;  sp-sel = { 0..3 };
       PTX 8.2, sm_90a;)",
     multiply_by_warpgroup},

    {"9.7.15.6.3", R"(
       wgmma.mma_async.sp.sync.aligned.shape.f32.tf32.tf32
           d, a-desc, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b;
       wgmma.mma_async.sp.sync.aligned.shape.f32.tf32.tf32
           d, {a}, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b;
       .shape = { .m64n8k16, .m64n16k16, .m64n24k16, .m64n32k16, .m64n40k16, .m64n48k16, .m64n56k16,
                   .m64n64k16, .m64n72k16, .m64n80k16, .m64n88k16, .m64n96k16, .m64n104k16,
                   .m64n112k16, .m64n120k16, .m64n128k16, .m64n136k16, .m64n144k16, .m64n152k16,
                   .m64n160k16, .m64n168k16, .m64n176k16, .m64n184k16, .m64n192k16, .m64n200k16,
                   .m64n208k16, .m64n216k16, .m64n224k16, .m64n232k16, .m64n240k16, .m64n248k16,
                   .m64n256k16 };
       d, a : {};  a-desc, b-desc : .b64;  scale-d : .pred;
       imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b : .s32;
       imm-scale-a, imm-scale-b in { -1, 1 };  imm-trans-a, imm-trans-b in { 0..1 };
       sp-meta, sp-sel : .b32;  sp-sel = { 0..3 };
       PTX 8.2, sm_90a;)",
     multiply_by_warpgroup},

    {"9.7.15.6.3", R"(
       wgmma.mma_async.sp.sync.aligned.shape.dtype.f8type.f8type
           d, a-desc, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b;
       wgmma.mma_async.sp.sync.aligned.shape.dtype.f8type.f8type
           d, {a}, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b;
       .shape = { .m64n8k64, .m64n16k64, .m64n24k64, .m64n32k64, .m64n40k64, .m64n48k64, .m64n56k64,
                   .m64n64k64, .m64n72k64, .m64n80k64, .m64n88k64, .m64n96k64, .m64n104k64,
                   .m64n112k64, .m64n120k64, .m64n128k64, .m64n136k64, .m64n144k64, .m64n152k64,
                   .m64n160k64, .m64n168k64, .m64n176k64, .m64n184k64, .m64n192k64, .m64n200k64,
                   .m64n208k64, .m64n216k64, .m64n224k64, .m64n232k64, .m64n240k64, .m64n248k64,
                   .m64n256k64 };
       .f8type = { .e4m3, .e5m2 };
       .dtype = { .f16, .f32 };
       d, a : {};  a-desc, b-desc : .b64;  scale-d : .pred;
       imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b : .s32;
       imm-scale-a, imm-scale-b in { -1, 1 };  imm-trans-a, imm-trans-b in { 0..1 };
       sp-meta, sp-sel : .b32;  sp-sel = { 0..3 };
       PTX 8.2, sm_90a;)",
     multiply_by_warpgroup},

    {"9.7.15.6.3", R"(
       wgmma.mma_async.sp.sync.aligned.shape{.satfinite}.s32.type8.type8
           d, a-desc, b-desc, sp-meta, sp-sel, scale-d;
       wgmma.mma_async.sp.sync.aligned.shape{.satfinite}.s32.type8.type8
           d, {a}, b-desc, sp-meta, sp-sel, scale-d;
       .shape = { .m64n8k64, .m64n16k64, .m64n24k64, .m64n32k64, .m64n48k64, .m64n64k64, .m64n80k64,
                   .m64n96k64, .m64n112k64, .m64n128k64, .m64n144k64, .m64n160k64, .m64n176k64,
                   .m64n192k64, .m64n208k64, .m64n224k64, .m64n240k64, .m64n256k64 };
       .type8 = { .s8, .u8 };
       d, a : {};  a-desc, b-desc : .b64;  scale-d : .pred;
       imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b : .s32;
       imm-scale-a, imm-scale-b in { -1, 1 };  imm-trans-a, imm-trans-b in { 0..1 };
       sp-meta, sp-sel : .b32;  sp-sel = { 0..3 };
       PTX 8.2, sm_90a;  PTX 8.4, sm_90a: .s8.u8;)",
     multiply_by_warpgroup},

    {"9.7.15.7.1", R"(
       wgmma.fence.sync.aligned;
       PTX 8.0, sm_90a;)",
     fence_registers_of_warpgroup},

    {"9.7.15.7.2", R"(
       wgmma.commit_group.sync.aligned;
       PTX 8.0, sm_90a;)",
     commit_products},

    {"9.7.15.7.3", R"(
       wgmma.wait_group.sync.aligned  N;
       PTX 8.0, sm_90a;)",
     wait_for_products},
};

}  // namespace

std::span<const Definition> warpgroup_matrix_multiplication() {
  return definitions_of_warpgroup_matrix_multiplication;
}

}  // namespace ptxmc
