// PTX ISA 8.7 § 9.7.9.8 to § 9.7.9.11: loads and stores. State spaces other than global take no hints for
// the second-level cache and no eviction priorities; strong operations exist for global and shared memory.
#include "semantics/chapters.hpp"
#include "semantics/memory_access.hpp"

namespace ptxmc {

namespace {

constexpr Definition definitions[] = {
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
     [](const Form& f, const Operands& x, Effects& effects) {
       return load(f, x, load_store_access(f), effects);
     }},

    // The memory model does not apply to these loads (§ 8.1), which go through the texture path.
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
     [](const Form& f, const Operands& x, Effects& effects) {
       Access access = load_store_access(f);
       access.proxy = Proxy::texture;
       return load(f, x, access, effects);
     }},

    {"9.7.9.10", R"(
       ldu{.ss}{.vec}.type  d, [a];
       .ss = { .global };
       .vec = { .v2, .v4 };
       .type = { .b8, .b16, .b32, .b64, .b128, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64 };
       except .v2.b128, .v4.b128, .v4.b64, .v4.u64, .v4.s64, .v4.f64;
       PTX 2.0, sm_20;  PTX 8.3, sm_70: .b128;)",
     [](const Form& f, const Operands& x, Effects& effects) {
       return load(f, x, load_store_access(f), effects);
     }},

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
     [](const Form& f, const Operands& x, Effects& effects) { store(f, x, load_store_access(f), effects); }},
};

}  // namespace

std::span<const Definition> loads_and_stores() { return definitions; }

}  // namespace ptxmc
