// PTX ISA 8.7 § 9.7.9.8 to § 9.7.9.13: loads and stores. State spaces other than global take no hints for
// the second-level cache and no eviction priorities; strong operations exist for global and shared memory.
#include "semantics/chapters/asynchronous_operation.hpp"
#include "semantics/language/chapters.hpp"
#include "semantics/language/memory_access.hpp"
#include "semantics/language/misuse.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

/// § 9.7.9.9: the memory model does not apply to these loads (§ 8.1).
constexpr Rule load_through_texture_path([](const Form& f, const Operands& x, Effects& effects) {
  Access access = f.access;
  access.proxy = Proxy::texture;
  return load(f, x, access, effects);
});

/// § 9.7.9.13: a weak write of zeros, not one access: it fits accesses of every size.
void store_zeros(const Form& form, const Operands& x, Effects& effects) {
  const std::uint64_t size = known(x["size"]);
  const bool is_misuse = size % 8 != 0;
  effects.use(use_of_operand(Misuse::bulk_store_size, Bits::boolean(is_misuse)));
  if (is_misuse) return;
  Access access;
  access.space = form.has(".shared::cta") ? StateSpace::shared_cta : StateSpace::generic;
  access.is_copy = true;
  const bool is_aligned = is_zero(x.a.extract(0, 3)).is_true();
  const unsigned unit = is_aligned ? 8 : 1;  // bytes
  for (std::uint64_t at = 0; at < size; at += unit)
    effects.write(access, x.a + Bits(x.a.width(), at), Bits(8 * unit, 0));
}

/// § 9.7.9.12: the destination and the mbarrier are in one CTA of a cluster of several CTAs.
void check_ctas(const Bits& destination, const Bits& mbarrier, Effects& effects) {
  const std::uint32_t ctas = effects.ctas_of_cluster();
  Bits is_misuse = Bits::boolean(ctas == 1);
  for (std::uint32_t i = 0; ctas > 1 && i < ctas; ++i) {
    const Bits rank(32, i);
    is_misuse = is_misuse | (is_in_cta(destination, rank, effects) ^ is_in_cta(mbarrier, rank, effects));
  }
  if (!is_misuse.is_false()) effects.use(use_of_operand(Misuse::reduction_in_own_cta, is_misuse));
}

