#pragma once

#include <cstddef>
#include <vector>

#include "model/program/event.hpp"

namespace ptxmc {

/// An `activemask` that each thread executes at most once. It divides the lanes of a warp that execute it
/// into groups: the lanes of a group are at the instruction together, and get the group as their mask (PTX
/// ISA 8.7 § 9.7.13.11).
struct OpenGroup {
  Bits condition;  ///< width 1: the thread executes it
  Bits mask;       ///< an unknown, 32 bits: the lanes of the group
  unsigned step = 0;
  SourcePosition where;
  std::vector<const Instruction*> calls;  ///< from the kernel to the instruction
};

/// An exchange whose membermask is the mask of a group.
struct GroupExchange {
  std::size_t group = 0;  ///< in OpenThread::groups
  Bits condition;         ///< width 1: the thread executes it
  unsigned step = 0;
  SourcePosition where;
  Bits given;                 ///< what the thread gives to the other lanes
  std::vector<Bits> of_lane;  ///< by lane, an unknown: what this lane gives
  std::vector<Bits> results;  ///< unknowns
  std::vector<Bits> rules;    ///< the value of each result, computed from the lanes of the group
};

/// An unknown of 32 bits for the number of bits of a value that are one.
struct BitCount {
  Bits value, count;
};

}  // namespace ptxmc
