#pragma once

#include <vector>

#include "model/event.hpp"
#include "solver/symbolic_relation.hpp"

namespace ptxmc {

/// A range of bytes that no access splits: each access covers all of it or nothing. Single-copy atomicity
/// holds between morally strong operations only (PTX ISA 8.7 § 8.10.3), so where others access an atom, it
/// holds no two bytes that tell its writes apart: what is read of one byte could be read of all.
struct Atom {
  std::uint64_t first = 0;
  unsigned count = 0;
};

/// The atoms of the memory that the events touch, in the order of addresses.
std::vector<Atom> atoms_of(const EventStructure&);

/// The access covers the atom, width 1. Constant when the location is.
Bits covers(const Event&, const Atom&);

/// The bytes of the atom in the value of an access that covers it.
Bits value_at(const Event&, const Atom&);

/// Which write each read takes each atom from: unknowns, with what they must satisfy.
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

/// Holds when exactly one of the width-1 values does.
Bits exactly_one(const std::vector<Bits>&, TermGraph&);

}  // namespace ptxmc
