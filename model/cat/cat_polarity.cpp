#include "model/cat/cat_polarity.hpp"

#include <algorithm>

#include "model/cat/cat_graph.hpp"

namespace ptxmc::cat {

namespace {

/// The direction in which a change of a value can make an assertion fail.
struct Signs {
  bool when_larger = false;
  bool when_smaller = false;

  bool any() const { return when_larger || when_smaller; }
  void add(const Signs& more) {
    when_larger |= more.when_larger;
    when_smaller |= more.when_smaller;
  }
};

constexpr Signs positively = {.when_larger = true, .when_smaller = false};
constexpr Signs negatively = {.when_larger = false, .when_smaller = true};
constexpr Signs exactly = {.when_larger = true, .when_smaller = true};

}  // namespace

std::vector<Use> uses(const Model& model, std::span<const NodeId> exact, bool flags) {
  std::vector<Signs> signs(model.nodes.size());
  const auto use = [&](NodeId id, const Signs& how) { signs[static_cast<std::size_t>(id)].add(how); };
  for (const Test& axiom : model.axioms) use(axiom.node, axiom.negated ? negatively : positively);
  if (flags)
    for (const Test& flag : model.flags) use(flag.node, flag.negated ? negatively : positively);
  for (const NodeId id : exact) use(id, exactly);
  for (std::size_t i = model.nodes.size(); i-- > 0;) {  // users follow their operands
    const Node& node = model.nodes[i];
    if (!signs[i].any()) continue;
    if (node.op == Operator::fixpoint && node.index > 0) {
      use(static_cast<NodeId>(i) - node.index, signs[i]);  // computes all names of the recursion
      continue;
    }
    const auto& operands = parts(node, model.recursions);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      Signs how = node.op == Operator::orientations ? exactly : signs[i];
      if (is_antitone(node.op, k)) std::swap(how.when_larger, how.when_smaller);
      use(operands[k], how);
    }
  }
  std::vector<Use> result;
  result.reserve(signs.size());
  for (const Signs& how : signs)
    result.push_back(how.when_smaller ? Use::exact : how.when_larger ? Use::positive : Use::none);
  return result;
}

namespace {

/// How a value changes for the existing events while the execution grows.
struct Change {
  bool grows = false;
  bool shrinks = false;
};

/// Whether the value for some events depends only on these events.
bool is_pointwise(const Model& model, const Node& node) {
  const auto is_identity = [&](NodeId id) {
    return model.nodes[static_cast<std::size_t>(id)].op == Operator::identity;
  };
  switch (node.op) {
    case Operator::universe:
    case Operator::empty:
    case Operator::unite:
    case Operator::intersect:
    case Operator::subtract:
    case Operator::complement:
    case Operator::product:
    case Operator::identity:
    case Operator::inverse:
    case Operator::optional:
      return true;
    case Operator::compose:
      return is_identity(node.operands[0]) || is_identity(node.operands[1]);
    default:
      return false;
  }
}

std::vector<Change> changes(const Model& model, const std::function<bool(const std::string&)>& is_static) {
  std::vector<Change> result(model.nodes.size());
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const Node& node = model.nodes[i];
    Change& change = result[i];
    change.grows = node.op == Operator::base ? !is_static(node.name) : !is_pointwise(model, node);
    const auto& operands = parts(node, model.recursions);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      Change part = result[static_cast<std::size_t>(operands[k])];
      if (is_antitone(node.op, k)) std::swap(part.grows, part.shrinks);
      change.grows |= part.grows;
      change.shrinks |= part.shrinks;
    }
  }
  return result;
}

}  // namespace

std::vector<bool> monotone_axioms(const Model& model,
                                  const std::function<bool(const std::string&)>& is_static) {
  const std::vector<Change> change = changes(model, is_static);
  std::vector<bool> result;
  for (const Test& axiom : model.axioms) {
    const Change& tested = change[static_cast<std::size_t>(axiom.node)];
    result.push_back(axiom.negated ? !tested.grows : !tested.shrinks);
  }
  return result;
}

}  // namespace ptxmc::cat
