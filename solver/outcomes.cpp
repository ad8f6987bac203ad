#include "solver/outcomes.hpp"

#include <algorithm>

#include "semantics/check.hpp"
#include "solver/final_state.hpp"
#include "solver/witness.hpp"

namespace ptxmc {

Outcomes::Outcomes(const Program& program, const Question& question, const cat::Model& model,
                   const EventStructure& structure, const DecideOptions& options)
    : program_(program),
      question_(question),
      model_(model),
      structure_(structure),
      options_(options),
      shown_(shown_terms(question)) {}

void Outcomes::begin(const PartialExecution& execution) {
  current_ = &execution;
  coherences_.clear();
}

/// The contents that an element may have at the end: of each atom those of the writes that no other follows
/// in coherence order; without one, of all its writes.
std::vector<Bits> Outcomes::contents(const PartialExecution& execution, const Variable& variable, int element,
                                     const BitMatrix* coherence) const {
  const std::uint64_t first = variable.location + static_cast<unsigned>(element) * variable.element_size;
  std::vector<Bits> result{Bits()};
  for (std::size_t atom = 0; atom < execution.atoms().size(); ++atom) {
    const Atom& place = execution.atoms()[atom];
    if (place.first + place.count <= first || first + variable.element_size <= place.first) continue;
    const BitSet& writers = execution.writers(atom);
    std::vector<Bits> extended;
    for (std::size_t write = 0; write < writers.size(); ++write) {
      if (!writers.contains(write)) continue;
      bool is_followed = false;
      if (coherence)
        coherence->for_each_successor(
            write, [&](std::size_t later) { is_followed = is_followed || writers.contains(later); });
      if (is_followed) continue;
      const Bits value = *execution.values().find(structure_.events[write].value);
      const auto offset = static_cast<unsigned>(place.first - execution.events()[write].location.to_u64());
      const Bits bytes = value.extract(8 * offset, 8 * place.count);
      for (const Bits& low : result) extended.push_back(low.width() == 0 ? bytes : concat(bytes, low));
    }
    result = std::move(extended);
  }
  // Untouched: still what it was.
  if (result.size() == 1 && result.front().width() == 0)
    result.front() = variable.initial[static_cast<std::size_t>(element)];
  return result;
}

std::int64_t Outcomes::number(const FinalTerm& term, const Bits& value) const {
  const bool is_signed = term.kind == FinalTerm::Kind::memory &&
                         program_.memory[static_cast<std::size_t>(term.variable)].is_signed;
  return (is_signed ? value.resize_signed(64) : value.resize_unsigned(64)).to_s64();
}

/// Each value that the term may have, once.
std::vector<std::int64_t> Outcomes::values_of(const PartialExecution& execution, const FinalTerm& term,
                                              const BitMatrix* coherence) const {
  std::vector<std::int64_t> result;
  if (term.kind == FinalTerm::Kind::thread_register) {
    const Bits& value = structure_.final_registers[static_cast<std::size_t>(term.thread)][term.register_id];
    result.push_back(number(term, *execution.values().find(value)));
  } else {
    const Variable& variable = program_.memory[static_cast<std::size_t>(term.variable)];
    for (const Bits& value : contents(execution, variable, term.element, coherence))
      result.push_back(number(term, value));
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
  }
  return result;
}

/// Calls `visit` with the values of each state that passes the filter, until it says false.
template <class Visit>
bool Outcomes::for_each_state(const PartialExecution& execution, const BitMatrix* coherence,
                              const Visit& visit) const {
  std::vector<std::vector<std::int64_t>> possible;
  for (const FinalTerm& term : shown_) possible.push_back(values_of(execution, term, coherence));
  std::vector<std::size_t> which(shown_.size(), 0);
  std::vector<std::int64_t> values(shown_.size());
  for (;;) {
    for (std::size_t i = 0; i < which.size(); ++i) values[i] = possible[i][which[i]];
    if (satisfies(question_.filter, values) && !visit(values)) return false;
    std::size_t i = 0;
    while (i < which.size() && ++which[i] == possible[i].size()) which[i++] = 0;
    if (i == which.size()) return true;
  }
}

bool Outcomes::satisfies(const Proposition& proposition, const std::vector<std::int64_t>& values) const {
  return holds(proposition,
               [&](const FinalTerm& term) {
                 if (term.kind == FinalTerm::Kind::constant)
                   return Bits(64, static_cast<u128>(term.constant));
                 const auto place = std::find(shown_.begin(), shown_.end(), term) - shown_.begin();
                 return Bits(64, static_cast<u128>(values[static_cast<std::size_t>(place)]));
               })
      .is_true();
}

bool Outcomes::has_everything() const {
  return !options_.count_executions &&
         for_each_state(*current_, nullptr, [&](const auto& values) { return states_.contains(values); });
}

bool Outcomes::knows_registers(const PartialExecution& execution) const {
  std::vector<std::int64_t> values;
  for (const FinalTerm& term : shown_) {
    if (term.kind != FinalTerm::Kind::thread_register) return false;
    const Bits* value = execution.values().find(
        structure_.final_registers[static_cast<std::size_t>(term.thread)][term.register_id]);
    if (!value) return false;
    values.push_back(number(term, *value));
  }
  return states_.contains(values);
}

void Outcomes::add(const PartialExecution& execution, const BitMatrix& coherence) {
  bool is_new = true;
  if (options_.count_executions) {
    const std::size_t words = coherence.size() * ((coherence.size() + 63) / 64);
    is_new = coherences_.emplace(coherence.words(), coherence.words() + words).second;
    if (!is_new) return;
  }
  bool any = false;
  for_each_state(execution, &coherence, [&](const auto& values) {
    any = true;
    return add_state(execution, values);
  });
  if (any) ++executions_;
}

bool Outcomes::add_state(const PartialExecution& execution, const std::vector<std::int64_t>& values) {
  const auto [place, is_new] = states_.try_emplace(values);
  FinalState& state = place->second;
  if (options_.count_executions) state.executions = state.executions.value_or(0) + 1;
  if (!is_new) return true;
  state.values = values;
  state.matches = satisfies(question_.condition, values);
  state.witness = execution.execution();
  state.witness.final_memory.resize(program_.memory.size());
  for (std::size_t i = 0; i < program_.memory.size(); ++i)
    state.witness.final_memory[i].resize(program_.memory[i].initial.size());
  for (std::size_t i = 0; i < shown_.size(); ++i)
    if (shown_[i].kind == FinalTerm::Kind::memory)
      state.witness.final_memory[static_cast<std::size_t>(shown_[i].variable)]
                                [static_cast<std::size_t>(shown_[i].element)] =
          Bits(64, static_cast<u128>(values[i]));
  check_witness(model_, state.witness);
  const bool is_wanted = state.matches == (question_.quantifier != Quantifier::forall);
  if (is_wanted && !is_condition_met()) wanted_ = place;
  return true;
}

void Outcomes::put_into(Answer& answer) const {
  answer.shown = shown_;
  if (is_condition_met()) answer.witness = wanted_->second.witness;
  for (const auto& [values, state] : states_) answer.states.push_back(state);
  if (options_.count_executions) answer.executions = executions_;
}

}  // namespace ptxmc
