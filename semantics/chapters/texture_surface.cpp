// PTX ISA 8.7 § 9.7.10 and § 9.7.11: texture and surface instructions. Coordinates are a register or a
// vector; the sampler `b` is present only in independent texture mode.
#include "semantics/chapters/surface_access.hpp"
#include "semantics/chapters/texture_rules.hpp"
#include "semantics/language/chapters.hpp"

namespace ptxmc {

namespace {

constexpr Definition definitions_of_textures_and_surfaces[] = {
    {"9.7.10.3", R"(
       tex.geom.v4.dtype.ctype      d[|p], [a, c]{, e}{, f};
       tex.geom.v4.dtype.ctype      d[|p], [a, b, c]{, e}{, f};
       tex.cubegeom.v4.dtype.f32    d[|p], [a, c]{, e}{, f};
       tex.cubegeom.v4.dtype.f32    d[|p], [a, b, c]{, e}{, f};
       tex.msgeom.v4.dtype.s32      d[|p], [a, c]{, e}{, f};
       tex.msgeom.v4.dtype.s32      d[|p], [a, b, c]{, e}{, f};
       tex.geom.v2.f16x2.ctype      d[|p], [a, c]{, e}{, f};
       tex.geom.v2.f16x2.ctype      d[|p], [a, b, c]{, e}{, f};
       tex.cubegeom.v2.f16x2.f32    d[|p], [a, c]{, e}{, f};
       tex.cubegeom.v2.f16x2.f32    d[|p], [a, b, c]{, e}{, f};
       tex.msgeom.v2.f16x2.s32      d[|p], [a, c]{, e}{, f};
       tex.msgeom.v2.f16x2.s32      d[|p], [a, b, c]{, e}{, f};
       .geom = { .1d, .2d, .3d, .a1d, .a2d };
       .cubegeom = { .cube, .acube };  .msgeom = { .2dms, .a2dms };
       .dtype = { .u32, .s32, .f16, .f32 };
       .ctype = { .s32, .f32 };
       d : .dtype;  d : .f16x2;  a : .texref;  b : .samplerref;  c, e : {};  f : .f32;
       except .cube(e), .acube(e), .3d(f), .2dms(f), .a2dms(f), .u32.s32(f), .f16.s32(f), .f32.s32(f), .f16x2.s32(f);
       PTX 1.0;  PTX 2.3: .a1d, .a2d;  PTX 3.0: .cube;  PTX 3.0, sm_20: .acube;
       PTX 3.2, sm_30: .2dms, .a2dms;  PTX 4.2, sm_53: .f16, .f16x2;
       PTX 4.3, sm_30: (e), (f);  PTX 7.1, sm_60: (p);)",
     fetch_texture},

