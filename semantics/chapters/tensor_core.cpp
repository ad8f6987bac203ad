// PTX ISA 8.7 § 9.7.16: fifth-generation tensor cores.
#include "semantics/chapters/tensor_memory_access.hpp"
#include "semantics/chapters/tensor_product.hpp"
#include "semantics/language/chapters.hpp"

namespace ptxmc {

namespace {

constexpr Definition definitions_of_tensor_cores[] = {
    {"9.7.16.6.1", R"(
       tcgen05.alloc.cta_group.sync.aligned{.shared::cta}.b32  [dst], nCols;
       .cta_group = { .cta_group::1, .cta_group::2 };
       nCols in { 32, 64, 128, 256, 512 };
       PTX 8.6, sm_100a, sm_101a;)",
     allocate_tensor_columns},

    {"9.7.16.6.1", R"(
       tcgen05.relinquish_alloc_permit.cta_group.sync.aligned;
       .cta_group = { .cta_group::1, .cta_group::2 };
       PTX 8.6, sm_100a, sm_101a;)",
     end_tensor_allocations},

    {"9.7.16.6.1", R"(
       tcgen05.dealloc.cta_group.sync.aligned.b32  taddr, nCols;
       .cta_group = { .cta_group::1, .cta_group::2 };
       nCols in { 32..512 by 32 };
       PTX 8.6, sm_100a, sm_101a;)",
     free_tensor_columns},

    {"9.7.16.7.3", R"(
       tcgen05.ld.sync.aligned.shape1.num{.pack::16b}.b32  r, [taddr];
       tcgen05.ld.sync.aligned.shape2.num{.pack::16b}.b32  r, [taddr], immHalfSplitoff;
       .shape1 = { .16x64b, .16x128b, .16x256b, .32x32b };
       .shape2 = { .16x32bx2 };
       .num = { .x1, .x2, .x4, .x8, .x16, .x32, .x64, .x128 };
       r : {.b32};
       except .16x128b.x128, .16x256b.x64, .16x256b.x128;
       PTX 8.6, sm_100a, sm_101a;)",
     load_from_tensor_memory},

    {"9.7.16.7.4", R"(
       tcgen05.st.sync.aligned.shape1.num{.unpack::16b}.b32  [taddr], r;
       tcgen05.st.sync.aligned.shape2.num{.unpack::16b}.b32  [taddr], immHalfSplitoff, r;
       .shape1 = { .16x64b, .16x128b, .16x256b, .32x32b };
       .shape2 = { .16x32bx2 };
       .num = { .x1, .x2, .x4, .x8, .x16, .x32, .x64, .x128 };
       r : {.b32};
       except .16x128b.x128, .16x256b.x64, .16x256b.x128;
       PTX 8.6, sm_100a, sm_101a;)",
     store_to_tensor_memory},

    {"9.7.16.7.5", R"(
       tcgen05.wait_operation.sync.aligned;
       .wait_operation = { .wait::ld, .wait::st };
       PTX 8.6, sm_100a, sm_101a;)",
     wait_for_tensor_accesses},

    {"9.7.16.8.2", R"(
       tcgen05.cp.cta_group.shape{.formats}  [taddr], s-desc;
       tcgen05.cp.cta_group.64x128b.half_multicast{.formats}  [taddr], s-desc;
       tcgen05.cp.cta_group.32x128b.warpx4{.formats}  [taddr], s-desc;
       .cta_group = { .cta_group::1, .cta_group::2 };
       .formats = { .b8x16.b6x16_p32, .b8x16.b4x16_p64 };
       .shape = { .128x256b, .4x256b, .128x128b };
       .half_multicast = { .warpx2::02_13, .warpx2::01_23 };
       s-desc : .b64;
       PTX 8.6, sm_100a, sm_101a;)",
     copy_to_tensor_memory},

    {"9.7.16.8.3", R"(
       tcgen05.shift.cta_group.down  [taddr];
       .cta_group = { .cta_group::1, .cta_group::2 };
       PTX 8.6, sm_100a, sm_101a;)",
     shift_tensor_memory},

    {"9.7.16.9.9.1", R"(
       tcgen05.mma.cta_group.kind
           [d-tmem], a-desc, b-desc, idesc{, {disable-output-lane}}, enable-input-d{, scale-input-d};
       tcgen05.mma.cta_group.kind
           [d-tmem], [a-tmem], b-desc, idesc{, {disable-output-lane}}, enable-input-d{, scale-input-d};
       tcgen05.mma.cta_group.kind.collector_usage
           [d-tmem], a-desc, b-desc, idesc{, {disable-output-lane}}, enable-input-d{, scale-input-d};
       tcgen05.mma.cta_group.kind.collector_usage
           [d-tmem], [a-tmem], b-desc, idesc{, {disable-output-lane}}, enable-input-d{, scale-input-d};
       tcgen05.mma.cta_group.kind.ashift{.collector_usage}
           [d-tmem], [a-tmem], b-desc, idesc{, {disable-output-lane}}, enable-input-d{, scale-input-d};
       .kind = { .kind::f16, .kind::tf32, .kind::f8f6f4 };
       .cta_group = { .cta_group::1, .cta_group::2 };
       .collector_usage = { .collector::a::fill, .collector::a::use, .collector::a::lastuse,
           .collector::a::discard };
       a-desc, b-desc : .b64;  idesc, disable-output-lane : .b32;  enable-input-d : .pred;  scale-input-d : .u32;
       scale-input-d = { 0..15 };
       except .ashift.collector::a::use, .ashift.collector::a::fill, .kind::f8f6f4(scale-input-d);
       PTX 8.6, sm_100a, sm_101a;  PTX 8.6, sm_100a: (scale-input-d);)",
     multiply_in_tensor_memory},

    {"9.7.16.9.9.1", R"(
       tcgen05.mma.cta_group.block_scaled_kind{.collector_usage}
           [d-tmem], a-desc, b-desc, idesc, [scale-A-tmem], [scale-B-tmem], enable-input-d;
       tcgen05.mma.cta_group.block_scaled_kind{.collector_usage}
           [d-tmem], [a-tmem], b-desc, idesc, [scale-A-tmem], [scale-B-tmem], enable-input-d;
       .block_scaled_kind = { .kind::mxf8f6f4.block_scale, .kind::mxf8f6f4.block_scale.scale_vec::1X,
           .kind::mxf4.block_scale, .kind::mxf4.block_scale.scale_vec::2X,
           .kind::mxf4nvf4.block_scale.scale_vec::2X, .kind::mxf4nvf4.block_scale.scale_vec::4X };
       .cta_group = { .cta_group::1, .cta_group::2 };
       .collector_usage = { .collector::a::fill, .collector::a::use, .collector::a::lastuse,
           .collector::a::discard };
       a-desc, b-desc : .b64;  idesc : .b32;  enable-input-d : .pred;
       PTX 8.6, sm_100a, sm_101a;  PTX 8.7, sm_100a, sm_101a: .kind::mxf4nvf4;)",
     multiply_in_tensor_memory},

    {"9.7.16.9.9.1", R"(
       tcgen05.mma.cta_group.kind::i8
           [d-tmem], a-desc, b-desc, idesc{, {disable-output-lane}}, enable-input-d;
       tcgen05.mma.cta_group.kind::i8
           [d-tmem], [a-tmem], b-desc, idesc{, {disable-output-lane}}, enable-input-d;
       tcgen05.mma.cta_group.kind::i8.collector_usage
           [d-tmem], a-desc, b-desc, idesc{, {disable-output-lane}}, enable-input-d;
       tcgen05.mma.cta_group.kind::i8.ashift{.collector_usage}
           [d-tmem], [a-tmem], b-desc, idesc{, {disable-output-lane}}, enable-input-d;
       tcgen05.mma.cta_group.kind::i8.collector_usage
           [d-tmem], [a-tmem], b-desc, idesc{, {disable-output-lane}}, enable-input-d;
       .cta_group = { .cta_group::1, .cta_group::2 };
       .collector_usage = { .collector::a::fill, .collector::a::use, .collector::a::lastuse,
           .collector::a::discard };
       a-desc, b-desc : .b64;  idesc, disable-output-lane : .b32;  enable-input-d : .pred;
       except .ashift.collector::a::use, .ashift.collector::a::fill;
       PTX 8.6, sm_100a, sm_101a;)",
     multiply_in_tensor_memory},

    {"9.7.16.9.9.2", R"(
       tcgen05.mma.sp.cta_group.kind
           [d-tmem], a-desc, b-desc, [sp-meta-tmem], idesc{, {disable-output-lane}}, enable-input-d{, scale-input-d};
       tcgen05.mma.sp.cta_group.kind
           [d-tmem], [a-tmem], b-desc, [sp-meta-tmem], idesc{, {disable-output-lane}}, enable-input-d{, scale-input-d};
       tcgen05.mma.sp.cta_group.kind.collector_usage
           [d-tmem], a-desc, b-desc, [sp-meta-tmem], idesc{, {disable-output-lane}}, enable-input-d{, scale-input-d};
       tcgen05.mma.sp.cta_group.kind.collector_usage
           [d-tmem], [a-tmem], b-desc, [sp-meta-tmem], idesc{, {disable-output-lane}}, enable-input-d{, scale-input-d};
       tcgen05.mma.sp.cta_group.kind.ashift{.collector_usage}
           [d-tmem], [a-tmem], b-desc, [sp-meta-tmem], idesc{, {disable-output-lane}}, enable-input-d{, scale-input-d};
       .kind = { .kind::f16, .kind::tf32, .kind::f8f6f4 };
       .cta_group = { .cta_group::1, .cta_group::2 };
       .collector_usage = { .collector::a::fill, .collector::a::use, .collector::a::lastuse,
           .collector::a::discard };
       a-desc, b-desc : .b64;  idesc, disable-output-lane : .b32;  enable-input-d : .pred;  scale-input-d : .u32;
       scale-input-d = { 0..15 };
       except .ashift.collector::a::use, .ashift.collector::a::fill, .kind::f8f6f4(scale-input-d);
       PTX 8.6, sm_100a, sm_101a;  PTX 8.6, sm_100a: (scale-input-d);)",
     multiply_in_tensor_memory},

    {"9.7.16.9.9.2", R"(
       tcgen05.mma.sp.cta_group.block_scaled_kind{.collector_usage}
           [d-tmem], a-desc, b-desc, [sp-meta-tmem], idesc, [scale-A-tmem], [scale-B-tmem], enable-input-d;
       tcgen05.mma.sp.cta_group.block_scaled_kind{.collector_usage}
           [d-tmem], [a-tmem], b-desc, [sp-meta-tmem], idesc, [scale-A-tmem], [scale-B-tmem], enable-input-d;
       .block_scaled_kind = { .kind::mxf8f6f4.block_scale, .kind::mxf8f6f4.block_scale.scale_vec::1X,
           .kind::mxf4.block_scale, .kind::mxf4.block_scale.scale_vec::2X,
           .kind::mxf4nvf4.block_scale.scale_vec::2X, .kind::mxf4nvf4.block_scale.scale_vec::4X };
       .cta_group = { .cta_group::1, .cta_group::2 };
       .collector_usage = { .collector::a::fill, .collector::a::use, .collector::a::lastuse,
           .collector::a::discard };
       a-desc, b-desc : .b64;  idesc : .b32;  enable-input-d : .pred;
       PTX 8.6, sm_100a, sm_101a;  PTX 8.7, sm_100a, sm_101a: .kind::mxf4nvf4;)",
     multiply_in_tensor_memory},

    {"9.7.16.9.9.2", R"(
       tcgen05.mma.sp.cta_group.kind::i8
           [d-tmem], a-desc, b-desc, [sp-meta-tmem], idesc{, {disable-output-lane}}, enable-input-d;
       tcgen05.mma.sp.cta_group.kind::i8
           [d-tmem], [a-tmem], b-desc, [sp-meta-tmem], idesc{, {disable-output-lane}}, enable-input-d;
       tcgen05.mma.sp.cta_group.kind::i8.collector_usage
           [d-tmem], a-desc, b-desc, [sp-meta-tmem], idesc{, {disable-output-lane}}, enable-input-d;
       tcgen05.mma.sp.cta_group.kind::i8.ashift{.collector_usage}
           [d-tmem], [a-tmem], b-desc, [sp-meta-tmem], idesc{, {disable-output-lane}}, enable-input-d;
       tcgen05.mma.sp.cta_group.kind::i8.collector_usage
           [d-tmem], [a-tmem], b-desc, [sp-meta-tmem], idesc{, {disable-output-lane}}, enable-input-d;
       .cta_group = { .cta_group::1, .cta_group::2 };
       .collector_usage = { .collector::a::fill, .collector::a::use, .collector::a::lastuse,
           .collector::a::discard };
       a-desc, b-desc : .b64;  idesc, disable-output-lane : .b32;  enable-input-d : .pred;
       except .ashift.collector::a::use, .ashift.collector::a::fill;
       PTX 8.6, sm_100a, sm_101a;)",
     multiply_in_tensor_memory},

    {"9.7.16.9.9.3", R"(
       tcgen05.mma.ws.cta_group::1.kind{.collector_usage}
           [d-tmem], a-desc, b-desc, idesc, enable-input-d{, zero-column-mask-desc};
       tcgen05.mma.ws.cta_group::1.kind{.collector_usage}
           [d-tmem], [a-tmem], b-desc, idesc, enable-input-d{, zero-column-mask-desc};
       tcgen05.mma.ws.cta_group::1.kind::i8{.collector_usage}
           [d-tmem], a-desc, b-desc, idesc, enable-input-d{, zero-column-mask-desc};
       tcgen05.mma.ws.cta_group::1.kind::i8{.collector_usage}
           [d-tmem], [a-tmem], b-desc, idesc, enable-input-d{, zero-column-mask-desc};
       .kind = { .kind::f16, .kind::tf32, .kind::f8f6f4 };
       .collector_usage = { .collector::b0::fill, .collector::b0::use, .collector::b0::lastuse,
           .collector::b0::discard, .collector::b1::fill, .collector::b1::use,
           .collector::b1::lastuse, .collector::b1::discard, .collector::b2::fill,
           .collector::b2::use, .collector::b2::lastuse, .collector::b2::discard,
           .collector::b3::fill, .collector::b3::use, .collector::b3::lastuse,
           .collector::b3::discard };
       a-desc, b-desc, zero-column-mask-desc : .b64;  idesc : .b32;  enable-input-d : .pred;
       PTX 8.6, sm_100a, sm_101a;)",
     multiply_in_tensor_memory},

    {"9.7.16.9.9.4", R"(
       tcgen05.mma.ws.sp.cta_group::1.kind{.collector_usage}
           [d-tmem], a-desc, b-desc, [sp-meta-tmem], idesc, enable-input-d{, zero-column-mask-desc};
       tcgen05.mma.ws.sp.cta_group::1.kind{.collector_usage}
           [d-tmem], [a-tmem], b-desc, [sp-meta-tmem], idesc, enable-input-d{, zero-column-mask-desc};
       tcgen05.mma.ws.sp.cta_group::1.kind::i8{.collector_usage}
           [d-tmem], a-desc, b-desc, [sp-meta-tmem], idesc, enable-input-d{, zero-column-mask-desc};
       tcgen05.mma.ws.sp.cta_group::1.kind::i8{.collector_usage}
           [d-tmem], [a-tmem], b-desc, [sp-meta-tmem], idesc, enable-input-d{, zero-column-mask-desc};
       .kind = { .kind::f16, .kind::tf32, .kind::f8f6f4 };
       .collector_usage = { .collector::b0::fill, .collector::b0::use, .collector::b0::lastuse,
           .collector::b0::discard, .collector::b1::fill, .collector::b1::use,
           .collector::b1::lastuse, .collector::b1::discard, .collector::b2::fill,
           .collector::b2::use, .collector::b2::lastuse, .collector::b2::discard,
           .collector::b3::fill, .collector::b3::use, .collector::b3::lastuse,
           .collector::b3::discard };
       a-desc, b-desc, zero-column-mask-desc : .b64;  idesc : .b32;  enable-input-d : .pred;
       PTX 8.6, sm_100a, sm_101a;)",
     multiply_in_tensor_memory},

    {"9.7.16.10.1", R"(
       tcgen05.fence::before_thread_sync;
       tcgen05.fence::after_thread_sync;
       PTX 8.6, sm_100a, sm_101a;)",
     fence_tensor_memory},

    {"9.7.16.11.1", R"(
       tcgen05.commit.cta_group.completion_mechanism{.shared::cluster}{.multicast}.b64  [mbar]{, ctaMask};
       .completion_mechanism = { .mbarrier::arrive::one };
       .cta_group = { .cta_group::1, .cta_group::2 };
       .multicast = { .multicast::cluster };
       ctaMask : .b16;
       PTX 8.6, sm_100a, sm_101a;)",
     commit_tensor_operations},
};

}  // namespace

std::span<const Definition> tensor_cores() { return definitions_of_tensor_cores; }

}  // namespace ptxmc
