#include "model/cat/cat_names.hpp"

#include "model/relations/base_relations.hpp"
#include "model/relations/base_sets.hpp"

namespace ptxmc::cat {

namespace {

using syntax::Binding;
using syntax::Expression;
using Form = Expression::Form;

struct BuiltInRow {
  const char* name;
  BuiltIn meaning;
};
constexpr BuiltInRow built_ins[] = {
    {"domain", {Operator::domain, Kind::set}},
    {"range", {Operator::range, Kind::set}},
    {"from_reads", {Operator::from_reads, Kind::relation}},
};

bool is_known(const std::string& name, const Scopes& scopes, Scope scope) {
  return scopes.find(name, scope) || find_base_set(name) || find_base_relation(name) ||
         find_derived_name(name) || find_built_in(name) || name == "orientations" || name == "linearisations";
}

std::optional<UnknownUse> find_unknown(const Expression& expression, Scopes& scopes, Scope scope) {
  const bool has_name = expression.form == Form::name || expression.form == Form::application;
  if (has_name && !is_known(expression.text, scopes, scope)) return UnknownUse{&expression, scope};
  Scope inner = scope;
  for (const Binding& binding : expression.bindings) inner = scopes.enter(binding.name, AnyKind{}, inner);
  for (const Binding& binding : expression.bindings)
    if (auto found = find_unknown_name(binding, scopes, expression.is_recursive ? inner : scope))
      return found;
  const std::size_t first = expression.form == Form::attempt ? 1 : 0;
  for (std::size_t i = first; i < expression.operands.size(); ++i)
    if (auto found = find_unknown(expression.operands[i], scopes, inner)) return found;
  for (const syntax::MatchCase& branch : expression.cases)
    if (auto found = find_unknown(branch.value, scopes, inner)) return found;
  return std::nullopt;
}

}  // namespace

std::optional<BuiltIn> find_built_in(const std::string& name) {
  for (const BuiltInRow& row : built_ins)
    if (row.name == name) return row.meaning;
  return std::nullopt;
}

std::vector<std::string> names_in(const Scopes& scopes, Scope scope) {
  std::vector<std::string> names = scopes.names(scope);
  for (const BuiltInRow& row : built_ins) names.emplace_back(row.name);
  for (const BaseSet& set : base_sets()) names.emplace_back(set.name);
  for (const BaseRelation& relation : base_relations()) names.emplace_back(relation.name);
  for (const DerivedName& derived : derived_names()) names.emplace_back(derived.name);
  return names;
}

std::optional<UnknownUse> find_unknown_name(const Binding& function, Scopes& scopes, Scope scope) {
  if (function.parameters)
    for (const std::string& parameter : *function.parameters)
      scope = scopes.enter(parameter, AnyKind{}, scope);
  return find_unknown(function.value, scopes, scope);
}

}  // namespace ptxmc::cat
