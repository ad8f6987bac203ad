#include "solver/explored_barriers.hpp"

#include <algorithm>

#include "semantics/diagnostic.hpp"
#include "solver/barrier_matching.hpp"
#include "solver/divergence.hpp"

namespace ptxmc {

namespace {

using State = PartialExecution::State;

}  // namespace

ExploredBarriers::ExploredBarriers(const EventStructure& structure)
    : structure_(structure), arrivals_(Arrivals::by_thread), of_thread_(structure.program->threads.size()) {
  for (const auto& meeting : barrier_meetings(structure))
    for (const EventId id : meeting) awaited_.emplace(id, awaited_arrivals(structure, meeting, id));
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    if (event(id).kind != EventKind::barrier || event(id).condition.is_false()) continue;
    if (!event(id).barrier.count) barriers_.push_back(id);
    of_thread_[static_cast<std::size_t>(event(id).thread)].push_back(id);
  }
}

ExploredBarriers::ExploredBarriers(const EventStructure& structure, std::optional<BarrierSchedule> schedule)
    : structure_(structure),
      schedule_(std::move(schedule)),
      arrivals_(Arrivals::by_warp),
      of_thread_(structure.program->threads.size()) {
  std::map<int, unsigned> size_of_warp;
  for (const Thread& thread : structure.program->threads)
    lanes_.push_back(size_of_warp[thread.placement.warp]++);
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    if (event(id).kind != EventKind::barrier || event(id).condition.is_false()) continue;
    if (event(id).barrier.count && !schedule_)
      throw Unsupported("a barrier with a thread count in the explorer", event(id).instruction->where);
    barriers_.push_back(id);
    of_thread_[static_cast<std::size_t>(event(id).thread)].push_back(id);
  }
  const auto has = [&](bool is_aligned) {
    return std::ranges::any_of(barriers_, [&](EventId id) {
      return event(id).barrier.group == Barrier::Group::cta && event(id).barrier.aligned == is_aligned;
    });
  };
  mixes_alignment_ = has(true) && has(false);
}

bool ExploredBarriers::settle(PartialExecution& execution) const {
  bool any = false;
  for (const EventId id : barriers_) {
    if (!is_pending(execution, id)) continue;
    const auto is_elsewhere = diverges(execution, id);
    if (is_elsewhere == true) {
      if (!waits_at_barrier(event(id))) continue;  // its thread goes on, its phase is never complete
      execution.wait_for_ever(id);
      any = true;
    } else if (is_elsewhere == false && is_complete(execution, id)) {
      join(execution, id);
      any = true;
    }
  }
  return any;
}

bool ExploredBarriers::give_up(PartialExecution& execution) const {
  bool any = false;
  for (const EventId id : barriers_) {
    if (!is_pending(execution, id) || !waits_at_barrier(event(id))) continue;
    if (is_complete(execution, id))
      throw Unsupported("a barrier of which it depends on itself whether a warp diverges", {});
    execution.wait_for_ever(id);
    any = true;
  }
  return any;
}

bool ExploredBarriers::some_warp_diverges(const PartialExecution& execution) const {
  return std::ranges::any_of(barriers_, [&](EventId id) {
    return execution.state(id) == State::present && diverges(execution, id) == true;
  });
}

/// Some thread of the warp executes another aligned barrier as its n-th one; none while that is open.
std::optional<bool> ExploredBarriers::diverges(const PartialExecution& execution, EventId id) const {
  if (arrivals_ == Arrivals::by_thread || schedule_ || !is_aligned_barrier(event(id))) return false;
  const auto& threads = structure_.program->threads;
  const auto of_thread = [&](int thread) { return aligned_barriers(execution, thread); };
  const auto [own, own_is_open] = of_thread(event(id).thread);
  const auto place = std::ranges::find(own, id);
  if (place == own.end()) return std::nullopt;
  const auto n = static_cast<std::size_t>(place - own.begin());
  bool is_open = false;
  for (int thread = 0; thread < static_cast<int>(threads.size()); ++thread) {
    if (threads[static_cast<std::size_t>(thread)].placement.warp !=
        threads[static_cast<std::size_t>(event(id).thread)].placement.warp)
      continue;
    const auto [others, others_are_open] = of_thread(thread);
    if (n < others.size() && !are_one_instruction(event(others[n]), event(id))) return true;
    is_open = is_open || (n >= others.size() && others_are_open);
  }
  if (mixes_alignment_ && arrives_mixed(execution, id)) return true;
  if (is_open) return std::nullopt;
  return false;
}

/// Another thread of the warp is at this barrier for the same arrival, at an instruction that is not aligned.
bool ExploredBarriers::arrives_mixed(const PartialExecution& execution, EventId id) const {
  const auto& threads = structure_.program->threads;
  const auto warp_of = [&](EventId of) {
    return threads[static_cast<std::size_t>(event(of).thread)].placement.warp;
  };
  return std::ranges::any_of(barriers_, [&](EventId other) {
    return event(other).thread != event(id).thread && warp_of(other) == warp_of(id) &&
           are_mixed_in_alignment(event(id), event(other)) && execution.state(other) == State::present &&
           are_of_one_phase(execution, id, other);
  });
}

