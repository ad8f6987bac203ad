#include "model/judge/initial_content_read.hpp"

#include <algorithm>

#include "model/relations/base_sets.hpp"

// Let r be the read and w the write. r is weak, is no half of a read-modify-write, and of the writes of its
// bytes only the initial one i and w happen before it. Only the source of r changes.
//
// - r is neither of the thread of w nor strong, so w and r were not `atomic`, and neither are i and r. So
//   observation order is the same, and with it synchronization, causality order and coherence order.
// - rf: i follows nothing, so that no_thin_air and causality have no new cycle through it.
// - fr: r now precedes w and, as before, the writes after w. It happens before all of them but w, and
//   causality order is along time, so that only w could precede r in causality order. The two are unordered:
//   axiom causality holds. fr from r to w is not `atomic`, so sc_per_location has no new cycle.
// - All bytes of r come from initial writes, none of which follows another: single_copy_atomicity holds.

namespace ptxmc {

namespace {

bool overlap(const Event& a, std::uint64_t first, std::uint64_t count) {
  const std::uint64_t own = a.location.to_u64();
  return a.is_memory_access() && own < first + count && first < own + a.size;
}

/// A value whose bytes [first, first + count) are those of another value.
Bits with_bytes(const Bits& value, unsigned first, const Bits& bytes) {
  Bits result = bytes;
  if (first > 0) result = concat(result, value.extract(0, 8 * first));
  const unsigned end = 8 * first + bytes.width();
  if (end < value.width()) result = concat(value.extract(end, value.width() - end), result);
  return result;
}

}  // namespace

std::optional<Execution> reading_initial_content(const Execution& execution,
                                                 std::span<const std::size_t> moments,
                                                 const std::pair<EventId, EventId>& race) {
  const EventId write = race.first, read = race.second;
  const Event &source = execution.events[index(write)], &reader = execution.events[index(read)];
  if (!source.is_write() || !reader.is_read() || !is_weak(reader) || reader.rmw != -1) return std::nullopt;
  const std::uint64_t first = reader.location.to_u64();
  EventId initial = -1;
  for (EventId id = 0; id < static_cast<EventId>(execution.events.size()); ++id) {
    const Event& event = execution.events[index(id)];
    if (!event.is_write() || !overlap(event, first, reader.size)) continue;
    if (event.kind == EventKind::initial_write) {
      const std::uint64_t place = event.location.to_u64();
      if (place > first || first + reader.size > place + event.size) return std::nullopt;
      initial = id;
    } else if (id != write && moments[index(id)] < moments[index(read)]) {
      return std::nullopt;
    }
  }
  if (initial < 0) return std::nullopt;
  const Event& memory = execution.events[index(initial)];
  if (memory.access.mbarrier != MbarrierAccess::none || !memory.value.is_constant()) return std::nullopt;
  Execution result = execution;
  std::erase_if(result.reads_from, [&](const ReadsFrom& from) { return from.read == read; });
  if (std::ranges::any_of(result.reads_from, [&](const ReadsFrom& from) {
        return from.write == initial && from.first < first + reader.size && first < from.first + from.count;
      }))
    return std::nullopt;
  result.reads_from.push_back({read, initial, first, reader.size});
  Event& content = result.events[index(initial)];
  const auto offset = static_cast<unsigned>(first - content.location.to_u64());
  content.value = with_bytes(content.value, offset, reader.value);
  return result;
}

}  // namespace ptxmc
