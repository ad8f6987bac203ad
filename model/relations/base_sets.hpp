#pragma once

#include <span>
#include <string_view>

#include "model/program/event.hpp"

namespace ptxmc {

/// A set that every model can name. Membership is static: an event belongs to the set if `contains` is true
/// and the event happens.
struct BaseSet {
  std::string_view name;
  std::string_view meaning;  ///< one sentence
  bool (*contains)(const Event&);
};

std::span<const BaseSet> base_sets();

/// The set with this name, or null.
const BaseSet* find_base_set(std::string_view name);

// Properties of a single event.

bool is_initial(const Event&);
bool is_fence(const Event&);  ///< a memory fence or a proxy fence
bool is_proxy_fence(const Event&);
bool is_barrier(const Event&);
bool is_wait(const Event&);

/// Whether an access is not strong. `.volatile` is relaxed at system scope (PTX ISA 8.7 § 8.4.2); `.mmio` is
/// strong (§ 8.4.1).
bool is_weak(const Event&);

/// The scope of a memory access, a fence or a wait; none of weak accesses and of other events.
Scope scope_of(const Event&);

/// Whether a memory access is through the proxy, or a proxy fence orders it with the generic proxy.
bool is_through(const Event&, Proxy);

}  // namespace ptxmc
