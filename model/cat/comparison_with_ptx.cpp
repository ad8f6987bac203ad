#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "model/cat/embedded_models.hpp"

namespace ptxmc::cat {

namespace {

/// What the names of the embedded models of chapter 8 of the manual begin with. (`mixed-size` is about
/// programs to which that chapter does not apply.)
constexpr std::string_view of_ptx = "ptx-";
/// The same for those of scoped C++.
constexpr std::string_view of_cpp = "cpp-";

/// Numbers the nodes of several models, so that equal expressions have equal numbers.
class EqualExpressions {
 public:
  using Number = std::size_t;

  /// The number of each node. Operands precede the nodes that use them, and the bodies of a recursion its
  /// fixpoints. Variables of recursions are equal if they have the same place among the recursions.
  std::vector<Number> number(const Model& model) {
    std::vector<Number> numbers;
    for (const Node& node : model.nodes) {
      std::vector<Number> operands;
      for (const NodeId operand : node.operands) operands.push_back(numbers.at(index(operand)));
      const bool is_fixpoint = node.op == Operator::fixpoint;
      if (is_fixpoint)
        for (const NodeId body : model.recursions.at(index(node.recursion)).bodies)
          operands.push_back(numbers.at(index(body)));
      const bool has_own_name = node.op == Operator::base || node.op == Operator::orientations;
      const int place = node.op == Operator::variable ? node.recursion : -1;
      const Key key(node.op, node.kind, std::move(operands), has_own_name ? node.name : std::string(), place,
                    node.index);
      numbers.push_back(known_.try_emplace(key, known_.size()).first->second);
    }
    return numbers;
  }

 private:
  using Key = std::tuple<Operator, Kind, std::vector<Number>, std::string, int, int>;

  static std::size_t index(int id) { return static_cast<std::size_t>(id); }

  std::map<Key, Number> known_;
};

bool has_axioms_of(const Model& model, const Model& ptx) {
  EqualExpressions equal;
  const auto own = equal.number(model), known = equal.number(ptx);
  const auto number = [](const std::vector<EqualExpressions::Number>& numbers, NodeId node) {
    return numbers.at(static_cast<std::size_t>(node));
  };
  const bool has_axioms = std::ranges::all_of(ptx.axioms, [&](const Test& axiom) {
    return std::ranges::any_of(model.axioms, [&](const Test& other) {
      return other.form == axiom.form && other.negated == axiom.negated &&
             number(own, other.node) == number(known, axiom.node);
    });
  });
  const auto means_the_same = [&](const char* name) {
    const Definition *a = model.find(name), *b = ptx.find(name);
    if (a == nullptr || b == nullptr) return a == b;
    return number(own, a->node) == number(known, b->node);
  };
  return has_axioms && means_the_same("co") && means_the_same("data_race") &&
         means_the_same("mixed_size_data_race");
}

bool are_equal(const Model& a, const Model& b) {
  const auto same_node = [](const Node& x, const Node& y) {
    return x.op == y.op && x.kind == y.kind && x.operands == y.operands && x.name == y.name;
  };
  const auto same_axiom = [](const Test& x, const Test& y) {
    return x.form == y.form && x.negated == y.negated && x.node == y.node;
  };
  const auto same_bodies = [](const Recursion& x, const Recursion& y) { return x.bodies == y.bodies; };
  return std::ranges::equal(a.nodes, b.nodes, same_node) &&
         std::ranges::equal(a.recursions, b.recursions, same_bodies) &&
         std::ranges::equal(a.axioms, b.axioms, same_axiom);
}

/// Whether some model that comes along, of those whose names begin with `prefix`, is as wanted. That with the
/// name of the model is asked first, since the others need not be read then.
template <class IsWanted>
bool any_embedded(const Model& model, std::string_view prefix, const IsWanted& is_wanted) {
  const Model* const same_name = model.name.starts_with(prefix) ? embedded_model(model.name) : nullptr;
  if (same_name != nullptr && is_wanted(*same_name)) return true;
  return std::ranges::any_of(embedded_models(), [&](const EmbeddedModel& known) {
    return known.file_name.starts_with(prefix) && is_wanted(*embedded_model(std::string(known.file_name)));
  });
}

/// The model may be a copy under another name.
bool is_embedded(const Model& model, std::string_view prefix) {
  return any_embedded(model, prefix, [&](const Model& known) { return are_equal(known, model); });
}

}  // namespace

bool is_embedded_ptx(const Model& model) { return model.is_ptx && is_embedded(model, of_ptx); }

bool is_embedded_cpp(const Model& model) { return !model.is_ptx && is_embedded(model, of_cpp); }

bool has_axioms_of_ptx(const Model& model) {
  return is_embedded_ptx(model) || (model.is_ptx && any_embedded(model, of_ptx, [&](const Model& known) {
                                      return has_axioms_of(model, known);
                                    }));
}

}  // namespace ptxmc::cat
