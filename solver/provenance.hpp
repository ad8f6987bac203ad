#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "semantics/bits.hpp"

namespace ptxmc {

/// What an address was made from: its value where everything open in it counts as 0.
struct Origin {
  std::uint64_t value = 0;
  bool is_open = false;  ///< something open has been added to it

  friend bool operator==(const Origin&, const Origin&) = default;
};

/// The origins of a value of 64 bits, one for each way to decide the choices (`ite`) in it; none when there
/// are too many. `base + 4 * i` has the origin `base`, what was read from memory has 0.
std::optional<std::vector<Origin>> origins_of(const Bits&);

}  // namespace ptxmc
