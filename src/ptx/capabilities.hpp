#pragma once

#include <optional>
#include <span>
#include <string>

#include "semantics/language/notation.hpp"

namespace ptxmc::syntax {

/// The version and the architecture that a module declares, which decide what it may use.
struct Capabilities {
  PtxVersion version = 0;
  std::uint16_t sm = 0;
  /// 'a': `sm_90a`, features of this architecture alone; 'f' (since PTX ISA 8.8): of its family.
  char suffix = '\0';
};

/// `sm_90a`, `compute_80`: an architecture of PTX ISA 8.7 § 11.1.2, one of PTX ISA 8.8 or 9.0, or one that
/// later versions may have.
struct NamedTarget {
  std::uint16_t sm = 0;
  char suffix = '\0';
  PtxVersion introduced = 0;  ///< 0: not known to 9.0
};
std::optional<NamedTarget> target_named(std::string_view name);

/// Whether the module has one of the architectures; true if the list is empty.
///
/// Architectures of later versions are treated like those of 8.7: `sm_103a` and `sm_100f` have the features
/// that `sm_100a` alone has in 8.7, because such a family shares them (the tens digit and a higher number).
/// `sm_110` is the name that PTX ISA 9.0 gives to `sm_101`.
bool has_architecture(const Capabilities&, std::span<const Architecture> any_of);

/// What the module lacks to use `what`: "barrier.cluster needs sm_90, the module says sm_80"; empty if
/// nothing.
std::string lack_of(const Capabilities&, std::string_view what, PtxVersion introduced,
                    std::span<const Architecture> any_of);

/// `8.7`, `sm_90a`.
std::string version_text(PtxVersion);
std::string architecture_text(std::uint16_t sm, char suffix);

}  // namespace ptxmc::syntax
