#pragma once

#include <span>
#include <utility>
#include <vector>

#include "model/program/execution.hpp"

namespace ptxmc {

/// Which synchronization counts.
enum class Synchronization : std::uint8_t {
  /// All that may be some, also between operations that are not in each other's scope: a pair of accesses
  /// that is still unordered is a data race in every model with the definitions of ptx-8.7.
  possible,
  /// Only between operations in each other's scope. An unordered pair is a likely data race.
  scoped,
};

/// Which unordered accesses are returned.
enum class Races : std::uint8_t {
  one_of_instructions,  ///< for each pair of instructions the pair whose second access happens first
  all,                  ///< all pairs that are found
};

/// Conflicting accesses of an interleaving (`is_interleaving`) that are not ordered by causality, each with
/// the one that happens first. Races with an access that a write of the same memory has followed may be
/// missing. Empty if the execution is too large.
std::vector<std::pair<EventId, EventId>> unordered_accesses(const Execution&,
                                                            std::span<const std::size_t> moments,
                                                            Synchronization,
                                                            Races = Races::one_of_instructions);

/// Accesses of an interleaving in which all threads have ended to the shared memory of a CTA that may have
/// ended: no event of the CTA follows them in every course of the execution (`access_after_end` of ptx-8.7).
/// One for each instruction. Empty if the execution is too large.
std::vector<EventId> accesses_after_end(const Execution&, std::span<const std::size_t> moments);

}  // namespace ptxmc