    {"9.7.10.3", R"(
       tex.base.geom.v4.dtype.ctype     d[|p], [a, c]{, e}{, f};
       tex.base.geom.v4.dtype.ctype     d[|p], [a, b, c]{, e}{, f};
       tex.base.cubegeom.v4.dtype.f32   d[|p], [a, c]{, e}{, f};
       tex.base.cubegeom.v4.dtype.f32   d[|p], [a, b, c]{, e}{, f};
       tex.base.geom.v2.f16x2.ctype     d[|p], [a, c]{, e}{, f};
       tex.base.geom.v2.f16x2.ctype     d[|p], [a, b, c]{, e}{, f};
       tex.base.cubegeom.v2.f16x2.f32   d[|p], [a, c]{, e}{, f};
       tex.base.cubegeom.v2.f16x2.f32   d[|p], [a, b, c]{, e}{, f};
       tex.level.geom.v4.dtype.ctype    d[|p], [a, c], lod{, e}{, f};
       tex.level.geom.v4.dtype.ctype    d[|p], [a, b, c], lod{, e}{, f};
       tex.level.cubegeom.v4.dtype.f32  d[|p], [a, c], lod{, e}{, f};
       tex.level.cubegeom.v4.dtype.f32  d[|p], [a, b, c], lod{, e}{, f};
       tex.level.geom.v2.f16x2.ctype    d[|p], [a, c], lod{, e}{, f};
       tex.level.geom.v2.f16x2.ctype    d[|p], [a, b, c], lod{, e}{, f};
       tex.level.cubegeom.v2.f16x2.f32  d[|p], [a, c], lod{, e}{, f};
       tex.level.cubegeom.v2.f16x2.f32  d[|p], [a, b, c], lod{, e}{, f};
       tex.grad.geom.v4.dtype.ctype     d[|p], [a, c], dPdx, dPdy{, e}{, f};
       tex.grad.geom.v4.dtype.ctype     d[|p], [a, b, c], dPdx, dPdy{, e}{, f};
       tex.grad.cubegeom.v4.dtype.f32   d[|p], [a, c], dPdx, dPdy{, e}{, f};
       tex.grad.cubegeom.v4.dtype.f32   d[|p], [a, b, c], dPdx, dPdy{, e}{, f};
       tex.grad.geom.v2.f16x2.ctype     d[|p], [a, c], dPdx, dPdy{, e}{, f};
       tex.grad.geom.v2.f16x2.ctype     d[|p], [a, b, c], dPdx, dPdy{, e}{, f};
       tex.grad.cubegeom.v2.f16x2.f32   d[|p], [a, c], dPdx, dPdy{, e}{, f};
       tex.grad.cubegeom.v2.f16x2.f32   d[|p], [a, b, c], dPdx, dPdy{, e}{, f};
       .geom = { .1d, .2d, .3d, .a1d, .a2d };
       .cubegeom = { .cube, .acube };
       .dtype = { .u32, .s32, .f16, .f32 };
       .ctype = { .s32, .f32 };
       d : .dtype;  d : .f16x2;  a : .texref;  b : .samplerref;  c, e : {};  dPdx, dPdy : {.f32};  f : .f32;
       except .cube(e), .acube(e), .3d(f), .u32.s32(f), .f16.s32(f), .f32.s32(f), .f16x2.s32(f);
       PTX 3.1, sm_20;  PTX 4.2, sm_53: .f16, .f16x2;  PTX 4.3, sm_20: .grad.cube, .grad.acube;
       PTX 4.3, sm_30: (e), (f);  PTX 7.1, sm_60: (p);)",
     fetch_texture},

