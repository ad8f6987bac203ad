#include "solver/encoding/encoding.hpp"

#include <algorithm>

#include "model/cat/cat_rewriting.hpp"
#include "solver/meetings/barrier_matching.hpp"

namespace ptxmc {

bool is_beyond_model(std::string_view flag) {
  return flag.starts_with("later_than_") || flag.starts_with("outside_") || flag.starts_with("undefined_");
}

cat::Model with_flags(cat::Model model, const std::function<bool(const std::string&)>& wanted) {
  std::erase_if(model.flags,
                [&](const cat::Test& flag) { return !is_beyond_model(flag.name) && !wanted(flag.name); });
  return model;
}

Encoding::Encoding(EventStructure structure, cat::Model model, TermGraph& graph, BarrierPhases phases)
    : model_(cat::with_small_tests(cat::specialized(std::move(model), structure.events))),
      structure_(std::move(structure)),
      algebra_(structure_, graph, std::move(phases)),
      outcome_(evaluate()) {}

cat::Outcome<SymbolicAlgebra> Encoding::evaluate() {
  auto outcome = cat::evaluate(model_, algebra_);
  // Final values need coherence order, and an execution needs all of its choices, even those that no axiom
  // uses.
  std::vector<cat::NodeId> missing;
  const auto is_missing = [&](cat::NodeId node) {
    return !outcome.values[static_cast<std::size_t>(node)].has_value();
  };
  const cat::Definition* coherence = model_.find("co");
  if (coherence && is_missing(coherence->node)) missing.push_back(coherence->node);
  for (std::size_t i = 0; i < model_.nodes.size(); ++i)
    if (const auto node = static_cast<cat::NodeId>(i);
        model_.nodes[i].op == cat::Operator::orientations && is_missing(node))
      missing.push_back(node);
  if (!missing.empty()) outcome = cat::evaluate(model_, algebra_, {.nodes = missing});
  return outcome;
}

std::optional<std::string> Encoding::beyond_model() const {
  for (std::size_t i = 0; i < model_.flags.size(); ++i)
    if (is_beyond_model(model_.flags[i].name) && !outcome_.flags[i].is_false()) return model_.flags[i].name;
  return std::nullopt;
}

void Encoding::assert_executions(SmtSolver& solver) const {
  for (const Bits& constraint : algebra_.constraints()) solver.add(constraint);
  for (const Bits& axiom : outcome_.axioms) solver.add(axiom);
}

Bits Encoding::ends(std::size_t thread, std::initializer_list<Ending::Kind> kinds) const {
  Bits result = Bits::boolean(false);
  for (const Ending& ending : structure_.endings[thread])
    if (std::find(kinds.begin(), kinds.end(), ending.kind) != kinds.end()) result = result | ending.condition;
  return result;
}

Bits Encoding::all_completed() const {
  Bits result = Bits::boolean(true);
  for (std::size_t thread = 0; thread < structure_.endings.size(); ++thread)
    result = result & ends(thread, {Ending::Kind::completed});
  for (const Bits& complete : algebra_.phases().all_complete) result = result & complete;
  return result;
}

Bits Encoding::bound_reached() const {
  std::vector<Bits> goes_on(structure_.endings.size(),
                            Bits::boolean(true));  // by thread: it continues after all phases with a count
  for (std::size_t id = 0; id < structure_.events.size(); ++id)
    if (const Event& event = structure_.events[id]; event.barrier.count && waits_at_barrier(event))
      goes_on[event.thread] =
          goes_on[event.thread] & implies(event.condition, algebra_.phases().complete[id]);
  Bits some = Bits::boolean(false);
  Bits all = Bits::boolean(true);
  for (std::size_t thread = 0; thread < structure_.endings.size(); ++thread) {
    some = some | (ends(thread, {Ending::Kind::bound_reached}) & goes_on[thread]);
    all = all & ends(thread, {Ending::Kind::bound_reached, Ending::Kind::completed, Ending::Kind::spinning,
                              Ending::Kind::waiting, Ending::Kind::not_started});
  }
  return some & all;
}

}  // namespace ptxmc
