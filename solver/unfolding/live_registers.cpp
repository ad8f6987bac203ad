#include "solver/unfolding/live_registers.hpp"

#include <algorithm>

#include "semantics/language/form.hpp"

namespace ptxmc {

namespace {

/// The slice of the code that has consequences (M. Weiser, Program slicing, 1984): effects, the values that
/// they use, and the branches that decide which effect comes next.
class Slice {
 public:
  Slice(std::span<const Instruction> code, std::span<const RegisterUse> uses, const ControlFlowGraph& graph,
        std::size_t register_count, std::span<const RegisterId> observed)
      : code_(code),
        uses_(uses),
        graph_(graph),
        live_(code.size() + 1, std::vector<bool>(register_count, false)),
        decides_(code.size(), true) {
    for (const RegisterId id : observed) live_.back()[id] = true;
    for (Target node = 0; node < code.size(); ++node)
      if (is_choice(node)) decides_[node] = graph.enclosing_heads(node).empty() || decides_about_loop(node);
  }

  std::vector<std::vector<bool>> live_registers() {
    do find_live();
    while (find_decisions());
    return std::move(live_);
  }

 private:
  /// Whether a node has no effect except a choice between several successors.
  bool is_choice(Target node) const { return goes_elsewhere(node) && graph_.successors(node).size() > 1; }

  bool goes_elsewhere(Target node) const {
    const Flow flow = code_[node].form->definition->flow;
    return flow == Flow::branch || flow == Flow::jump;
  }

  bool decides_about_loop(Target node) const {
    for (std::size_t depth = 0; depth < graph_.enclosing_heads(node).size(); ++depth)
      if (graph_.decides_about(node, depth)) return true;
    return false;
  }

  /// Repeats until nothing changes; additional deciding branches only make more registers live.
  void find_live() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Target node : graph_.backwards()) {
        if (node == code_.size()) continue;
        auto before = live_before(node);
        if (before == live_[node]) continue;
        live_[node] = std::move(before);
        changed = true;
      }
    }
  }

  std::vector<bool> live_after(Target node) const {
    std::vector<bool> result(live_[node].size(), false);
    for (const Target next : graph_.successors(node))
      for (std::size_t r = 0; r < result.size(); ++r) result[r] = result[r] || live_[next][r];
    return result;
  }

  std::vector<bool> live_before(Target node) const {
    auto result = live_after(node);
    const Instruction& instruction = code_[node];
    const RegisterUse& use = uses_[node];
    const bool matters = has_consequence(node, result);
    if (!instruction.guard)
      for (const RegisterId written : use.written) result[written] = false;
    if (!matters) return result;
    for (const auto* read : {&use.address, &use.data})
      for (const RegisterId source : *read) result[source] = true;
    if (instruction.guard) result[instruction.guard->predicate] = true;
    return result;
  }

  bool has_consequence(Target node, const std::vector<bool>& live_after) const {
    const Instruction& instruction = code_[node];
    if (only_waits(instruction)) return false;
    if (is_choice(node)) return decides_[node];
    if (goes_elsewhere(node)) return false;
    return has_effects(instruction) ||
           std::ranges::any_of(uses_[node].written, [&](RegisterId written) { return live_after[written]; });
  }

  /// Adds the branches whose successors have different first consequences. Returns whether any were added.
  bool find_decisions() {
    constexpr Target none = static_cast<Target>(-1);
    std::vector<Target> first(code_.size() + 1, none);  // by node: the first consequence from there on
    first.back() = static_cast<Target>(code_.size());
    for (Target node = 0; node < code_.size(); ++node)
      if (has_consequence(node, live_after(node))) first[node] = node;
    bool any_new = false;
    for (bool changed = true; changed;) {
      changed = false;
      for (const Target node : graph_.backwards()) {
        if (node == code_.size()) continue;
        if (first[node] == node) continue;
        Target found = none;
        bool is_decision = false;
        for (const Target next : graph_.successors(node)) {
          is_decision = is_decision || (found != none && first[next] != none && first[next] != found);
          if (first[next] != none) found = first[next];
        }
        if (is_decision) {
          found = node;
          decides_[node] = any_new = true;
        }
        changed = changed || found != first[node];
        first[node] = found;
      }
    }
    return any_new;
  }

  std::span<const Instruction> code_;
  std::span<const RegisterUse> uses_;
  const ControlFlowGraph& graph_;
  std::vector<std::vector<bool>> live_;
  std::vector<bool> decides_;  // by branch: its direction has consequences
};

}  // namespace

std::vector<std::vector<bool>> live_registers(std::span<const Instruction> code,
                                              std::span<const RegisterUse> uses,
                                              const ControlFlowGraph& graph, std::size_t register_count,
                                              std::span<const RegisterId> observed) {
  return Slice(code, uses, graph, register_count, observed).live_registers();
}

}  // namespace ptxmc
