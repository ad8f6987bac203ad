#pragma once

#include <map>
#include <optional>
#include <vector>

#include "solver/barrier_order.hpp"

namespace ptxmc {

/// The accesses of a structure by place, and what their order alone says of values. It says the same in every
/// model of PTX: writes that causality orders are so in coherence order (PTX ISA 8.7 § 8.9.6), and a read
/// takes the last one before it (§ 8.10.6).
class OrderedAccesses {
 public:
  /// Both outlive it.
  OrderedAccesses(const EventStructure&, const BarrierOrder&);

  /// The writes of the bytes of a read that come before it, each before the next, or such that their order
  /// does not matter (commuting_updates.hpp). None where some write of them may be ordered with it or with
  /// the others in no way, or where its place is not known.
  std::optional<std::vector<EventId>> writes_before(EventId read) const;

  /// Those of known place that come before it, whatever else is written.
  std::vector<EventId> known_writes_before(EventId read) const;

  /// Width 1: every byte of a read of known place is written by one of them, so that it cannot take what was
  /// there before (PTX ISA 8.7 § 8.10.6).
  Bits is_written_before(EventId read) const;

  /// What a read takes after these writes; conditions and values as `values` makes them. None where memory
  /// has no initial content, or one of them leaves no value, or a part of one that was computed from the
  /// whole.
  std::optional<Bits> value_after(const std::vector<EventId>& writes, const Event& read,
                                  Substitution& values) const;

  /// All writes of these bytes, in an order as that of `writes_before`; none where there is no such order.
  std::optional<std::vector<EventId>> all_writes(std::uint64_t first, unsigned size) const;

  /// Two accesses of different threads that may conflict, neither of which comes before the other, and that
  /// are not surely morally strong: the pair whose later one is the earliest along the order. None: nothing
  /// races.
  std::optional<std::pair<EventId, EventId>> first_unordered() const;

  /// The initial writes of the bytes of an access whose place is known.
  std::vector<EventId> initial_writes(const Event& access) const { return near(initial_, access); }

 private:
  using ByPlace = std::multimap<std::uint64_t, EventId>;

  const Event& at(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }
  bool comes_before(EventId, EventId) const;
  bool may_overlap(EventId, EventId) const;
  bool are_ordered(EventId, EventId) const;
  std::optional<EventId> unordered_write(EventId) const;
  bool follow_each_other(std::vector<EventId>& writes) const;
  std::vector<EventId> near(const ByPlace& accesses, const Event& access) const;
  std::optional<Bits> initial_value(const Event& read) const;
  Bits after(EventId write, const Bits& value, Substitution& values) const;

  const EventStructure& structure_;
  const BarrierOrder& order_;
  ByPlace initial_, writes_;          // of known places
  std::vector<EventId> open_writes_;  // of others
  std::uint64_t longest_ = 1;
};

}  // namespace ptxmc
