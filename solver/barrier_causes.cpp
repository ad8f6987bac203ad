#include "solver/barrier_causes.hpp"

#include <map>

#include "solver/barrier_matching.hpp"

namespace ptxmc {

namespace {

/// What makes what happen: events; behind them, for each event that waits at a barrier, that it goes on; then
/// for each thread that it exits.
class Causes {
 public:
  explicit Causes(const Encoding& encoding)
      : structure_(encoding.structure()),
        event_count_(static_cast<EventId>(structure_.events.size())),
        relation_(2 * structure_.events.size() + structure_.endings.size()) {
    for (const auto& choice : encoding.algebra().reads_from().choices)
      add(choice.write, choice.read, choice.chosen);
    add_dependencies();
    const BarrierPhases& phases = encoding.algebra().phases();
    for (EventId id = 0; id < event_count_; ++id)
      if (waits(event(id))) add_waiting(id, phases.meet.rows[static_cast<std::size_t>(id)]);
    for (const auto& [barrier, thread, when] : phases.exits)
      if (waits(event(barrier))) add(exit_of(thread), goes_on(barrier), when);
    add_exits();
  }

  const SymbolicRelation& relation() const { return relation_; }

 private:
  const Event& event(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }
  static bool waits(const Event& event) {
    return event.kind == EventKind::barrier && waits_at_barrier(event);
  }
  EventId goes_on(EventId barrier) const { return event_count_ + barrier; }
  EventId exit_of(int thread) const { return 2 * event_count_ + thread; }

  void add(EventId from, EventId to, const Bits& holds) {
    if (!holds.is_false()) relation_.rows[static_cast<std::size_t>(from)].push_back({to, holds});
  }

  void add_dependencies() {
    for (EventId id = 0; id < event_count_; ++id)
      for (const auto* reads :
           {&event(id).address_dependencies, &event(id).data_dependencies, &event(id).control_dependencies})
        for (const EventId read : *reads) add(read, id, event(read).condition & event(id).condition);
  }

  /// It goes on when those that it meets have come, and what follows in its thread comes then.
  void add_waiting(EventId id, const std::vector<SymbolicRelation::Entry>& met) {
    add(id, goes_on(id), event(id).condition);
    for (const auto& [other, meets] : met)
      if (event(other).barrier.kind != Barrier::Kind::wait) add(other, goes_on(id), meets);
    for (EventId later = id + 1; later < event_count_ && event(later).thread == event(id).thread; ++later)
      if (event(later).step > event(id).step) add(goes_on(id), later, event(later).condition);
    add(goes_on(id), exit_of(event(id).thread),
        event(id).condition & has_exited(structure_, event(id).thread));
  }

  /// A thread exits because of what its path to the end has read.
  void add_exits() {
    std::map<VariableId, EventId> read_of;
    for (EventId id = 0; id < event_count_; ++id)
      if (const Bits& value = event(id).value; event(id).is_read() && !value.is_constant())
        for (const VariableId variable : variables_of(value)) read_of.emplace(variable, id);
    for (int thread = 0; thread < static_cast<int>(structure_.endings.size()); ++thread) {
      const Bits exits = has_exited(structure_, thread);
      for (const VariableId variable : variables_of(exits))
        if (const auto read = read_of.find(variable); read != read_of.end())
          add(read->second, exit_of(thread), event(read->second).condition & exits);
    }
  }

  const EventStructure& structure_;
  const EventId event_count_;
  SymbolicRelation relation_;
};

bool waits_somewhere(const EventStructure& structure) {
  for (const Event& event : structure.events)
    if (event.kind == EventKind::barrier && !event.control_dependencies.empty()) return true;
  return false;
}

}  // namespace

Bits opens_no_barrier_by_itself(const Encoding& encoding, TermGraph& graph) {
  if (!waits_somewhere(encoding.structure())) return Bits::boolean(true);
  return is_ranked(Causes(encoding).relation(), graph);
}

}  // namespace ptxmc
