#include "solver/explorer/read_parts.hpp"

#include <utility>

namespace ptxmc {

ReadParts::ReadParts(const EventStructure& structure)
    : atoms(atoms_of(structure)),
      writers(atoms.size(), BitSet(structure.events.size())),
      sourced(structure.events.size()),
      of_event_(structure.events.size()) {
  const std::vector<Event>& events = structure.events;
  const BitSet none(events.size());
  for (EventId read = 0; read < static_cast<EventId>(events.size()); ++read) {
    if (!events[index(read)].is_read()) continue;
    for (std::size_t atom = 0; atom < atoms.size(); ++atom) {
      if (covers(events[index(read)], atoms[atom]).is_false()) continue;
      ReadPart part{.read = read,
                    .atom = atom,
                    .candidates = none,
                    .excluded = none,
                    .examined = none,
                    .updating = none,
                    .taken = none};
      for (EventId write = 0; write < static_cast<EventId>(events.size()); ++write) {
        const Event& writer = events[index(write)];
        if (writer.is_write() && writer.rmw != read && !covers(writer, atoms[atom]).is_false())
          part.candidates.insert(index(write));
      }
      if (events[index(read)].rmw >= 0) of_updates.push_back(parts.size());
      of_event_[index(read)].push_back(parts.size());
      parts.push_back(std::move(part));
    }
  }
  unsourced = BitSet(parts.size());
}

bool ReadParts::is_touched(const Event& event, std::size_t atom) const {
  return atoms[atom].first - event.location.to_u64() < event.size;
}

void ReadParts::add(EventId id, const Event& event) {
  if (event.is_write())
    for (std::size_t atom = 0; atom < atoms.size(); ++atom)
      if (is_touched(event, atom)) writers[atom].insert(index(id));
  for (const std::size_t part : of(id)) {
    parts[part].is_active = is_touched(event, parts[part].atom);
    if (parts[part].is_active) unsourced.insert(part);
  }
}

void ReadParts::remove(EventId id, const Event& event) {
  if (event.is_write())
    for (BitSet& of_atom : writers) of_atom.erase(index(id));
  for (const std::size_t part : of(id)) {
    parts[part].is_active = false;
    unsourced.erase(part);
  }
}

void ReadParts::set_source(std::size_t part, EventId write) {
  parts[part].source = write;
  unsourced.erase(part);
  sourced.insert(index(parts[part].read));
}

bool ReadParts::remove_source(std::size_t which) {
  ReadPart& part = parts[which];
  const EventId write = part.source;
  part.source = -1;
  unsourced.insert(which);
  bool is_still_source = false, is_sourced = false;
  for (const std::size_t other : of(part.read)) {
    is_still_source |= parts[other].source == write;
    is_sourced |= parts[other].source >= 0;
  }
  if (!is_sourced) sourced.erase(index(part.read));
  return is_still_source;
}

}  // namespace ptxmc
