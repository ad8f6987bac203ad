#include "solver/explorer/outcomes.hpp"

#include <algorithm>

#include "solver/encoding/witness.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

Outcomes::Outcomes(const Question& question, const cat::Model& model, const EventStructure& structure,
                   const DecideOptions& options)
    : asked_{question, shown_terms(question)},
      model_(model),
      structure_(structure),
      options_(options),
      final_values_(structure, asked_.shown) {}

void Outcomes::begin(const PartialExecution& execution) {
  current_ = &execution;
  if (!coherences_.empty()) coherences_.clear();
  final_values_.begin(execution);
}

std::vector<std::int64_t> Outcomes::key_of(const std::vector<std::int64_t>& values) const {
  if (options_.all_states) return values;
  return {asked_.condition.holds(values) ? 1 : 0};
}

bool Outcomes::is_known_here(const std::vector<std::int64_t>& values) const {
  const auto state = states_.find(key_of(values));
  return state != states_.end() && searched_.of_state.at(&state->second).last == searched_.number;
}

bool Outcomes::has_everything() {
  return !options_.count_executions && final_values_.for_each(*current_, nullptr, [&](const auto& values) {
    return !asked_.filter.holds(values) || is_known_here(values);
  });
}

bool Outcomes::knows_registers(const PartialExecution& execution) {
  const auto* values = final_values_.known_registers(execution);
  return values != nullptr && is_known_here(*values);
}

void Outcomes::add(const PartialExecution& execution, const BitMatrix& coherence, bool may_repeat) {
  if (options_.count_executions && may_repeat) {
    const std::size_t words = coherence.size() * ((coherence.size() + 63) / 64);
    if (!coherences_.emplace(coherence.words(), coherence.words() + words).second) return;
  }
  bool any = false;
  final_values_.for_each(execution, &coherence, [&](const auto& values) {
    if (!asked_.filter.holds(values)) return true;
    any = true;
    return add_state(execution, values);
  });
  if (any) ++counted_.tallies.back().executions;
}

Outcomes::Tally Outcomes::close_tally() {
  Tally result = std::move(counted_.tallies.back());
  counted_.tallies.pop_back();
  return result;
}

void Outcomes::add(const Tally& tally, std::uint64_t times) {
  const auto increase = [&](std::uint64_t& number, std::uint64_t by) {
    std::uint64_t product = 0;
    counted_.are_too_many |= __builtin_mul_overflow(by, times, &product);
    counted_.are_too_many |= __builtin_add_overflow(number, product, &number);
  };
  for (const auto& [state, count] : tally.states) increase(counted_.tallies.back().states[state], count);
  increase(counted_.tallies.back().executions, tally.executions);
}

bool Outcomes::add_state(const PartialExecution& execution, const std::vector<std::int64_t>& values) {
  const bool matches = asked_.condition.holds(values);
  if (FinalState* known = by_condition_[matches ? 1 : 0]) {
    if (options_.count_executions) ++counted_.tallies.back().states[known];
    searched_.of_state.at(known).last = searched_.number;
    return true;
  }
  const auto [place, is_new] = states_.try_emplace(key_of(values));
  FinalState& state = place->second;
  if (options_.count_executions) ++counted_.tallies.back().states[&state];
  if (!is_new) {
    if (searched_.of_state.at(&state).last != searched_.number)
      searched_.of_state.at(&state).last = searched_.number;
    return true;
  }
  if (!options_.all_states) by_condition_[matches ? 1 : 0] = &state;
  searched_.of_state[&state] = {.first = searched_.number, .last = searched_.number, .order = states_.size()};
  const bool is_first = !searched_.shared || searched_.shared->add(place->first, searched_.number);
  searched_.states_until_here =
      searched_.shared ? searched_.shared->count_up_to(searched_.number) : states_.size();
  state.values = values;
  state.matches = matches;
  if (is_first) state.witness = witness(execution, values);
  const bool is_wanted = matches == (asked_.question.quantifier != Quantifier::forall);
  if (is_wanted && !is_condition_met()) wanted_ = place;
  return true;
}

