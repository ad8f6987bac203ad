#include "src/report/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "model/program/barriers.hpp"
#include "model/program/program_order.hpp"
#include "src/report/names.hpp"

namespace ptxmc {

namespace {

/// Orders events: the next event has no unplaced predecessor and, if possible, the same thread as the last
/// one.
class Scheduler {
 public:
  explicit Scheduler(const Execution& execution)
      : execution_(execution), waits_for_(execution.events.size()) {
    const auto count = static_cast<EventId>(execution.events.size());
    for (EventId a = 0; a < count; ++a)
      for (EventId b = 0; b < count; ++b)
        if (comes_before(a, b)) waits_for_[index(b)].push_back(a);
    for (const ReadsFrom& source : execution.reads_from)
      waits_for_[index(source.read)].push_back(source.write);
  }

  std::vector<EventId> order() {
    std::vector<EventId> result;
    std::vector<bool> placed(waits_for_.size(), false);
    int thread = Event::no_thread;
    while (result.size() < placed.size()) {
      const EventId next = choose(placed, thread);
      placed[index(next)] = true;
      thread = execution_.events[index(next)].thread;
      result.push_back(next);
    }
    return result;
  }

 private:
  static std::size_t index(EventId id) { return static_cast<std::size_t>(id); }
  const Event& event(EventId id) const { return execution_.events[index(id)]; }

  /// Whether a precedes b: in the same thread, or a arrives at a barrier at which b's thread waited before b.
  bool comes_before(EventId a, EventId b) const {
    if (event(a).thread == event(b).thread) return precedes(execution_.events, a, b);
    const auto& phase = execution_.barrier_phase;
    if (phase.empty() || phase[index(a)] < 0) return false;
    for (EventId wait = 0; wait < static_cast<EventId>(phase.size()); ++wait)
      if (phase[index(wait)] == phase[index(a)] && is_earlier_instruction(event(wait), event(b)) &&
          waits_at_barrier(event(wait)))
        return true;
    return false;
  }

  EventId choose(const std::vector<bool>& placed, int thread) const {
    EventId ready = -1, first = -1;
    for (EventId id = 0; id < static_cast<EventId>(placed.size()); ++id) {
      if (placed[index(id)]) continue;
      const bool is_ready =
          std::ranges::all_of(waits_for_[index(id)], [&](EventId before) { return placed[index(before)]; });
      if (is_ready && event(id).thread == thread) return id;
      if (is_ready && ready < 0) ready = id;
      if (first < 0) first = id;
    }
    return ready >= 0 ? ready : first;
  }

  const Execution& execution_;
  std::vector<std::vector<EventId>> waits_for_;  // by event: the events that must be placed before it
};

std::string what(const Execution& execution, const Event& event) {
  const Program& program = *execution.program;
  switch (event.kind) {
    case EventKind::read:
    case EventKind::write:
      return fmt::format("{} {} = {}", event.is_read() ? "reads" : "writes",
                         location_name(program, event.address.to_u64()), value_text(event, program));
    case EventKind::fence:
      return "fence";
    case EventKind::barrier:
      if (event.barrier.group == Barrier::Group::prerequisite) return "the prerequisite grid has completed";
      return event.barrier.kind == Barrier::Kind::arrive ? "arrives" : "arrives and waits";
    case EventKind::wait:
      return "the phase is complete";
    case EventKind::initial_write:
      break;
  }
  return {};
}

bool is_step(const Event& event) {
  return event.kind != EventKind::initial_write && event.instruction != nullptr;
}

bool are_the_same_bytes(const Event& a, const Event& b) {
  return identical(a.location, b.location) && a.size == b.size;
}

/// The step of the last earlier write to the bytes of a read, if the read takes a different write.
std::optional<unsigned> unseen_step(const Execution& execution, EventId read,
                                    const std::vector<std::pair<EventId, unsigned>>& writes) {
  const auto event = [&](EventId id) -> const Event& {
    return execution.events[static_cast<std::size_t>(id)];
  };
  const auto last = std::find_if(writes.rbegin(), writes.rend(), [&](const auto& write) {
    return are_the_same_bytes(event(write.first), event(read));
  });
  const bool takes_it =
      last == writes.rend() || std::ranges::any_of(execution.reads_from, [&](const ReadsFrom& source) {
        return source.read == read && source.write == last->first;
      });
  return takes_it ? std::nullopt : std::optional(last->second);
}

}  // namespace

std::vector<TraceStep> trace_steps(const Execution& execution, const std::vector<bool>& shown) {
  std::vector<TraceStep> steps;
  std::vector<std::pair<EventId, unsigned>> writes;  // with the numbers of their steps
  for (const EventId id : Scheduler(execution).order()) {
    const Event& event = execution.events[static_cast<std::size_t>(id)];
    if (!is_step(event) || (!shown.empty() && !shown[static_cast<std::size_t>(id)])) continue;
    TraceStep& step = steps.emplace_back();
    step.thread = execution.program->threads[static_cast<std::size_t>(event.thread)].name;
    step.line = event.instruction->where.line;
    step.text = fmt::format("`{}`: {}", written(event), what(execution, event));
    if (event.is_write()) writes.emplace_back(id, static_cast<unsigned>(steps.size()));
    if (event.is_read())
      if (const auto unseen = unseen_step(execution, id, writes))
        step.text += fmt::format(", not what step {} writes", *unseen);
  }
  return steps;
}

std::string trace_text(const Execution& execution, const std::vector<bool>& shown, const PlaceText& place) {
  std::string text;
  std::size_t number = 0;
  for (const TraceStep& step : trace_steps(execution, shown))
    text += fmt::format("  {:3}. {}: {}: {}\n", ++number, step.thread, place(step.line), step.text);
  const auto all = static_cast<std::size_t>(std::ranges::count_if(execution.events, is_step));
  if (all > number)
    text += fmt::format("       {} more step{} of this execution do{} not matter for the finding\n",
                        all - number, all - number == 1 ? "" : "s", all - number == 1 ? "es" : "");
  return text;
}

}  // namespace ptxmc
