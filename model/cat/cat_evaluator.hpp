#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "model/cat/cat_polarity.hpp"

namespace ptxmc::cat {

/// A set or a relation of an algebra.
template <class A>
using Value = std::variant<typename A::Set, typename A::Relation>;

/// One step of a `let rec`: from the values of its names to those of their definitions.
template <class A>
using Step = std::function<std::vector<Value<A>>(const std::vector<Value<A>>&)>;

/// An algebra for the operators of cat: sets and relations of the events of an execution, which are known
/// (bit matrices) or unknown (constraints). A result with Use::positive may be larger than its exact value if
/// all axioms still hold with it. Use::none never occurs.
template <class A>
concept RelationAlgebra = requires(A a, const typename A::Set& s, const typename A::Relation& r,
                                   const typename A::Truth& t, const std::string& name, Use use, bool total,
                                   std::span<const Kind> kinds, const Step<A>& step) {
  { a.universe() } -> std::same_as<typename A::Set>;
  { a.empty_set() } -> std::same_as<typename A::Set>;
  { a.empty_relation() } -> std::same_as<typename A::Relation>;
  { a.base_set(name) } -> std::same_as<typename A::Set>;
  { a.base_relation(name) } -> std::same_as<typename A::Relation>;

  { a.unite(s, s) } -> std::same_as<typename A::Set>;
  { a.intersect(s, s) } -> std::same_as<typename A::Set>;
  { a.subtract(s, s) } -> std::same_as<typename A::Set>;
  { a.complement(s) } -> std::same_as<typename A::Set>;
  { a.unite(r, r) } -> std::same_as<typename A::Relation>;
  { a.intersect(r, r) } -> std::same_as<typename A::Relation>;
  { a.subtract(r, r) } -> std::same_as<typename A::Relation>;
  { a.complement(r) } -> std::same_as<typename A::Relation>;

  { a.product(s, s) } -> std::same_as<typename A::Relation>;
  { a.identity(s) } -> std::same_as<typename A::Relation>;
  { a.compose(r, r, use) } -> std::same_as<typename A::Relation>;
  { a.inverse(r) } -> std::same_as<typename A::Relation>;
  { a.optional(r) } -> std::same_as<typename A::Relation>;
  { a.closure(r, use) } -> std::same_as<typename A::Relation>;  // transitive, not reflexive
  { a.domain(r, use) } -> std::same_as<typename A::Set>;
  { a.range(r, use) } -> std::same_as<typename A::Set>;
  { a.from_reads(r, use) } -> std::same_as<typename A::Relation>;

  // The choices of an execution. The algebra ensures that they are well-formed.
  { a.orientations(name, r) } -> std::same_as<typename A::Relation>;
  { a.coherence(total) } -> std::same_as<typename A::Relation>;

  { a.least_fixpoint(kinds, step, use) } -> std::same_as<std::vector<Value<A>>>;

  // With Use::positive the truth value is only asserted.
  { a.is_empty(s, use) } -> std::same_as<typename A::Truth>;
  { a.is_empty(r, use) } -> std::same_as<typename A::Truth>;
  { a.is_acyclic(r, use) } -> std::same_as<typename A::Truth>;
  { a.is_irreflexive(r, use) } -> std::same_as<typename A::Truth>;
  { a.negate(t) } -> std::same_as<typename A::Truth>;
};

/// The values of a model in an algebra.
template <class A>
struct Outcome {
  const Model* model = nullptr;
  std::vector<typename A::Truth> axioms;  ///< by index in Model::axioms: the axiom holds
  /// By index in Model::flags: the flag is raised; must not be negated.
  std::vector<typename A::Truth> flags;
  std::vector<std::optional<Value<A>>> values;  ///< by node, if it was computed

  /// The value of a top-level name of the model (its last definition), if it was computed.
  const Value<A>* value(std::string_view name) const {
    const Definition* definition = model->find(name);
    if (!definition) return nullptr;
    const auto& value = values[static_cast<std::size_t>(definition->node)];
    return value ? &*value : nullptr;
  }
  /// The same for a relation.
  const typename A::Relation* relation(std::string_view name) const {
    const Value<A>* found = value(name);
    return found ? std::get_if<typename A::Relation>(found) : nullptr;
  }
};

/// What is computed besides the axioms.
struct Wanted {
  bool flags = true;
  bool all_definitions = false;    ///< the exact values of all names
  std::vector<NodeId> nodes = {};  ///< nodes whose exact values are computed
};

template <RelationAlgebra A>
class Evaluation {
 public:
  Evaluation(const Model& model, A& algebra, const Wanted& wanted)
      : model_(model),
        algebra_(algebra),
        flags_(wanted.flags),
        uses_(uses(model, nodes(model, wanted), wanted.flags)) {
    values_.resize(model.nodes.size());
    fixpoints_.resize(model.recursions.size());
  }

  Outcome<A> run() {
    for (std::size_t i = 0; i < model_.nodes.size(); ++i)
      if (model_.nodes[i].owner < 0) compute(static_cast<NodeId>(i));
    Outcome<A> outcome;
    outcome.model = &model_;
    for (const Test& axiom : model_.axioms)
      outcome.axioms.push_back(truth(axiom, axiom.negated ? Use::exact : Use::positive));
    if (flags_)
      for (const Test& flag : model_.flags) outcome.flags.push_back(truth(flag, Use::exact));
    outcome.values = std::move(values_);
    return outcome;
  }

 private:
  using Set = typename A::Set;
  using Relation = typename A::Relation;
  using Truth = typename A::Truth;

