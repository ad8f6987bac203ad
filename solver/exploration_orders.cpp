#include <algorithm>

#include "solver/exploration.hpp"
#include "solver/explored_model.hpp"

// The end of each path: the orders that the model chooses.

namespace ptxmc {

/// Called when events, sources and barriers are complete.
void Exploration::complete() {
  if (!barriers_can_follow_each_other()) {
    ++course_.blocked;
    return;
  }
  const bool is_final = execution_.all_completed();
  if (!is_final && (!execution_.is_cut_off() || course_.was_cut_off)) {
    ++course_.blocked;
    return;
  }
  if (is_final && looks_for_flags() && !may_raise_flag()) return;
  if (is_final && !looks_for_flags()) {
    outcomes_.begin(execution_);
    if (!checks_race() && outcomes_.has_everything()) return;
  }
  found_here_ = 0;
  leave_here_ = false;
  has_one_coherence_ = is_final && orientations_.leave_coherence(coherence_);
  const auto must_leave = [this] { return leave_here_ || must_stop(); };
  const auto take = [&] { found(is_final); };
  if (has_one_coherence_ && !((checks_race() || looks_for_flags()) && may_raise_flag()))
    orientations_.for_one(coherence_, must_leave, take);
  else
    orientations_.for_each(must_leave, take);
  if (found_here_ == 0) ++course_.blocked;
}

bool Exploration::barriers_can_follow_each_other() const {
  if (execution_.meetings().empty()) return true;
  std::vector<OrderedPhases> phases;
  for (const auto& meeting : execution_.meetings())
    phases.push_back({meeting.members, meeting.matching.orders.front(), meeting.events});
  const auto& meetings = execution_.meetings();
  std::vector<std::size_t> which(meetings.size(), 0);
  for (;;) {
    for (std::size_t i = 0; i < which.size(); ++i) phases[i].order = meetings[i].matching.orders[which[i]];
    if (come_about_in_order(structure_, reads_behind_, execution_, phases)) return true;
    std::size_t i = 0;
    while (i < which.size() && ++which[i] == meetings[i].matching.orders.size()) which[i++] = 0;
    if (i == which.size()) return false;
  }
}

/// Checks pairs that were impossible to orient before, so that dead ends are found before the execution is
/// complete. It only checks pairs of the thread of the last choice and orients none, so the result does not
/// depend on the set of suspects.
bool Exploration::can_orient_suspects() {
  const auto is_concerned = [&](std::size_t event) {
    return execution_.events()[event].thread == chosen_thread_;
  };
  return std::ranges::all_of(orientations_.suspects(), [&](const OpenPair& pair) {
    return (!is_concerned(pair.a) && !is_concerned(pair.b)) ||
           !execution_.model.is_open_pair(pair.choice, pair.a, pair.b) ||
           can_orient(pair.choice, pair.a, pair.b) || can_orient(pair.choice, pair.b, pair.a);
  });
}

void Exploration::stop_at_most_states() {
  if (outcomes_.are_too_many_states()) course_.stop(state_limit);
}

/// Whether the flag is sought, or makes all other answers void.
bool Exploration::looks_at_flag(const std::string& name) const {
  return looks_for_flags() ? std::ranges::find(sought_, name) != sought_.end() : name == mixed_size_race;
}

/// Whether some orientation of the open pairs may raise a flag that matters. Existing orders hold in all of
/// them.
bool Exploration::may_raise_flag() {
  for (std::size_t i = 0; i < model_.flags.size(); ++i)
    if (const std::string& name = model_.flags[i].name; looks_at_flag(name) &&
                                                        !course_.raised.contains(name) &&
                                                        (!flag_falls_[i] || execution_.model.is_raised(i)))
      return true;
  return false;
}

/// Records one execution for each flag that is sought.
void Exploration::note_flags() {
  for (std::size_t i = 0; i < model_.flags.size(); ++i)
    if (looks_at_flag(model_.flags[i].name)) note_flag(execution_, structure_, model_, i, course_.raised);
  course_.stopped = course_.stopped || course_.raised.size() == sought_.size();
}

/// Called for an execution that the model accepts.
void Exploration::found(bool is_final) {
  ++found_here_;
  ++found_;
  if (!is_final) {
    course_.was_cut_off = true;
    execution_.ignores_cut_off = true;
    leave_here_ = true;
    return;
  }
  if (looks_for_flags()) return note_flags();
  if (checks_race())
    for (std::size_t i = 0; i < model_.flags.size(); ++i)
      if (model_.flags[i].name == mixed_size_race && execution_.model.is_raised(i)) {
        course_.has_race = course_.stopped = true;
        return;
      }
  execution_.model.copy_value(coherence_step_, coherence_);
  outcomes_.add(execution_, coherence_, !has_one_coherence_ && !coherence_tells_all_);
  if (!options_.all_states && !options_.count_executions && outcomes_.is_condition_met() && !checks_race())
    course_.stopped = true;
  stop_at_most_states();
  leave_here_ = !checks_race() && (has_one_coherence_ || outcomes_.has_everything());
}

}  // namespace ptxmc
