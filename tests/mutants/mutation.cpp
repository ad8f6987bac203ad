#include "tests/mutants/mutation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ptxmc {

using cat::Definition;
using cat::Model;
using cat::Node;
using cat::NodeId;

namespace {

const Node& node_of(const Model& model, NodeId id) { return model.nodes[static_cast<std::size_t>(id)]; }

std::string expression_text(const Model& model, NodeId id);
std::string operand_text(const Model& model, NodeId id);

bool has_name(const Model& model, NodeId id) {
  return std::any_of(model.definitions.begin(), model.definitions.end(),
                     [&](const Definition& definition) { return definition.node == id; });
}

/// `(a | b) | c` without its parentheses.
std::string joined(const Model& model, const Node& node, const char* separator) {
  std::string text;
  for (const NodeId operand : node.operands) {
    const bool goes_on = text.empty() && node.op != cat::Operator::subtract && !has_name(model, operand) &&
                         node_of(model, operand).op == node.op;
    text += (text.empty() ? "" : separator) +
            (goes_on ? expression_text(model, operand) : operand_text(model, operand));
  }
  return text;
}

/// The expression, with what it is made of by name where it has one.
std::string expression_text(const Model& model, NodeId id) {
  const Node& node = node_of(model, id);
  const auto operand = [&] { return operand_text(model, node.operands.front()); };
  switch (node.op) {
    case cat::Operator::universe:
      return "_";
    case cat::Operator::empty:
      return "0";
    case cat::Operator::unite:
      return joined(model, node, " | ");
    case cat::Operator::intersect:
      return joined(model, node, " & ");
    case cat::Operator::subtract:
      return joined(model, node, " \\ ");
    case cat::Operator::product:
      return joined(model, node, " * ");
    case cat::Operator::compose:
      return joined(model, node, "; ");
    case cat::Operator::complement:
      return "~" + operand();
    case cat::Operator::identity:
      return "[" +
             (has_name(model, node.operands.front()) ? operand()
                                                     : expression_text(model, node.operands.front())) +
             "]";
    case cat::Operator::inverse:
      return operand() + "^-1";
    case cat::Operator::optional:
      return operand() + "?";
    case cat::Operator::closure:
      return operand() + "+";
    case cat::Operator::domain:
      return "domain(" + operand() + ")";
    case cat::Operator::range:
      return "range(" + operand() + ")";
    case cat::Operator::from_reads:
      return "from_reads(" + operand() + ")";
    case cat::Operator::orientations:
      return "orientations(" + operand() + ")";
    case cat::Operator::total_coherence:
    case cat::Operator::partial_coherence:
      return "co";
    case cat::Operator::base:
    case cat::Operator::variable:
    case cat::Operator::fixpoint:
      return node.name;
  }
  return {};
}

std::string operand_text(const Model& model, NodeId id) {
  const auto named = std::find_if(model.definitions.begin(), model.definitions.end(),
                                  [&](const Definition& definition) { return definition.node == id; });
  if (named != model.definitions.end()) return named->name;
  const Node& node = node_of(model, id);
  const bool binary = node.operands.size() > 1;
  return binary ? "(" + expression_text(model, id) + ")" : expression_text(model, id);
}

/// All uses of one node become uses of another.
Model redirected(Model model, NodeId from, NodeId to) {
  const auto redirect = [&](NodeId& id) {
    if (id == from) id = to;
  };
  for (Node& node : model.nodes) std::for_each(node.operands.begin(), node.operands.end(), redirect);
  for (cat::Recursion& recursion : model.recursions)
    std::for_each(recursion.bodies.begin(), recursion.bodies.end(), redirect);
  for (auto* definitions : {&model.definitions, &model.shown})
    for (Definition& definition : *definitions) redirect(definition.node);
  for (auto* tests : {&model.axioms, &model.flags})
    for (cat::Test& test : *tests) redirect(test.node);
  return model;
}

Model emptied(Model model, NodeId id) {
  Node& node = model.nodes[static_cast<std::size_t>(id)];
  node.op = cat::Operator::empty;
  node.operands.clear();
  return model;
}

void leave_out_axioms(const Model& model, std::vector<Mutant>& mutants) {
  for (std::size_t i = 0; i < model.axioms.size(); ++i) {
    Mutant mutant{"without axiom `" + model.axioms[i].name + "`", model.axioms[i].place, model};
    mutant.model.axioms.erase(mutant.model.axioms.begin() + static_cast<std::ptrdiff_t>(i));
    mutants.push_back(std::move(mutant));
  }
}

void empty_definitions(const Model& model, std::vector<Mutant>& mutants) {
  for (const Definition& definition : model.definitions) {
    const Node& node = node_of(model, definition.node);
    const bool of_this_text = model.find(definition.name)->node == definition.node && !node.operands.empty();
    if (of_this_text && node.op != cat::Operator::orientations)
      mutants.push_back(
          {"`" + definition.name + "` is empty", definition.place, emptied(model, definition.node)});
  }
}

void keep_one_operand(const Model& model, NodeId id, std::size_t kept, std::vector<Mutant>& mutants) {
  const Node& node = node_of(model, id);
  const NodeId dropped = node.operands[1 - kept];
  constexpr std::size_t longest = 400;
  std::string text = fmt::format("`{}` instead of `{}`", operand_text(model, node.operands[kept]),
                                 expression_text(model, id));
  if (text.size() > longest && node.op == cat::Operator::unite)
    text = fmt::format("without the alternative `{}`", operand_text(model, dropped));
  mutants.push_back(
      {std::move(text), node_of(model, dropped).place, redirected(model, id, node.operands[kept])});
}

void weaken_operation(const Model& model, NodeId id, std::vector<Mutant>& mutants) {
  const Node& node = node_of(model, id);
  switch (node.op) {
    case cat::Operator::unite:
    case cat::Operator::intersect:
      keep_one_operand(model, id, 0, mutants);
      keep_one_operand(model, id, 1, mutants);
      break;
    case cat::Operator::subtract:
      keep_one_operand(model, id, 0, mutants);
      break;
    case cat::Operator::optional:
    case cat::Operator::closure:
      mutants.push_back({fmt::format("`{}` instead of `{}`", operand_text(model, node.operands[0]),
                                     expression_text(model, id)),
                         node.place, redirected(model, id, node.operands[0])});
      break;
    case cat::Operator::compose:
      for (const std::size_t side : {0, 1})
        if (node_of(model, node.operands[side]).op == cat::Operator::identity)
          keep_one_operand(model, id, 1 - side, mutants);
      break;
    default:
      break;
  }
}

/// The nodes that an axiom or a flag is made of.
std::set<NodeId> used_nodes(const Model& model) {
  std::set<NodeId> used;
  for (const auto* tests : {&model.axioms, &model.flags})
    for (const cat::Test& test : *tests) used.insert(test.node);
  for (NodeId id = static_cast<NodeId>(model.nodes.size()) - 1; id >= 0; --id)
    if (used.contains(id))
      for (const NodeId operand : node_of(model, id).operands) used.insert(operand);
  return used;
}

}  // namespace

std::vector<Mutant> mutants_of(const Model& model) {
  std::vector<Mutant> mutants;
  leave_out_axioms(model, mutants);
  empty_definitions(model, mutants);
  for (const NodeId id : used_nodes(model)) weaken_operation(model, id, mutants);
  std::erase_if(mutants,
                [&](const Mutant& mutant) { return model.files[mutant.place.file] != model.name + ".cat"; });
  std::stable_sort(mutants.begin(), mutants.end(), [](const Mutant& a, const Mutant& b) {
    return std::tie(a.place.file, a.place.where.line) < std::tie(b.place.file, b.place.where.line);
  });
  return mutants;
}

}  // namespace ptxmc
