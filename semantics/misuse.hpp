#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "semantics/effects.hpp"

namespace ptxmc {

/// Uses of barriers and of exchanges between lanes after which the manual promises nothing. Threads of a warp
/// that diverge at aligned barriers are not among them: they have a verdict of their own.
enum class Misuse : std::uint8_t {
  outside_membermask,      ///< § 9.7.9.6, § 9.7.13.2, § 9.7.13.9, § 9.7.13.10, § 9.7.13.12, § 9.7.13.14
  second_cluster_arrival,  ///< § 9.7.13.3
  cluster_wait_without_arrival,  ///< § 9.7.13.3
  reduction_beside_others,       ///< § 9.7.13.1
};

/// What the manual says of it, with the section of PTX ISA 8.7: a sentence about the instruction at hand.
std::string_view sentence_of(Misuse);

/// Width 1: the lane is not in its membermask of 32 bits.
Bits is_outside_membermask(const Bits& membermask, unsigned lane);

/// How a thread misuses `barrier.cluster`, if the condition holds.
struct ClusterMisuse {
  Misuse misuse;
  Bits condition;  ///< width 1
};

/// Each thread arrives once before it waits, and waits before it arrives again. `has_arrived` (width 1): it
/// has arrived since it waited last.
ClusterMisuse misuse_of_cluster_barrier(Barrier::Kind, const Bits& has_arrived);

/// `barrier.red`.
bool is_reduction(Barrier::Kind);

/// Arrivals of these kinds in one phase of a barrier are a misuse: a reduction beside what is none.
bool are_mixed(Barrier::Kind, Barrier::Kind);

}  // namespace ptxmc
