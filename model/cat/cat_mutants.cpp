#include "model/cat/cat_mutants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

namespace ptxmc::cat {

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
    const bool goes_on = text.empty() && node.op != Operator::subtract && !has_name(model, operand) &&
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
    case Operator::universe:
      return "_";
    case Operator::empty:
      return "0";
    case Operator::unite:
      return joined(model, node, " | ");
    case Operator::intersect:
      return joined(model, node, " & ");
    case Operator::subtract:
      return joined(model, node, " \\ ");
    case Operator::product:
      return joined(model, node, " * ");
    case Operator::compose:
      return joined(model, node, "; ");
    case Operator::complement:
      return "~" + operand();
    case Operator::identity:
      return "[" +
             (has_name(model, node.operands.front()) ? operand()
                                                     : expression_text(model, node.operands.front())) +
             "]";
    case Operator::inverse:
      return operand() + "^-1";
    case Operator::optional:
      return operand() + "?";
    case Operator::closure:
      return operand() + "+";
    case Operator::domain:
      return "domain(" + operand() + ")";
    case Operator::range:
      return "range(" + operand() + ")";
    case Operator::from_reads:
      return "from_reads(" + operand() + ")";
    case Operator::orientations:
      return "orientations(" + operand() + ")";
    case Operator::total_coherence:
    case Operator::partial_coherence:
      return "co";
    case Operator::base:
    case Operator::variable:
    case Operator::fixpoint:
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
  for (Recursion& recursion : model.recursions)
    std::for_each(recursion.bodies.begin(), recursion.bodies.end(), redirect);
  for (auto* definitions : {&model.definitions, &model.shown})
    for (Definition& definition : *definitions) redirect(definition.node);
  for (auto* tests : {&model.axioms, &model.flags})
    for (Test& test : *tests) redirect(test.node);
  return model;
}

