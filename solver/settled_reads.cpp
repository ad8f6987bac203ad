#include "solver/settled_reads.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace ptxmc {

namespace {

/// Width 1: the accesses have a byte in common.
Bits overlap(const Event& a, const Event& b) {
  const Bits distance = b.location - a.location;
  return less_unsigned(distance, Bits(64, a.size)) | less_unsigned(-distance, Bits(64, b.size));
}

bool are_the_same_bytes(const Event& a, const Event& b) {
  return a.size == b.size && identical(a.location, b.location) && identical(a.address, b.address) &&
         a.access.proxy == b.access.proxy;
}

/// The writes of a structure by place.
class Writes {
 public:
  explicit Writes(const EventStructure& structure) : structure_(structure) {
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
      const Event& event = at(id);
      if (!event.is_write()) continue;
      if (!event.location.is_constant()) {
        open_.push_back(id);
        continue;
      }
      longest_ = std::max<std::uint64_t>(longest_, event.size);
      (event.kind == EventKind::write ? known_ : initial_).emplace(event.location.to_u64(), id);
    }
  }

  /// The value of a read that no other thread, and nothing but accesses to the same bytes, can have written.
  std::optional<Bits> settled_value(EventId id, Substitution& values) const {
    const Event& read = at(id);
    if (!read.location.is_constant()) return std::nullopt;
    std::optional<Bits> value = initial_value(read);
    if (!value) return std::nullopt;
    for (const EventId other : open_)
      if (at(other).rmw != id && at(other).may_touch(read.location.to_u64(), read.size) &&
          !overlap(at(other), read).is_false())
        return std::nullopt;
    std::vector<EventId> earlier;
    for (const EventId other : near(known_, read)) {
      const Event& write = at(other);
      if (write.rmw == id || overlap(write, read).is_false()) continue;
      if (write.thread != read.thread || !are_the_same_bytes(write, read)) return std::nullopt;
      if (write.step < read.step) earlier.push_back(other);
    }
    std::sort(earlier.begin(), earlier.end());  // in program order
    for (const EventId other : earlier)
      value = ite(values.apply(at(other).condition), values.apply(at(other).value), *value);
    return value;
  }

 private:
  using ByPlace = std::multimap<std::uint64_t, EventId>;

  const Event& at(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }

  /// Those that begin where they may overlap an access.
  std::vector<EventId> near(const ByPlace& writes, const Event& access) const {
    const std::uint64_t first = access.location.to_u64();
    std::vector<EventId> result;
    const auto end = writes.lower_bound(first + access.size);
    for (auto it = writes.lower_bound(first - std::min(first, longest_)); it != end; ++it)
      result.push_back(it->second);
    return result;
  }

  /// The initial content of the bytes of a read; none where it has no value.
  std::optional<Bits> initial_value(const Event& read) const {
    Bits value;
    const auto pieces = near(initial_, read);
    for (std::uint64_t byte = 0; byte < read.size; ++byte) {
      Bits content;
      for (const EventId piece : pieces) {
        const std::uint64_t offset = read.location.to_u64() + byte - at(piece).location.to_u64();
        if (offset < at(piece).size) content = at(piece).value.extract(static_cast<unsigned>(8 * offset), 8);
      }
      if (content.width() == 0) return std::nullopt;
      value = byte == 0 ? content : concat(content, value);
    }
    return value;
  }

  const EventStructure& structure_;
  ByPlace initial_, known_;
  std::vector<EventId> open_;
  std::uint64_t longest_ = 1;
};

}  // namespace

void substitute(EventStructure& structure, Substitution& known) {
  const auto apply = [&](Bits& bits) {
    if (bits.width() != 0) bits = known.apply(bits);
  };
  for (Event& event : structure.events) {
    for (Bits* part : {&event.condition, &event.address, &event.location, &event.value, &event.barrier.id,
                       &event.barrier.predicate, &event.goes_on})
      apply(*part);
    if (event.barrier.count) apply(*event.barrier.count);
  }
  for (auto& endings : structure.endings)
    for (Ending& ending : endings) apply(ending.condition);
  for (auto& registers : structure.final_registers)
    for (Bits& value : registers) apply(value);
  for (Violation& violation : structure.violations) apply(violation.condition);
}

EventStructure with_settled_reads(EventStructure structure) {
  Substitution known;
  const Writes writes(structure);
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& read = structure.events[static_cast<std::size_t>(id)];
    if (!read.is_read() || read.value.is_constant() || read.value.term()->op != Operator::variable) continue;
    if (const auto value = writes.settled_value(id, known)) known.set(read.value.term()->variable, *value);
  }
  substitute(structure, known);
  return structure;
}

}  // namespace ptxmc
