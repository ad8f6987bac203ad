#include "solver/control_flow_graph.hpp"

#include <algorithm>
#include <limits>

#include "semantics/form.hpp"

namespace ptxmc {

/// Bourdoncle's recursive algorithm with an explicit stack: the visits of a component's body nest in
/// the visit of its head.
struct ControlFlowGraph::Ordering {
  static constexpr unsigned infinity = std::numeric_limits<unsigned>::max();

  struct Element {
    Target node;
    std::vector<Element> body;  // of the component that the node is the head of
    bool is_head = false;
  };

  explicit Ordering(ControlFlowGraph& graph) : graph(graph), number(graph.successors_.size(), 0) {}

  /// Returns the lowest number reachable backwards; puts what it completes in front of `partition`
  /// (here: behind it, and the whole is reversed at the end).
  unsigned visit(Target node, std::vector<Element>& partition) {
    stack.push_back(node);
    number[node] = ++counter;
    unsigned lowest = number[node];
    bool loop = false;
    for (Target next : graph.successors_[node]) {
      const unsigned reached = number[next] == 0 ? visit(next, partition) : number[next];
      if (reached <= lowest) {
        lowest = reached;
        loop = true;
      }
    }
    if (lowest == number[node]) {
      number[node] = infinity;
      Target last = stack.back();
      stack.pop_back();
      if (loop) {
        while (last != node) {
          number[last] = 0;
          last = stack.back();
          stack.pop_back();
        }
        partition.push_back(component(node));
      } else {
        partition.push_back({node, {}, false});
      }
    }
    return lowest;
  }

  Element component(Target head) {
    std::vector<Element> body;
    for (Target next : graph.successors_[head])
      if (number[next] == 0) visit(next, body);
    return {head, std::move(body), true};
  }

  void place(const std::vector<Element>& partition, const std::vector<Target>& enclosing) {
    for (auto element = partition.rbegin(); element != partition.rend(); ++element) {
      graph.position_[element->node] = placed++;
      auto heads = enclosing;
      if (element->is_head) heads.push_back(element->node);
      graph.heads_[element->node] = heads;
      place(element->body, heads);
    }
  }

  ControlFlowGraph& graph;
  std::vector<unsigned> number;  // 0: not visited; infinity: completed
  std::vector<Target> stack;
  unsigned counter = 0;
  unsigned placed = 0;
};

ControlFlowGraph::ControlFlowGraph(std::span<const Instruction> code)
    : successors_(code.size() + 1), position_(code.size() + 1, 0), heads_(code.size() + 1) {
  for (Target node = 0; node < code.size(); ++node) {
    const ControlFlow flow = control_flow(code[node]);
    successors_[node] = flow.targets;
    if (flow.falls_through) successors_[node].push_back(node + 1);
  }
  Ordering ordering(*this);
  std::vector<Ordering::Element> partition;
  ordering.visit(0, partition);
  ordering.place(partition, {});
  find_ways_out(code);
}

void ControlFlowGraph::find_ways_out(std::span<const Instruction> code) {
  may_end_.resize(successors_.size(), false);
  ways_out_.resize(successors_.size());
  for (Target node = 0; node < successors_.size(); ++node) ways_out_[node].resize(heads_[node].size(), false);
  for (Target node = 0; node < code.size(); ++node)
    may_end_[node] = code[node].form->definition->flow == Flow::end;
  for (bool changed = true; changed;) {
    changed = false;
    for (Target node = static_cast<Target>(successors_.size()); node-- > 0;)
      for (std::size_t depth = 0; depth < heads_[node].size(); ++depth) {
        if (ways_out_[node][depth]) continue;
        const Target head = heads_[node][depth];
        if (!may_end_[node] && std::ranges::none_of(successors_[node], [&](Target next) {
              return leads_out(next, head, depth);
            }))
          continue;
        ways_out_[node][depth] = changed = true;
      }
  }
}

bool ControlFlowGraph::is_inside(Target node, Target head, std::size_t depth) const {
  return depth < heads_[node].size() && heads_[node][depth] == head;
}

bool ControlFlowGraph::leads_out(Target next, Target head, std::size_t depth) const {
  return !is_inside(next, head, depth) || (next != head && ways_out_[next][depth]);
}

bool ControlFlowGraph::decides_about(Target node, std::size_t depth) const {
  if (may_end_[node]) return true;
  const Target head = heads_[node][depth];
  bool any_leads_out = false, any_stays = false;
  for (const Target next : successors_[node]) {
    if (!is_inside(next, head, depth)) return true;
    (leads_out(next, head, depth) ? any_leads_out : any_stays) = true;
  }
  return any_leads_out && any_stays;
}

}  // namespace ptxmc
