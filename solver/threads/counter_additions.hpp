#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "solver/threads/open_thread.hpp"

namespace ptxmc {

/// A write of what the thread has read from the same place, plus an amount that depends on no other read of
/// this place. An atomic addition of 0 is a read that others may wait for.
struct Addition {
  const Event* read = nullptr;
  Bits amount;                       ///< of the width of the place
  bool is_atomic = false;            ///< morally strong with all others of its kind
  const OpenGroup* group = nullptr;  ///< of whose mask the amount is a function; null: there is none
};
using Additions = std::vector<Addition>;

/// The places in global memory, by location, to which threads write nothing but additions.
std::map<std::uint64_t, Additions> additions_by_place(const OpenThread&);

bool are_atomic(const Additions&);

}  // namespace ptxmc