Model emptied(Model model, NodeId id) {
  Node& node = model.nodes[static_cast<std::size_t>(id)];
  node.op = Operator::empty;
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

/// Orders that the model chooses are definitions too.
void empty_definitions(const Model& model, bool with_chosen_orders, std::vector<Mutant>& mutants) {
  for (const Definition& definition : model.definitions) {
    const Node& node = node_of(model, definition.node);
    const bool of_this_text = model.find(definition.name)->node == definition.node && !node.operands.empty();
    if (of_this_text && (with_chosen_orders || node.op != Operator::orientations))
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
  if (text.size() > longest && node.op == Operator::unite)
    text = fmt::format("without the alternative `{}`", operand_text(model, dropped));
  mutants.push_back(
      {std::move(text), node_of(model, dropped).place, redirected(model, id, node.operands[kept])});
}

void weaken_operation(const Model& model, NodeId id, std::vector<Mutant>& mutants) {
  const Node& node = node_of(model, id);
  switch (node.op) {
    case Operator::unite:
    case Operator::intersect:
      keep_one_operand(model, id, 0, mutants);
      keep_one_operand(model, id, 1, mutants);
      break;
    case Operator::subtract:
      keep_one_operand(model, id, 0, mutants);
      break;
    case Operator::optional:
    case Operator::closure:
      mutants.push_back({fmt::format("`{}` instead of `{}`", operand_text(model, node.operands[0]),
                                     expression_text(model, id)),
                         node.place, redirected(model, id, node.operands[0])});
      break;
    case Operator::compose:
      for (const std::size_t side : {0, 1})
        if (node_of(model, node.operands[side]).op == Operator::identity)
          keep_one_operand(model, id, 1 - side, mutants);
      break;
    default:
      break;
  }
}

/// A part of a definition that can be taken out: an operand of a node.
struct Part {
  NodeId node = 0;
  std::size_t operand = 0;
};

/// The alternatives of a definition, and what is intersected with all of them or subtracted.
void add_parts(const Model& model, NodeId id, std::vector<Part>& parts) {
  const Node& node = node_of(model, id);
  const auto add = [&](std::size_t operand) {
    const NodeId part = node.operands[operand];
    if (node_of(model, part).op == node.op && !has_name(model, part))
      add_parts(model, part, parts);
    else
      parts.push_back({id, operand});
  };
  switch (node.op) {
    case Operator::unite:
      add(0);
      add(1);
      break;
    case Operator::intersect:
    case Operator::subtract:
      if (!has_name(model, node.operands[0])) add_parts(model, node.operands[0], parts);
      parts.push_back({id, 1});
      break;
    case Operator::closure:
    case Operator::optional:
      if (!has_name(model, node.operands[0])) add_parts(model, node.operands[0], parts);
      break;
    default:
      break;
  }
}

std::string taken_out_text(const Model& model, const Definition& definition, const Part& part) {
  const Node& node = node_of(model, part.node);
  const char* operation = node.op == Operator::intersect ? "& " : node.op == Operator::subtract ? "\\ " : "";
  return fmt::format("`{}` without `{}{}`", definition.name, operation,
                     operand_text(model, node.operands[part.operand]));
}

void leave_out_parts(const Model& model, std::vector<Mutant>& mutants) {
  for (const Definition& definition : model.definitions) {
    std::vector<Part> parts;
    add_parts(model, definition.node, parts);
    const auto line_of = [&](const Part& part) {
      return node_of(model, node_of(model, part.node).operands[part.operand]).place.where.line;
    };
    const auto is_below = [&](const Part& part) { return line_of(part) > definition.place.where.line; };
    if (std::ranges::none_of(parts, is_below)) continue;
    for (const Part& part : parts) {
      const Node& node = node_of(model, part.node);
      Mutant mutant{taken_out_text(model, definition, part), definition.place,
                    redirected(model, part.node, node.operands[1 - part.operand])};
      // An expression that an earlier definition has too has its place there.
      if (is_below(part)) mutant.place = node_of(model, node.operands[part.operand]).place;
      mutants.push_back(std::move(mutant));
    }
  }
}

/// The nodes that these tests are made of.
std::set<NodeId> used_nodes(const Model& model, std::initializer_list<const std::vector<Test>*> of_tests) {
  std::set<NodeId> used;
  for (const auto* tests : of_tests)
    for (const Test& test : *tests) used.insert(test.node);
  for (NodeId id = static_cast<NodeId>(model.nodes.size()) - 1; id >= 0; --id)
    if (used.contains(id))
      for (const NodeId operand : node_of(model, id).operands) used.insert(operand);
  return used;
}

/// Leaves out mutants of included files and of predefined names, and sorts the others by line.
void keep_own_lines(const Model& model, std::vector<Mutant>& mutants) {
  std::erase_if(mutants, [&](const Mutant& mutant) {
    return mutant.place.where.line == 0 ||
           std::filesystem::path(model.files[mutant.place.file]).filename() != model.name + ".cat";
  });
  std::ranges::stable_sort(mutants, {}, [](const Mutant& mutant) {
    return std::tuple(mutant.place.file, mutant.place.where.line);
  });
}

/// Compares the expressions of two models.
class Comparison {
 public:
  Comparison(const Model& a, const Model& b) : a_(a), b_(b) {}

  bool are_same(NodeId a, NodeId b) {
    if (const auto known = known_.find({a, b}); known != known_.end()) return known->second;
    const bool result = compare(node_of(a_, a), node_of(b_, b));
    known_.emplace(std::pair(a, b), result);
    return result;
  }

 private:
  /// Two recursive definitions count as different.
  bool compare(const Node& a, const Node& b) {
    if (a.op != b.op || a.kind != b.kind || a.name != b.name || a.operands.size() != b.operands.size())
      return false;
    if (a.op == Operator::variable || a.op == Operator::fixpoint) return false;
    for (std::size_t i = 0; i < a.operands.size(); ++i)
      if (!are_same(a.operands[i], b.operands[i])) return false;
    return true;
  }

  const Model& a_;
  const Model& b_;
  std::map<std::pair<NodeId, NodeId>, bool> known_;
};

}  // namespace

std::vector<Mutant> mutants_of(const Model& model) {
  std::vector<Mutant> mutants;
  leave_out_axioms(model, mutants);
  empty_definitions(model, false, mutants);
  for (const NodeId id : used_nodes(model, {&model.axioms, &model.flags}))
    weaken_operation(model, id, mutants);
  keep_own_lines(model, mutants);
  return mutants;
}

std::vector<Mutant> without_each_line(const Model& model) {
  std::vector<Mutant> mutants;
  leave_out_axioms(model, mutants);
  empty_definitions(model, true, mutants);
  leave_out_parts(model, mutants);
  keep_own_lines(model, mutants);
  return mutants;
}

bool have_same_axioms(const Model& a, const Model& b) {
  if (a.axioms.size() != b.axioms.size()) return false;
  Comparison comparison(a, b);
  for (std::size_t i = 0; i < a.axioms.size(); ++i) {
    const Test& of_a = a.axioms[i];
    const Test& of_b = b.axioms[i];
    if (of_a.form != of_b.form || of_a.negated != of_b.negated) return false;
    if (!comparison.are_same(of_a.node, of_b.node)) return false;
  }
  const Definition* co_of_a = a.find("co");
  const Definition* co_of_b = b.find("co");
  if (co_of_a == nullptr || co_of_b == nullptr) return co_of_a == co_of_b;
  return comparison.are_same(co_of_a->node, co_of_b->node);
}

}  // namespace ptxmc::cat
