#include "model/program/misuses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/program/barriers.hpp"

namespace ptxmc {

namespace {

bool are_of_one_warp(const Program& program, int a, int b) {
  return program.threads[index(a)].placement.warp == program.threads[index(b)].placement.warp;
}

unsigned lane_of(const Program& program, int thread) {
  unsigned lane = 0;
  for (int before = 0; before < thread; ++before) lane += are_of_one_warp(program, before, thread) ? 1 : 0;
  return lane;
}

bool is_barrier_of_cta(const Event& event) {
  return event.kind == EventKind::barrier && event.barrier.group == Barrier::Group::cta;
}

/// By thread, its aligned barriers in order.
std::vector<std::vector<EventId>> aligned_barriers(const Execution& execution) {
  std::vector<std::vector<EventId>> result(execution.program->threads.size());
  for (EventId id = 0; id < static_cast<EventId>(execution.events.size()); ++id)
    if (const Event& event = execution.events[index(id)]; is_aligned_barrier(event))
      result[index(event.thread)].push_back(id);
  return result;
}

bool has_exited(const Execution& execution, int thread) {
  return !execution.endings.empty() && execution.endings[index(thread)] == Ending::Kind::completed;
}

bool is_misuse(const Execution& execution, UsePair pair, EventId own, EventId other) {
  const ObjectUse others = use_of(execution.events[index(other)]);
  return misuse(pair, use_of(execution.events[index(own)]), &others).has_value();
}

/// The arrivals of the threads of a warp at the barrier of an event that belong to the same arrival of the
/// warp: those with the same number, by thread.
std::map<int, EventId> arrival_of_warp(const Execution& execution, EventId barrier) {
  const Event& own = execution.events[index(barrier)];
  std::map<int, std::vector<EventId>> arrivals;
  for (EventId id = 0; id < static_cast<EventId>(execution.events.size()); ++id)
    if (const Event& event = execution.events[index(id)];
        is_barrier_of_cta(event) && identical(event.barrier.id, own.barrier.id) &&
        are_of_one_warp(*execution.program, event.thread, own.thread))
      arrivals[event.thread].push_back(id);
  const auto& before = arrivals[own.thread];
  const auto number = index(static_cast<int>(std::ranges::find(before, barrier) - before.begin()));
  std::map<int, EventId> result;
  for (const auto& [thread, events] : arrivals)
    if (number < events.size()) result[thread] = events[number];
  return result;
}

/// Whether the use of an mbarrier has a value that the thread, or an operation that it has started, has read
/// there; `mbarrier.init` reads none.
bool uses_value_read(const Execution& execution, int thread, const MbarrierUse& use) {
  if (use.word.width() == 0) return true;
  return std::ranges::any_of(execution.events, [&](const Event& event) {
    return event.thread == thread && event.is_read() && event.access.mbarrier == MbarrierAccess::operation &&
           identical(event.value, use.word);
  });
}

/// Whether the thread's use, with which it ended, is a misuse.
bool is_undefined(const Execution& execution, int thread, const ObjectUse& use) {
  if (use.mbarrier && !uses_value_read(execution, thread, *use.mbarrier)) return false;
  std::optional<ObjectUse> earlier;
  for (const Event& event : execution.events)
    if (event.thread == thread && event.kind == EventKind::barrier &&
        event.barrier.group == Barrier::Group::cluster)
      earlier = use_of(event.barrier);
  if (use.object == ObjectUse::Object::lanes && use.lane != lane_of(*execution.program, thread)) return false;
  const auto found = misuse(UsePair::one_thread, use, earlier ? &*earlier : nullptr);
  return found && found->condition.is_true();
}

}  // namespace

ObjectUse use_of(const Event& event) {
  ObjectUse use = use_of(event.barrier);
  if (event.instruction != nullptr) use.where = event.instruction->where;
  return use;
}

std::optional<Absentee> divergence_at(const Execution& execution, EventId barrier) {
  const Program& program = *execution.program;
  const int own = execution.events[index(barrier)].thread;
  const ObjectUse use = use_of(execution.events[index(barrier)]);
  const auto barriers = aligned_barriers(execution);
  const auto turn = index(
      static_cast<int>(std::ranges::find(barriers[index(own)], barrier) - barriers[index(own)].begin()));
  for (int thread = 0; thread < static_cast<int>(program.threads.size()); ++thread) {
    if (thread == own || !are_of_one_warp(program, thread, own)) continue;
    if (turn < barriers[index(thread)].size()) {
      const EventId other = barriers[index(thread)][turn];
      if (is_misuse(execution, UsePair::aligned_turn, barrier, other)) return Absentee{thread, other};
    } else if (has_exited(execution, thread) && misuse(UsePair::aligned_turn, use, nullptr)) {
      return Absentee{thread};
    }
  }
  if (!is_barrier_of_cta(execution.events[index(barrier)])) return std::nullopt;
  for (const auto& [thread, other] : arrival_of_warp(execution, barrier))
    if (is_misuse(execution, UsePair::warp_arrival, barrier, other)) return Absentee{thread, other};
  return std::nullopt;
}

bool use_different_counts(const Event& a, const Event& b) {
  if (!is_barrier_of_cta(a) || !is_barrier_of_cta(b)) return false;
  if (a.barrier.count.has_value() != b.barrier.count.has_value()) return true;
  return a.barrier.count && !equal(*a.barrier.count, *b.barrier.count).is_true();
}

std::optional<Misuse> misuse_in_phase(const Event& a, const Event& b, bool is_complete) {
  if (!is_complete)
    return use_different_counts(a, b) ? std::optional(Misuse::different_thread_counts) : std::nullopt;
  const ObjectUse other = use_of(b);
  const auto found = misuse(UsePair::phase, use_of(a), &other);
  return found ? std::optional(found->misuse) : std::nullopt;
}

std::optional<Misuse> misuse_in_phase(const Execution& execution, EventId a, EventId b) {
  const auto& phase = execution.barrier_phase;
  if (phase.empty() || phase[index(a)] == -1 || phase[index(a)] != phase[index(b)]) return std::nullopt;
  return misuse_in_phase(execution.events[index(a)], execution.events[index(b)], phase[index(a)] >= 0);
}

std::vector<std::string> malformed_uses(const Execution& execution) {
  std::vector<std::string> result;
  for (const auto& [thread, use] : execution.undefined_uses)
    if (!is_undefined(execution, thread, use))
      result.push_back(fmt::format("thread {} ends with a use of line {} that the manual defines", thread,
                                   use.where.line));
  return result;
}

}  // namespace ptxmc
