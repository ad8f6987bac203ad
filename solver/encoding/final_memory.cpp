#include "solver/encoding/final_memory.hpp"

namespace ptxmc {
FinalMemory::FinalMemory(const EventStructure& structure, const std::vector<Atom>& atoms,
                         const SymbolicRelation& coherence, TermGraph& graph, Last last)
    : structure_(structure), atoms_(atoms), coherence_(coherence), graph_(graph), last_(last) {}

Bits FinalMemory::element(const Variable& variable, std::size_t index) {
  const std::uint64_t first = variable.location + index * variable.element_size;
  const std::uint64_t end = first + variable.element_size;
  Bits value;
  for (const Atom& atom : atoms_) {
    if (atom.first + atom.count <= first || end <= atom.first) continue;
    const Bits part = atom_value(atom);
    value = value.width() == 0 ? part : concat(part, value);
  }
  // No access: the initial value.
  if (value.width() == 0) value = variable.initial[index];
  return value;
}

Bits FinalMemory::atom_value(const Atom& atom) {
  for (const auto& [first, value] : known_)
    if (first == atom.first) return value;
  std::vector<std::pair<EventId, Bits>> writers;
  for (EventId write = 0; write < static_cast<EventId>(structure_.events.size()); ++write) {
    const Event& event = structure_.events[write];
    if (!event.is_write()) continue;
    const Bits writes = event.condition & covers(event, atom);
    if (!writes.is_false()) writers.push_back({write, writes});
  }
  const Bits value = writers.size() == 1 ? value_at(structure_.events[writers.front().first], atom)
                                         : graph_.variable(8 * atom.count, "final");
  std::vector<Bits> last;
  if (writers.size() > 1)
    for (const auto& [write, writes] : writers) {
      Bits followed = Bits::boolean(false);
      for (const auto& [other, other_writes] : writers)
        if (last_ == Last::maximal) followed = followed | (coherence_.at(write, other) & other_writes);
      const Bits chosen = graph_.variable(1, "last");
      constraints_.push_back(
          implies(chosen, writes & ~followed & equal(value, value_at(structure_.events[write], atom))));
      choices_.push_back({write, atom, chosen});
      last.push_back(chosen);
    }
  if (!last.empty()) constraints_.push_back(exactly_one(last, graph_));
  known_.push_back({atom.first, value});
  return value;
}

}  // namespace ptxmc
