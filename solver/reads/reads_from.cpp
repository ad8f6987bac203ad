#include "solver/reads/reads_from.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "solver/algebra/value_sets.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {
namespace {

bool is_access_of_thread(const Event& event) {
  return event.kind == EventKind::read || event.kind == EventKind::write;
}

/// The addresses inside a piece of memory at which accesses may begin or end.
std::set<std::uint64_t> boundaries(const EventStructure& structure, std::uint64_t first, std::uint64_t end) {
  std::set<std::uint64_t> result{first, end};
  const auto add = [&](std::uint64_t place) {
    if (first < place && place < end) result.insert(place);
  };
  for (const Event& event : structure.events) {
    if (!is_access_of_thread(event)) continue;
    if (event.location.is_constant()) {
      add(event.location.to_u64());
      add(event.location.to_u64() + event.size);
    } else if (event.may_touch(first, end - first)) {
      // An access is aligned to its size: AddressSpace.
      for (std::uint64_t place = first - first % event.size; place < end; place += event.size) add(place);
    }
  }
  return result;
}

bool may_tear(const EventStructure& structure, const Atom& piece) {
  std::vector<EventId> accesses;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
    if (is_access_of_thread(structure.events[id]) && !covers(structure.events[id], piece).is_false())
      accesses.push_back(id);
  return std::any_of(accesses.begin(), accesses.end(), [&](EventId a) {
    return structure.events[a].is_write() && std::any_of(accesses.begin(), accesses.end(), [&](EventId b) {
             return !are_whole_to_each_other(structure, a, b);
           });
  });
}

/// The bits in which the possible values of a piece of memory differ.
u128 differing_bits(const EventStructure& structure, const std::vector<ValueSet>& values, const Atom& piece) {
  u128 differing = 0;
  std::optional<u128> sample;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = structure.events[id];
    if (!event.is_write() || covers(event, piece).is_false()) continue;
    if (!event.location.is_constant() || !values[id]) return ~u128{0};
    const auto offset = static_cast<unsigned>(piece.first - event.location.to_u64());
    for (const Bits& value : *values[id]) {
      if (!value.is_constant()) return ~u128{0};
      const u128 content = value.extract(8 * offset, 8 * piece.count).value();
      if (sample) differing |= *sample ^ content;
      sample = content;
    }
  }
  return differing;
}

/// Divides a piece of memory into atoms. The bytes of a read may come from several writes; this is observable
/// only between bytes in which the possible values differ.
void add_atoms(const EventStructure& structure, const std::vector<ValueSet>& values, const Atom& piece,
               std::vector<Atom>& atoms) {
  const u128 differing = may_tear(structure, piece) ? differing_bits(structure, values, piece) : 0;
  std::uint64_t first = piece.first;
  bool is_told_apart = false;
  for (unsigned byte = 0; byte < piece.count; ++byte) {
    if ((static_cast<unsigned>(differing >> (8 * byte)) & 0xff) == 0) continue;
    const std::uint64_t place = piece.first + byte;
    if (is_told_apart) {
      atoms.push_back({first, static_cast<unsigned>(place - first)});
      first = place;
    }
    is_told_apart = true;
  }
  atoms.push_back({first, static_cast<unsigned>(piece.first + piece.count - first)});
}

}  // namespace

Bits exactly_one(const std::vector<Bits>& values, TermGraph& graph) {
  constexpr std::size_t few = 6;
  Bits any = Bits::boolean(false);
  Bits at_most_one = Bits::boolean(true);
  if (values.size() <= few) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      any = any | values[i];
      for (std::size_t j = 0; j < i; ++j) at_most_one = at_most_one & ~(values[i] & values[j]);
    }
    return any & at_most_one;
  }
  // C. Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints, 2005.
  for (const Bits& value : values) {
    at_most_one = at_most_one & ~(any & value);
    const Bits so_far = graph.variable(1, "at most one");
    at_most_one = at_most_one & implies(any | value, so_far);
    any = so_far;
  }
  Bits some = Bits::boolean(false);
  for (const Bits& value : values) some = some | value;
  return some & at_most_one;
}

