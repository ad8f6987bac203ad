#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "semantics/language/effects.hpp"

namespace ptxmc {

/// PTX ISA 8.7 § 8.5, § 9.7.13.4: how strongly an access or a fence orders. `none` is a weak access, or no
/// fence.
enum class Ordering : std::uint8_t { none, relaxed, acquire, release, acq_rel, sc };

/// The order and the scope of an access or a fence. `none` has no scope.
struct Strength {
  Ordering ordering = Ordering::none;
  Scope scope = Scope::none;

  friend bool operator==(const Strength&, const Strength&) = default;
};

/// Whether the first is at most as strong in its order and in its scope. Neither of acquire and release is
/// weaker than the other, and neither of `relaxed.gpu` and `release.cta`.
bool is_weaker_or_equal(Strength, Strength);

/// `release.gpu`; empty for `none`.
std::string text_of(Strength);

/// The modifiers of PTX: ".release"; ".gpu". Empty for `none`.
std::string_view modifier_of(Ordering);
std::string_view modifier_of(Scope);

/// The ordering or the scope that a modifier names; `none` if it names none.
Ordering ordering_named(std::string_view modifier);
Scope scope_named(std::string_view modifier);

/// What annotations cost: ranks, to compare assignments with each other, and no times.
struct StrengthCosts {
  std::array<unsigned, 6> ordering = {0, 1, 2, 2, 3, 10};  ///< by Ordering
  std::array<unsigned, 5> scope = {0, 1, 2, 3, 5};         ///< by Scope; times the cost of the order
  unsigned fence = 2;                                      ///< added for each fence
};

unsigned cost_of(const StrengthCosts&, Strength, bool is_fence);

/// Reads a table of costs: TOML with the keys weak, relaxed, acquire, release, acq_rel, sc, cta, cluster,
/// gpu, sys and fence, each a number from 0 to 1000; what is left out keeps its value. Throws InputError,
/// also if something stronger would be cheaper than something weaker.
StrengthCosts read_costs(const std::filesystem::path&);

}  // namespace ptxmc
