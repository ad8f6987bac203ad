#include <algorithm>
#include <set>

#include "model/program/copied_bytes.hpp"
#include "solver/launch/properties/properties.hpp"
#include "solver/launch/reads_without_value.hpp"
#include "solver/reads/note_copied_bytes.hpp"

// A read takes a byte that no write has initialized, or that was discarded.

namespace ptxmc {

namespace {

std::vector<Suspect> private_reads(const EventStructure& structure) {
  return violation_suspects(structure, Violation::Kind::uninitialized);
}

std::vector<Suspect> reads(const ObservedExecution& observed) {
  const PartialExecution& execution = observed.execution;
  std::vector<SourceOfRead> sources;
  for (const ReadPart& part : execution.parts())
    if (part.is_active)
      sources.push_back({part.read, part.source, execution.atoms()[part.atom], Bits::boolean(true)});
  const KnownTerms known = {
      .location = [&](EventId id) { return execution.events()[index(id)].location; },
      .value =
          [&](const Bits& condition) {
            const Bits* value = execution.values().find(condition);
            return value == nullptr ? condition : *value;
          },
  };
  std::vector<Suspect> result = reads_without_value(observed.structure, sources, known);
  std::erase_if(result, [](const Suspect& suspect) { return !suspect.condition.is_true(); });
  return result;
}

std::vector<Suspect> possible_reads(const Encoding& encoding, const Bits&) {
  const EventStructure& structure = encoding.structure();
  const KnownTerms known = {
      .location = [&](EventId id) { return structure.events[index(id)].location; },
      .value = [](const Bits& condition) { return condition; },
  };
  return reads_without_value(structure, encoding.algebra().reads_from().choices, known);
}

/// The condition under which a read may take a byte without a value. `without_value`: the writes that may
/// leave bytes without one, beside initial writes of unknown content, which other writes may precede.
Bits may_lack_value(const LaunchFacts& facts, EventId id, const std::vector<EventId>& without_value) {
  const EventStructure& structure = facts.structure();
  const Event& read = structure.events[index(id)];
  const bool has_location = read.location.is_constant();
  const auto may_take = [&](EventId source) {
    const Event& write = structure.events[index(source)];
    if (write.kind == EventKind::write)
      return !has_location || (write.may_touch(read.location.to_u64(), read.size) &&
                               !facts.accesses().is_excluded_source(source, id));
    return !has_location && read.may_touch(write.location.to_u64(), write.size);
  };
  if (std::ranges::any_of(without_value, may_take)) return read.condition;
  Bits some = Bits::boolean(false);
  if (!has_location) return some;
  for (const EventId initial : facts.accesses().initial_writes(read))
    if (has_unknown_content(structure, structure.events[index(initial)]))
      some = some | (read.condition & ~facts.accesses().is_written_before(id));
  return some;
}

/// Whether a write copies a byte that has no value, or of a read that `may_lack` one (by Event::unfolded).
bool may_copy_nothing(const EventStructure& structure, const Event& write,
                      const std::vector<bool>& may_lack) {
  if (structure.copied == nullptr || write.kind != EventKind::write) return false;
  return std::ranges::any_of(
      structure.copied->copies[index(write.unfolded)], [&](const CopiedBytes::Copy& source) {
        return source.read == CopiedBytes::without_value || may_lack[index(source.read)];
      });
}

bool all_are_initialized(LaunchFacts& facts) {
  const EventStructure& structure = facts.structure();
  const auto& events = structure.events;
  const auto last = static_cast<EventId>(events.size());
  std::vector<EventId> without_value;
  for (EventId id = 0; id < last; ++id)
    if (gives_no_value(structure, events[index(id)])) without_value.push_back(id);
  std::vector<bool> may_lack(structure.copied == nullptr ? 0 : structure.copied->used.size(), false);
  std::set<EventId> copying;
  // A read that takes the byte of a copy may lack a value, too, and may be copied.
  for (;;) {
    Bits some = Bits::boolean(false);
    for (EventId id = 0; id < last; ++id) {
      const Event& read = events[index(id)];
      if (!read.is_read() || read.condition.is_false()) continue;
      const Bits lacks = may_lack_value(facts, id, without_value);
      some = some | lacks;
      if (!may_lack.empty() && !lacks.is_false()) may_lack[index(read.unfolded)] = true;
    }
    if (facts.may_be(some)) return false;
    bool any = false;
    for (EventId id = 0; id < last; ++id)
      if (may_copy_nothing(structure, events[index(id)], may_lack) && copying.insert(id).second) {
        without_value.push_back(id);
        any = true;
      }
    if (!any) return true;
  }
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
