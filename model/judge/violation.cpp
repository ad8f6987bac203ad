#include "model/judge/violation.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string_view>

#include "model/cat/cat_evaluator.hpp"
#include "model/judge/concrete_relations.hpp"

namespace ptxmc {
namespace {

/// Relations that readers of the model know; they are not split into further steps.
constexpr std::array<std::string_view, 9> known_relations = {
    "rf", "co", "fr", "po", "rmw", "dep", "fence_sc", "barrier_synchronizes", "pattern_synchronizes"};

class Explainer {
 public:
  Explainer(const cat::Model& model, const Execution& execution)
      : model_(model),
        relations_(execution),
        outcome_(cat::evaluate(model, relations_, {.all_definitions = true, .nodes = {}})) {}

  std::vector<RelatedPair> violation(const cat::Test& test) {
    if (test.negated) return {};
    const BitMatrix* relation = matrix(test.node);
    if (relation == nullptr) return {};
    if (test.form == cat::Test::Form::acyclic) return cycle(test.node, relation->shortest_cycle());
    for (const auto& [a, b] : relation->pairs())
      if (a == b || test.form == cat::Test::Form::empty) return expand(test.node, a, b);
    return {};
  }

  std::vector<RelatedPair> derivation(const std::string& name, EventId from, EventId to) {
    const cat::Definition* definition = model_.find(name);
    if (!definition || !relates(definition->node, from, to)) return {};
    return take_apart(definition->node, from, to);
  }

 private:
  const BitMatrix* matrix(cat::NodeId node) const {
    const auto& value = outcome_.values[static_cast<std::size_t>(node)];
    return value ? std::get_if<BitMatrix>(&*value) : nullptr;
  }

  bool relates(cat::NodeId node, std::size_t a, std::size_t b) const {
    const BitMatrix* relation = matrix(node);
    return relation != nullptr && relation->contains(a, b);
  }

  std::vector<RelatedPair> cycle(cat::NodeId node, const std::vector<std::size_t>& events) {
    std::vector<RelatedPair> path;
    for (std::size_t i = 0; i < events.size(); ++i)
      append(path, expand(node, events[i], events[(i + 1) % events.size()]));
    return path;
  }

  static void append(std::vector<RelatedPair>& path, const std::vector<RelatedPair>& more) {
    path.insert(path.end(), more.begin(), more.end());
  }

  /// The name of a relation that reports show as one step.
  std::optional<std::string> shown_name(cat::NodeId node) const {
    for (const cat::Definition& definition : model_.definitions)
      if (definition.node == node &&
          std::find(known_relations.begin(), known_relations.end(), definition.name) != known_relations.end())
        return definition.name;
    return std::nullopt;
  }

  std::optional<std::string> known_name(cat::NodeId node) const {
    if (auto name = shown_name(node)) return name;
    const cat::Node& content = model_.nodes[static_cast<std::size_t>(node)];
    if (content.op == cat::Operator::base || content.op == cat::Operator::orientations) return content.name;
    return std::nullopt;
  }

  /// The steps of a pair: in a union those of the operand that has it, in a composition those of both
  /// operands, in a closure those of a shortest path. `&` and `\` restrict their first operand.
  std::vector<RelatedPair> expand(cat::NodeId id, std::size_t a, std::size_t b) {
    // A pair (a, a) of an irreflexive relation is split into steps to show the cycle.
    if (const auto name = known_name(id); name && a != b)
      return {{*name, static_cast<EventId>(a), static_cast<EventId>(b)}};
    return take_apart(id, a, b);
  }

  std::vector<RelatedPair> take_apart(cat::NodeId id, std::size_t a, std::size_t b) {
    const cat::Node& node = model_.nodes[static_cast<std::size_t>(id)];
    switch (node.op) {
      case cat::Operator::unite:
        return expand(relates(node.operands[0], a, b) ? node.operands[0] : node.operands[1], a, b);
      case cat::Operator::intersect:
      case cat::Operator::subtract:
        return expand(more_telling(node), a, b);
      case cat::Operator::inverse:
        return expand(node.operands[0], b, a);
      case cat::Operator::optional:
        return a == b ? std::vector<RelatedPair>{} : expand(node.operands[0], a, b);
      case cat::Operator::identity:
        return {};
      case cat::Operator::compose:
        return expand_composition(node, a, b);
      case cat::Operator::closure:
        return expand_closure(node.operands[0], a, b);
      default:
        return {{name_of(id), static_cast<EventId>(a), static_cast<EventId>(b)}};
    }
  }

  /// Whether the relation consists of steps: it contains a composition, a closure or a choice.
  bool is_path(cat::NodeId id) const {
    const cat::Node& node = model_.nodes[static_cast<std::size_t>(id)];
    if (node.op == cat::Operator::intersect) return is_path(node.operands[0]) || is_path(node.operands[1]);
    return node.op == cat::Operator::compose || node.op == cat::Operator::closure ||
           node.op == cat::Operator::unite;
  }

  /// In an intersection the operand that reports show as one step, or that is a path; the other one is a
  /// restriction.
  cat::NodeId more_telling(const cat::Node& node) const {
    if (node.op == cat::Operator::subtract) return node.operands[0];
    const cat::NodeId first = node.operands[0];
    const cat::NodeId second = node.operands[1];
    if (shown_name(first).has_value() != shown_name(second).has_value())
      return shown_name(first) ? first : second;
    if (is_path(first) != is_path(second)) return is_path(first) ? first : second;
    return known_name(second) && !known_name(first) ? second : first;
  }

  std::vector<RelatedPair> expand_composition(const cat::Node& node, std::size_t a, std::size_t b) {
    for (std::size_t middle = 0; middle < matrix(node.operands[0])->size(); ++middle)
      if (relates(node.operands[0], a, middle) && relates(node.operands[1], middle, b)) {
        auto path = expand(node.operands[0], a, middle);
        append(path, expand(node.operands[1], middle, b));
        return path;
      }
    return {};
  }

  std::vector<RelatedPair> expand_closure(cat::NodeId step, std::size_t a, std::size_t b) {
    const BitMatrix& relation = *matrix(step);
    std::vector<std::size_t> before(relation.size(), relation.size());
    std::deque<std::size_t> work{a};
    while (!work.empty() && before[b] == relation.size()) {
      const std::size_t event = work.front();
      work.pop_front();
      relation.for_each_successor(event, [&](std::size_t next) {
        if (before[next] != relation.size()) return;
        before[next] = event;
        work.push_back(next);
      });
    }
    std::vector<RelatedPair> path;
    if (before[b] == relation.size()) return path;
    for (std::size_t to = b;;) {
      auto steps = expand(step, before[to], to);
      append(steps, path);
      path = std::move(steps);
      to = before[to];
      if (to == a) return path;
    }
  }

  std::string name_of(cat::NodeId id) const {
    for (const cat::Definition& definition : model_.definitions)
      if (definition.node == id) return definition.name;
    return "related";
  }

  const cat::Model& model_;
  ConcreteRelations relations_;
  const cat::Outcome<ConcreteRelations> outcome_;
};

}  // namespace

std::vector<RelatedPair> violation(const cat::Model& model, std::size_t axiom, const Execution& execution) {
  return Explainer(model, execution).violation(model.axioms[axiom]);
}

std::vector<RelatedPair> derivation(const cat::Model& model, const std::string& relation, EventId from,
                                    EventId to, const Execution& execution) {
  return Explainer(model, execution).derivation(relation, from, to);
}

}  // namespace ptxmc
