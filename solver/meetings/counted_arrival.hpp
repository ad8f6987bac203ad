#pragma once

#include <cstddef>
#include <vector>

#include "semantics/values/bits.hpp"

namespace ptxmc {

constexpr unsigned count_width = 32;  ///< of thread counts of barriers

/// The n-th arrival of a unit at a barrier with a thread count: PTX ISA 8.7 § 9.7.13.1. In a litmus test each
/// thread is a unit. In a launch each warp is one: it arrives for the n-th time when all of its threads that
/// have not exited have arrived for the n-th time, and it counts as a full warp. It arrives no more once its
/// threads have diverged at an arrival.
struct CountedArrival {
  /// An event that may be the arrival of its thread.
  struct Member {
    std::size_t place;                      ///< its index in the meeting
    Bits holds;                             ///< width 1: it happens and is the n-th arrival
    Bits comes_last = Bits::boolean(true);  ///< width 1: no other member comes after it
  };
  /// A thread of the unit that may have exited instead.
  struct Missing {
    int thread;
    Bits when;  ///< width 1
  };
  std::size_t unit = 0;
  std::size_t number = 0;  ///< n; in a litmus test the position of the event
  std::vector<Member> members;
  std::vector<Missing> missing;
  Bits id, count;  ///< the number of the barrier, its thread count (32 bits)
  /// Width 1: threads of the unit use different counts; some thread has no count of its own; some has one.
  Bits has_several_counts = Bits::boolean(false), names_all = Bits::boolean(false),
       names_count = Bits::boolean(false);
  Bits waits = Bits::boolean(false);  ///< width 1: some thread of the unit waits
  Bits arrived;                       ///< width 1
  Bits complete, phase;               ///< unknowns: whether its phase is complete, the number of the phase
};

}  // namespace ptxmc
