#include "solver/explorer/explored_barriers.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "model/program/barriers.hpp"
#include "model/program/execution.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/meetings/barrier_matching.hpp"

namespace ptxmc {

namespace {

using State = PartialExecution::State;

}  // namespace

ExploredBarriers::ExploredBarriers(const EventStructure& structure, std::optional<BarrierSchedule> schedule)
    : structure_(structure), schedule_(std::move(schedule)) {
  const bool is_launch = structure.program->arrivals == Arrivals::by_warp;
  const DivergentBarriers divergent =
      schedule_ ? DivergentBarriers() : divergent_barriers_by_event(structure);
  if (is_launch && !schedule_)
    for (const Divergence& divergence : divergences(structure)) elsewhere_.push_back(divergence.elsewhere);
  const auto meetings = barrier_meetings(structure);
  for (std::size_t i = 0; i < meetings.size(); ++i) {
    for (const EventId id : meetings[i]) {
      meeting_of_[id] = i;
      if (schedule_) arrivals_[id].event = id;
      if (is_launch && !schedule_ && event(id).barrier.count && !event(id).condition.is_false())
        throw Unsupported("a barrier with a thread count in the explorer", event(id).instruction->where);
    }
    if (!schedule_)
      for (UncountedArrival& arrival : uncounted_arrivals(structure, meetings[i], divergent))
        arrivals_[arrival.event] = std::move(arrival);
    if (std::ranges::any_of(meetings[i], [&](EventId id) { return is_reduction(event(id).barrier.kind); }))
      std::ranges::copy_if(meetings[i], std::back_inserter(with_reduction_[i]),
                           [&](EventId id) { return arrivals_.contains(id); });
  }
}

std::vector<Bits> ExploredBarriers::terms() const {
  std::vector<Bits> result = elsewhere_;
  for (const auto& [id, arrival] : arrivals_)
    for (const Bits* term : {&arrival.number, &arrival.have_all_come, &arrival.diverges})
      if (term->width() != 0) result.push_back(*term);
  return result;
}

bool ExploredBarriers::settle(PartialExecution& execution) const {
  bool any = false;
  std::vector<EventId> complete;  // before any of them joins: all threads of a reduction join together
  for (const auto& [id, arrival] : arrivals_) {
    if (!is_pending(execution, id)) continue;
    if (waits_at_barrier(event(id)) && execution.values().is_true(arrival.diverges)) {
      execution.wait_for_ever(id);
      any = true;
    } else if (goes_on(execution, id)) {
      complete.push_back(id);
    }
  }
  // By meeting, id of the barrier and number of the phase
  std::map<std::array<std::size_t, 3>, bool> knows_members;
  std::erase_if(complete, [&](EventId id) {
    const auto meeting = meeting_of_.at(id);
    if (!with_reduction_.contains(meeting)) return false;
    const Bits& barrier = execution.events()[static_cast<std::size_t>(id)].barrier.id;
    const auto [phase, is_new] =
        knows_members.try_emplace({meeting, barrier.to_u64(), *number_of(execution, id)});
    if (is_new) phase->second = is_known_who_reduces(execution, id);
    return !phase->second;
  });
  for (const EventId id : complete) join(execution, id);
  return any || !complete.empty();
}

bool ExploredBarriers::give_up(PartialExecution& execution) const {
  bool any = false;
  for (const auto& [id, arrival] : arrivals_) {
    if (!is_pending(execution, id) || !waits_at_barrier(event(id))) continue;
    if (goes_on(execution, id))
      throw Unsupported("a reduction by threads that depend on its result, in the explorer", {});
    if (execution.values().is_true(arrival.have_all_come))
      throw Unsupported("whether a warp diverges depends on the phase of the same barrier", {});
    execution.wait_for_ever(id);
    any = true;
  }
  return any;
}

std::vector<int> ExploredBarriers::misused_phases(const PartialExecution& execution) const {
  std::vector<int> result;
  for (const auto& [id, arrival] : arrivals_) {
    const int phase = schedule_ ? (*schedule_)[static_cast<std::size_t>(id)] : -1;
    if (phase > last_misused_phase || execution.state(id) != State::present) continue;
    result.resize(structure_.events.size(), -1);
    result[static_cast<std::size_t>(id)] = phase;
  }
  return result;
}

bool ExploredBarriers::some_warp_diverges(const PartialExecution& execution) const {
  return std::ranges::any_of(elsewhere_,
                             [&](const Bits& elsewhere) { return execution.values().is_true(elsewhere); });
}

/// Whether a barrier event happens and it is unknown whether its phase ever completes.
bool ExploredBarriers::is_pending(const PartialExecution& execution, EventId id) const {
  if (execution.state(id) != State::present) return false;
  if (!event(id).goes_on.is_constant() && event(id).goes_on.width() != 0)
    return execution.values().find(event(id).goes_on) == nullptr;
  if (schedule_ && (*schedule_)[static_cast<std::size_t>(id)] < 0) return false;
  return std::ranges::none_of(execution.phases(), [&](const PartialExecution::Phase& phase) {
    return std::ranges::find(phase.members, id) != phase.members.end();
  });
}

/// Whether it is known that the phase of a pending event completes, and which one it is.
bool ExploredBarriers::goes_on(const PartialExecution& execution, EventId id) const {
  const UncountedArrival& arrival = arrivals_.at(id);
  const KnownValues& values = execution.values();
  return number_of(execution, id) &&
         (!waits_at_barrier(event(id)) ||
          (values.is_false(arrival.diverges) && values.is_true(arrival.have_all_come)));
}

/// Whether all events are known that belong to the phase of `id` in a meeting with a reduction, whose result
/// counts all of them, and all of them go on.
bool ExploredBarriers::is_known_who_reduces(const PartialExecution& execution, EventId id) const {
  const std::vector<EventId>& meeting = with_reduction_.at(meeting_of_.at(id));
  const auto number = number_of(execution, id);
  const auto event_in = [&](EventId other) -> const Event& {
    return execution.events()[static_cast<std::size_t>(other)];
  };
  std::set<int> arrived;  // threads, whose other events of the meeting belong to other phases
  for (const EventId other : meeting) {
    if (execution.state(other) != State::present || !are_of_one_phase(execution, id, other)) continue;
    arrived.insert(event(other).thread);
    if (is_pending(execution, other) && !goes_on(execution, other)) return false;
  }
  return std::ranges::all_of(meeting, [&](EventId other) {
    if (execution.state(other) == State::absent || arrived.contains(event(other).thread)) return true;
    if (schedule_) return !are_of_one_phase(execution, id, other);
    const auto its_number = number_of(execution, other);
    return (its_number && its_number != number) ||
           (execution.state(other) == State::present && !are_at_one_barrier(event_in(id), event_in(other)));
  });
}

std::optional<std::size_t> ExploredBarriers::number_of(const PartialExecution& execution, EventId id) const {
  if (schedule_) {
    const int phase = (*schedule_)[static_cast<std::size_t>(id)];
    return phase < 0 ? std::nullopt : std::optional<std::size_t>(phase);
  }
  const Bits* number = execution.values().find(arrivals_.at(id).number);
  return number == nullptr ? std::nullopt : std::optional<std::size_t>(number->to_u64());
}

bool ExploredBarriers::are_of_one_phase(const PartialExecution& execution, EventId a, EventId b) const {
  if (schedule_)
    return (*schedule_)[static_cast<std::size_t>(a)] == (*schedule_)[static_cast<std::size_t>(b)];
  if (meeting_of_.at(a) != meeting_of_.at(b)) return false;
  const auto& events = execution.events();
  return are_at_one_barrier(events[static_cast<std::size_t>(a)], events[static_cast<std::size_t>(b)]) &&
         number_of(execution, a) == number_of(execution, b);
}

void ExploredBarriers::join(PartialExecution& execution, EventId id) const {
  const auto& phases = execution.phases();
  const auto same = std::ranges::find_if(phases, [&](const PartialExecution::Phase& phase) {
    return are_of_one_phase(execution, phase.members.front(), id);
  });
  execution.join(static_cast<std::size_t>(same - phases.begin()), id);
}

}  // namespace ptxmc
