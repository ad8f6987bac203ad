#include "solver/encoding/float_tables.hpp"
#include "solver/launch/properties/properties.hpp"

// A thread traps, or the final condition is false when all threads have completed.

namespace ptxmc {

namespace {

using Kind = Ending::Kind;

std::vector<Suspect> traps(const EventStructure& structure) {
  return ending_suspects(structure, Kind::trapped);
}

std::vector<Suspect> wrong_ends(const Encoding&, const Bits& wrong_end) {
  return {{wrong_end, {}, {}, {}, {}}};
}

Bits all_completed(const EventStructure& structure) {
  Bits all = Bits::boolean(true);
  for (const auto& endings : structure.endings) {
    Bits completed = Bits::boolean(false);
    for (const Ending& ending : endings)
      if (ending.kind == Kind::completed) completed = completed | ending.condition;
    all = all & completed;
  }
  return all;
}

/// The condition that all threads have completed and the final condition is false, with the final values that
/// follow from the order of barriers.
Bits wrong_end(const LaunchFacts& facts) {
  Substitution same;
  const Bits holds = facts.question().final_condition([&](int variable, std::size_t element) {
    const Variable& memory = facts.structure().program->memory[static_cast<std::size_t>(variable)];
    Event place;
    place.location = Bits(64, memory.location + element * memory.element_size);
    place.size = memory.element_size;
    const auto writes = facts.accesses().all_writes(place.location.to_u64(), place.size);
    const auto value = writes ? facts.accesses().value_after(*writes, place, same) : std::nullopt;
    if (value) return *value;
    const Bits& initial = memory.initial[element];
    const bool is_untouched = writes && writes->empty() && initial.width() != 0;
    return is_untouched ? initial : facts.graph().variable(8 * memory.element_size, "unknown");
  });
  return all_completed(facts.structure()) & ~holds;
}

bool has_no_wrong_end(LaunchFacts& facts) {
  if (!facts.question().final_condition) return true;
  // Hard arithmetic on results of reads that may race: races are checked first.
  if (!facts.is_ordered() && has_floating_point(facts.structure())) return false;
  return !facts.may_be(wrong_end(facts));
}

}  // namespace

PropertyDefinition assertion_property() {
  return {.property = LaunchProperty::assertion,
          .visible = traps,
          .related = wrong_ends,
          .is_excluded = has_no_wrong_end};
}

}  // namespace ptxmc
