#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "semantics/effects.hpp"

namespace ptxmc {

/// A thread that comes to a barrier, or a lane that comes to an exchange.
struct Arrival {
  int thread = 0;
  Barrier::Kind kind = Barrier::Kind::sync;
  bool is_aligned = false;
  std::optional<std::uint64_t> count = {};  ///< the threads that its barrier waits for, if it says so
  Bits contribution = {};                   ///< the predicate of a reduction, the value of an exchange
  int event = -1;                           ///< for the caller
};

/// The threads that may meet at a barrier.
struct Participants {
  /// Threads that arrive together, once all of them that have not left are there: a warp at barriers of CTAs
  /// and of clusters (PTX ISA 8.7 § 9.7.13.1), the named lanes at `bar.warp.sync` and at exchanges; in a
  /// litmus test each thread alone.
  std::span<const std::vector<int>> units;
  std::uint64_t weight = lanes_per_warp;  ///< threads that a unit counts as, even when partly filled
  /// The thread is not waited for any more: it has exited.
  std::function<bool(int thread)> has_left;
};

/// The phase of a barrier that is being filled, while threads arrive one after the other: PTX ISA 8.7
/// § 9.7.13.1 to § 9.7.13.3. With a thread count it is complete when so many threads have arrived; without
/// one, when all threads have that have not left. When it is complete, the next one begins.
class BarrierPhase {
 public:
  /// A thread of this unit comes to the barrier. It counts once its unit is whole.
  void arrive(std::size_t unit, Arrival);

  /// What has just become whole or complete.
  struct Step {
    enum class Kind : std::uint8_t {
      none,             ///< threads are waited for
      mixed_alignment,  ///< the members are of one unit, some at an aligned barrier and some at another
      complete,         ///< the members are all arrivals of the phase
    };
    Kind kind = Kind::none;
    std::vector<Arrival> members = {};
  };
  /// Counts the units that are whole, up to the end of the phase. To be asked after each arrival, and after a
  /// thread has left, until it says `none`.
  Step advance(const Participants&);

  /// All threads of the unit that have not left would be there, if these came too.
  bool is_whole(std::size_t unit, const Participants&, std::span<const int> more = {}) const;

  /// The threads of the unit that are there while others are missing.
  std::span<const Arrival> gathered(std::size_t unit) const;

 private:
  Step count(std::size_t unit, const Participants&);
  bool is_complete(const Participants&) const;

  std::map<std::size_t, std::vector<Arrival>> gathering_;  ///< by unit: of which threads are missing
  std::vector<Arrival> members_;
  std::vector<bool> has_arrived_;  ///< by unit, in this phase
  std::uint64_t arrived_ = 0;      ///< threads
};

/// What one arrival gives to the reduction of its phase.
struct Contribution {
  Bits predicate;                        ///< width 1
  Bits is_member = Bits::boolean(true);  ///< width 1: the arrival is of this phase
};

/// What `barrier.red` gives to each thread that waits: over the predicates of all arrivals of the phase.
/// Width 32 for `.popc`, else 1. PTX ISA 8.7 § 9.7.13.1.
Bits reduction(Barrier::Kind, std::span<const Contribution>);

}  // namespace ptxmc
