// PTX ISA 8.7 § 9.7.9.25 and § 9.7.9.26: asynchronous copies and tensor maps.
#include "semantics/language/chapters.hpp"

namespace ptxmc {

namespace {

constexpr Definition definitions[] = {
    // The third operand is cp-size; .cg copies 16 bytes.
    {"9.7.9.25.3.1", R"(
       cp.async.ca.shared{::cta}.global{.level::cache_hint}{.level::prefetch_size}
           [dst], [src], cp-size{, src-size}{, cache-policy};
       cp.async.cg.shared{::cta}.global{.level::cache_hint}{.level::prefetch_size}
           [dst], [src], 16{, src-size}{, cache-policy};
       .level::cache_hint = { .L2::cache_hint };
       .level::prefetch_size = { .L2::64B, .L2::128B, .L2::256B };
       cp-size = { 4, 8, 16 };  src-size in { 0..16 };
       PTX 7.0, sm_80;  PTX 7.4, sm_80: .L2::cache_hint, .L2::64B, .L2::128B, .L2::256B;
       PTX 7.8, sm_80: .shared::cta;)"},

    {"9.7.9.25.3.2", R"(
       cp.async.commit_group;
       PTX 7.0, sm_80;)"},

    {"9.7.9.25.3.3", R"(
       cp.async.wait_group  N;
       cp.async.wait_all;
       PTX 7.0, sm_80;)"},

    {"9.7.9.25.4.1", R"(
       cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes{.level::cache_hint}
           [dstMem], [srcMem], size, [mbar]{, cache-policy};
       cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{.multicast}{.level::cache_hint}
           [dstMem], [srcMem], size, [mbar]{, ctaMask}{, cache-policy};
       cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes
           [dstMem], [srcMem], size, [mbar];
       cp.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}{.cp_mask}
           [dstMem], [srcMem], size{, cache-policy}{, byteMask};
       .level::cache_hint = { .L2::cache_hint };
       .multicast = { .multicast::cluster };
       size : .u32;  size in { 0.. by 16 };  ctaMask, byteMask : .b16;
       PTX 8.0, sm_90;  PTX 8.6, sm_90: .shared::cta.global.mbarrier::complete_tx::bytes;
       PTX 8.6, sm_100: .cp_mask;)"},

    {"9.7.9.25.4.2", R"(
       cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.cluster_addtype
           [dstMem], [srcMem], size, [mbar];
       cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.minop.cluster_mintype
           [dstMem], [srcMem], size, [mbar];
       cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.incop.u32
           [dstMem], [srcMem], size, [mbar];
       cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.bitop.b32
           [dstMem], [srcMem], size, [mbar];
       cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.add.addtype
           [dstMem], [srcMem], size{, cache-policy};
       cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.add.noftz.halftype
           [dstMem], [srcMem], size{, cache-policy};
       cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.minop.mintype
           [dstMem], [srcMem], size{, cache-policy};
       cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.incop.u32
           [dstMem], [srcMem], size{, cache-policy};
       cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.bitop.btype
           [dstMem], [srcMem], size{, cache-policy};
       .minop = { .min, .max };  .incop = { .inc, .dec };  .bitop = { .and, .or, .xor };
       .cluster_addtype = { .u32, .s32, .u64 };  .cluster_mintype = { .u32, .s32 };
       .addtype = { .u32, .s32, .u64, .f32, .f64 };  .halftype = { .f16, .bf16 };
       .mintype = { .u32, .s32, .u64, .s64, .f16, .bf16 };  .btype = { .b32, .b64 };
       .level::cache_hint = { .L2::cache_hint };
       size : .u32;  size in { 0.. by 16 };
       PTX 8.0, sm_90;)"},

    {"9.7.9.25.4.3", R"(
       cp.async.bulk.prefetch.L2.global{.level::cache_hint}  [srcMem], size{, cache-policy};
       .level::cache_hint = { .L2::cache_hint };
       size : .u32;  size in { 0.. by 16 };
       PTX 8.0, sm_90;)"},

    {"9.7.9.25.5.2", R"(
       cp.async.bulk.tensor.dim.shared::cta.global{.load_mode}.mbarrier::complete_tx::bytes{.cta_group}{.level::cache_hint}
           [dstMem], [tensorMap, tensorCoords], [mbar]{, {im2colInfo}}{, cache-policy};
       cp.async.bulk.tensor.dim.shared::cluster.global{.load_mode}.mbarrier::complete_tx::bytes{.multicast}{.cta_group}{.level::cache_hint}
           [dstMem], [tensorMap, tensorCoords], [mbar]{, {im2colInfo}}{, ctaMask}{, cache-policy};
       cp.async.bulk.tensor.dim.global.shared::cta{.store_mode}.bulk_group{.level::cache_hint}
           [tensorMap, tensorCoords], [srcMem]{, cache-policy};
       .dim = { .1d, .2d, .3d, .4d, .5d };
       .load_mode = { .tile, .tile::gather4, .im2col, .im2col::w, .im2col::w::128 };
       .store_mode = { .tile, .tile::scatter4, .im2col_no_offs };
       .cta_group = { .cta_group::1, .cta_group::2 };
       .multicast = { .multicast::cluster };
       .level::cache_hint = { .L2::cache_hint };
       tensorCoords : {.s32};  im2colInfo : .u16;  ctaMask : .b16;
       except .1d.im2col, .2d.im2col, .1d.im2col::w, .2d.im2col::w, .1d.im2col::w::128, .2d.im2col::w::128,
              .1d.im2col_no_offs, .2d.im2col_no_offs,
              .1d.tile::gather4, .3d.tile::gather4, .4d.tile::gather4, .5d.tile::gather4,
              .1d.tile::scatter4, .3d.tile::scatter4, .4d.tile::scatter4, .5d.tile::scatter4;
       PTX 8.0, sm_90;  PTX 8.6, sm_90: .shared::cta.global.mbarrier::complete_tx::bytes;
       PTX 8.6, sm_100: .tile::gather4, .im2col::w;
       PTX 8.6, sm_100a: .shared::cluster.tile::gather4, .shared::cluster.im2col::w;
       PTX 8.6, sm_100a, sm_101a: .tile::scatter4, .im2col::w::128, .cta_group::1, .cta_group::2;)"},

