#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "semantics/values/bits.hpp"

namespace ptxmc {

/// The origin of an address: its value with all unknown parts set to 0.
struct Origin {
  std::uint64_t value = 0;
  bool is_open = false;  ///< an unknown has been added to the origin

  friend bool operator==(const Origin&, const Origin&) = default;
};

/// The origins of a value of 64 bits, one for each decision of the `ite` operators in it; empty if there are
/// too many. `base + 4 * i` has the origin `base`; a value read from memory has the origin 0.
std::optional<std::vector<Origin>> origins_of(const Bits&);

}  // namespace ptxmc
