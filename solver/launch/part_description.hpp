#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solver/encoding/candidate_executions.hpp"

namespace ptxmc {

/// What is claimed of final memory: a condition over unknowns, each of which stands for the content of a
/// piece of memory.
struct MemoryClaim {
  struct Piece {
    Bits content;  ///< an unknown
    std::uint64_t location = 0;
    unsigned size = 0;  ///< bytes
  };
  Bits holds = Bits::boolean(true);  ///< width 1
  std::vector<Piece> pieces;
};

/// A text that describes some threads of a launch (`threads`, ascending; no event is of another thread) and
/// what is claimed of them. Two parts with one text differ only in the names of threads, CTAs, warps, … , of
/// memory locations and of unknowns: if no execution of one violates a property, no execution of the other
/// does. So `out[tid] = in[tid]` has one text in all threads of a warp, as long as the values have.
///
/// Empty if the part contains what the text does not describe: locations that are not known or overlap in
/// part, asynchronous operations, barriers of a warp, phases that are misused.
std::optional<std::string> describe_part(const SettledCandidates& part, std::span<const int> threads,
                                         const MemoryClaim&);

}  // namespace ptxmc
