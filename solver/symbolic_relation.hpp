#pragma once

#include <vector>

#include "model/event.hpp"
#include "semantics/bits.hpp"

namespace ptxmc {

/// A set of events of which membership may be open: one width-1 value an event.
struct SymbolicSet {
  std::vector<Bits> members;

  std::size_t event_count() const { return members.size(); }
};

/// A relation on events of which pairs may be open. Only pairs that may be related have an entry (the
/// upper bound); an entry that is constant true is in the lower bound. The bounds come from folding:
/// what cannot be related is never built.
struct SymbolicRelation {
  struct Entry {
    EventId to;
    Bits holds;  ///< never constant false
  };
  std::vector<std::vector<Entry>> rows;  ///< by first event; ordered by `to`

  explicit SymbolicRelation(std::size_t event_count = 0) : rows(event_count) {}
  std::size_t event_count() const { return rows.size(); }
  /// Constant false where there is no entry.
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

/// The transitive closure, exact whatever it is used for.
SymbolicRelation closure(const SymbolicRelation&);

/// A transitive relation that includes `relation`: the closure if the caller asserts `constraints` and
/// otherwise only conditions that a larger relation makes harder to satisfy.
SymbolicRelation closure_above(const SymbolicRelation& relation, TermGraph&, std::vector<Bits>& constraints);

/// Holds when no pair does.
Bits is_empty(const SymbolicRelation&);
Bits is_irreflexive(const SymbolicRelation&);
Bits is_acyclic(const SymbolicRelation&);
/// Satisfiable exactly when the relation is acyclic; not to be negated. Ranks: r(a, b) → rank a < rank b.
Bits is_ranked(const SymbolicRelation&, TermGraph&);

}  // namespace ptxmc
