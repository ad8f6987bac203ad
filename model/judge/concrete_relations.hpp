#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/cat/cat_evaluator.hpp"
#include "model/program/execution.hpp"
#include "model/relations/bit_matrix.hpp"

namespace ptxmc {

/// The algebra of cat's operators over the events of a known execution (cat::RelationAlgebra).
class ConcreteRelations {
 public:
  using Set = BitSet;
  using Relation = BitMatrix;
  using Truth = bool;
  using Use = cat::Use;

  /// The execution must outlive the algebra.
  explicit ConcreteRelations(const Execution&);

  /// The errors in those choices of the execution that were used so far, as sentences.
  const std::vector<std::string>& malformed() const { return malformed_; }

  Set universe() const { return ~empty_set(); }
  Set empty_set() const { return Set(size()); }
  Relation empty_relation() const { return Relation::empty(size()); }
  Set base_set(const std::string& name) const;
  Relation base_relation(const std::string& name) const;

  template <class Value>
  Value unite(const Value& a, const Value& b) const {
    return a | b;
  }
  template <class Value>
  Value intersect(const Value& a, const Value& b) const {
    return a & b;
  }
  template <class Value>
  Value subtract(const Value& a, const Value& b) const {
    return a - b;
  }
  template <class Value>
  Value complement(const Value& a) const {
    return ~a;
  }

  Relation product(const Set& a, const Set& b) const { return Relation::product(a, b); }
  Relation identity(const Set& a) const { return Relation::identity(a); }
  Relation compose(const Relation& a, const Relation& b, Use) const { return a.compose(b); }
  Relation inverse(const Relation& a) const { return a.inverse(); }
  Relation optional(const Relation& a) const { return a.optional(); }
  Relation closure(const Relation& a, Use) const { return a.closure(); }
  Set domain(const Relation& a, Use) const { return a.domain(); }
  Set range(const Relation& a, Use) const { return a.range(); }
  Relation from_reads(const Relation& coherence, Use) const;

  Relation orientations(const std::string& name, const Relation& pairs);
  Relation coherence(bool is_total);

  std::vector<cat::Value<ConcreteRelations>> least_fixpoint(std::span<const cat::Kind>,
                                                            const cat::Step<ConcreteRelations>&, Use) const;

  bool is_empty(const Set& a, Use) const { return a.is_empty(); }
  bool is_empty(const Relation& a, Use) const { return a.is_empty(); }
  bool is_acyclic(const Relation& a, Use) const { return a.is_acyclic(); }
  bool is_irreflexive(const Relation& a, Use) const { return a.is_irreflexive(); }
  bool negate(bool truth) const { return !truth; }

 private:
  std::size_t size() const { return execution_.events.size(); }
  Relation reads_from() const;
  Relation met_at_barriers() const;
  Relation choice(const std::string& name) const;
  void check_each_once(const std::string& name, const Relation& pairs, const Relation& chosen);

  const Execution& execution_;
  std::vector<std::string> malformed_;
};

/// The errors of an execution that do not depend on the model, as sentences: a byte of a read without a
/// source, with two sources, or with another value than its source wrote; events of different barriers in one
/// phase.
std::vector<std::string> malformed_parts(const Execution&);

}  // namespace ptxmc