    {"9.7.10.4", R"(
       tld4.comp.2d.v4.dtype.f32    d[|p], [a, c]{, e}{, f};
       tld4.comp.2d.v4.dtype.f32    d[|p], [a, b, c]{, e}{, f};
       tld4.comp.geom.v4.dtype.f32  d[|p], [a, c]{, e}{, f};
       tld4.comp.geom.v4.dtype.f32  d[|p], [a, b, c]{, e}{, f};
       .comp = { .r, .g, .b, .a };
       .geom = { .a2d, .cube, .acube };
       .dtype = { .u32, .s32, .f32 };
       d : .dtype;  a : .texref;  b : .samplerref;  c, e : {};  f : .f32;
       except .cube(e), .acube(e);
       PTX 2.2, sm_20;  PTX 4.3, sm_30: .a2d, .cube, .acube, (e), (f);  PTX 7.1, sm_60: (p);)",
     gather_texels},

    {"9.7.10.5", R"(
       txq.tquery.b32         d, [a];
       txq.level.tlquery.b32  d, [a], lod;
       .tquery = { .width, .height, .depth, .channel_data_type, .channel_order, .normalized_coords,
                   .array_size, .num_mipmap_levels, .num_samples };
       .tlquery = { .width, .height, .depth };
       a : .texref;
       PTX 1.5;  PTX 2.1: .channel_data_type, .channel_order;
       PTX 4.1: .array_size;  PTX 4.1, sm_20: .num_mipmap_levels;  PTX 4.1, sm_30: .num_samples;
       PTX 4.3, sm_30: .level;)",
     [](const Form& f, const Operands& x, Effects& effects) { return query_texture(f, x, effects); }},

    {"9.7.10.5", R"(
       txq.squery.b32  d, [a];
       .squery = { .force_unnormalized_coords, .filter_mode, .addr_mode_0, .addr_mode_1, .addr_mode_2 };
       a : .samplerref;
       PTX 1.5;  PTX 2.2: .force_unnormalized_coords;)",
     [](const Form& f, const Operands& x, Effects& effects) { return query_sampler(f, x, effects); }},

    {"9.7.10.6", R"(
       istypep.type  p, a;
       .type = { .texref, .samplerref, .surfref };
       PTX 4.0, sm_30;)",
     [](const Form& f, const Operands& x, Effects& effects) { return is_of_opaque_type(f, x, effects); }},

    {"9.7.11.1", R"(
       suld.b.geom{.cop}{.vec}.dtype.clamp  d, [a, b];
       .geom = { .1d, .2d, .3d, .a1d, .a2d };
       .cop = { .ca, .cg, .cs, .cv };
       .vec = { .v2, .v4 };
       .dtype = { .b8, .b16, .b32, .b64 };
       .clamp = { .trap, .clamp, .zero };
       d : {.dtype};  a : .surfref;  b : {.s32};
       except .v4.b64;
       PTX 1.5;  PTX 2.0, sm_20: .clamp, .zero, .ca, .cg, .cs, .cv;  PTX 3.0, sm_20: .3d, .a1d, .a2d;)",
     load_surface},

    {"9.7.11.2", R"(
       sust.b.geom{.cop}{.vec}.ctype.clamp  [a, b], c;
       sust.p.pgeom{.vec}.b32.clamp         [a, b], c;
       .geom = { .1d, .2d, .3d, .a1d, .a2d };
       .pgeom = { .1d, .2d, .3d };
       .cop = { .wb, .cg, .cs, .wt };
       .vec = { .v2, .v4 };
       .ctype = { .b8, .b16, .b32, .b64 };
       .clamp = { .trap, .clamp, .zero };
       a : .surfref;  b : {.s32};  c : {.ctype};  c : {.b32};
       except .v4.b64;
       PTX 1.5;  PTX 2.0, sm_20: .p, .clamp, .zero, .wb, .cg, .cs, .wt;
       PTX 3.0, sm_20: .b.3d, .a1d, .a2d;)",
     store_surface},

    {"9.7.11.3", R"(
       sured.b.add.geom.addtype.clamp    [a, b], c;
       sured.b.minop.geom.mintype.clamp  [a, b], c;
       sured.b.bitop.geom.b32.clamp      [a, b], c;
       sured.p.op.geom.b32.clamp         [a, b], c;
       sured.p.minop.geom.b64.clamp      [a, b], c;
       .op = { .add, .min, .max, .and, .or };
       .minop = { .min, .max };  .bitop = { .and, .or };
       .addtype = { .u32, .u64, .s32 };  .mintype = { .u32, .u64, .s32, .s64 };
       .geom = { .1d, .2d, .3d };
       .clamp = { .trap, .clamp, .zero };
       a : .surfref;  b : {.s32};
       PTX 2.0, sm_20;
       PTX 8.1, sm_50: .min.u64, .max.u64, .min.s64, .max.s64, .min.b64, .max.b64;)",
     reduce_surface},

    {"9.7.11.4", R"(
       suq.query.b32  d, [a];
       .query = { .width, .height, .depth, .channel_data_type, .channel_order, .array_size, .memory_layout };
       a : .surfref;
       PTX 1.5;  PTX 2.1: .channel_data_type, .channel_order;  PTX 4.1: .array_size;
       PTX 4.2: .memory_layout;)",
     [](const Form& f, const Operands& x, Effects& effects) { return query_surface(f, x, effects); }},
};

}  // namespace

std::span<const Definition> textures_and_surfaces() { return definitions_of_textures_and_surfaces; }

}  // namespace ptxmc
