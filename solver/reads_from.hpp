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

/// The final content of an element of memory: for each atom the value of a write that no other follows in
/// coherence order. There may be several; one is chosen, the same for every mention.
class FinalMemory {
 public:
  FinalMemory(const EventStructure&, const std::vector<Atom>&, const SymbolicRelation& coherence, TermGraph&);

  Bits element(const Variable&, std::size_t index);
  /// What the elements asked for so far must satisfy.
  const std::vector<Bits>& constraints() const { return constraints_; }

 private:
  Bits atom_value(const Atom&);

  const EventStructure& structure_;
  const std::vector<Atom>& atoms_;
  const SymbolicRelation& coherence_;
  TermGraph& graph_;
  std::vector<std::pair<std::uint64_t, Bits>> known_;  // by first byte
  std::vector<Bits> constraints_;
};

/// Holds when exactly one of the width-1 values does.
Bits exactly_one(const std::vector<Bits>&, TermGraph&);

}  // namespace ptxmc
