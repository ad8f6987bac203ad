#include "src/report/excerpt.hpp"

#include <algorithm>
#include <set>

#include "model/program/restriction.hpp"
#include "solver/launch/decisive_inputs.hpp"

namespace ptxmc {

namespace {

constexpr std::size_t small = 24;

bool touch_the_same(const Event& a, const Event& b) {
  if (!a.is_memory_access() || !b.is_memory_access()) return false;
  const std::uint64_t first = a.location.to_u64(), second = b.location.to_u64();
  return first < second + b.size && second < first + a.size;
}

}  // namespace

std::vector<EventId> important_events(const LaunchFinding& finding) {
  std::vector<EventId> important;
  if (finding.site.event >= 0) important.push_back(finding.site.event);
  if (finding.other && finding.other->event >= 0) important.push_back(finding.other->event);
  if (!important.empty()) return important;
  const auto& events = finding.witness.events;
  for (EventId id = 0; id < static_cast<EventId>(events.size()); ++id)
    if (events[static_cast<std::size_t>(id)].is_read() &&
        (finding.site.thread == Event::no_thread ||
         events[static_cast<std::size_t>(id)].thread == finding.site.thread))
      important.push_back(id);
  return important;
}

std::vector<bool> events_that_explain(const Execution& execution, const std::vector<EventId>& important) {
  const auto event = [&](EventId id) -> const Event& {
    return execution.events[static_cast<std::size_t>(id)];
  };
  std::set<int> threads;
  for (const EventId id : important) threads.insert(event(id).thread);
  for (const ReadsFrom& source : execution.reads_from)
    if (threads.contains(event(source.read).thread)) threads.insert(event(source.write).thread);
  threads.erase(Event::no_thread);
  std::vector<bool> result(execution.events.size(), false);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Event& candidate = execution.events[i];
    const bool matters = may_synchronize(candidate) || std::ranges::any_of(important, [&](EventId id) {
                           return touch_the_same(event(id), candidate);
                         });
    result[i] = threads.contains(candidate.thread) && matters;
  }
  for (const EventId id : important) result[static_cast<std::size_t>(id)] = true;
  for (const ReadsFrom& source : execution.reads_from)
    if (result[static_cast<std::size_t>(source.read)]) result[static_cast<std::size_t>(source.write)] = true;
  return result;
}

Execution excerpt_of(const Execution& execution, std::vector<EventId>& important) {
  if (execution.events.size() <= small) return execution;
  std::vector<EventId> numbers;
  Execution result = restriction(execution, events_that_explain(execution, important), numbers);
  for (EventId& id : important) id = numbers[static_cast<std::size_t>(id)];
  return result;
}

}  // namespace ptxmc
