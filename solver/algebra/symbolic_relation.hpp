#pragma once

#include <vector>

#include "model/program/event.hpp"
#include "semantics/values/bits.hpp"

namespace ptxmc {

/// A set of events with possibly unknown membership: one value of width 1 for each event.
struct SymbolicSet {
  std::vector<Bits> members;

  std::size_t event_count() const { return members.size(); }
};

/// A relation on events with possibly unknown pairs. Only pairs that may be related have an entry (the upper
/// bound). Entries that are constant true form the lower bound. Folding of constants gives these bounds, so
/// no term is built for pairs that cannot be related.
struct SymbolicRelation {
  struct Entry {
    EventId to;
    Bits holds;  ///< never constant false
  };
  std::vector<std::vector<Entry>> rows;  ///< by first event; ordered by `to`

  explicit SymbolicRelation(std::size_t event_count = 0) : rows(event_count) {}
  std::size_t event_count() const { return rows.size(); }
  /// The entry of a pair; constant false if there is none.
  Bits at(EventId from, EventId to) const;
  std::size_t entry_count() const;
};

SymbolicRelation unite(const SymbolicRelation&, const SymbolicRelation&);
SymbolicRelation intersect(const SymbolicRelation&, const SymbolicRelation&);
SymbolicRelation subtract(const SymbolicRelation&, const SymbolicRelation&);
SymbolicRelation compose(const SymbolicRelation&, const SymbolicRelation&);
SymbolicRelation inverse(const SymbolicRelation&);
SymbolicRelation product(const SymbolicSet&, const SymbolicSet&);
SymbolicRelation identity(const SymbolicSet&);
SymbolicSet domain(const SymbolicRelation&);
SymbolicSet range(const SymbolicRelation&);

/// The exact transitive closure.
SymbolicRelation closure(const SymbolicRelation&);

/// A transitive relation that includes `relation`. The caller must assert `constraints`, and may otherwise
/// use the result only in conditions that a larger relation makes harder to satisfy; then it can be taken for
/// the closure.
SymbolicRelation closure_above(const SymbolicRelation& relation, TermGraph&, std::vector<Bits>& constraints);

/// Whether the relation is empty.
Bits is_empty(const SymbolicRelation&);
Bits is_irreflexive(const SymbolicRelation&);
Bits is_acyclic(const SymbolicRelation&);
/// A condition that is satisfiable if and only if the relation is acyclic; it must not be negated. It uses
/// ranks: r(a, b) → rank a < rank b.
Bits is_ranked(const SymbolicRelation&, TermGraph&);

}  // namespace ptxmc
