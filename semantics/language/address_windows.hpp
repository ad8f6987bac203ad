#pragma once

#include <cstdint>

#include "semantics/language/effects.hpp"

namespace ptxmc {

constexpr bool is_shared(StateSpace space) {
  return space == StateSpace::shared_cta || space == StateSpace::shared_cluster;
}

/// The generic address at which the window of a state space begins: PTX ISA 8.7 § 6.4.1.1. An address of the
/// space is an offset into the window, of at most 32 bits. Generic addresses outside of all windows belong to
/// global memory.
constexpr std::uint64_t window_of(StateSpace space) {
  switch (space) {
    case StateSpace::shared_cta:
    case StateSpace::shared_cluster:
      return 0x0100'0000'0000'0000;
    case StateSpace::local:
      return 0x0200'0000'0000'0000;
    case StateSpace::param:
      return 0x0300'0000'0000'0000;
    case StateSpace::constant:
      return 0x0400'0000'0000'0000;
    case StateSpace::tensor:  // in no window of generic addresses; between those of functions and the heap
      return 0x0600'0000'0000'0000;
    case StateSpace::generic:
    case StateSpace::global:
      break;
  }
  return 0;
}

constexpr std::uint64_t window_size = std::uint64_t{1} << 32;

/// The shared memory of a cluster is divided by the ranks of its CTAs: bits 24 and up of an address of shared
/// memory are the rank. The part of a CTA is its shared::cta memory.
constexpr unsigned cta_rank_shift = 24;
constexpr std::uint64_t shared_memory_of_cta = std::uint64_t{1} << cta_rank_shift;
constexpr std::uint64_t most_cta_ranks = window_size / shared_memory_of_cta;

}  // namespace ptxmc
