#pragma once

#include <cstddef>
#include <vector>

#include "model/program/execution.hpp"
#include "model/relations/bit_matrix.hpp"
#include "solver/reads/reads_from.hpp"

namespace ptxmc {

/// An atom of a read, and the writes that it may take the atom from.
struct ReadPart {
  EventId read = 0;
  std::size_t atom = 0;
  BitSet candidates;       ///< writes that may be its source in some execution
  BitSet excluded;         ///< existing writes that other branches of the search handle
  BitSet examined;         ///< writes for which the consequences of reading from them are certain,
  BitSet updating;         ///< … and, of these, the writes after which a read-modify-write writes
  BitSet taken;            ///< existing writes that other updates had read when sources were last computed
  bool is_active = false;  ///< the read happens and touches the atom
  EventId source = -1;
};

/// The memory accesses of a partial execution, atom by atom.
class ReadParts {
 public:
  explicit ReadParts(const EventStructure&);

  std::vector<Atom> atoms;
  std::vector<ReadPart> parts;
  std::vector<std::size_t> of_updates;  ///< the parts of read-modify-writes
  std::vector<BitSet> writers;          ///< by atom: the writes to it that happen
  BitSet unsourced;                     ///< active parts without a source
  BitSet sourced;                       ///< reads that have a source and no known value

  /// The parts of a read, in the order of their addresses.
  const std::vector<std::size_t>& of(EventId read) const { return of_event_[static_cast<std::size_t>(read)]; }

  /// An event happens, or not any more. Its address is known.
  void add(EventId, const Event&);
  void remove(EventId, const Event&);
  void set_source(std::size_t part, EventId write);
  /// Removes the source of a part. Returns whether another part of the read has the same source.
  bool remove_source(std::size_t part);

 private:
  bool is_touched(const Event&, std::size_t atom) const;

  std::vector<std::vector<std::size_t>> of_event_;
};

}  // namespace ptxmc
