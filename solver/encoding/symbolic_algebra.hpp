#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "model/cat/cat_evaluator.hpp"
#include "model/program/event.hpp"
#include "solver/algebra/symbolic_relation.hpp"
#include "solver/meetings/barrier_phases.hpp"
#include "solver/reads/reads_from.hpp"

namespace ptxmc {

/// The algebra of cat on the events of a structure before any choice: sets and relations have unknown
/// members, truths are formulas, and the choices of a model are unknowns.
class SymbolicAlgebra {
 public:
  using Set = SymbolicSet;
  using Relation = SymbolicRelation;
  using Truth = Bits;

  SymbolicAlgebra(const EventStructure&, TermGraph&);
  /// For events whose barrier phases the caller has chosen.
  SymbolicAlgebra(const EventStructure&, TermGraph&, BarrierPhases);

  Set universe();
  Set empty_set();
  Relation empty_relation();
  Set base_set(const std::string& name);
  Relation base_relation(const std::string& name);

  Set unite(const Set&, const Set&);
  Set intersect(const Set&, const Set&);
  Set subtract(const Set&, const Set&);
  Set complement(const Set&);
  Relation unite(const Relation& a, const Relation& b) { return ptxmc::unite(a, b); }
  Relation intersect(const Relation& a, const Relation& b) { return ptxmc::intersect(a, b); }
  Relation subtract(const Relation& a, const Relation& b) { return ptxmc::subtract(a, b); }
  Relation complement(const Relation&);

  Relation product(const Set& a, const Set& b) { return ptxmc::product(a, b); }
  Relation identity(const Set& set) { return ptxmc::identity(set); }
  Relation compose(const Relation& a, const Relation& b, cat::Use) { return ptxmc::compose(a, b); }
  Relation inverse(const Relation& relation) { return ptxmc::inverse(relation); }
  Relation optional(const Relation& relation) { return ptxmc::unite(relation, identity(universe())); }
  Relation closure(const Relation&, cat::Use);
  Set domain(const Relation& relation, cat::Use) { return ptxmc::domain(relation); }
  Set range(const Relation& relation, cat::Use) { return ptxmc::range(relation); }
  Relation from_reads(const Relation& coherence, cat::Use);

  Relation orientations(const std::string& name, const Relation& related);
  Relation coherence(bool total);

  std::vector<cat::Value<SymbolicAlgebra>> least_fixpoint(std::span<const cat::Kind>,
                                                          const cat::Step<SymbolicAlgebra>&, cat::Use);

  Truth is_empty(const Set&, cat::Use);
  Truth is_empty(const Relation& relation, cat::Use) { return ptxmc::is_empty(relation); }
  Truth is_acyclic(const Relation&, cat::Use);
  Truth is_irreflexive(const Relation& relation, cat::Use) { return ptxmc::is_irreflexive(relation); }
  Truth negate(const Truth& truth) { return ~truth; }

  /// The choices: the unknowns of an execution other than the values of reads.
  const std::vector<Atom>& atoms() const { return atoms_; }
  const ReadsFromChoices& reads_from() const { return reads_from_; }
  const BarrierPhases& phases() const { return phases_; }
  /// Relations chosen by `with` and `co`, by name.
  const std::map<std::string, Relation>& choices() const { return choices_; }
  /// The constraints of every execution, without the axioms.
  std::vector<Bits> constraints() const;

 private:
  std::vector<Bits> happens() const;

  const EventStructure& structure_;
  TermGraph& graph_;
  std::vector<Atom> atoms_;
  ReadsFromChoices reads_from_;
  BarrierPhases phases_;
  std::map<std::string, Relation> choices_;
  std::vector<Bits> constraints_;
};

}  // namespace ptxmc
