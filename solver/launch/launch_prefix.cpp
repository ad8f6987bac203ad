#include "solver/launch/launch_prefix.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "model/program/barriers.hpp"
#include "model/program/restriction.hpp"

namespace ptxmc {

Prefix whole(const Execution& execution) {
  Prefix result;
  result.execution = execution;
  for (std::size_t i = 0; i < execution.events.size(); ++i) result.numbers.push_back(static_cast<EventId>(i));
  return result;
}

namespace {

/// By phase of a barrier: the awaited threads without an arrival in the phase, which have exited before its
/// end. With a thread count these are threads of the warps that have arrived.
std::map<int, std::set<int>> exited_before_end(const Execution& execution) {
  std::map<int, std::vector<EventId>> arrivals;  // by phase
  for (EventId id = 0; id < static_cast<EventId>(execution.barrier_phase.size()); ++id)
    if (const int phase = execution.barrier_phase[static_cast<std::size_t>(id)];
        phase >= 0 && arrives_at_barrier(execution.events[static_cast<std::size_t>(id)]))
      arrivals[phase].push_back(id);
  std::map<int, std::set<int>> result;
  for (const auto& [phase, events] : arrivals) {
    std::set<int> there;
    bool has_count = false;
    for (const EventId id : events) {
      const Event& event = execution.events[static_cast<std::size_t>(id)];
      there.insert(event.thread);
      has_count = has_count || event.barrier.count;
    }
    const Event& first = execution.events[static_cast<std::size_t>(events.front())];
    for (const std::vector<int>& unit : units_of(*execution.program, first)) {
      const auto is_there = [&](int thread) { return there.contains(thread); };
      if (has_count && std::ranges::none_of(unit, is_there)) continue;
      for (const int thread : unit)
        if (!is_there(thread)) result[phase].insert(thread);
    }
  }
  return result;
}

}  // namespace

Prefix before(const Execution& execution, const std::vector<bool>& cut, const std::set<int>& stopped) {
  Prefix result;
  const auto& events = execution.events;
  const auto at = [](EventId id) { return static_cast<std::size_t>(id); };
  constexpr unsigned never = std::numeric_limits<unsigned>::max();
  std::map<int, unsigned> end;  // by thread: the first step outside of the prefix
  const auto is_left_out = [&](std::size_t i) {
    const auto found = end.find(events[i].thread);
    return events[i].thread != Event::no_thread && found != end.end() && events[i].step >= found->second;
  };
  bool changed = false;
  const auto end_at = [&](std::size_t i, unsigned step) {
    unsigned& known = end.try_emplace(events[i].thread, never).first->second;
    if (step >= known) return;
    known = step;
    changed = true;
  };
  for (std::size_t i = 0; i < events.size(); ++i)
    if (cut[i]) end_at(i, events[i].step);
  std::set<int> open;  // incomplete phases
  const auto exits = exited_before_end(execution);
  const auto does_not_exit = [&](int thread) { return stopped.contains(thread) || end.contains(thread); };
  do {
    changed = false;
    for (const ReadsFrom& source : execution.reads_from)
      if (is_left_out(at(source.write))) end_at(at(source.read), events[at(source.read)].step);
    for (std::size_t i = 0; i < execution.barrier_phase.size(); ++i)
      if (execution.barrier_phase[i] >= 0 && is_left_out(i)) open.insert(execution.barrier_phase[i]);
    for (const auto& [phase, threads] : exits)
      if (std::ranges::any_of(threads, does_not_exit)) open.insert(phase);
    for (std::size_t i = 0; i < execution.barrier_phase.size(); ++i)
      if (open.contains(execution.barrier_phase[i]) && waits_at_barrier(events[i])) {
        end_at(i, events[i].step + 1);
        unsigned& waits = result.waits.try_emplace(events[i].thread, never).first->second;
        waits = std::min(waits, events[i].step);
      }
  } while (changed);
  std::vector<bool> kept;
  for (std::size_t i = 0; i < events.size(); ++i) kept.push_back(!is_left_out(i));
  result.execution = restriction(execution, kept, result.numbers);
  for (const auto& [thread, step] : end)
    if (thread != Event::no_thread && !result.execution.endings.empty()) {
      result.execution.endings[static_cast<std::size_t>(thread)].reset();
      result.execution.undefined_uses.erase(thread);
    }
  for (int& phase : result.execution.barrier_phase)
    if (open.contains(phase)) phase = -1;
  return result;
}

}  // namespace ptxmc
