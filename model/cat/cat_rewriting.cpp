#include "model/cat/cat_rewriting.hpp"

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

}  // namespace ptxmc::cat
