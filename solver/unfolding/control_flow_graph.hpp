#pragma once

#include <span>
#include <vector>

#include "semantics/language/instruction.hpp"

namespace ptxmc {

/// The control flow of a thread's code: nodes are instructions, and the end (index = size of the code).
///
/// Nodes are placed in a weak topological order (F. Bourdoncle, Efficient chaotic iteration strategies with
/// widenings, 1993): nested components are the loops, each with its head. An edge that does not lead forward
/// in this order is a back edge; it leads to the head of a component that contains its source.
class ControlFlowGraph {
 public:
  /// Throws Unsupported if loops are nested deeper than 256.
  explicit ControlFlowGraph(std::span<const Instruction> code);

  const std::vector<Target>& successors(Target node) const { return successors_[node]; }
  /// The position of a node in the order. A head is the first node of its component.
  unsigned position(Target node) const { return position_[node]; }
  /// All nodes in reverse order, preceded by unreachable nodes. A backward data-flow analysis needs few
  /// rounds in this order.
  const std::vector<Target>& backwards() const { return backwards_; }
  /// The heads of the components that contain the node, starting with the outermost. A component contains its
  /// head.
  const std::vector<Target>& enclosing_heads(Target node) const { return heads_[node]; }
  bool is_back_edge(Target from, Target to) const { return position_[to] <= position_[from]; }
  /// Whether some path leaves the loop with this head or ends the function.
  bool can_be_left(Target head) const { return ways_out_[head].back(); }
  /// Whether the guard of `node` influences the number of iterations of its enclosing loop at `depth`: after
  /// one outcome the loop can be left in this iteration, and after the other it cannot.
  bool decides_about(Target node, std::size_t depth) const;

 private:
  struct Ordering;
  void find_ways_out(std::span<const Instruction> code);
  bool is_inside(Target node, Target head, std::size_t depth) const;
  bool leads_out(Target next, Target head, std::size_t depth) const;
  std::vector<std::vector<Target>> successors_;
  std::vector<unsigned> position_;
  std::vector<Target> backwards_;
  std::vector<std::vector<Target>> heads_;
  std::vector<bool> may_end_;  // the instruction may end its function
  // By depth: the loop can be left before its head is reached again.
  std::vector<std::vector<bool>> ways_out_;
};

}  // namespace ptxmc
