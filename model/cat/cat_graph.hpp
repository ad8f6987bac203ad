#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "model/cat/checked_model.hpp"

namespace ptxmc::cat {

/// The nodes of a model while it is built. Equal nodes are created only once. A Graph is a value: a copy
/// saves the state for backtracking.
class Graph {
 public:
  NodeId make(Operator op, Kind kind, std::vector<NodeId> operands, const Place& place,
              std::string name = {});

  RecursionId open_recursion(std::vector<Kind> kinds);
  /// Creates a new node for each occurrence of a variable.
  NodeId variable(RecursionId, int index, const std::string& name, const Place&);
  /// The fixpoint nodes, by index.
  std::vector<NodeId> close_recursion(RecursionId, std::vector<NodeId> bodies,
                                      const std::vector<std::string>& names, const Place&);

  /// The depth of the expression of a node, including the bodies of a `let rec`.
  unsigned depth(NodeId id) const { return depth_[static_cast<std::size_t>(id)]; }

  const Node& operator[](NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }

  /// The first variable of a recursion that occurs negatively in its bodies; -1 if the recursion is monotone.
  NodeId negative_variable(RecursionId) const;

  void move_into(Model&);

 private:
  using Content = std::tuple<Operator, Kind, std::vector<NodeId>, std::string>;

  /// `below` are the nodes that it consists of.
  NodeId append(Node, std::vector<RecursionId> open, const std::vector<NodeId>& below);

  std::vector<Node> nodes_;
  // By node: the recursions on whose variables it depends, sorted.
  std::vector<std::vector<RecursionId>> open_;
  std::vector<unsigned> depth_;  // by node
  std::vector<Recursion> recursions_;
  std::map<Content, NodeId> made_;
};

/// The nodes that a node consists of: its operands, or for a fixpoint the bodies of its recursion.
const std::vector<NodeId>& parts(const Node&, const std::vector<Recursion>&);

/// Whether a larger value of this operand makes the result smaller.
bool is_antitone(Operator, std::size_t index);

}  // namespace ptxmc::cat
