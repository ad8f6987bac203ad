#include "model/cat/cat_graph.hpp"

#include <algorithm>
#include <set>

namespace ptxmc::cat {

const std::vector<NodeId>& parts(const Node& node, const std::vector<Recursion>& recursions) {
  if (node.op != Operator::fixpoint) return node.operands;
  return recursions[static_cast<std::size_t>(node.recursion)].bodies;
}

bool is_antitone(Operator op, std::size_t index) {
  return op == Operator::complement || (op == Operator::subtract && index == 1);
}

NodeId Graph::append(Node node, std::vector<RecursionId> open, const std::vector<NodeId>& below) {
  unsigned depth_below = 0;
  for (const NodeId part : below) depth_below = std::max(depth_below, depth(part));
  depth_.push_back(depth_below + 1);
  node.owner = open.empty() ? -1 : open.back();
  nodes_.push_back(std::move(node));
  open_.push_back(std::move(open));
  return static_cast<NodeId>(nodes_.size() - 1);
}

NodeId Graph::make(Operator op, Kind kind, std::vector<NodeId> operands, const Place& place,
                   std::string name) {
  Content content{op, kind, operands, name};
  if (const auto made = made_.find(content); made != made_.end()) return made->second;
  std::vector<RecursionId> open;
  for (const NodeId operand : operands) {
    const auto& more = open_[static_cast<std::size_t>(operand)];
    std::vector<RecursionId> both;
    std::set_union(open.begin(), open.end(), more.begin(), more.end(), std::back_inserter(both));
    open = std::move(both);
  }
  Node node{.op = op, .kind = kind, .operands = operands, .name = std::move(name), .place = place};
  const NodeId id = append(std::move(node), std::move(open), operands);
  made_.emplace(std::move(content), id);
  return id;
}

RecursionId Graph::open_recursion(std::vector<Kind> kinds) {
  recursions_.push_back({.bodies = {}, .dependents = {}, .kinds = std::move(kinds)});
  return static_cast<RecursionId>(recursions_.size() - 1);
}

NodeId Graph::variable(RecursionId recursion, int index, const std::string& name, const Place& place) {
  const auto& kinds = recursions_[static_cast<std::size_t>(recursion)].kinds;
  Node node{.op = Operator::variable,
            .kind = kinds[static_cast<std::size_t>(index)],
            .operands = {},
            .name = name,
            .recursion = recursion,
            .index = index,
            .place = place};
  return append(std::move(node), {recursion}, {});
}

std::vector<NodeId> Graph::close_recursion(RecursionId id, std::vector<NodeId> bodies,
                                           const std::vector<std::string>& names, const Place& place) {
  Recursion& recursion = recursions_[static_cast<std::size_t>(id)];
  std::set<RecursionId> open;
  for (const NodeId body : bodies) {
    const auto& more = open_[static_cast<std::size_t>(body)];
    open.insert(more.begin(), more.end());
  }
  open.erase(id);
  recursion.bodies = std::move(bodies);
  std::vector<NodeId> fixpoints;
  for (std::size_t i = 0; i < names.size(); ++i) {
    Node node{.op = Operator::fixpoint,
              .kind = recursion.kinds[i],
              .operands = {},
              .name = names[i],
              .recursion = id,
              .index = static_cast<int>(i),
              .place = place};
    fixpoints.push_back(append(std::move(node), {open.begin(), open.end()}, recursion.bodies));
  }
  return fixpoints;
}

NodeId Graph::negative_variable(RecursionId id) const {
  struct Visit {
    NodeId node;
    bool negative;
    auto operator<=>(const Visit&) const = default;
  };
  std::vector<Visit> to_do;
  std::set<Visit> done;
  NodeId found = -1;
  for (const NodeId body : recursions_[static_cast<std::size_t>(id)].bodies) to_do.push_back({body, false});
  while (!to_do.empty()) {
    const Visit visit = to_do.back();
    to_do.pop_back();
    const auto& open = open_[static_cast<std::size_t>(visit.node)];
    if (!std::binary_search(open.begin(), open.end(), id) || !done.insert(visit).second) continue;
    const Node& node = (*this)[visit.node];
    if (node.op == Operator::variable && visit.negative && (found < 0 || visit.node < found))
      found = visit.node;
    const auto& operands = parts(node, recursions_);
    for (std::size_t i = 0; i < operands.size(); ++i)
      to_do.push_back({operands[i], visit.negative != is_antitone(node.op, i)});
  }
  return found;
}

void Graph::move_into(Model& model) {
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].owner >= 0)
      recursions_[static_cast<std::size_t>(nodes_[i].owner)].dependents.push_back(static_cast<NodeId>(i));
  model.nodes = std::move(nodes_);
  model.recursions = std::move(recursions_);
}

}  // namespace ptxmc::cat
