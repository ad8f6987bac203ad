#include <algorithm>

#include "solver/launch/properties/properties.hpp"

// A read takes a byte that no write has initialized, or that was discarded.

namespace ptxmc {

namespace {

std::vector<Suspect> private_reads(const EventStructure& structure) {
  return violation_suspects(structure, Violation::Kind::uninitialized);
}

std::vector<Suspect> reads(const ObservedExecution& observed) {
  std::vector<Suspect> result;
  for (const ReadPart& part : observed.execution.parts())
    if (part.is_active && observed.gives_no_value.contains(static_cast<std::size_t>(part.source)))
      result.push_back({Bits::boolean(true), site_of(observed.structure, part.read), {}, {}, {}});
  return result;
}

std::vector<Suspect> possible_reads(const Encoding& encoding, const Bits&) {
  std::vector<Suspect> result;
  const EventStructure& structure = encoding.structure();
  for (const auto& choice : encoding.algebra().reads_from().choices)
    if (gives_no_value(structure, structure.events[choice.write]))
      result.push_back({choice.chosen, site_of(structure, choice.read), {}, {}, {}});
  return result;
}

/// The writes that may leave bytes without a value: discarding ones, and those of unknown initial content.
std::vector<EventId> writes_without_value(const EventStructure& structure) {
  std::vector<EventId> result;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
    if (const Event& event = structure.events[static_cast<std::size_t>(id)];
        event.access.is_indeterminate ||
        (event.kind == EventKind::initial_write && has_unknown_content(structure, event)))
      result.push_back(id);
  return result;
}

/// The condition under which a read may take a discarded byte, or a byte of unknown initial content that no
/// write has initialized.
Bits may_lack_value(const LaunchFacts& facts, EventId id, const std::vector<EventId>& without_value) {
  const EventStructure& structure = facts.structure();
  const Event& read = structure.events[static_cast<std::size_t>(id)];
  const bool has_location = read.location.is_constant();
  const auto may_take = [&](EventId source) {
    const Event& write = structure.events[static_cast<std::size_t>(source)];
    if (write.access.is_indeterminate)
      return !has_location || (write.may_touch(read.location.to_u64(), read.size) &&
                               !facts.accesses().is_excluded_source(source, id));
    return !has_location && read.may_touch(write.location.to_u64(), write.size);
  };
  if (std::ranges::any_of(without_value, may_take)) return read.condition;
  Bits some = Bits::boolean(false);
  if (!has_location) return some;
  for (const EventId initial : facts.accesses().initial_writes(read))
    if (has_unknown_content(structure, structure.events[static_cast<std::size_t>(initial)]))
      some = some | (read.condition & ~facts.accesses().is_written_before(id));
  return some;
}

bool all_are_initialized(LaunchFacts& facts) {
  Bits some = Bits::boolean(false);
  const auto& events = facts.structure().events;
  const auto without_value = writes_without_value(facts.structure());
  for (EventId id = 0; id < static_cast<EventId>(events.size()); ++id)
    if (const Event& read = events[static_cast<std::size_t>(id)];
        read.is_read() && !read.condition.is_false())
      some = some | may_lack_value(facts, id, without_value);
  return !facts.may_be(some);
}

}  // namespace

PropertyDefinition uninitialized_property() {
  return {.property = LaunchProperty::uninitialized,
          .visible = private_reads,
          .observed = reads,
          .related = possible_reads,
          .is_excluded = all_are_initialized};
}

}  // namespace ptxmc
