#pragma once

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "model/event.hpp"
#include "solver/barrier_schedules.hpp"

namespace ptxmc {

/// What program order and barriers that are passed in a known way put in order, whatever is read: a part of
/// base causality order (PTX ISA 8.7 § 8.9.5).
class BarrierOrder {
 public:
  /// Program order alone.
  explicit BarrierOrder(const EventStructure&);
  BarrierOrder(const EventStructure&, const BarrierSchedule&);

  /// The first comes before the second when both happen. Initial writes come before all else.
  bool precedes(EventId, EventId) const;

  /// The first comes before the second, or is of the same instruction.
  bool is_needed_by(EventId, EventId) const;

  /// Increases along the order; no two instructions of different threads have the same.
  using Position = std::tuple<std::uint64_t, int, unsigned>;
  Position position(EventId) const;

 private:
  /// By thread: events of it with lower steps come before.
  using Clock = std::vector<unsigned>;
  struct Moment {
    unsigned step = 0;  ///< of the barrier that the thread has passed
    std::uint64_t time = 0;
    std::shared_ptr<const Clock> before;
  };
  struct Phase;
  class Passing;

  const Moment* last_moment(const Event&) const;
  const Event& event(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }

  const EventStructure& structure_;
  std::vector<std::vector<Moment>> moments_;  // by thread
};

}  // namespace ptxmc
