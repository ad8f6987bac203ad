#include "tests/solver/final_states.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "model/judge/judge.hpp"
#include "solver/encoding/encoding.hpp"

namespace ptxmc::test {

namespace {

bool has_parts_of_elements(const SmallProgram& program) {
  return std::ranges::any_of(program.structure.events, [&](const Event& event) {
    return event.is_memory_access() && event.size != program.test.program.memory.front().element_size;
  });
}

/// The numbers that a term may have at the end of an execution.
std::set<std::int64_t> numbers_of(const Program& program, const FinalTerm& term, const Execution& execution,
                                  const Pairs& coherence) {
  if (term.kind == FinalTerm::Kind::thread_register)
    return {shown_number(program, term,
                         execution.final_registers[static_cast<std::size_t>(term.thread)][term.register_id])};
  const Variable& variable = program.memory[static_cast<std::size_t>(term.variable)];
  const std::uint64_t location =
      variable.location + static_cast<std::uint64_t>(term.element) * variable.element_size;
  std::vector<EventId> writes;
  for (EventId id = 0; id < static_cast<EventId>(execution.events.size()); ++id)
    if (const Event& event = execution.events[index(id)];
        event.is_write() && event.location.to_u64() == location)
      writes.push_back(id);
  if (writes.empty())
    return {shown_number(program, term, variable.initial[static_cast<std::size_t>(term.element)])};
  std::set<std::int64_t> result;
  for (const EventId write : writes)
    if (std::ranges::none_of(writes, [&](EventId later) {
          return std::ranges::count(coherence, std::pair(write, later)) > 0;
        }))
      result.insert(shown_number(program, term, execution.events[index(write)].value));
  return result;
}

}  // namespace

std::optional<FinalStates> final_states(const cat::Model& model, const SmallProgram& program,
                                        const AllExecutions& all) {
  if (has_parts_of_elements(program)) return std::nullopt;
  const auto shown = shown_terms(program.test.question);
  FinalStates result;
  std::set<std::pair<std::string, Pairs>> known;
  for (const Execution& execution : all.accepted) {
    const Judgement judgement = judge(model, execution);
    // Fence-SC order is existential: executions that differ in nothing else are one.
    if (!known.emplace(key_of_sources(execution), judgement.relations.at("co")).second) continue;
    std::set<std::vector<std::int64_t>> states = {{}};
    for (const FinalTerm& term : shown) {
      std::set<std::vector<std::int64_t>> longer;
      for (const auto& state : states)
        for (const std::int64_t number :
             numbers_of(program.test.program, term, execution, judgement.relations.at("co"))) {
          auto next = state;
          next.push_back(number);
          longer.insert(std::move(next));
        }
      states = std::move(longer);
    }
    for (const auto& state : states) ++result[state];
  }
  return result;
}

std::optional<std::set<std::int64_t>> final_numbers(const cat::Model& model, const SmallProgram& program,
                                                    const AllExecutions& all, const FinalTerm& term) {
  if (has_parts_of_elements(program)) return std::nullopt;
  std::set<std::int64_t> result;
  for (const Execution& execution : all.accepted) {
    const Judgement judgement = judge(model, execution);
    result.merge(numbers_of(program.test.program, term, execution, judgement.relations.at("co")));
  }
  return result;
}

namespace {

std::size_t count_executions(const cat::Model& model, const AllExecutions& all) {
  std::set<std::pair<std::string, Pairs>> different;
  for (const Execution& execution : all.accepted) {
    const Judgement judgement = judge(model, execution);
    different.emplace(key_of_sources(execution), judgement.relations.at("co"));
  }
  return different.size();
}

}  // namespace

bool is_covered(const cat::Model& model, const AllExecutions& all) {
  return std::ranges::none_of(all.accepted, [&](const Execution& execution) {
    const Judgement judgement = judge_axioms_and_flags(model, execution);
    for (std::size_t i = 0; i < model.flags.size(); ++i) {
      const std::string& name = model.flags[i].name;
      if (judgement.flags[i] && (is_beyond_model(name) || name == mixed_size_race)) return true;
    }
    return false;
  });
}

DecideOptions one_iteration_counted() {
  DecideOptions options;
  options.bound = 1;
  options.count_executions = true;
  return options;
}

void check_answer(const Answer& answer, const cat::Model& model, const EnumeratedProgram& program,
                  bool counts) {
  const auto expected = final_states(model, program, program.all);
  if (!expected || !is_covered(model, program.all)) return;
  const Question& question = program.test.question;
  const StateProposition condition(question.condition, shown_terms(question));
  FinalStates found;
  for (const FinalState& state : answer.states) {
    found[state.values] = counts                             ? state.executions.value_or(0)
                          : expected->contains(state.values) ? expected->at(state.values)
                                                             : 0;
    CHECK(state.matches == condition.holds(state.values));
    CHECK(judge_axioms(model, state.witness).accepted());
  }
  CHECK(found == *expected);
  if (counts && answer.states_complete) CHECK(answer.executions == count_executions(model, program.all));
  bool some = false, every = true;
  for (const auto& [state, executions] : *expected) {
    some = some || condition.holds(state);
    every = every && condition.holds(state);
  }
  const bool is_sought = question.quantifier == Quantifier::forall ? !every : some;
  if (is_sought) CHECK(answer.verdict == Verdict::allowed);
  if (!is_sought) CHECK(answer.verdict != Verdict::allowed);
  if (answer.states_complete) {
    CHECK(answer.verdict == (is_sought ? Verdict::allowed : Verdict::forbidden));
    const bool holds = question.quantifier == Quantifier::exists   ? some
                       : question.quantifier == Quantifier::forall ? every
                                                                   : !some;
    CHECK(answer.holds == holds);
  } else if (answer.verdict == Verdict::unknown) {
    CHECK(answer.reason == "loop bound 1");
  }
}

}  // namespace ptxmc::test
