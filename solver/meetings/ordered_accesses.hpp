#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "solver/meetings/barrier_order.hpp"

namespace ptxmc {

/// The accesses of a structure by location, and the values that follow from their order alone. This is valid
/// in every model of PTX: writes that causality order relates are in the same coherence order (PTX ISA 8.7 §
/// 8.9.6), and a read takes the last write before it (§ 8.10.6).
class OrderedAccesses {
 public:
  /// Both must outlive it.
  OrderedAccesses(const EventStructure&, const BarrierOrder&);

  /// The writes of the bytes of a read that precede it, each before the next, except that writes which
  /// commute may be unordered (commuting_updates.hpp). Without the writes before one that overwrites all
  /// these bytes in every execution. Empty optional if some write of these bytes may be unordered with the
  /// read or with another one of the result, or if the location of the read is unknown.
  std::optional<std::vector<EventId>> writes_before(EventId read) const;

  /// The constant that each write which a read may take has written to the bytes of the read; empty if there
  /// is no such constant, or if the read may take the initial content. The order of the writes is irrelevant.
  std::optional<Bits> only_value(EventId read) const;

  /// The writes with a known location that precede the read; other writes are ignored.
  std::vector<EventId> known_writes_before(EventId read) const;

  /// Whether (width 1) each byte of a read with a known location is written by a preceding write, so that the
  /// read cannot take the initial content (PTX ISA 8.7 § 8.10.6).
  Bits is_written_before(EventId read) const;

  /// Whether a read cannot take a write because it precedes the write, or because another write of all bytes
  /// of the read is between them in every execution.
  bool is_excluded_source(EventId write, EventId read) const;

  /// The value that a read takes after these writes, with `values` applied to conditions and values. Empty if
  /// memory has no initial content, if one of the writes leaves no value, or if the read needs a part of a
  /// value that was computed as a whole.
  std::optional<Bits> value_after(const std::vector<EventId>& writes, const Event& read,
                                  Substitution& values) const;

  /// All writes of these bytes, in an order as in `writes_before`; empty if there is no such order.
  std::optional<std::vector<EventId>> all_writes(std::uint64_t first, unsigned size) const;

  /// Two unordered accesses that may conflict and may not be morally strong: of different threads, or of one
  /// thread through different proxies (PTX ISA 8.7 § 8.7) or to aliases. Of all such pairs, it is the one
  /// whose later access is the earliest. Empty if there is no race.
  std::optional<std::pair<EventId, EventId>> first_unordered() const;

  /// The initial writes of the bytes of an access whose location is known.
  std::vector<EventId> initial_writes(const Event& access) const { return near(initial_, access); }

 private:
  using ByPlace = std::vector<std::pair<std::uint64_t, EventId>>;  // sorted

  const Event& at(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }
  bool comes_before(EventId, EventId) const;
  bool may_overlap(EventId, EventId) const;
  bool are_ordered(EventId, EventId) const;
  std::optional<EventId> unordered_write(EventId) const;
  bool follow_each_other(std::vector<EventId>& writes) const;
  bool always_overwrites(EventId write, const Event& place) const;
  void leave_out_overwritten(std::vector<EventId>& writes, const Event& place) const;
  template <class Predicate>
  std::optional<EventId> find_near(const ByPlace&, const Event& access, const Predicate&) const;
  std::vector<EventId> near(const ByPlace& accesses, const Event& access) const;
  std::optional<Bits> initial_value(const Event& read) const;
  Bits after(EventId write, const Bits& value, Substitution& values) const;

  const EventStructure& structure_;
  const BarrierOrder& order_;
  ByPlace initial_, writes_;          // with known locations
  std::vector<EventId> open_writes_;  // with unknown locations
  std::uint64_t longest_ = 1;
};

}  // namespace ptxmc
