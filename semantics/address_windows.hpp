#pragma once

#include <cstdint>

#include "semantics/effects.hpp"

namespace ptxmc {

/// Where a state space lies among generic addresses: PTX ISA 8.7 § 6.4.1.1. An address of the space is an
/// offset of at most 32 bits from there; generic addresses outside of all windows are those of global memory.
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
    case StateSpace::generic:
    case StateSpace::global:
      break;
  }
  return 0;
}

constexpr std::uint64_t window_size = std::uint64_t{1} << 32;

}  // namespace ptxmc
