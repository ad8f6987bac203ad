#include <algorithm>

#include "solver/exploration.hpp"
#include "solver/explored_model.hpp"
#include "solver/interleaving.hpp"

// The end of each way: the orders that the model chooses.

namespace ptxmc {

/// Events, sources and barriers are complete.
void Exploration::complete() {
  if (!barriers_can_follow_each_other()) {
    ++blocked_;
    return;
  }
  const bool is_final = execution_.all_completed();
  if (!is_final && (!execution_.is_cut_off() || was_cut_off_)) {
    ++blocked_;
    return;
  }
  if (is_final) {
    outcomes_.begin(execution_);
    if (!checks_race() && outcomes_.has_everything()) return;
  }
  found_here_ = 0;
  leave_here_ = false;
  hardest_ = {};
  has_one_coherence_ = is_final && has_one_coherence();
  const bool any_will_do = has_one_coherence_ && execution_.model.has_open_pairs();
  if (!any_will_do || !orient_like_interleaving()) orient(is_final);
  if (found_here_ == 0) ++blocked_;
}

bool Exploration::barriers_can_follow_each_other() const {
  if (execution_.meetings().empty()) return true;
  std::vector<OrderedPhases> phases;
  for (const auto& meeting : execution_.meetings())
    phases.push_back({meeting.members, meeting.matching.orders.front()});
  const auto& meetings = execution_.meetings();
  std::vector<std::size_t> which(meetings.size(), 0);
  for (;;) {
    for (std::size_t i = 0; i < which.size(); ++i) phases[i].order = meetings[i].matching.orders[which[i]];
    if (can_follow_each_other(execution_.events(), phases) &&
        (!barriers_depend_on_reads_ || come_about_in_order(structure_, reads_behind_, execution_, phases)))
      return true;
    std::size_t i = 0;
    while (i < which.size() && ++which[i] == meetings[i].matching.orders.size()) which[i++] = 0;
    if (i == which.size()) return false;
  }
}

/// Any orientation will do: tries the order of some interleaving of the threads. False: none was found.
bool Exploration::orient_like_interleaving() {
  const std::size_t mark = execution_.mark();
  const std::vector<std::size_t> place = interleaving(execution_, coherence_);
  for (std::size_t i = 0; i < execution_.model.inputs.choices.size(); ++i)
    for (std::size_t a = 0, b = 0; execution_.model.find_open_pair(i, a, b);)
      execution_.model.orient(i, place[a] < place[b] ? a : b, place[a] < place[b] ? b : a);
  const bool is_possible = execution_.model.may_become_consistent() && execution_.model.is_consistent();
  if (is_possible) found(true);
  execution_.undo_to(mark);
  return is_possible;
}

/// A pair that is not oriented yet: the hardest one, or the first.
bool Exploration::find_open_pair(OpenPair& pair) const {
  const CompiledModel& model = execution_.model;
  pair = hardest_;
  if (pair.a != pair.b && model.is_open_pair(pair.choice, pair.a, pair.b)) return true;
  for (pair.choice = 0; pair.choice < model.inputs.choices.size(); ++pair.choice)
    if (model.find_open_pair(pair.choice, pair.a, pair.b)) return true;
  return false;
}

/// Orients the pairs that are not oriented yet. Of one that could be oriented in neither way, what was
/// oriented before is often innocent: so it comes first then (C. Lecoutre and others, Reasoning from last
/// conflict(s) in constraint programming, 2009).
void Exploration::orient(bool is_final) {
  if (leave_here_ || must_stop()) return;
  OpenPair pair;
  if (!find_open_pair(pair)) {
    if (execution_.model.is_consistent()) found(is_final);
    return;
  }
  bool is_possible = false;
  for (const auto& [from, to] : {std::pair{pair.a, pair.b}, std::pair{pair.b, pair.a}}) {
    const std::size_t mark = execution_.mark();
    execution_.model.orient(pair.choice, from, to);
    if (execution_.model.may_become_consistent()) {
      is_possible = true;
      orient(is_final);
    }
    execution_.undo_to(mark);
  }
  if (is_possible) return;
  hardest_ = pair;
  suspect(pair);
}

void Exploration::suspect(const OpenPair& pair) {
  const auto is_same = [&](const OpenPair& other) {
    return other.choice == pair.choice && other.a == pair.a && other.b == pair.b;
  };
  if (std::none_of(suspects_.begin(), suspects_.end(), is_same)) suspects_.push_back(pair);
}

/// What made a pair impossible to orient is seen before everything is complete. Asks only about pairs of the
/// thread of which something was chosen, and orients none: then what is found does not depend on who is
/// suspected.
bool Exploration::can_orient_suspects() {
  const auto is_concerned = [&](std::size_t event) {
    return execution_.events()[event].thread == chosen_thread_;
  };
  return std::all_of(suspects_.begin(), suspects_.end(), [&](const OpenPair& pair) {
    return (!is_concerned(pair.a) && !is_concerned(pair.b)) ||
           !execution_.model.is_open_pair(pair.choice, pair.a, pair.b) ||
           can_orient(pair.choice, pair.a, pair.b) || can_orient(pair.choice, pair.b, pair.a);
  });
}

/// An execution that the model accepts.
void Exploration::found(bool is_final) {
  ++found_here_;
  ++found_;
  if (!is_final) {
    was_cut_off_ = true;
    execution_.ignores_cut_off = true;
    leave_here_ = true;
    return;
  }
  if (checks_race())
    for (std::size_t i = 0; i < model_.flags.size(); ++i)
      if (model_.flags[i].name == mixed_size_race && execution_.model.is_raised(i)) {
        has_race_ = stopped_ = true;
        return;
      }
  execution_.model.copy_value(coherence_step_, coherence_);
  outcomes_.add(execution_, coherence_, !has_one_coherence_ && !coherence_tells_all_);
  if (!options_.all_states && !options_.count_executions && outcomes_.is_condition_met() && !checks_race())
    stopped_ = true;
  if (outcomes_.state_count() >= options_.max_states) stopped_ = true;
  leave_here_ = !checks_race() && (has_one_coherence_ || outcomes_.has_everything());
}

/// Whatever is oriented how, coherence order is what it is now.
bool Exploration::has_one_coherence() {
  if (!coherence_grows_) return false;
  execution_.model.copy_value(coherence_step_, coherence_);
  if (!execution_.model.has_open_pairs()) return true;
  const BitMatrix more = execution_.model.value_at_most("co") - coherence_;
  return (more - BitMatrix::identity(~BitSet(more.size()))).is_empty();
}

}  // namespace ptxmc
