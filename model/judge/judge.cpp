#include "model/judge/judge.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "model/cat/cat_evaluator.hpp"
#include "model/judge/concrete_relations.hpp"

namespace ptxmc {

namespace {

Pairs pairs_of(const cat::Value<ConcreteRelations>& value) {
  if (const auto* relation = std::get_if<BitMatrix>(&value)) return relation->pairs<EventId>();
  Pairs result;
  const auto& set = std::get<BitSet>(value);
  for (std::size_t i = 0; i < set.size(); ++i)
    if (set.contains(i)) result.emplace_back(static_cast<EventId>(i), static_cast<EventId>(i));
  return result;
}

}  // namespace

bool Judgement::accepted() const {
  return malformed.empty() && std::all_of(axioms.begin(), axioms.end(), [](bool holds) { return holds; });
}

namespace {

using Outcome = cat::Outcome<ConcreteRelations>;

Judgement judgement_of(const Outcome& outcome, const ConcreteRelations& relations,
                       const Execution& execution) {
  Judgement result;
  result.axioms = outcome.axioms;
  result.flags = outcome.flags;
  result.malformed = malformed_parts(execution);
  result.malformed.insert(result.malformed.end(), relations.malformed().begin(), relations.malformed().end());
  return result;
}

}  // namespace

Judgement judge(const cat::Model& model, const Execution& execution) {
  ConcreteRelations relations(execution);
  Outcome outcome = cat::evaluate(model, relations, {.all_definitions = true});
  Judgement result = judgement_of(outcome, relations, execution);
  std::map<cat::NodeId, std::shared_ptr<const cat::Value<ConcreteRelations>>> values;
  for (const auto* definitions : {&model.definitions, &model.shown})
    for (const cat::Definition& definition : *definitions) {
      auto& value = values[definition.node];
      if (!value)
        value = std::make_shared<const cat::Value<ConcreteRelations>>(
            std::move(*outcome.values[static_cast<std::size_t>(definition.node)]));
      result.relations.set(definition.name, [value] { return pairs_of(*value); });
    }
  return result;
}

Judgement judge_axioms_and_flags(const cat::Model& model, const Execution& execution) {
  ConcreteRelations relations(execution);
  return judgement_of(cat::evaluate(model, relations), relations, execution);
}

Judgement judge_axioms(const cat::Model& model, const Execution& execution) {
  ConcreteRelations relations(execution);
  return judgement_of(cat::evaluate(model, relations, {.flags = false}), relations, execution);
}

}  // namespace ptxmc
