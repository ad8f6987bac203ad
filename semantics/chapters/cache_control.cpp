// PTX ISA 8.7 § 9.7.9.15 to § 9.7.9.18: hints to the caches. Only `discard` changes values.
#include "semantics/language/chapters.hpp"
#include "semantics/language/memory_access.hpp"

namespace ptxmc {

namespace {

constexpr Rule no_effect([](const Form&, const Operands&) -> Results { return {}; });

/// § 9.7.9.17: the content of the cache is lost, and the older content of memory may or may not become
/// visible. It is modelled as weak writes of an undetermined value, with the widest access size, to global
/// memory (also if the address is generic).
constexpr Rule discard_data([](const Form& form, const Operands& x, Effects& effects) {
  constexpr unsigned width = 128;
  Access access = form.access;
  access.space = StateSpace::global;
  access.is_indeterminate = true;
  const std::size_t count = x["size"].to_u64() / (width / 8);
  for (std::size_t i = 0; i < count; ++i)
    effects.write(element_access(access, i, count, width), element_address(x, i, width),
                  effects.unspecified(width));
});

constexpr Definition definitions_of_cache_control[] = {
    {"9.7.9.15", R"(
       prefetch{.space}.level  [a];
       prefetch.global.level::eviction_priority  [a];
       prefetchu.L1  [a];
       prefetch{.tensormap_space}.tensormap  [a];
       .space = { .global, .local };
       .level = { .L1, .L2 };
       .level::eviction_priority = { .L2::evict_last, .L2::evict_normal };
       .tensormap_space = { .const, .param };
       PTX 2.0, sm_20;  PTX 7.4, sm_80: .L2::evict_last, .L2::evict_normal;  PTX 8.0, sm_90: .tensormap;)",
     no_effect},

    {"9.7.9.16", R"(
       applypriority{.global}.level::eviction_priority  [a], size;
       .level::eviction_priority = { .L2::evict_normal };
       size = { 128 };
       PTX 7.4, sm_80;)",
     no_effect},

    {"9.7.9.17", R"(
       discard{.global}.level  [a], size;
       .level = { .L2 };
       size = { 128 };
       PTX 7.4, sm_80;)",
     discard_data},

    // A policy is opaque; it only tells other instructions how to use caches.
    {"9.7.9.18", R"(
       createpolicy.range{.global}.level::primary_priority{.level::secondary_priority}.b64
           cache-policy, [a], primary-size, total-size;
       createpolicy.fractional.level::primary_priority{.level::secondary_priority}.b64
           cache-policy{, fraction};
       createpolicy.cvt.L2.b64  cache-policy, access-property;
       .level::primary_priority = { .L2::evict_last, .L2::evict_normal, .L2::evict_first,
                                    .L2::evict_unchanged };
       .level::secondary_priority = { .L2::evict_first, .L2::evict_unchanged };
       primary-size, total-size : .u32;  fraction : .f32;  fraction in (0, 1];  access-property : .b64;
       PTX 7.4, sm_80;)",
     [](const Form&, const Operands&, Effects& effects) -> Bits { return effects.unspecified(64); }},
};

}  // namespace

std::span<const Definition> cache_control() { return definitions_of_cache_control; }

}  // namespace ptxmc
