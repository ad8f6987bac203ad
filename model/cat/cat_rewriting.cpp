#include "model/cat/cat_rewriting.hpp"

#include <algorithm>

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

/// Whether the value of the node is empty, given that of its operands.
bool is_certainly_empty(const Model& model, const Node& node, std::span<const Event> events) {
  const auto is_empty = [&](std::size_t operand) {
    return model.nodes[static_cast<std::size_t>(node.operands[operand])].op == Operator::empty;
  };
  switch (node.op) {
    case Operator::base:
      return node.kind == Kind::set && has_none(node.name, events);
    case Operator::unite:
      return is_empty(0) && is_empty(1);
    case Operator::intersect:
    case Operator::product:
    case Operator::compose:
      return is_empty(0) || is_empty(1);
    case Operator::subtract:
    case Operator::identity:
    case Operator::inverse:
    case Operator::closure:
    case Operator::domain:
    case Operator::range:
      return is_empty(0);
    default:
      return false;
  }
}

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

Model without_empty_parts(Model model, std::span<const Event> events) {
  for (Node& node : model.nodes) {
    if (node.owner >= 0 || !is_certainly_empty(model, node, events)) continue;
    node.op = Operator::empty;
    node.operands.clear();
    node.name.clear();
  }
  return model;
}

}  // namespace ptxmc::cat
