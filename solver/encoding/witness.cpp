#include "solver/encoding/witness.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "semantics/values/subterms.hpp"

namespace ptxmc {
namespace {

/// Numbers the events that happened.
std::vector<EventId> new_numbers(const EventStructure& structure, Substitution& values) {
  std::vector<EventId> numbers;
  EventId next = 0;
  for (const Event& event : structure.events)
    numbers.push_back(values.apply(event.condition).is_true() ? next++ : -1);
  return numbers;
}

std::vector<EventId> renumber(const std::vector<EventId>& reads, const std::vector<EventId>& numbers) {
  std::vector<EventId> result;
  for (EventId read : reads)
    if (numbers[read] >= 0) result.push_back(numbers[read]);
  return result;
}

Event concrete(const Event& event, const std::vector<EventId>& numbers, Substitution& values) {
  Event result = event;
  result.condition = Bits::boolean(true);
  for (Bits* part : {&result.address, &result.location, &result.value, &result.barrier.id})
    if (part->width() > 0) *part = values.apply(*part);
  if (result.barrier.count) result.barrier.count = values.apply(*result.barrier.count);
  for (Completion& completion : result.completes) completion.condition = values.apply(completion.condition);
  if (event.rmw >= 0) result.rmw = numbers[event.rmw] >= 0 ? numbers[event.rmw] : Event::not_written;
  for (auto* dependencies :
       {&result.address_dependencies, &result.data_dependencies, &result.control_dependencies})
    *dependencies = renumber(*dependencies, numbers);
  return result;
}

Pairs related(const SymbolicRelation& relation, const std::vector<EventId>& numbers, Substitution& values) {
  Pairs pairs;
  for (std::size_t from = 0; from < relation.rows.size(); ++from)
    for (const auto& [to, holds] : relation.rows[from])
      if (numbers[from] >= 0 && numbers[to] >= 0 && values.apply(holds).is_true())
        pairs.emplace_back(numbers[from], numbers[to]);
  return pairs;
}

/// Numbers the phases; a phase of one arrival counts too.
void read_phases(const EventStructure& structure, const BarrierPhases& phases,
                 const std::vector<EventId>& numbers, Substitution& values, Execution& execution) {
  execution.barrier_phase.assign(execution.events.size(), -1);
  const Pairs together = related(phases.meet, numbers, values);
  int count = 0;
  for (std::size_t old = 0; old < structure.events.size(); ++old) {
    const EventId event = numbers[old];
    if (event < 0 || execution.barrier_phase[event] >= 0) continue;
    if (!values.apply(phases.complete[old]).is_true()) continue;
    execution.barrier_phase[event] = count;
    for (const auto& [a, b] : together)
      if (a == event) execution.barrier_phase[b] = count;
    ++count;
  }
  for (const auto& [first, second, when] : phases.misused) {
    const EventId a = numbers[first], b = numbers[second];
    if (a < 0 || b < 0 || !values.apply(when).is_true()) continue;
    // The pairs of a phase have a common first arrival, or are all pairs: its number is that of the first.
    int& phase = execution.barrier_phase[a];
    if (phase > last_misused_phase) phase = last_misused_phase - a;
    execution.barrier_phase[b] = phase;
  }
}

}  // namespace

Witness happened(const EventStructure& structure, Substitution values) {
  Witness witness;
  witness.values = std::move(values);
  witness.execution.program = structure.program;
  witness.numbers = new_numbers(structure, witness.values);
  for (std::size_t old = 0; old < witness.numbers.size(); ++old)
    if (witness.numbers[old] >= 0)
      witness.execution.events.push_back(concrete(structure.events[old], witness.numbers, witness.values));
  for (const auto& endings : structure.endings) {
    const auto own = std::ranges::find_if(
        endings, [&](const Ending& ending) { return witness.values.apply(ending.condition).is_true(); });
    const auto thread = static_cast<int>(witness.execution.endings.size());
    witness.execution.endings.push_back(own == endings.end() ? std::nullopt : std::optional(own->kind));
    if (own == endings.end() || !own->use) continue;
    witness.execution.undefined_uses[thread] =
        with_values(*own->use, [&](const Bits& value) { return witness.values.apply(value); });
  }
  for (const auto& registers : structure.final_registers) {
    auto& final_registers = witness.execution.final_registers.emplace_back();
    for (const Bits& value : registers) final_registers.push_back(witness.values.apply(value));
  }
  return witness;
}

WitnessReader::WitnessReader(const EventStructure& structure, const SymbolicAlgebra& algebra,
                             const TermGraph& graph)
    : structure_(structure), algebra_(algebra), graph_(graph) {
  for (const Event& event : structure.events) {
    for (const Bits* part :
         {&event.condition, &event.address, &event.location, &event.value, &event.barrier.id})
      include(*part);
    if (event.barrier.count) include(*event.barrier.count);
    for (const Completion& completion : event.completes) include(completion.condition);
  }
  for (const auto& choice : algebra.reads_from().choices) include(choice.chosen);
  for (const Bits& complete : algebra.phases().complete) include(complete);
  for (const BarrierPhases::Misused& misused : algebra.phases().misused) include(misused.when);
  const auto include_relation = [&](const SymbolicRelation& relation) {
    for (const auto& row : relation.rows)
      for (const auto& entry : row) include(entry.holds);
  };
  include_relation(algebra.phases().meet);
  for (const auto& [name, relation] : algebra.choices()) include_relation(relation);
  for (const auto& endings : structure.endings)
    for (const Ending& ending : endings) {
      include(ending.condition);
      if (ending.use)
        for (const Bits& value : values_in(*ending.use)) include(value);
    }
  for (const auto& registers : structure.final_registers)
    for (const Bits& value : registers) include(value);
}

void WitnessReader::include(const Bits& bits) {
  const auto note = [&](VariableId variable) {
    needed_.push_back(variable);
    return true;
  };
  all_variables(bits, note, is_seen_);
}

Witness WitnessReader::read(const SmtSolver& solver) const {
  Substitution assigned;
  for (VariableId variable : needed_)
    assigned.set(variable, solver.value(variable, graph_.variable_width(variable)));
  Witness witness = happened(structure_, std::move(assigned));
  Execution& execution = witness.execution;
  Substitution& values = witness.values;
  const std::vector<EventId>& numbers = witness.numbers;
  for (const auto& choice : algebra_.reads_from().choices)
    if (values.apply(choice.chosen).is_true())
      execution.reads_from.push_back(
          {numbers[choice.read], numbers[choice.write], choice.atom.first, choice.atom.count});
  for (const auto& [name, relation] : algebra_.choices())
    execution.choices[name] = related(relation, numbers, values);
  read_phases(structure_, algebra_.phases(), numbers, values, execution);
  return witness;
}

namespace {

void check_accepted(const cat::Model& model, const Judgement& judgement) {
  if (judgement.accepted()) return;
  std::string reasons;
  for (const std::string& sentence : judgement.malformed) reasons += "; " + sentence;
  for (std::size_t i = 0; i < judgement.axioms.size(); ++i)
    if (!judgement.axioms[i]) reasons += "; axiom " + model.axioms[i].name;
  throw std::logic_error("the concrete evaluator refuses an execution that an engine found" + reasons);
}

}  // namespace

void check_accepted(const cat::Model& model, const Execution& execution) {
  check_accepted(model, judge_axioms(model, execution));
}

void check_witness(const cat::Model& model, Execution& execution) {
  Judgement judgement = judge(model, execution);
  check_accepted(model, judgement);
  execution.relations = std::move(judgement.relations);
}

}  // namespace ptxmc
