#include "solver/explorer/explored_barriers.hpp"

#include <algorithm>

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
    if (schedule_) note_reductions(meetings[i]);
    if (schedule_) continue;
    for (UncountedArrival& arrival : uncounted_arrivals(structure, meetings[i], divergent))
      arrivals_[arrival.event] = std::move(arrival);
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
  for (const auto& [id, arrival] : arrivals_) {
    if (!is_pending(execution, id)) continue;
    const bool waits = waits_at_barrier(event(id));
    const auto& values = execution.values();
    if (waits && values.is_true(arrival.diverges)) {
      execution.wait_for_ever(id);
      any = true;
    } else if ((!waits || (values.is_false(arrival.diverges) && values.is_true(arrival.have_all_come))) &&
               (schedule_ ? is_known_who_reduces(execution, id) : number_of(execution, id).has_value())) {
      join(execution, id);
      any = true;
    }
  }
  return any;
}

bool ExploredBarriers::give_up(PartialExecution& execution) const {
  bool any = false;
  for (const auto& [id, arrival] : arrivals_) {
    if (!is_pending(execution, id) || !waits_at_barrier(event(id))) continue;
    if (!is_known_who_reduces(execution, id))
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

void ExploredBarriers::note_reductions(std::span<const EventId> meeting) {
  const auto phase_of = [&](EventId id) { return (*schedule_)[static_cast<std::size_t>(id)]; };
  for (const EventId id : meeting)
    if (is_reduction(event(id).barrier.kind) && phase_of(id) >= 0) reducing_[phase_of(id)];
  for (const EventId id : meeting)
    if (const auto phase = reducing_.find(phase_of(id)); phase != reducing_.end())
      phase->second.push_back(id);
}

/// Whether it is known which events belong to the phase of a schedule, if it has a reduction: its result
/// counts all of them.
bool ExploredBarriers::is_known_who_reduces(const PartialExecution& execution, EventId id) const {
  const auto phase = schedule_ ? reducing_.find((*schedule_)[static_cast<std::size_t>(id)]) : reducing_.end();
  return phase == reducing_.end() || std::ranges::none_of(phase->second, [&](EventId other) {
           return execution.state(other) == State::open;
         });
}

std::optional<std::size_t> ExploredBarriers::number_of(const PartialExecution& execution, EventId id) const {
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
