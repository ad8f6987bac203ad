#include "solver/meetings/ordered_accesses.hpp"

#include <algorithm>

#include "model/program/program_order.hpp"
#include "model/relations/base_relations.hpp"
#include "solver/unfolding/commuting_updates.hpp"

namespace ptxmc {

namespace {

/// Whether two accesses have a byte in common; width 1.
Bits overlap(const Event& a, const Event& b) {
  const Bits distance = b.location - a.location;
  return less_unsigned(distance, Bits(64, a.size)) | less_unsigned(-distance, Bits(64, b.size));
}

/// Whether two accesses are not virtual aliases of each other.
bool have_one_mapping(const Event& a, const Event& b) {
  const auto is_own_location = [](const Event& access) { return identical(access.address, access.location); };
  if (is_own_location(a) && is_own_location(b)) return true;
  return identical(a.address - b.address, a.location - b.location);
}

/// A byte of the value of an access, if it covers the byte.
std::optional<Bits> byte_at(const Event& access, std::uint64_t place, const Bits& value) {
  const std::uint64_t offset = place - access.location.to_u64();
  if (offset >= access.size) return std::nullopt;
  return value.extract(static_cast<unsigned>(8 * offset), 8);
}

/// PTX ISA 8.7 § 9.7.13.15.6: operations on one mbarrier are atomic whatever their scopes are.
bool are_at_one_mbarrier(const Event& a, const Event& b) {
  return a.access.mbarrier == MbarrierAccess::operation && b.access.mbarrier == MbarrierAccess::operation &&
         identical(a.location, b.location);
}

bool are_the_same_bytes(const Event& a, const Event& b) {
  return a.size == b.size && identical(a.location, b.location);
}

}  // namespace

OrderedAccesses::OrderedAccesses(const EventStructure& structure, const BarrierOrder& order)
    : structure_(structure), order_(order) {
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = at(id);
    if (!event.is_write() || event.condition.is_false()) continue;
    if (!event.location.is_constant()) {
      open_writes_.push_back(id);
      continue;
    }
    longest_ = std::max<std::uint64_t>(longest_, event.size);
    (event.kind == EventKind::write ? writes_ : initial_).emplace_back(event.location.to_u64(), id);
  }
  std::ranges::sort(initial_);
  std::ranges::sort(writes_);
}

/// Whether `first` precedes `second` in causality order if both happen and overlap: PTX ISA 8.7 § 8.9.5,
/// proxy-preserved base causality order. Of the paths between proxies it finds those that leave a proxy at
/// the completion of an asynchronous operation, and enter one at a fence before the start of such an
/// operation.
bool OrderedAccesses::comes_before(EventId first, EventId second) const {
  const Event &a = at(first), &b = at(second);
  if (!have_one_mapping(a, b)) return false;
  // § 9.7.16.5: that of accesses to tensor memory is also between the CTAs of a pair.
  if (a.access.space == StateSpace::tensor && b.access.space == StateSpace::tensor)
    return order_.executes_before(first, second);
  const bool is_generic = a.access.proxy == Proxy::generic;
  if (a.access.proxy == b.access.proxy && (is_generic || are_in_one_cta(*structure_.program, a, b)))
    return order_.precedes(first, second);
  if (!is_generic && (a.strand == 0 || are_of_one_agent(a, b))) return false;
  return b.access.proxy == Proxy::generic ? order_.precedes(first, second)
                                          : order_.precedes_through_fence(first, second);
}

bool OrderedAccesses::may_overlap(EventId first, EventId second) const {
  const Event &a = at(first), &b = at(second);
  if (a.location.is_constant() && !b.may_touch(a.location.to_u64(), a.size)) return false;
  if (b.location.is_constant() && !a.may_touch(b.location.to_u64(), b.size)) return false;
  return !overlap(a, b).is_false();
}

bool OrderedAccesses::are_ordered(EventId first, EventId second) const {
  return comes_before(first, second) || comes_before(second, first);
}

/// The first of the accesses that touches the bytes of another one and satisfies the predicate.
template <class Predicate>
std::optional<EventId> OrderedAccesses::find_near(const ByPlace& accesses, const Event& access,
                                                  const Predicate& is_searched) const {
  const std::uint64_t first = access.location.to_u64(), end = first + access.size;
  auto it =
      std::ranges::lower_bound(accesses, first - std::min(first, longest_), {}, &ByPlace::value_type::first);
  for (; it != accesses.end() && it->first < end; ++it)
    if (it->first + at(it->second).size > first && is_searched(it->second)) return it->second;
  return std::nullopt;
}

std::vector<EventId> OrderedAccesses::near(const ByPlace& accesses, const Event& access) const {
  std::vector<EventId> result;
  find_near(accesses, access, [&](EventId id) {
    result.push_back(id);
    return false;
  });
  return result;
}