/// Those that a thread has executed, up to the first of which it is open whether it does: whether there is
/// one.
std::pair<std::vector<EventId>, bool> ExploredBarriers::aligned_barriers(const PartialExecution& execution,
                                                                         int thread) const {
  std::vector<EventId> result;
  for (const EventId id : of_thread_[static_cast<std::size_t>(thread)]) {
    if (!is_aligned_barrier(event(id)) || execution.state(id) == State::absent) continue;
    if (execution.state(id) == State::open) return {result, true};
    result.push_back(id);
  }
  return {result, false};
}

/// It is executed, and it is not known yet whether its phase is ever complete.
bool ExploredBarriers::is_pending(const PartialExecution& execution, EventId id) const {
  if (execution.state(id) != State::present) return false;
  if (!event(id).goes_on.is_constant() && event(id).goes_on.width() != 0)
    return execution.values().find(event(id).goes_on) == nullptr;
  if (schedule_ && (*schedule_)[static_cast<std::size_t>(id)] < 0) return false;
  return std::ranges::none_of(execution.meetings(), [&](const PartialExecution::Meeting& meeting) {
    return std::ranges::find(meeting.members, id) != meeting.members.end();
  });
}

/// All that it waits for have arrived, or exited.
bool ExploredBarriers::is_complete(const PartialExecution& execution, EventId id) const {
  if (schedule_) return true;
  const auto number = number_of(execution, id);
  if (!number) return false;
  const Place place = place_of(execution, id);
  for (int thread = 0; thread < static_cast<int>(of_thread_.size()); ++thread)
    if (is_awaited(execution, id, thread) && !has_come(execution, thread, place, *number) &&
        !is_elsewhere(execution, id, thread))
      return false;
  return true;
}

/// In a launch, all of the group are; in a litmus test, those that use the barrier.
bool ExploredBarriers::is_awaited(const PartialExecution& execution, EventId id, int thread) const {
  if (arrivals_ == Arrivals::by_thread) return awaited_.at(id).contains(thread);
  const Barrier& barrier = execution.events()[static_cast<std::size_t>(id)].barrier;
  const int own = event(id).thread;
  if (thread == own || group_of(barrier.group, thread) != group_of(barrier.group, own)) return false;
  if (barrier.group != Barrier::Group::warp) return true;
  return (barrier.id.to_u64() >> lanes_[static_cast<std::size_t>(thread)] & 1) != 0;
}

/// The thread has arrived at the barrier after so many arrivals, or it will not any more.
bool ExploredBarriers::has_come(const PartialExecution& execution, int thread, const Place& place,
                                std::size_t number) const {
  if (execution.ending(static_cast<std::size_t>(thread)) == Ending::Kind::completed) return true;
  return std::ranges::any_of(of_thread_[static_cast<std::size_t>(thread)], [&](EventId id) {
    return arrives_at_barrier(event(id)) && execution.state(id) == State::present &&
           place_of(execution, id) == place && number_of(execution, id) == number;
  });
}

/// In a litmus test, the thread has come to barriers with other ids instead.
bool ExploredBarriers::is_elsewhere(const PartialExecution& execution, EventId id, int thread) const {
  if (arrivals_ == Arrivals::by_warp) return false;
  return std::ranges::all_of(awaited_.at(id).at(thread), [&](EventId arrival) {
    return execution.state(arrival) == State::present &&
           place_of(execution, arrival) != place_of(execution, id);
  });
}

std::optional<std::size_t> ExploredBarriers::number_of(const PartialExecution& execution, EventId id) const {
  std::size_t number = 0;
  for (const EventId before : of_thread_[static_cast<std::size_t>(event(id).thread)]) {
    if (event(before).step >= event(id).step || execution.state(before) == State::absent) continue;
    if (execution.state(before) == State::open) return std::nullopt;
    if (arrives_at_barrier(event(before)) == arrives_at_barrier(event(id)) &&
        place_of(execution, before) == place_of(execution, id))
      ++number;
  }
  return number;
}

int ExploredBarriers::group_of(Barrier::Group group, int thread) const {
  return ptxmc::group_of(*structure_.program, group, thread);
}

ExploredBarriers::Place ExploredBarriers::place_of(const PartialExecution& execution, EventId id) const {
  const Barrier& barrier = execution.events()[static_cast<std::size_t>(id)].barrier;
  return {barrier.group, group_of(barrier.group, event(id).thread),
          barrier.id.width() == 0 ? 0 : barrier.id.value(), barrier.textual, barrier.count.has_value()};
}

bool ExploredBarriers::are_of_one_phase(const PartialExecution& execution, EventId a, EventId b) const {
  if (schedule_)
    return (*schedule_)[static_cast<std::size_t>(a)] == (*schedule_)[static_cast<std::size_t>(b)];
  return place_of(execution, a) == place_of(execution, b) &&
         number_of(execution, a) == number_of(execution, b);
}

void ExploredBarriers::join(PartialExecution& execution, EventId id) const {
  const auto& meetings = execution.meetings();
  const auto same = std::ranges::find_if(meetings, [&](const PartialExecution::Meeting& meeting) {
    return are_of_one_phase(execution, meeting.members.front(), id);
  });
  execution.join(static_cast<std::size_t>(same - meetings.begin()), id);
}

}  // namespace ptxmc