constexpr Definition definitions_of_loads_and_stores[] = {
    {"9.7.9.8", R"(
       ld{.weak}.ss{.cop}{.vec}.type  d, [a];
       ld{.weak}{.global}{.cop}{.level::cache_hint}{.level::prefetch_size}{.vec}.type
           d, [a]{.unified}{, cache-policy};
       ld{.weak}{.global}.level::eviction_priority{.level::cache_hint}{.level::prefetch_size}{.vec}.type
           d, [a]{.unified}{, cache-policy};
       ld.volatile{.global}{.level::prefetch_size}{.vec}.type  d, [a];
       ld.volatile.shared{::cta, ::cluster}{.vec}.type  d, [a];
       ld.sem.scope{.global}{.level::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type
           d, [a]{, cache-policy};
       ld.sem.scope.shared{::cta, ::cluster}{.vec}.type  d, [a];
       ld.mmio.relaxed.sys{.global}.type  d, [a];
       .sem = { .relaxed, .acquire };
       .scope = { .cta, .cluster, .gpu, .sys };
       .ss = { .const, .local, .param{::entry, ::func}, .shared{::cta, ::cluster} };
       .cop = { .ca, .cg, .cs, .lu, .cv };
       .level::eviction_priority = { .L1::evict_normal, .L1::evict_unchanged, .L1::evict_first,
                                     .L1::evict_last, .L1::no_allocate };
       .level::cache_hint = { .L2::cache_hint };
       .level::prefetch_size = { .L2::64B, .L2::128B, .L2::256B };
       .vec = { .v2, .v4 };
       .type = { .b8, .b16, .b32, .b64, .b128, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64 };
       except .v2.b128, .v4.b128, .v4.b64, .v4.u64, .v4.s64, .v4.f64;
       PTX 1.0;  PTX 1.1: .volatile;  PTX 1.0, sm_13: .f64;
       PTX 2.0, sm_20: .ca, .cg, .cs, .lu, .cv;
       PTX 6.0, sm_70: .weak, .relaxed, .acquire;
       PTX 7.4, sm_70: .L1::evict_normal, .L1::evict_unchanged, .L1::evict_first, .L1::evict_last,
                       .L1::no_allocate;
       PTX 7.4, sm_75: .L2::64B, .L2::128B;  PTX 7.4, sm_80: .L2::256B, .L2::cache_hint;
       PTX 7.8, sm_90: .cluster, .shared::cluster;  PTX 7.8, sm_30: .shared::cta;
       PTX 8.0, sm_90: .unified;  PTX 8.2, sm_70: .mmio;
       PTX 8.3: .param::entry, .param::func;
       PTX 8.3, sm_70: .b128;  PTX 8.4, sm_70: .sys.b128;)",
     [](const Form& f, const Operands& x, Effects& effects) { return load(f, x, f.access, effects); }},

    // Vectors of 256 bits, which PTX ISA 8.8 has added, for global memory only.
    {"9.7.9.8", R"(
       ld{.weak}{.global}{.cop}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec8.type32
           d, [a]{.unified}{, cache-policy};
       ld{.weak}{.global}{.cop}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec4.type64
           d, [a]{.unified}{, cache-policy};
       ld{.weak}{.global}.level1::eviction_priority{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec8.type32
           d, [a]{.unified}{, cache-policy};
       ld{.weak}{.global}.level1::eviction_priority{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec4.type64
           d, [a]{.unified}{, cache-policy};
       ld.volatile{.global}{.level2::eviction_priority}{.level::prefetch_size}.vec8.type32
           d, [a];
       ld.volatile{.global}{.level2::eviction_priority}{.level::prefetch_size}.vec4.type64
           d, [a];
       ld.sem.scope{.global}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec8.type32
           d, [a]{, cache-policy};
       ld.sem.scope{.global}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec4.type64
           d, [a]{, cache-policy};
       .sem = { .relaxed, .acquire };
       .scope = { .cta, .cluster, .gpu, .sys };
       .cop = { .ca, .cg, .cs, .lu, .cv };
       .level1::eviction_priority = { .L1::evict_normal, .L1::evict_unchanged, .L1::evict_first,
                                      .L1::evict_last, .L1::no_allocate };
       .level2::eviction_priority = { .L2::evict_normal, .L2::evict_first, .L2::evict_last };
       .level::cache_hint = { .L2::cache_hint };
       .level::prefetch_size = { .L2::64B, .L2::128B, .L2::256B };
       .vec8 = { .v8 };  .type32 = { .b32, .u32, .s32, .f32 };
       .vec4 = { .v4 };  .type64 = { .b64, .u64, .s64, .f64 };
       d : .type32;  d : .type64;
       PTX 8.8, sm_100;)",
     [](const Form& f, const Operands& x, Effects& effects) { return load(f, x, f.access, effects); }},

    {"9.7.9.9", R"(
       ld.global{.cop}.nc{.level::cache_hint}{.level::prefetch_size}{.vec}.type
           d, [a]{, cache-policy};
       ld.global.nc.level::eviction_priority{.level::cache_hint}{.level::prefetch_size}{.vec}.type
           d, [a]{, cache-policy};
       .cop = { .ca, .cg, .cs };
       .level::eviction_priority = { .L1::evict_normal, .L1::evict_unchanged, .L1::evict_first,
                                     .L1::evict_last, .L1::no_allocate };
       .level::cache_hint = { .L2::cache_hint };
       .level::prefetch_size = { .L2::64B, .L2::128B, .L2::256B };
       .vec = { .v2, .v4 };
       .type = { .b8, .b16, .b32, .b64, .b128, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64 };
       except .v2.b128, .v4.b128, .v4.b64, .v4.u64, .v4.s64, .v4.f64;
       PTX 3.1, sm_32;
       PTX 7.4, sm_70: .L1::evict_normal, .L1::evict_unchanged, .L1::evict_first, .L1::evict_last,
                       .L1::no_allocate;
       PTX 7.4, sm_75: .L2::64B, .L2::128B, .L2::256B;  PTX 7.4, sm_80: .L2::cache_hint;
       PTX 8.3, sm_70: .b128;)",
     load_through_texture_path},

    {"9.7.9.9", R"(
       ld.global{.cop}.nc{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec8.type32
           d, [a]{, cache-policy};
       ld.global{.cop}.nc{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec4.type64
           d, [a]{, cache-policy};
       ld.global.nc.level1::eviction_priority{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec8.type32
           d, [a]{, cache-policy};
       ld.global.nc.level1::eviction_priority{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec4.type64
           d, [a]{, cache-policy};
       .cop = { .ca, .cg, .cs };
       .level1::eviction_priority = { .L1::evict_normal, .L1::evict_unchanged, .L1::evict_first,
                                      .L1::evict_last, .L1::no_allocate };
       .level2::eviction_priority = { .L2::evict_normal, .L2::evict_first, .L2::evict_last };
       .level::cache_hint = { .L2::cache_hint };
       .level::prefetch_size = { .L2::64B, .L2::128B, .L2::256B };
       .vec8 = { .v8 };  .type32 = { .b32, .u32, .s32, .f32 };
       .vec4 = { .v4 };  .type64 = { .b64, .u64, .s64, .f64 };
       d : .type32;  d : .type64;
       PTX 8.8, sm_100;)",
     load_through_texture_path},

    {"9.7.9.10", R"(
       ldu{.ss}{.vec}.type  d, [a];
       .ss = { .global };
       .vec = { .v2, .v4 };
       .type = { .b8, .b16, .b32, .b64, .b128, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64 };
       except .v2.b128, .v4.b128, .v4.b64, .v4.u64, .v4.s64, .v4.f64;
       PTX 2.0, sm_20;  PTX 8.3, sm_70: .b128;)",
     [](const Form& f, const Operands& x, Effects& effects) { return load(f, x, f.access, effects); }},

    {"9.7.9.11", R"(
       st{.weak}.ss{.cop}{.vec}.type  [a], b;
       st{.weak}{.global}{.cop}{.level::cache_hint}{.vec}.type  [a], b{, cache-policy};
       st{.weak}{.global}.level::eviction_priority{.level::cache_hint}{.vec}.type  [a], b{, cache-policy};
       st.volatile{.strong_ss}{.vec}.type  [a], b;
       st.sem.scope{.global}{.level::eviction_priority}{.level::cache_hint}{.vec}.type
           [a], b{, cache-policy};
       st.sem.scope.shared{::cta, ::cluster}{.vec}.type  [a], b;
       st.mmio.relaxed.sys{.global}.type  [a], b;
       .sem = { .relaxed, .release };
       .scope = { .cta, .cluster, .gpu, .sys };
       .ss = { .local, .param{::func}, .shared{::cta, ::cluster} };
       .strong_ss = { .global, .shared{::cta, ::cluster} };
       .cop = { .wb, .cg, .cs, .wt };
       .level::eviction_priority = { .L1::evict_normal, .L1::evict_unchanged, .L1::evict_first,
                                     .L1::evict_last, .L1::no_allocate };
       .level::cache_hint = { .L2::cache_hint };
       .vec = { .v2, .v4 };
       .type = { .b8, .b16, .b32, .b64, .b128, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64 };
       except .v2.b128, .v4.b128, .v4.b64, .v4.u64, .v4.s64, .v4.f64;
       PTX 1.0;  PTX 1.1: .volatile;  PTX 1.0, sm_13: .f64;
       PTX 2.0, sm_20: .wb, .cg, .cs, .wt;
       PTX 6.0, sm_70: .weak, .relaxed, .release;
       PTX 7.4, sm_70: .L1::evict_normal, .L1::evict_unchanged, .L1::evict_first, .L1::evict_last,
                       .L1::no_allocate;
       PTX 7.4, sm_80: .L2::cache_hint;
       PTX 7.8, sm_90: .cluster, .shared::cluster;  PTX 7.8, sm_30: .shared::cta;
       PTX 8.2, sm_70: .mmio;  PTX 8.3: .param::func;
       PTX 8.3, sm_70: .b128;  PTX 8.4, sm_70: .sys.b128;)",
     [](const Form& f, const Operands& x, Effects& effects) { store(f, x, f.access, effects); }},

    {"9.7.9.11", R"(
       st{.weak}{.global}{.cop}{.level2::eviction_priority}{.level::cache_hint}.vec8.type32
           [a], b{, cache-policy};
       st{.weak}{.global}{.cop}{.level2::eviction_priority}{.level::cache_hint}.vec4.type64
           [a], b{, cache-policy};
       st{.weak}{.global}.level1::eviction_priority{.level2::eviction_priority}{.level::cache_hint}.vec8.type32
           [a], b{, cache-policy};
       st{.weak}{.global}.level1::eviction_priority{.level2::eviction_priority}{.level::cache_hint}.vec4.type64
           [a], b{, cache-policy};
       st.volatile{.global}{.level2::eviction_priority}.vec8.type32
           [a], b;
       st.volatile{.global}{.level2::eviction_priority}.vec4.type64
           [a], b;
       st.sem.scope{.global}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}.vec8.type32
           [a], b{, cache-policy};
       st.sem.scope{.global}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}.vec4.type64
           [a], b{, cache-policy};
       .sem = { .relaxed, .release };
       .scope = { .cta, .cluster, .gpu, .sys };
       .cop = { .wb, .cg, .cs, .wt };
       .level1::eviction_priority = { .L1::evict_normal, .L1::evict_unchanged, .L1::evict_first,
                                      .L1::evict_last, .L1::no_allocate };
       .level2::eviction_priority = { .L2::evict_normal, .L2::evict_first, .L2::evict_last };
       .level::cache_hint = { .L2::cache_hint };
       .vec8 = { .v8 };  .type32 = { .b32, .u32, .s32, .f32 };
       .vec4 = { .v4 };  .type64 = { .b64, .u64, .s64, .f64 };
       b : .type32;  b : .type64;
       PTX 8.8, sm_100;)",
     [](const Form& f, const Operands& x, Effects& effects) { store(f, x, f.access, effects); }},

    {"9.7.9.12", R"(
       st.async{.weak}{.cluster}{.shared::cluster}{.mbarrier::complete_tx::bytes}{.vec}.type  [a], b, [mbar];
       .type = { .b32, .b64, .u32, .u64, .s32, .s64, .f32, .f64 };
       .vec = { .v2, .v4 };
       except .v4.b64, .v4.u64, .v4.s64, .v4.f64;
       PTX 8.1, sm_90;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       Access access;
       access.space = space_of(f);
       const Operands operands = x;
       const AsyncPlace mbarrier{access.space, x["mbar"]};
       check_ctas(x.a, mbarrier.address, effects);
       const std::uint64_t elements = x.elements.size() == 0 ? 1 : x.elements.size();
       const Bits bytes(32, elements * (f.width() / 8));
       effects.start({}, [=, &f](Effects& strand) {
         store(f, operands, access, strand);
         complete_transactions(mbarrier, bytes, strand);
       });
     }},

    {"9.7.9.12", R"(
       st.async{.mmio}.release{.scope}{.global}.type  [a], b;
       .scope = { .gpu, .sys };
       .type = { .b8, .b16, .b32, .b64, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64 };
       PTX 8.7, sm_100;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       Access access = release_access(f);
       const Operands operands = x;
       effects.start({}, [=, &f](Effects& strand) { store(f, operands, access, strand); });
     }},

    {"9.7.9.13", R"(
       st.bulk{.weak}{.shared::cta}  [a], size, initval;
       size : .u64;  size in { 0.. by 8 };  initval = { 0 };
       PTX 8.6, sm_100;)",
     [](const Form& f, const Operands& x, Effects& effects) { store_zeros(f, x, effects); }},

};

}  // namespace

std::span<const Definition> loads_and_stores() { return definitions_of_loads_and_stores; }

}  // namespace ptxmc
