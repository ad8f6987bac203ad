#include "solver/launch/launch_prefix.hpp"

#include <limits>
#include <map>
#include <set>

#include "model/program/restriction.hpp"

namespace ptxmc {

Prefix whole(const Execution& execution) {
  Prefix result;
  result.execution = execution;
  for (std::size_t i = 0; i < execution.events.size(); ++i) result.numbers.push_back(static_cast<EventId>(i));
  return result;
}

Prefix before(const Execution& execution, const std::vector<bool>& cut) {
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
  do {
    changed = false;
    for (const ReadsFrom& source : execution.reads_from)
      if (is_left_out(at(source.write))) end_at(at(source.read), events[at(source.read)].step);
    for (std::size_t i = 0; i < execution.barrier_phase.size(); ++i)
      if (execution.barrier_phase[i] >= 0 && is_left_out(i)) open.insert(execution.barrier_phase[i]);
    for (std::size_t i = 0; i < execution.barrier_phase.size(); ++i)
      if (open.contains(execution.barrier_phase[i]) && events[i].barrier.kind != Barrier::Kind::arrive)
        end_at(i, events[i].step + 1);
  } while (changed);
  std::vector<bool> kept;
  for (std::size_t i = 0; i < events.size(); ++i) kept.push_back(!is_left_out(i));
  Prefix result;
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
