#include "solver/explorer/outcomes.hpp"

#include <algorithm>

#include "semantics/values/check.hpp"
#include "solver/algebra/bit_rows.hpp"
#include "solver/encoding/final_state.hpp"
#include "solver/encoding/witness.hpp"
#include "solver/explorer/final_contents.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

Outcomes::Outcomes(const Question& question, const cat::Model& model, const EventStructure& structure,
                   const DecideOptions& options)
    : program_(*structure.program),
      question_(question),
      model_(model),
      structure_(structure),
      options_(options),
      shown_(shown_terms(question)),
      condition_(question.condition, shown_),
      filter_(question.filter, shown_),
      tells_states_apart_(options.all_states || !options.count_executions),
      found_(shown_.size()),
      found_below_(shown_.size()),
      which_(shown_.size()),
      values_(shown_.size()) {}

void Outcomes::begin(const PartialExecution& execution) {
  current_ = &execution;
  if (!coherences_.empty()) coherences_.clear();
  if (possible_.empty()) find_atoms(execution);
  for (std::size_t i = 0; i < shown_.size(); ++i) find_possible(execution, i);
}

void Outcomes::find_atoms(const PartialExecution& execution) {
  for (const FinalTerm& term : shown_) {
    Possible& possible = possible_.emplace_back();
    if (term.kind == FinalTerm::Kind::thread_register) {
      possible.register_value =
          &structure_.final_registers[static_cast<std::size_t>(term.thread)][term.register_id];
      possible.values.resize(1);
      continue;
    }
    const unsigned size = program_.memory[static_cast<std::size_t>(term.variable)].element_size;
    const auto atom = std::find_if(
        execution.atoms().begin(), execution.atoms().end(),
        [&](const Atom& place) { return place.first == first_byte(term) && place.count == size; });
    possible.is_simple = atom != execution.atoms().end();
    possible.atom = static_cast<std::size_t>(atom - execution.atoms().begin());
  }
}

std::uint64_t Outcomes::first_byte(const FinalTerm& term) const {
  const Variable& variable = program_.memory[static_cast<std::size_t>(term.variable)];
  return variable.location + static_cast<unsigned>(term.element) * variable.element_size;
}

/// For a register its value; for memory that is one atom the value of each of its writes.
void Outcomes::find_possible(const PartialExecution& execution, std::size_t shown) {
  const FinalTerm& term = shown_[shown];
  Possible& result = possible_[shown];
  if (result.register_value) {
    result.values[0] = shown_number(program_, term, known_value(execution, *result.register_value));
    return;
  }
  result.writes.clear();
  result.values.clear();
  if (!result.is_simple) return;
  const unsigned size = program_.memory[static_cast<std::size_t>(term.variable)].element_size;
  const BitSet& writers = execution.writers(result.atom);
  for_each_member(writers.words(), writers.word_count(), [&](std::size_t write) {
    const Bits& value = known_value(execution, structure_.events[write].value);
    const auto offset = static_cast<unsigned>(first_byte(term) - execution.events()[write].location.to_u64());
    result.writes.push_back(write);
    result.values.push_back(shown_number(program_, term, value.extract(8 * offset, 8 * size)));
  });
}