/// Sorts the writes. Returns whether overlapping ones are ordered.
bool OrderedAccesses::follow_each_other(std::vector<EventId>& writes) const {
  std::ranges::sort(writes, {}, [&](EventId write) { return order_.position(write); });
  // Between writes of the same bytes the order is transitive. Other writes may overlap without overlapping a
  // write between them.
  const bool is_one_place = std::ranges::all_of(
      writes, [&](EventId write) { return are_the_same_bytes(at(write), at(writes.front())); });
  const auto follow = [&](bool only_neighbours, const auto& are_fine) {
    for (std::size_t i = 1; i < writes.size(); ++i)
      for (std::size_t before = only_neighbours ? i - 1 : 0; before < i; ++before)
        if (!comes_before(writes[before], writes[i]) && !are_fine(at(writes[before]), at(writes[i])))
          return false;
    return true;
  };
  const auto are_apart = [](const Event& a, const Event& b) { return overlap(a, b).is_false(); };
  const auto may_change_places = [&](const Event& a, const Event& b) {
    return commute(*structure_.program, a, b);
  };
  return follow(is_one_place, are_apart) || (is_one_place && follow(false, may_change_places));
}

std::optional<std::vector<EventId>> OrderedAccesses::writes_before(EventId id) const {
  const Event& read = at(id);
  if (!read.location.is_constant()) return std::nullopt;
  for (const EventId other : open_writes_)
    if (at(other).rmw != id && may_overlap(other, id) && !comes_before(id, other)) return std::nullopt;
  std::vector<EventId> result;
  const auto is_unordered = [&](EventId other) {
    if (at(other).rmw == id || comes_before(id, other)) return false;
    result.push_back(other);
    return !comes_before(other, id);
  };
  if (find_near(writes_, read, is_unordered)) return std::nullopt;
  leave_out_overwritten(result, read);
  if (!follow_each_other(result)) return std::nullopt;
  return result;
}

/// Whether a write happens in every execution, reads nothing, and writes all bytes of a place.
bool OrderedAccesses::always_overwrites(EventId write, const Event& place) const {
  const Event& own = at(write);
  const std::uint64_t offset = place.location.to_u64() - own.location.to_u64();
  return own.rmw < 0 && own.condition.is_true() && offset < own.size && own.size - offset >= place.size;
}

/// Leaves out the writes before the last write that always overwrites them.
void OrderedAccesses::leave_out_overwritten(std::vector<EventId>& writes, const Event& place) const {
  std::optional<EventId> last;
  for (const EventId write : writes)
    if (always_overwrites(write, place) && (!last || order_.position(*last) < order_.position(write)))
      last = write;
  if (last) std::erase_if(writes, [&](EventId write) { return comes_before(write, *last); });
}

bool OrderedAccesses::is_excluded_source(EventId write, EventId id) const {
  if (comes_before(id, write)) return true;
  const Event& read = at(id);
  if (!read.location.is_constant()) return false;
  return std::ranges::any_of(known_writes_before(id), [&](EventId other) {
    return other != write && always_overwrites(other, read) && comes_before(write, other);
  });
}

std::optional<Bits> OrderedAccesses::only_value(EventId id) const {
  const Event& read = at(id);
  if (!read.location.is_constant()) return std::nullopt;
  const auto may_be_source = [&](EventId write) { return at(write).rmw != id && !comes_before(id, write); };
  for (const EventId other : open_writes_)
    if (may_overlap(other, id) && may_be_source(other)) return std::nullopt;
  std::optional<Bits> value;
  const auto has_other_value = [&](EventId write) {
    if (!may_be_source(write)) return false;
    const Event& own = at(write);
    if (!are_the_same_bytes(own, read) || own.access.is_indeterminate || !own.value.is_constant())
      return true;
    if (!value) value = own.value;
    return !identical(*value, own.value);
  };
  if (find_near(writes_, read, has_other_value) || !value || !is_written_before(id).is_true())
    return std::nullopt;
  return value;
}

std::vector<EventId> OrderedAccesses::known_writes_before(EventId read) const {
  std::vector<EventId> result = near(writes_, at(read));
  std::erase_if(result, [&](EventId write) { return !comes_before(write, read); });
  return result;
}

Bits OrderedAccesses::is_written_before(EventId id) const {
  const Event& read = at(id);
  const auto writes = known_writes_before(id);
  Bits all = Bits::boolean(true);
  for (std::uint64_t byte = 0; byte < read.size; ++byte) {
    Bits written = Bits::boolean(false);
    for (const EventId write : writes)
      if (read.location.to_u64() + byte - at(write).location.to_u64() < at(write).size)
        written = written | at(write).condition;
    all = all & written;
  }
  return all;
}

std::optional<std::vector<EventId>> OrderedAccesses::all_writes(std::uint64_t first, unsigned size) const {
  Event place;
  place.location = Bits(64, first);
  place.size = size;
  for (const EventId other : open_writes_)
    if (at(other).may_touch(first, size) && !overlap(at(other), place).is_false()) return std::nullopt;
  std::vector<EventId> result = near(writes_, place);
  if (!follow_each_other(result)) return std::nullopt;
  return result;
}