    {"9.7.9.25.5.3", R"(
       cp.reduce.async.bulk.tensor.dim.global.shared::cta.redOp{.load_mode}.bulk_group{.level::cache_hint}
           [tensorMap, tensorCoords], [srcMem]{, cache-policy};
       .dim = { .1d, .2d, .3d, .4d, .5d };
       .load_mode = { .tile, .im2col_no_offs };
       .redOp = { .add, .min, .max, .inc, .dec, .and, .or, .xor };
       except .1d.im2col_no_offs, .2d.im2col_no_offs;
       .level::cache_hint = { .L2::cache_hint };
       tensorCoords : {.s32};
       PTX 8.0, sm_90;)"},

    {"9.7.9.25.5.4", R"(
       cp.async.bulk.prefetch.tensor.dim.L2.global{.load_mode}{.level::cache_hint}
           [tensorMap, tensorCoords]{, {im2colInfo}}{, cache-policy};
       .dim = { .1d, .2d, .3d, .4d, .5d };
       .load_mode = { .tile, .tile::gather4, .im2col, .im2col::w, .im2col::w::128 };
       .level::cache_hint = { .L2::cache_hint };
       tensorCoords : {.s32};  im2colInfo : .u16;
       except .1d.im2col, .2d.im2col, .1d.im2col::w, .2d.im2col::w, .1d.im2col::w::128, .2d.im2col::w::128,
              .1d.tile::gather4, .3d.tile::gather4, .4d.tile::gather4, .5d.tile::gather4;
       PTX 8.0, sm_90;  PTX 8.6, sm_100a, sm_101a: .tile::gather4, .im2col::w, .im2col::w::128;)"},

    {"9.7.9.25.6.1", R"(
       cp.async.bulk.commit_group;
       PTX 8.0, sm_90;)"},

    {"9.7.9.25.6.2", R"(
       cp.async.bulk.wait_group{.read}  N;
       PTX 8.0, sm_90;)"},

    {"9.7.9.26", R"(
       tensormap.replace.tile.field1{.ss}.b1024.b64  [addr], new_val;
       tensormap.replace.tile.rank{.ss}.b1024.b32  [addr], new_val;
       tensormap.replace.tile.field2{.ss}.b1024.b32  [addr], ord, new_val;
       tensormap.replace.tile.global_stride{.ss}.b1024.b64  [addr], ord, new_val;
       .field1 = { .global_address };
       .field2 = { .box_dim, .global_dim, .element_stride };
       .ss = { .global, .shared::cta };
       ord = { 0..4 };
       PTX 8.3, sm_90a, sm_100a, sm_101a, sm_120a;)"},

    {"9.7.9.26", R"(
       tensormap.replace.tile.elemtype{.ss}.b1024.b32  [addr], new_val;
       .ss = { .global, .shared::cta };
       new_val = { 0..15 };
       PTX 8.3, sm_90a, sm_100a, sm_101a, sm_120a;)"},

    {"9.7.9.26", R"(
       tensormap.replace.tile.interleave_layout{.ss}.b1024.b32  [addr], new_val;
       .ss = { .global, .shared::cta };
       new_val = { 0..2 };
       PTX 8.3, sm_90a, sm_100a, sm_101a, sm_120a;)"},

    {"9.7.9.26", R"(
       tensormap.replace.tile.swizzle{.ss}.b1024.b32  [addr], new_val;
       .swizzle = { .swizzle_mode, .swizzle_atomicity };
       .ss = { .global, .shared::cta };
       new_val = { 0..3 };
       PTX 8.3, sm_90a, sm_100a, sm_101a, sm_120a;
       PTX 8.6, sm_100a, sm_101a, sm_120a: .swizzle_atomicity;)"},

    {"9.7.9.26", R"(
       tensormap.replace.tile.fill_mode{.ss}.b1024.b32  [addr], new_val;
       .ss = { .global, .shared::cta };
       new_val = { 0..1 };
       PTX 8.3, sm_90a, sm_100a, sm_101a, sm_120a;)"},
};

}  // namespace

std::span<const Definition> asynchronous_copies() { return definitions; }

}  // namespace ptxmc
