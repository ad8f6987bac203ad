#include "model/cat/cat_rewriting.hpp"

#include <algorithm>
#include <optional>

#include "model/relations/base_sets.hpp"

namespace ptxmc::cat {
namespace {

NodeId append(Model& model, Operator op, Kind kind, std::vector<NodeId> operands, const Place& place) {
  model.nodes.push_back(
      {.op = op, .kind = kind, .operands = std::move(operands), .name = {}, .place = place});
  return static_cast<NodeId>(model.nodes.size() - 1);
}

/// A set or a relation that is empty if and only if no event is related to itself.
NodeId pairs_with_itself(Model& model, NodeId relation) {
  const Node node = model.nodes[static_cast<std::size_t>(relation)];
  if (node.op == Operator::unite) {
    const NodeId first = pairs_with_itself(model, node.operands[0]);
    const NodeId second = pairs_with_itself(model, node.operands[1]);
    return append(model, Operator::unite, Kind::relation, {first, second}, node.place);
  }
  NodeId backwards = -1;
  NodeId forwards = relation;
  if (node.op == Operator::compose) {
    forwards = node.operands[0];
    backwards = append(model, Operator::inverse, Kind::relation, {node.operands[1]}, node.place);
  } else {
    const NodeId events = append(model, Operator::universe, Kind::set, {}, node.place);
    backwards = append(model, Operator::identity, Kind::relation, {events}, node.place);
  }
  return append(model, Operator::intersect, Kind::relation, {forwards, backwards}, node.place);
}

/// Whether no event is in a base set.
bool has_none(const std::string& base_set, std::span<const Event> events) {
  const BaseSet* set = find_base_set(base_set);
  return set != nullptr && std::ranges::none_of(events, set->contains);
}

/// Makes a model smaller for some events.
class Specialization {
 public:
  Specialization(Model model, std::span<const Event> events) : model_(std::move(model)), events_(events) {}

  Model run() {
    for (NodeId id = 0; id < static_cast<NodeId>(model_.nodes.size()); ++id) {
      Node& node = at(id);
      for (NodeId& operand : node.operands) operand = same_as_[index(operand)];
      const bool is_in_recursion = node.owner >= 0;
      value_.push_back(is_in_recursion ? Value::other : value_of(node));
      same_as_.push_back(is_in_recursion ? id : operand_with_value_of(node).value_or(id));
      if (value_.back() != Value::empty) continue;
      node.op = Operator::empty;
      node.operands.clear();
      node.name.clear();
    }
    for (auto* definitions : {&model_.definitions, &model_.shown})
      for (Definition& definition : *definitions) definition.node = same_as_[index(definition.node)];
    for (auto* tests : {&model_.axioms, &model_.flags})
      for (Test& test : *tests) test.node = same_as_[index(test.node)];
    return std::move(model_);
  }

 private:
  /// What is known of a value: all events or all pairs, or the identity of all events.
  enum class Value : std::uint8_t { other, empty, all, identity };

  static std::size_t index(NodeId id) { return static_cast<std::size_t>(id); }
  Node& at(NodeId id) { return model_.nodes[index(id)]; }
  Value operand(const Node& node, std::size_t i) const { return value_[index(node.operands[i])]; }

  Value value_of(const Node& node) const {
    const auto is = [&](std::size_t i, Value value) { return operand(node, i) == value; };
    const auto empty_if = [](bool condition) { return condition ? Value::empty : Value::other; };
    switch (node.op) {
      case Operator::empty:
        return Value::empty;
      case Operator::universe:
        return Value::all;
      case Operator::base:
        return empty_if(node.kind == Kind::set && has_none(node.name, events_));
      case Operator::complement:
        return is(0, Value::empty) ? Value::all : empty_if(is(0, Value::all));
      case Operator::unite:
        if (is(0, Value::all) || is(1, Value::all)) return Value::all;
        return empty_if(is(0, Value::empty) && is(1, Value::empty));
      case Operator::intersect:
      case Operator::product:
        if (is(0, Value::all) && is(1, Value::all)) return Value::all;
        return empty_if(is(0, Value::empty) || is(1, Value::empty));
      case Operator::subtract:
        if (is(0, Value::all) && is(1, Value::empty)) return Value::all;
        return empty_if(is(0, Value::empty) || is(1, Value::all));
      case Operator::compose:
        return empty_if(is(0, Value::empty) || is(1, Value::empty));
      case Operator::identity:
        return is(0, Value::all) ? Value::identity : empty_if(is(0, Value::empty));
      case Operator::inverse:
      case Operator::closure:
      case Operator::domain:
      case Operator::range:
        return empty_if(is(0, Value::empty));
      default:
        return Value::other;
    }
  }

  /// An operand of the node that has the value of the node.
  std::optional<NodeId> operand_with_value_of(const Node& node) const {
    const auto neutral = [&](Value value) -> std::optional<NodeId> {
      if (operand(node, 1) == value) return node.operands[0];
      if (operand(node, 0) == value) return node.operands[1];
      return std::nullopt;
    };
    switch (node.op) {
      case Operator::unite:
        return neutral(Value::empty);
      case Operator::intersect:
        return neutral(Value::all);
      case Operator::compose:
        return neutral(Value::identity);
      case Operator::subtract:
        return operand(node, 1) == Value::empty ? std::optional(node.operands[0]) : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  Model model_;
  std::span<const Event> events_;
  std::vector<Value> value_;     // by node
  std::vector<NodeId> same_as_;  // by node: one with the same value, by which operands are replaced
};

void make_small(Model& model, Test& test) {
  if (test.form != Test::Form::irreflexive) return;
  test.node = pairs_with_itself(model, test.node);
  test.form = Test::Form::empty;
}

}  // namespace

Model with_small_tests(Model model) {
  for (Test& axiom : model.axioms) make_small(model, axiom);
  for (Test& flag : model.flags) make_small(model, flag);
  return model;
}

Model specialized(Model model, std::span<const Event> events) {
  return Specialization(std::move(model), events).run();
}

}  // namespace ptxmc::cat