/// The initial content of the bytes of a read; empty if it has no value.
std::optional<Bits> OrderedAccesses::initial_value(const Event& read) const {
  Bits value;
  const auto pieces = near(initial_, read);
  if (pieces.size() == 1) {
    const Event& piece = at(pieces.front());
    const std::uint64_t offset = read.location.to_u64() - piece.location.to_u64();
    if (offset >= piece.size || piece.size - offset < read.size) return std::nullopt;
    return piece.value.extract(static_cast<unsigned>(8 * offset), 8 * read.size);
  }
  for (std::uint64_t byte = 0; byte < read.size; ++byte) {
    std::optional<Bits> content;
    for (const EventId piece : pieces)
      if (!content) content = byte_at(at(piece), read.location.to_u64() + byte, at(piece).value);
    if (!content) return std::nullopt;
    value = byte == 0 ? *content : concat(*content, value);
  }
  return value;
}

/// The content of the bytes of a write after it, if they held `value` before; the written value may depend on
/// the value read.
Bits OrderedAccesses::after(EventId id, const Bits& value, Substitution& values) const {
  const Event& write = at(id);
  Bits condition = values.apply(write.condition), written = values.apply(write.value);
  const Bits read = write.rmw < 0 ? Bits() : at(write.rmw).value;
  if (read.width() != 0 && !read.is_constant() && read.term()->op == Operator::variable) {
    Substitution taken;
    taken.set(read.term()->variable, value);
    condition = taken.apply(condition);
    written = taken.apply(written);
  }
  return ite(condition, written, value);
}

std::optional<Bits> OrderedAccesses::value_after(const std::vector<EventId>& writes, const Event& read,
                                                 Substitution& values) const {
  const auto is_indeterminate = [&](EventId write) { return at(write).access.is_indeterminate; };
  if (std::ranges::any_of(writes, is_indeterminate)) return std::nullopt;
  const auto initial = initial_value(read);
  if (!initial) return std::nullopt;
  const bool is_whole =
      std::ranges::all_of(writes, [&](EventId write) { return are_the_same_bytes(at(write), read); });
  if (is_whole) {
    // Of the writes before a write that always happens and reads nothing, nothing is left.
    const auto last = std::find_if(writes.rbegin(), writes.rend(), [&](EventId write) {
      return at(write).rmw < 0 && at(write).condition.is_true();
    });
    Bits value = *initial;
    for (auto write = last == writes.rend() ? writes.begin() : std::prev(last.base()); write != writes.end();
         ++write)
      value = after(*write, value, values);
    return value;
  }
  if (std::ranges::any_of(writes, [&](EventId write) { return at(write).rmw >= 0; })) return std::nullopt;
  Bits value;
  for (unsigned byte = 0; byte < read.size; ++byte) {
    Bits content = initial->extract(8 * byte, 8);
    for (const EventId write : writes)
      if (const auto written =
              byte_at(at(write), read.location.to_u64() + byte, values.apply(at(write).value)))
        content = ite(values.apply(at(write).condition), *written, content);
    value = byte == 0 ? content : concat(content, value);
  }
  return value;
}

/// A write of another thread that is unordered with the access.
std::optional<EventId> OrderedAccesses::unordered_write(EventId id) const {
  const Event& event = at(id);
  const auto is_unordered = [&](EventId write) {
    const bool follows = are_of_one_agent(at(write), event) && at(write).access.proxy == event.access.proxy &&
                         have_one_mapping(at(write), event);
    return !follows && !are_at_one_mbarrier(at(write), event) && may_overlap(write, id) &&
           !are_ordered(write, id) && !are_strong_together(*structure_.program, at(write), event);
  };
  for (const EventId write : open_writes_)
    if (is_unordered(write)) return write;
  if (event.location.is_constant()) return find_near(writes_, event, is_unordered);
  for (const auto& [place, write] : writes_)
    if (is_unordered(write)) return write;
  return std::nullopt;
}

std::optional<std::pair<EventId, EventId>> OrderedAccesses::first_unordered() const {
  std::optional<std::pair<EventId, EventId>> first;
  const auto later_position = [&](const std::pair<EventId, EventId>& pair) {
    return std::max(order_.position(pair.first), order_.position(pair.second));
  };
  for (EventId id = 0; id < static_cast<EventId>(structure_.events.size()); ++id) {
    const Event& event = at(id);
    if ((event.kind != EventKind::read && event.kind != EventKind::write) || event.condition.is_false())
      continue;
    const auto write = unordered_write(id);
    if (!write) continue;
    const std::pair pair{*write, id};
    if (!first || later_position(pair) < later_position(*first)) first = pair;
  }
  return first;
}

}  // namespace ptxmc
