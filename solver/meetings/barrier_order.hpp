#pragma once

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "model/program/event.hpp"
#include "solver/meetings/barrier_schedules.hpp"

namespace ptxmc {

/// The order that program order and a known schedule of barriers and mbarriers give, independently of reads: a
/// part of base causality order (PTX ISA 8.7 § 8.9.5).
class BarrierOrder {
 public:
  /// The order of program order alone.
  explicit BarrierOrder(const EventStructure&);
  BarrierOrder(const EventStructure&, const BarrierSchedule&);

  /// Whether the first event precedes the second if both happen. Initial writes precede all other events.
  bool precedes(EventId, EventId) const;

  /// Whether the first event precedes the second or belongs to the same instruction.
  bool is_needed_by(EventId, EventId) const;

  /// A position that increases along the order; instructions of different threads have different positions.
  using Position = std::tuple<std::uint64_t, int, unsigned>;
  Position position(EventId) const;

 private:
  /// By thread: its events with lower steps precede.
  using Clock = std::vector<unsigned>;
  struct Moment {
    unsigned step = 0;  ///< the step of the barrier that the thread has passed
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