/// The distinct values that a shown term may have.
void Outcomes::find_values(const PartialExecution& execution, std::size_t shown, const BitMatrix* coherence) {
  const Possible& possible = possible_[shown];
  found_[shown] = possible.values;
  if (possible.register_value || possible.writes.size() == 1) return;
  const FinalTerm& term = shown_[shown];
  std::vector<std::int64_t>& values = found_below_[shown];
  values.clear();
  if (!possible.is_simple) {
    const Variable& variable = program_.memory[static_cast<std::size_t>(term.variable)];
    for (const Bits& value :
         final_contents(execution, variable, static_cast<std::size_t>(term.element), coherence))
      values.push_back(shown_number(program_, term, value));
  } else if (possible.writes.empty() || !coherence) {
    values = possible.values;
  } else {
    for (std::size_t i = 0; i < possible.writes.size(); ++i) {
      const bool is_followed =
          std::any_of(possible.writes.begin(), possible.writes.end(),
                      [&](std::size_t later) { return coherence->contains(possible.writes[i], later); });
      if (!is_followed) values.push_back(possible.values[i]);
    }
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  found_[shown] = values;
}

/// Calls `visit` with the values of each state that passes the filter, until it returns false.
template <class Visit>
bool Outcomes::for_each_state(const PartialExecution& execution, const BitMatrix* coherence,
                              const Visit& visit) {
  for (std::size_t i = 0; i < shown_.size(); ++i) find_values(execution, i, coherence);
  std::fill(which_.begin(), which_.end(), 0);
  for (;;) {
    for (std::size_t i = 0; i < which_.size(); ++i) values_[i] = found_[i][which_[i]];
    if (filter_.holds(values_) && !visit(values_)) return false;
    std::size_t i = 0;
    while (i < which_.size() && ++which_[i] == found_[i].size()) which_[i++] = 0;
    if (i == which_.size()) return true;
  }
}

bool Outcomes::is_known_here(const std::vector<std::int64_t>& values) const {
  const auto state = states_.find(values);
  return state != states_.end() && parts_.at(&state->second).last == part_;
}

bool Outcomes::has_everything() {
  return !options_.count_executions &&
         for_each_state(*current_, nullptr, [&](const auto& values) { return is_known_here(values); });
}

bool Outcomes::knows_registers(const PartialExecution& execution) {
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    const FinalTerm& term = shown_[i];
    if (term.kind != FinalTerm::Kind::thread_register) return false;
    const Bits* value = execution.values().find(
        structure_.final_registers[static_cast<std::size_t>(term.thread)][term.register_id]);
    if (!value) return false;
    values_[i] = shown_number(program_, term, *value);
  }
  return is_known_here(values_);
}

void Outcomes::add(const PartialExecution& execution, const BitMatrix& coherence, bool may_repeat) {
  if (options_.count_executions && may_repeat) {
    const std::size_t words = coherence.size() * ((coherence.size() + 63) / 64);
    if (!coherences_.emplace(coherence.words(), coherence.words() + words).second) return;
  }
  bool any = false;
  for_each_state(execution, &coherence, [&](const auto& values) {
    any = true;
    return add_state(execution, values);
  });
  if (any) ++tallies_.back().executions;
}

Outcomes::Tally Outcomes::close_tally() {
  Tally result = std::move(tallies_.back());
  tallies_.pop_back();
  return result;
}

void Outcomes::add(const Tally& tally, std::uint64_t times) {
  const auto increase = [&](std::uint64_t& number, std::uint64_t by) {
    std::uint64_t product = 0;
    are_too_many_ |= __builtin_mul_overflow(by, times, &product);
    are_too_many_ |= __builtin_add_overflow(number, product, &number);
  };
  for (const auto& [state, count] : tally.states) increase(tallies_.back().states[state], count);
  increase(tallies_.back().executions, tally.executions);
}

bool Outcomes::add_state(const PartialExecution& execution, const std::vector<std::int64_t>& values) {
  const bool matches = condition_.holds(values);
  if (FinalState* known = by_condition_[matches ? 1 : 0]) {
    ++tallies_.back().states[known];
    return true;
  }
  const auto [place, is_new] =
      tells_states_apart_ ? states_.try_emplace(values) : states_.try_emplace({matches ? 1 : 0});
  FinalState& state = place->second;
  if (options_.count_executions) ++tallies_.back().states[&state];
  if (!is_new) {
    if (parts_.at(&state).last != part_) parts_.at(&state).last = part_;
    return true;
  }
  if (!tells_states_apart_) by_condition_[matches ? 1 : 0] = &state;
  parts_[&state] = {.first = part_, .last = part_, .order = states_.size()};
  const bool is_first = !shared_ || shared_->add(place->first, part_);
  states_until_here_ = shared_ ? shared_->count_up_to(part_) : states_.size();
  state.values = values;
  state.matches = matches;
  if (is_first) state.witness = witness(execution, values);
  const bool is_wanted = matches == (question_.quantifier != Quantifier::forall);
  if (is_wanted && !is_condition_met()) wanted_ = place;
  return true;
}

/// The execution as a witness, which the judge must accept. It has no relations, since they are shown for one
/// witness only.
Execution Outcomes::witness(const PartialExecution& execution,
                            const std::vector<std::int64_t>& values) const {
  Execution result = execution.execution();
  result.final_memory.resize(program_.memory.size());
  for (std::size_t i = 0; i < program_.memory.size(); ++i)
    result.final_memory[i].resize(program_.memory[i].initial.size());
  for (std::size_t i = 0; i < shown_.size(); ++i)
    if (shown_[i].kind == FinalTerm::Kind::memory)
      result.final_memory[static_cast<std::size_t>(shown_[i].variable)]
                         [static_cast<std::size_t>(shown_[i].element)] =
          Bits(64, static_cast<u128>(values[i]));
  check_accepted(model_, result);
  return result;
}

