#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "semantics/language/diagnostic.hpp"

namespace ptxmc {

/// Thrown for a program that has more events than it may have: `events: 5000`.
struct TooManyEvents : Unsupported {
  TooManyEvents(std::size_t most, SourcePosition where)
      : Unsupported("events: " + std::to_string(most), where) {}
};

/// The number of events up to which programs are unfolded: the wanted number, or for 0 as many as memory has
/// room for, the limit of this thread or the memory of the machine.
std::size_t most_unfolded_events(std::size_t wanted);

/// The number of events up to which relations between all of them are computed, where only this decides: the
/// wanted number, or for 0 as many as `memory_bytes` have room for, which may be 0 for no limit.
std::size_t most_related_events(std::size_t wanted, std::uint64_t memory_bytes);

/// The number of events up to which the solver searches among executions, where only this decides. Most pairs
/// of events need no unknown of their own, so that memory has room for more of them.
std::size_t most_searched_events(std::size_t wanted, std::uint64_t memory_bytes);

}  // namespace ptxmc
