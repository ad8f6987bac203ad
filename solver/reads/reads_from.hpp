#pragma once

#include <vector>

#include "model/program/event.hpp"
#include "solver/algebra/symbolic_relation.hpp"

namespace ptxmc {

/// A range of bytes that each access covers completely or not at all. Single-copy atomicity only holds
/// between morally strong operations (PTX ISA 8.7 § 8.10.3). If other operations access the range, no two of
/// its bytes distinguish its writes, so reading one source for all bytes loses no execution.
struct Atom {
  std::uint64_t first = 0;
  unsigned count = 0;
};

/// The atoms of the memory that the events touch, in the order of addresses.
std::vector<Atom> atoms_of(const EventStructure&);

/// Whether the access covers the atom, width 1. It is constant if the location is.
Bits covers(const Event&, const Atom&);

/// The bytes of the atom in the value of an access that covers it.
Bits value_at(const Event&, const Atom&);

/// The sources of each atom of each read: unknowns and their constraints.
struct ReadsFromChoices {
  struct Choice {
    EventId read;
    EventId write;
    Atom atom;
    Bits chosen;  ///< width 1
  };
  std::vector<Choice> choices;
  std::vector<Bits> constraints;

  SymbolicRelation relation(std::size_t event_count) const;
};

ReadsFromChoices choose_reads_from(const EventStructure&, const std::vector<Atom>&, TermGraph&);

/// (R, W): for some atom accessed by both, R takes it from a write that precedes W in coherence order.
/// PTX ISA 8.7 § 8.9.7, item 3.
SymbolicRelation from_reads(const EventStructure&, const ReadsFromChoices&,
                            const SymbolicRelation& coherence);

/// Whether exactly one of the values (width 1) is true.
Bits exactly_one(const std::vector<Bits>&, TermGraph&);

}  // namespace ptxmc