  static std::vector<NodeId> nodes(const Model& model, const Wanted& wanted) {
    std::vector<NodeId> result = wanted.nodes;
    if (wanted.all_definitions) {
      for (const Definition& definition : model.definitions) result.push_back(definition.node);
      for (const Definition& definition : model.shown) result.push_back(definition.node);
    }
    return result;
  }

  const Value<A>& value(NodeId id) const {
    const auto& value = values_[static_cast<std::size_t>(id)];
    if (!value) throw std::logic_error("cat: a value is used before it is computed");
    return *value;
  }
  const Set& set(NodeId id) const { return std::get<Set>(value(id)); }
  const Relation& relation(NodeId id) const { return std::get<Relation>(value(id)); }

  void compute(NodeId id) {
    const Node& node = model_.nodes[static_cast<std::size_t>(id)];
    const Use use = uses_[static_cast<std::size_t>(id)];
    if (use == Use::none || node.op == Operator::variable) return;
    auto& slot = values_[static_cast<std::size_t>(id)];
    if (node.op == Operator::fixpoint)
      slot = fixpoint(node, use);
    else if (node.kind == Kind::set)
      slot.emplace(is_boolean(node.op) ? compute_boolean<Set>(node) : compute_set(node, use));
    else
      slot.emplace(is_boolean(node.op) ? compute_boolean<Relation>(node) : compute_relation(node, use));
  }

  static bool is_boolean(Operator op) {
    return op == Operator::unite || op == Operator::intersect || op == Operator::subtract ||
           op == Operator::complement;
  }

  /// The operators that sets and relations share.
  template <class T>
  T compute_boolean(const Node& node) {
    const T& first = std::get<T>(value(node.operands[0]));
    if (node.op == Operator::complement) return algebra_.complement(first);
    const T& second = std::get<T>(value(node.operands[1]));
    if (node.op == Operator::unite) return algebra_.unite(first, second);
    if (node.op == Operator::intersect) return algebra_.intersect(first, second);
    return algebra_.subtract(first, second);
  }

  Set compute_set(const Node& node, Use use) {
    switch (node.op) {
      case Operator::universe:
        return algebra_.universe();
      case Operator::empty:
        return algebra_.empty_set();
      case Operator::base:
        return algebra_.base_set(node.name);
      case Operator::domain:
        return algebra_.domain(relation(node.operands[0]), use);
      case Operator::range:
        return algebra_.range(relation(node.operands[0]), use);
      default:
        throw std::logic_error("cat: an operator that makes no set");
    }
  }

  Relation compute_relation(const Node& node, Use use) {
    const auto operand = [&](int i) -> const Relation& {
      return relation(node.operands[static_cast<std::size_t>(i)]);
    };
    switch (node.op) {
      case Operator::empty:
        return algebra_.empty_relation();
      case Operator::base:
        return algebra_.base_relation(node.name);
      case Operator::product:
        return algebra_.product(set(node.operands[0]), set(node.operands[1]));
      case Operator::identity:
        return algebra_.identity(set(node.operands[0]));
      case Operator::compose:
        return algebra_.compose(operand(0), operand(1), use);
      case Operator::inverse:
        return algebra_.inverse(operand(0));
      case Operator::optional:
        return algebra_.optional(operand(0));
      case Operator::closure:
        return algebra_.closure(operand(0), use);
      case Operator::from_reads:
        return algebra_.from_reads(operand(0), use);
      case Operator::orientations:
        return algebra_.orientations(node.name, operand(0));
      case Operator::total_coherence:
        return algebra_.coherence(true);
      case Operator::partial_coherence:
        return algebra_.coherence(false);
      default:
        throw std::logic_error("cat: an operator that makes no relation");
    }
  }

  /// Computing the first name of a recursion computes all its names.
  Value<A> fixpoint(const Node& node, Use use) {
    auto& results = fixpoints_[static_cast<std::size_t>(node.recursion)];
    const Recursion& recursion = model_.recursions[static_cast<std::size_t>(node.recursion)];
    if (node.index == 0) {
      const Step<A> step = [&](const std::vector<Value<A>>& current) { return next(recursion, current); };
      results = algebra_.least_fixpoint(recursion.kinds, step, use);
    }
    return results[static_cast<std::size_t>(node.index)];
  }

  std::vector<Value<A>> next(const Recursion& recursion, const std::vector<Value<A>>& current) {
    for (const NodeId id : recursion.dependents) {
      const Node& node = model_.nodes[static_cast<std::size_t>(id)];
      if (node.op == Operator::variable)
        values_[static_cast<std::size_t>(id)] = current[static_cast<std::size_t>(node.index)];
      else
        compute(id);
    }
    std::vector<Value<A>> result;
    for (const NodeId body : recursion.bodies) result.push_back(value(body));
    return result;
  }

  Truth truth(const Test& test, Use use) {
    const Truth holds = [&] {
      if (test.form == Test::Form::acyclic) return algebra_.is_acyclic(relation(test.node), use);
      if (test.form == Test::Form::irreflexive) return algebra_.is_irreflexive(relation(test.node), use);
      if (const Set* events = std::get_if<Set>(&value(test.node))) return algebra_.is_empty(*events, use);
      return algebra_.is_empty(relation(test.node), use);
    }();
    return test.negated ? algebra_.negate(holds) : holds;
  }

  const Model& model_;
  A& algebra_;
  const bool flags_;
  std::vector<Use> uses_;
  std::vector<std::optional<Value<A>>> values_;
  std::vector<std::vector<Value<A>>> fixpoints_;  // by recursion
};

/// Evaluates the axioms of a model, and what else is wanted, in an algebra.
template <RelationAlgebra A>
Outcome<A> evaluate(const Model& model, A& algebra, const Wanted& wanted = {}) {
  return Evaluation<A>(model, algebra, wanted).run();
}

}  // namespace ptxmc::cat