void Outcomes::enter_part(std::size_t number) {
  part_ = number;
  if (shared_) states_until_here_ = shared_->count_up_to(part_);
}

void Outcomes::merge(const Outcomes& other) {
  const auto part_of = [](const Outcomes& outcomes, States::const_iterator state) {
    return outcomes.parts_.at(&state->second).first;
  };
  if (other.is_condition_met() &&
      (!is_condition_met() || part_of(other, other.wanted_) < part_of(*this, wanted_)))
    wanted_ = states_.try_emplace(other.wanted_->first, other.wanted_->second).first;
  Tally tally;
  for (auto from = other.states_.begin(); from != other.states_.end(); ++from) {
    const auto place = states_.try_emplace(from->first, from->second).first;
    const auto [parts, is_new] = parts_.try_emplace(&place->second, other.parts_.at(&from->second));
    if (!is_new && part_of(other, from) < parts->second.first) {
      place->second = from->second;
      parts->second = other.parts_.at(&from->second);
    }
    const auto count = other.tallies_.front().states.find(&from->second);
    if (count != other.tallies_.front().states.end()) tally.states[&place->second] = count->second;
  }
  tally.executions = other.tallies_.front().executions;
  add(tally, 1);
  are_too_many_ |= other.are_too_many_;
  states_until_here_ = states_.size();
}

/// Keeps only the state that decides the condition, as if the search had stopped there.
void Outcomes::leave_wanted_only() {
  for (auto state = states_.begin(); state != states_.end();) {
    const bool is_wanted = state == wanted_;
    state = is_wanted ? std::next(state) : states_.erase(state);
  }
}

/// Keeps the states of the first parts that have enough of them, as if the parts had been explored in order.
void Outcomes::leave_first_states() {
  std::vector<States::iterator> all;
  for (auto state = states_.begin(); state != states_.end(); ++state) all.push_back(state);
  const auto place = [&](States::iterator state) {
    const Parts& parts = parts_.at(&state->second);
    return std::pair(parts.first, parts.order);
  };
  std::ranges::sort(all, {}, place);
  for (std::size_t i = options_.max_states; i < all.size(); ++i) {
    if (all[i] == wanted_) wanted_ = states_.end();
    states_.erase(all[i]);
  }
}

void Outcomes::move_into(Answer& answer) {
  answer.shown = shown_;
  if (is_condition_met()) {
    answer.witness = wanted_->second.witness;
    check_witness(model_, *answer.witness);
  }
  const Tally& all = tallies_.front();
  for (auto& [values, state] : states_) {
    if (options_.count_executions && !are_too_many_) state.executions = all.states.at(&state);
    answer.states.push_back(std::move(state));
  }
  if (options_.count_executions && !are_too_many_) answer.executions = all.executions;
}

Answer Outcomes::answer(bool has_seen_all, const std::string& reason, Voiding voiding) {
  Answer answer;
  answer.shown = shown_;
  answer.reason = mixed_size_race_reason;
  if (voiding.has_race) return answer;
  if (!options_.all_states) leave_wanted_only();
  if (states_.size() > options_.max_states) leave_first_states();
  move_into(answer);
  answer.reason = reason;
  answer.states_complete = has_seen_all;
  if (!has_seen_all) answer.executions.reset();
  if (reason == state_limit)  // the counts depend on which thread explored which part
    for (FinalState& state : answer.states) state.executions.reset();
  if (is_condition_met())
    answer.verdict = Verdict::allowed;
  else if (has_seen_all)
    answer.verdict = Verdict::forbidden;
  if (voiding.checks_race && !has_seen_all) answer.verdict = Verdict::unknown;
  if (answer.verdict == Verdict::unknown && reason.empty())
    answer.reason = "loop bound " + std::to_string(options_.bound);
  if (!options_.all_states) {
    for (FinalState& state : answer.states)
      state.executions.reset();  // the state represents all matching states
    answer.states_complete = false;
  }
  if (answer.verdict != Verdict::unknown)
    answer.holds = (answer.verdict == Verdict::allowed) == (question_.quantifier == Quantifier::exists);
  return answer;
}

}  // namespace ptxmc
