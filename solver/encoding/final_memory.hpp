#pragma once

#include <vector>

#include "solver/reads/reads_from.hpp"

namespace ptxmc {

/// The final content of an element of memory: for each atom the value of a write that no other follows in
/// coherence order. If there are several, unknowns choose one, which is the same for every mention of the
/// element.
class FinalMemory {
 public:
  /// Which writes may be last. `any` ignores coherence order; it serves to explain why a claimed final state
  /// is impossible.
  enum class Last : std::uint8_t { maximal, any };

  FinalMemory(const EventStructure&, const std::vector<Atom>&, const SymbolicRelation& coherence, TermGraph&,
              Last = Last::maximal);

  Bits element(const Variable&, std::size_t index);
  /// The constraints on the elements asked for so far.
  const std::vector<Bits>& constraints() const { return constraints_; }

  struct Choice {
    EventId write;
    Atom atom;
    Bits chosen;  ///< width 1
  };
  /// The choices for the elements asked for so far, if there are several possible writes.
  const std::vector<Choice>& choices() const { return choices_; }

 private:
  Bits atom_value(const Atom&);

  const EventStructure& structure_;
  const std::vector<Atom>& atoms_;
  const SymbolicRelation& coherence_;
  TermGraph& graph_;
  Last last_;
  std::vector<std::pair<std::uint64_t, Bits>> known_;  // by first byte
  std::vector<Bits> constraints_;
  std::vector<Choice> choices_;
};

}  // namespace ptxmc
