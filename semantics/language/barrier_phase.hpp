#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "semantics/language/misuse.hpp"

namespace ptxmc {

/// The arrival of a thread at a barrier, or of a lane at an exchange.
struct Arrival {
  int thread = 0;
  ObjectUse use = {};
  std::optional<std::uint64_t> count = {};  ///< the thread count of its barrier, if it has one
  Bits contribution = {};                   ///< the predicate of a reduction, the value of an exchange
  int event = -1;                           ///< for the caller
};

/// The threads that may meet at a barrier.
struct Participants {
  /// Groups of threads that arrive as one unit, when all of their threads that have not left have arrived: a
  /// warp at barriers of CTAs and clusters (PTX ISA 8.7 § 9.7.13.1), the lanes of the mask at `bar.warp.sync`
  /// and at exchanges; in a litmus test each thread alone.
  std::span<const std::vector<int>> units;
  std::uint64_t weight = lanes_per_warp;  ///< threads that a unit counts as, even when partly filled
  /// Whether the thread is no longer awaited because it has exited.
  std::function<bool(int thread)> has_left;
};

/// The current phase of a barrier, while threads arrive one after the other: PTX ISA 8.7 § 9.7.13.1 to §
/// 9.7.13.3. With a thread count the phase is complete when this number of threads has arrived; without one,
/// when all threads that have not left have arrived. After a complete phase the next one begins. A misused
/// phase never completes.
class BarrierPhase {
 public:
  /// A thread of this unit arrives at the barrier. It counts when its unit is whole.
  void arrive(std::size_t unit, Arrival);

  /// The result of one step: the unit or phase that has become complete.
  struct Step {
    enum class Kind : std::uint8_t {
      none,      ///< more threads are awaited
      counted,   ///< a unit has become whole: the members are its arrivals
      complete,  ///< the members are all arrivals of the phase
      misused,   ///< the members are the arrivals of the phase so far
    };
    Kind kind = Kind::none;
    std::vector<Arrival> members = {};
  };
  /// Ends the phase if it is complete; otherwise counts the first unit that is whole. Call it after each
  /// arrival, and after a thread has left, until it returns `none` or `misused`.
  Step advance(const Participants&);

  // The parts of `advance`, for engines that try several orders.

  /// Whether the unit would be whole if the threads in `more` arrived too: all of its threads that have not
  /// left have arrived.
  bool is_whole(std::size_t unit, const Participants&, std::span<const int> more = {}) const;
  /// The units that are whole and not counted yet.
  std::vector<std::size_t> whole_units(const Participants&) const;
  /// Counts a whole unit for the current phase. Returns its arrivals.
  std::vector<Arrival> count(std::size_t unit, const Participants&);
  bool is_complete(const Participants&) const;
  /// Whether the arrivals do not use the same thread count, as § 9.7.13.1 requires (Misuse:
  /// different_thread_counts). An arrival without a count uses that of all units. So it must not meet
  /// arrivals with a count in a phase from which a unit is missing: because all of its threads have left, or
  /// because other units have arrived twice.
  bool is_misused(const Participants&) const;
  /// Ends the phase. Returns its arrivals.
  std::vector<Arrival> end();

  /// The arrivals of other threads that count together with the latest arrival of the unit.
  std::vector<const Arrival*> beside_latest(std::size_t unit) const;

  /// The arrivals of a unit that are not counted yet.
  std::span<const Arrival> gathered(std::size_t unit) const;
  /// The arrivals that count for the current phase.
  std::span<const Arrival> members() const { return members_; }
  /// The number of threads that the current phase counts.
  std::uint64_t arrived() const { return arrived_; }

 private:
  bool has_left(std::size_t unit, const Participants&) const;

  std::map<std::size_t, std::vector<Arrival>> gathering_;  ///< by unit that is not counted yet
  std::vector<Arrival> members_;
  std::vector<bool> has_arrived_;  ///< by unit, in this phase
  std::uint64_t arrived_ = 0;      ///< threads
};

/// The contribution of one arrival to the reduction of its phase.
struct Contribution {
  Bits predicate;                        ///< width 1
  Bits is_member = Bits::boolean(true);  ///< width 1: the arrival belongs to this phase
};

/// The result of `barrier.red`, which each waiting thread gets, over the predicates of all arrivals of the
/// phase. Width 32 for `.popc`, else 1. PTX ISA 8.7 § 9.7.13.1.
Bits reduction(Barrier::Kind, std::span<const Contribution>);

}  // namespace ptxmc
