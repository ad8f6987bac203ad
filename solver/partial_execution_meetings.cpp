#include <algorithm>

#include "model/barriers.hpp"
#include "semantics/misuse.hpp"
#include "solver/partial_execution.hpp"

// The phases of barriers.

namespace ptxmc {

namespace {

std::size_t index(EventId id) { return static_cast<std::size_t>(id); }

}  // namespace

int PartialExecution::next_meeting() const {
  for (std::size_t i = 0; i < meetings_.size(); ++i) {
    const auto& events = meetings_[i].events;
    const bool is_settled = std::none_of(events.begin(), events.end(),
                                         [&](EventId id) { return states_[index(id)] == State::open; });
    if (is_settled && !meetings_[i].is_matched) return static_cast<int>(i);
  }
  return -1;
}

bool PartialExecution::awaits_reduction() const {
  return std::ranges::any_of(meetings_, [&](const Meeting& meeting) {
    for (std::size_t i = 0; meeting.is_matched && i < meeting.members.size(); ++i)
      if (is_reduction(original(meeting.members[i]).barrier.kind) && meeting.matching.phase[i] < 0)
        return true;
    return !meeting.is_matched && std::ranges::any_of(meeting.events, [&](EventId id) {
      return states_[index(id)] == State::present && is_reduction(original(id).barrier.kind);
    });
  });
}

bool PartialExecution::may_fill_phase() const {
  return awaits_reduction() || std::ranges::any_of(counted_waits_, [&](EventId id) {
           return states_[index(id)] == State::present && !values_.find(original(id).goes_on);
         });
}

void PartialExecution::settle_reductions() {
  for (const Meeting& meeting : meetings_) {
    if (!meeting.is_matched) continue;
    for (std::size_t i = 0; i < meeting.members.size(); ++i) {
      const EventId id = meeting.members[i];
      if (!is_reduction(original(id).barrier.kind) || meeting.matching.phase[i] < 0 ||
          values_.find(original(id).value))
        continue;
      std::vector<EventId> met;
      bool is_known = true;
      for (std::size_t j = 0; j < meeting.members.size(); ++j) {
        if (meeting.matching.phase[j] != meeting.matching.phase[i]) continue;
        Event& other = events_[index(meeting.members[j])];
        met.push_back(meeting.members[j]);
        if (other.barrier.predicate.width() == 0) continue;
        const Bits* predicate = values_.find(original(meeting.members[j]).barrier.predicate);
        is_known = is_known && predicate;
        if (predicate) other.barrier.predicate = *predicate;
      }
      if (!is_known) continue;
      values_.assign(original(id).value.term()->variable, reduction_result(events_, id, met));
    }
  }
}

void PartialExecution::match(std::size_t i, BarrierMatching matching) {
  Meeting& meeting = meetings_[i];
  meeting.is_matched = true;
  meeting.members.clear();
  for (const EventId id : meeting.events)
    if (states_[index(id)] == State::present) meeting.members.push_back(id);
  meeting.matching = std::move(matching);
  relate_phases(meeting, true);
  hindrances_ += unfilled_waits(meeting);
  trail_.push_back({Undo::What::matched, i});
}

bool PartialExecution::is_unfilled_wait(const Meeting& meeting, std::size_t member) const {
  return meeting.matching.phase[member] < 0 && waits_at_barrier(original(meeting.members[member]));
}

std::size_t PartialExecution::unfilled_waits(const Meeting& meeting) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < meeting.members.size(); ++i)
    if (is_unfilled_wait(meeting, i)) ++count;
  return count;
}

/// Whether the thread waits for a phase that never completes, so that it does not reach its end.
bool PartialExecution::waits_unfilled(std::size_t thread) const {
  return std::ranges::any_of(meetings_, [&](const Meeting& meeting) {
    for (std::size_t i = 0; i < meeting.members.size(); ++i)
      if (original(meeting.members[i]).thread == static_cast<int>(thread) && is_unfilled_wait(meeting, i))
        return true;
    return false;
  });
}

void PartialExecution::relate_phases(const Meeting& meeting, bool met) {
  const auto& phase = meeting.matching.phase;
  for (std::size_t i = 0; i < phase.size(); ++i)
    for (std::size_t j = 0; j < phase.size(); ++j) {
      if (i == j || phase[i] < 0 || phase[i] != phase[j]) continue;
      if (met)
        model.inputs.syncbar.insert(index(meeting.members[i]), index(meeting.members[j]));
      else
        model.inputs.syncbar.erase(index(meeting.members[i]), index(meeting.members[j]));
    }
  model.note(CompiledModel::barriers);
}

void PartialExecution::join(std::size_t which, EventId id) {
  if (which == meetings_.size()) meetings_.push_back({.events = {}, .members = {}, .matching = {}});
  Meeting& meeting = meetings_[which];
  meeting.is_matched = true;
  for (const EventId other : meeting.members) {
    model.inputs.syncbar.insert(index(id), index(other));
    model.inputs.syncbar.insert(index(other), index(id));
  }
  meeting.members.push_back(id);
  meeting.matching.phase.push_back(0);
  model.note(CompiledModel::barriers);
  trail_.push_back({Undo::What::joined, which});
  const Bits& goes_on = original(id).goes_on;
  if (goes_on.width() != 0 && !goes_on.is_constant())
    values_.assign(goes_on.term()->variable, Bits::boolean(true));
}

void PartialExecution::wait_for_ever(EventId id) { leave_unread(id); }

void PartialExecution::leave_meeting(std::size_t which) {
  Meeting& meeting = meetings_[which];
  const EventId id = meeting.members.back();
  meeting.members.pop_back();
  meeting.matching.phase.pop_back();
  for (const EventId other : meeting.members) {
    model.inputs.syncbar.erase(index(id), index(other));
    model.inputs.syncbar.erase(index(other), index(id));
  }
  model.note(CompiledModel::barriers);
  if (meeting.members.empty()) meetings_.pop_back();
}

}  // namespace ptxmc