std::vector<Atom> atoms_of(const EventStructure& structure) {
  std::vector<Atom> atoms;
  const auto values = possible_values(structure);
  for (const Event& event : structure.events) {
    if (event.kind != EventKind::initial_write) continue;
    const std::uint64_t first = event.location.to_u64();
    const auto places = boundaries(structure, first, first + event.size);
    for (auto place = places.begin(); std::next(place) != places.end(); ++place)
      add_atoms(structure, values, {*place, static_cast<unsigned>(*std::next(place) - *place)}, atoms);
  }
  std::sort(atoms.begin(), atoms.end(), [](const Atom& a, const Atom& b) { return a.first < b.first; });
  return atoms;
}

Bits covers(const Event& event, const Atom& atom) {
  if (!event.may_touch(atom.first, atom.count)) return Bits::boolean(false);
  // No access splits an atom: it covers the atom when it covers its first byte.
  return less_unsigned(Bits(64, atom.first) - event.location, Bits(64, event.size));
}

Bits value_at(const Event& event, const Atom& atom) {
  const Bits offset = Bits(64, atom.first) - event.location;
  if (offset.is_constant())
    return event.value.extract(static_cast<unsigned>(offset.to_u64()) * 8, atom.count * 8);
  return shift_right_unsigned(event.value, shift_left(offset, Bits(64, 3))).extract(0, atom.count * 8);
}

ReadsFromChoices choose_reads_from(const EventStructure& structure, const std::vector<Atom>& atoms,
                                   TermGraph& graph) {
  ReadsFromChoices result;
  const auto event_count = static_cast<EventId>(structure.events.size());
  for (EventId read = 0; read < event_count; ++read) {
    const Event& reader = structure.events[read];
    if (!reader.is_read()) continue;
    TimeLimit::check();
    for (const Atom& atom : atoms) {
      const Bits happens = reader.condition & covers(reader, atom);
      if (happens.is_false()) continue;
      std::vector<Bits> sources;
      for (EventId write = 0; write < event_count; ++write) {
        const Event& writer = structure.events[write];
        if (!writer.is_write() || writer.rmw == read) continue;
        const Bits possible = writer.condition & covers(writer, atom) & happens;
        if (possible.is_false()) continue;
        const Bits chosen = graph.variable(1, "rf");
        const Bits same = writer.access.is_indeterminate
                              ? Bits::boolean(true)
                              : equal(value_at(reader, atom), value_at(writer, atom));
        result.constraints.push_back(implies(chosen, possible & same));
        result.choices.push_back({read, write, atom, chosen});
        sources.push_back(chosen);
      }
      result.constraints.push_back(implies(happens, exactly_one(sources, graph)));
    }
  }
  return result;
}

SymbolicRelation ReadsFromChoices::relation(std::size_t event_count) const {
  SymbolicRelation result(event_count);
  for (const Choice& choice : choices) {
    auto& row = result.rows[choice.write];
    if (!row.empty() && row.back().to == choice.read)
      row.back().holds = row.back().holds | choice.chosen;
    else
      row.push_back({choice.read, choice.chosen});
  }
  return result;
}

SymbolicRelation from_reads(const EventStructure& structure, const ReadsFromChoices& reads_from,
                            const SymbolicRelation& coherence) {
  std::vector<std::map<EventId, Bits>> rows(structure.events.size());
  for (const auto& choice : reads_from.choices) {
    TimeLimit::check();
    for (const auto& [later, holds] : coherence.rows[choice.write]) {
      if (!structure.events[later].is_write()) continue;
      const Bits follows = choice.chosen & holds & covers(structure.events[later], choice.atom);
      if (follows.is_false()) continue;
      const auto [place, is_new] = rows[choice.read].try_emplace(later, follows);
      if (!is_new) place->second = place->second | follows;
    }
  }
  SymbolicRelation result(structure.events.size());
  for (std::size_t read = 0; read < rows.size(); ++read)
    for (const auto& [later, holds] : rows[read]) result.rows[read].push_back({later, holds});
  return result;
}

}  // namespace ptxmc