/// The execution as a witness, which the judge must accept. It has no relations, since they are shown for one
/// witness only.
Execution Outcomes::witness(const PartialExecution& execution,
                            const std::vector<std::int64_t>& values) const {
  Execution result = execution.execution();
  result.final_memory.resize(structure_.program->memory.size());
  for (std::size_t i = 0; i < structure_.program->memory.size(); ++i)
    result.final_memory[i].resize(structure_.program->memory[i].initial.size());
  for (std::size_t i = 0; i < asked_.shown.size(); ++i)
    if (asked_.shown[i].kind == FinalTerm::Kind::memory)
      result.final_memory[static_cast<std::size_t>(asked_.shown[i].variable)]
                         [static_cast<std::size_t>(asked_.shown[i].element)] =
          Bits(64, static_cast<u128>(values[i]));
  check_accepted(model_, result);
  return result;
}

void Outcomes::enter_part(std::size_t number) {
  searched_.number = number;
  if (searched_.shared) searched_.states_until_here = searched_.shared->count_up_to(searched_.number);
}

void Outcomes::merge(const Outcomes& other) {
  const auto part_of = [](const Outcomes& outcomes, States::const_iterator state) {
    return outcomes.searched_.of_state.at(&state->second).first;
  };
  if (other.is_condition_met() &&
      (!is_condition_met() || part_of(other, other.wanted_) < part_of(*this, wanted_)))
    wanted_ = states_.try_emplace(other.wanted_->first, other.wanted_->second).first;
  Tally tally;
  for (auto from = other.states_.begin(); from != other.states_.end(); ++from) {
    const auto place = states_.try_emplace(from->first, from->second).first;
    const auto [parts, is_new] =
        searched_.of_state.try_emplace(&place->second, other.searched_.of_state.at(&from->second));
    if (!is_new && part_of(other, from) < parts->second.first) {
      place->second = from->second;
      parts->second = other.searched_.of_state.at(&from->second);
    }
    const auto count = other.counted_.tallies.front().states.find(&from->second);
    if (count != other.counted_.tallies.front().states.end()) tally.states[&place->second] = count->second;
  }
  tally.executions = other.counted_.tallies.front().executions;
  add(tally, 1);
  counted_.are_too_many |= other.counted_.are_too_many;
  searched_.states_until_here = states_.size();
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
    const Parts& parts = searched_.of_state.at(&state->second);
    return std::pair(parts.first, parts.order);
  };
  std::ranges::sort(all, {}, place);
  for (std::size_t i = options_.max_states; i < all.size(); ++i) {
    if (all[i] == wanted_) wanted_ = states_.end();
    states_.erase(all[i]);
  }
}

void Outcomes::move_into(Answer& answer) {
  answer.shown = asked_.shown;
  if (is_condition_met()) {
    answer.witness = wanted_->second.witness;
    check_witness(model_, *answer.witness);
  }
  const Tally& all = counted_.tallies.front();
  for (auto& [values, state] : states_) {
    if (options_.count_executions && !counted_.are_too_many) state.executions = all.states.at(&state);
    answer.states.push_back(std::move(state));
  }
  if (options_.count_executions && !counted_.are_too_many) answer.executions = all.executions;
}

Answer Outcomes::answer(bool has_seen_all, const std::string& reason, VoidingRace race) {
  Answer answer;
  answer.voiding_race = race;
  answer.shown = asked_.shown;
  answer.reason = mixed_size_race_reason;
  if (race == VoidingRace::found) return answer;
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
  if (race == VoidingRace::possible && !has_seen_all) answer.verdict = Verdict::unknown;
  if (answer.verdict == Verdict::unknown && reason.empty())
    answer.reason = "loop bound " + std::to_string(options_.bound);
  if (!options_.all_states) {
    for (FinalState& state : answer.states)
      state.executions.reset();  // the state represents all matching states
    answer.states_complete = false;
  }
  if (answer.verdict != Verdict::unknown)
    answer.holds = (answer.verdict == Verdict::allowed) == (asked_.question.quantifier == Quantifier::exists);
  return answer;
}

}  // namespace ptxmc
