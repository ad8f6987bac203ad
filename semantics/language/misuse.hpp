#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "semantics/language/effects.hpp"

namespace ptxmc {

/// Uses of barriers and of exchanges between lanes that the manual leaves undefined. Divergence of a warp at
/// aligned barriers has a separate verdict and is not in this list.
enum class Misuse : std::uint8_t {
  outside_membermask,      ///< § 9.7.9.6, § 9.7.13.2, § 9.7.13.9, § 9.7.13.10, § 9.7.13.12, § 9.7.13.14
  second_cluster_arrival,  ///< § 9.7.13.3
  cluster_wait_without_arrival,  ///< § 9.7.13.3
  reduction_beside_others,       ///< § 9.7.13.1
};

/// The sentence of the manual about the misuse, with its section in PTX ISA 8.7. The subject of the sentence
/// is the instruction.
std::string_view sentence_of(Misuse);

/// Whether the lane is outside its membermask of 32 bits; width 1.
Bits is_outside_membermask(const Bits& membermask, unsigned lane);

/// A misuse of `barrier.cluster` by a thread, and the condition under which it occurs.
struct ClusterMisuse {
  Misuse misuse;
  Bits condition;  ///< width 1
};

/// Each thread arrives once before it waits, and waits before it arrives again. `has_arrived` (width 1): the
/// thread has arrived and not waited since.
ClusterMisuse misuse_of_cluster_barrier(Barrier::Kind, const Bits& has_arrived);

/// `barrier.red`.
bool is_reduction(Barrier::Kind);

/// Whether arrivals of these two kinds in one phase of a barrier are a misuse: one is a reduction and the
/// other is not.
bool are_mixed(Barrier::Kind, Barrier::Kind);

}  // namespace ptxmc
