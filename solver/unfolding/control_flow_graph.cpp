#include "solver/unfolding/control_flow_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/form.hpp"

namespace ptxmc {

/// Bourdoncle's recursive algorithm with an explicit stack, since code may be a million instructions long.
struct ControlFlowGraph::Ordering {
  static constexpr unsigned infinity = std::numeric_limits<unsigned>::max();
  static constexpr std::size_t deepest_loops = 256;

  /// The visit of a node. If the node is the head of a component, the visits of its body follow.
  struct Visit {
    Target node;
    unsigned lowest;       // the lowest number reachable from the node
    std::size_t next = 0;  // index of the next successor
    bool has_loop = false;
    bool is_in_body = false;
  };

  Ordering(ControlFlowGraph& graph, std::span<const Instruction> code)
      : graph(graph), code(code), number(graph.successors_.size(), 0) {}

  void run() {
    visits.push_back(begin(0));
    while (!visits.empty()) {
      Visit& visit = visits.back();
      const std::vector<Target>& successors = graph.successors_[visit.node];
      if (visit.next == successors.size())
        finish(visit);
      else if (const Target next = successors[visit.next]; number[next] == 0)
        visits.push_back(begin(next));
      else
        note_reached(visit, number[next]);
    }
    for (std::size_t i = 0; i < reversed.size(); ++i)
      graph.position_[reversed[i]] = static_cast<unsigned>(reversed.size() - 1 - i);
    for (Target node = 0; node < number.size(); ++node)
      if (number[node] == 0) graph.backwards_.push_back(node);
    graph.backwards_.insert(graph.backwards_.end(), reversed.begin(), reversed.end());
  }

 private:
  Visit begin(Target node) {
    stack.push_back(node);
    number[node] = ++counter;
    return {.node = node, .lowest = counter};
  }

  static void note_reached(Visit& visit, unsigned reached) {
    ++visit.next;
    if (visit.is_in_body || reached > visit.lowest) return;
    visit.lowest = reached;
    visit.has_loop = true;
  }

  void finish(Visit& visit) {
    if (!visit.is_in_body && visit.lowest == number[visit.node]) {
      take_from_stack(visit);
      if (visit.has_loop) return begin_body(visit);
      place(visit.node);
    } else if (visit.is_in_body) {
      place(visit.node);
      heads.pop_back();
    }
    const unsigned reached = visit.lowest;
    visits.pop_back();
    if (!visits.empty()) note_reached(visits.back(), reached);
  }

  /// The other nodes of a component are visited again, as the body of the component.
  void take_from_stack(const Visit& visit) {
    number[visit.node] = infinity;
    for (; stack.back() != visit.node; stack.pop_back()) number[stack.back()] = 0;
    stack.pop_back();
  }

  void begin_body(Visit& visit) {
    if (heads.size() == deepest_loops)
      throw Unsupported(fmt::format("loops nested deeper than {}", deepest_loops), code[visit.node].where);
    heads.push_back(visit.node);
    visit.is_in_body = true;
    visit.next = 0;
  }

  void place(Target node) {
    reversed.push_back(node);
    graph.heads_[node] = heads;
  }

  ControlFlowGraph& graph;
  std::span<const Instruction> code;
  std::vector<unsigned> number;  // 0: not visited; infinity: completed
  std::vector<Target> stack;     // visited nodes that are not yet assigned to a component
  std::vector<Visit> visits;
  std::vector<Target> heads;     // heads of the open components, from the outermost
  std::vector<Target> reversed;  // the nodes placed so far, from the last
  unsigned counter = 0;
};

ControlFlowGraph::ControlFlowGraph(std::span<const Instruction> code)
    : successors_(code.size() + 1), position_(code.size() + 1, 0), heads_(code.size() + 1) {
  for (Target node = 0; node < code.size(); ++node) {
    const ControlFlow flow = control_flow(code[node]);
    successors_[node] = flow.targets;
    if (flow.falls_through) successors_[node].push_back(node + 1);
  }
  Ordering(*this, code).run();
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
    for (const Target node : backwards_)
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
