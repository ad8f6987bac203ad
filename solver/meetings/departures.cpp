#include "solver/meetings/departures.hpp"

#include <algorithm>
#include <map>
#include <set>

// Why departures have no other effect than to invalidate mbarriers after all operations on them.
//
// A departure is departing code (Departure, src/kernel/unfolding/departing_code.hpp): a thread T is active
// together with some threads G of its warp that leave the same group, and the lowest lane of G subtracts the
// size of G from the counter. Any set of lanes may be together. Let the group have the members D: the threads
// that depart in every execution, each once. A write of N to the counter precedes all departures and follows
// all other writes to it.
//
// - Nothing waits but for the threads of G, each of which goes on from activemask to match.any. So each
//   departure comes to its end.
// - The subtractions are atomic operations of one size and scope, morally strong with each other, and all
//   other accesses to the counter precede them. So they follow each other in coherence order, and read N
//   minus the sizes of the sets that have left. The sets are disjoint, and there are at most N threads in all
//   of them together. So the counter becomes zero only if D has N threads, and only where the last thread of
//   D has left.
// - An operation on an object precedes the event of a departure of some thread T of D, and so in every
//   execution happens before it, along reads-from, dependencies and waiting. The lowest lane of the set of T
//   goes on after T has arrived at match.any, and its subtraction depends on the result; the subtractions
//   follow each other; and the invalidation depends on the value that the last one reads. So the operation
//   happens before the invalidation, and does not read what it leaves (docs/soundness.md).
// - The counter and the objects are in the shared memory of the CTA of D, and exist.
//
// The execution without the departures is an execution too: no other event reads what they write, and
// without their fences there are fewer orders.
//
// Why it does not matter which threads join together. That each lane is active alone is possible, so each
// execution of the events is one of the launch. In another execution sets of lanes join, and the lowest lane
// of a set of size k adds k. Replace its operation by k additions of one, which follow each other, of the
// lanes of the set. All other accesses to the counter precede all additions or follow them, so they read and
// leave the same. The additions are relaxed and nothing uses what they return. They could only order events
// of two threads as part of a release pattern before and an acquire pattern behind them (§ 8.8); but all
// additions precede each fence and access that a thread executes behind its own one, so these are ordered
// without the patterns.

namespace ptxmc {

namespace {

constexpr unsigned counter_size = 4;

class Group {
 public:
  Group(const EventStructure& structure, const MbarrierSimulation& simulation, const BarrierOrder& order,
        const std::vector<const Departure*>& all)
      : structure_(structure), simulation_(simulation), order_(order) {
    for (const Departure* each : all) (each->joins ? joining_ : members_).push_back(each);
  }

  bool is_idle() const {
    if (!is_joined_in_one_step()) return false;
    if (members_.empty()) return true;
    const auto size = initial_size();
    if (!size || *size < members_.size() || !are_alike()) return false;
    if (members_.size() < *size) return true;  // the counter never becomes zero
    return std::ranges::all_of(members_.front()->objects,
                               [&](std::uint64_t location) { return ends_in_time(location); });
  }

 private:
  const Event& at(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }

  bool may_touch_counter(const Event& event, std::uint64_t counter) const {
    return event.is_memory_access() && event.kind != EventKind::initial_write &&
           !event.condition.is_false() && event.may_touch(counter, counter_size);
  }

  /// Whether all additions of threads that join precede or follow each other access to the counter, and
  /// precede what these threads do behind their own one.
  bool is_joined_in_one_step() const {
    std::set<EventId> additions;
    std::map<int, unsigned> joined;  // by thread: the step of its first addition
    for (const Departure* each : joining_) {
      const Event& read = at(each->event);
      additions.insert({each->event, read.rmw});
      const auto [known, is_new] = joined.try_emplace(read.thread, read.step);
      known->second = std::min(known->second, read.step);
    }
    const auto follows_all = [&](EventId id) {
      return std::ranges::all_of(joining_,
                                 [&](const Departure* each) { return order_.precedes(each->event, id); });
    };
    const auto precedes_all = [&](EventId id) {
      return std::ranges::all_of(joining_,
                                 [&](const Departure* each) { return order_.precedes(id, each->event); });
    };
    for (EventId id = 0; !joining_.empty() && id < static_cast<EventId>(structure_.events.size()); ++id) {
      const Event& event = at(id);
      if (additions.contains(id) || event.condition.is_false()) continue;
      const auto own = joined.find(event.thread);
      const bool is_behind = own != joined.end() && event.step > own->second &&
                             (event.is_memory_access() || event.kind == EventKind::fence);
      const bool is_at_counter = may_touch_counter(event, joining_.front()->counter);
      if ((is_behind || is_at_counter) && !follows_all(id) && (is_behind || !precedes_all(id))) return false;
    }
    return true;
  }

  /// The value that the last write gives the counter before all departures.
  std::optional<std::uint64_t> initial_size() const {
    std::vector<EventId> writes;
    for (EventId id = 0; id < static_cast<EventId>(structure_.events.size()); ++id) {
      if (!may_touch_counter(at(id), members_.front()->counter)) continue;
      if (!precedes_all(id)) return std::nullopt;
      if (at(id).is_write()) writes.push_back(id);
    }
    for (const EventId write : writes) {
      const auto is_before = [&](EventId other) { return other == write || order_.precedes(other, write); };
      if (sets_counter(at(write)) && std::ranges::all_of(writes, is_before)) return at(write).value.to_u64();
    }
    return std::nullopt;
  }

  bool sets_counter(const Event& event) const {
    return event.rmw < 0 && event.condition.is_true() && event.strand == 0 && event.location.is_constant() &&
           event.location.to_u64() == members_.front()->counter && event.size == counter_size &&
           event.value.is_constant();
  }

  bool precedes_all(EventId id) const {
    return std::ranges::all_of(members_,
                               [&](const Departure* member) { return order_.precedes(id, member->event); });
  }

  bool precedes_some(EventId id) const {
    return std::ranges::any_of(members_,
                               [&](const Departure* member) { return order_.precedes(id, member->event); });
  }

  /// Whether each thread departs once, in the same way.
  bool are_alike() const {
    std::set<int> threads;
    return std::ranges::all_of(members_, [&](const Departure* member) {
      return threads.insert(at(member->event).thread).second && at(member->event).condition.is_true() &&
             member->name == members_.front()->name && member->objects == members_.front()->objects;
    });
  }

  /// Whether the object exists before all departures, and all operations on it precede some departure.
  bool ends_in_time(std::uint64_t location) const {
    const auto object = std::ranges::find(simulation_.objects, location, &MbarrierObject::location);
    if (object == simulation_.objects.end() || object->inval || !precedes_all(object->init)) return false;
    const auto number = static_cast<std::size_t>(object - simulation_.objects.begin());
    const auto is_done = [&](const MbarrierUpdate& update) { return precedes_some(update.write); };
    const auto are_done = [&](const MbarrierPhase& phase) {
      return std::ranges::all_of(phase.updates, is_done);
    };
    return std::ranges::all_of(object->phases, are_done) &&
           std::ranges::all_of(
               simulation_.passed,
               [&](const auto& poll) { return poll.second.object != number || precedes_some(poll.first); }) &&
           std::ranges::none_of(simulation_.endless, [&](const auto& poll) { return poll.second == number; });
  }

  const EventStructure& structure_;
  const MbarrierSimulation& simulation_;
  const BarrierOrder& order_;
  std::vector<const Departure*> members_;  // that depart
  std::vector<const Departure*> joining_;
};

}  // namespace

bool are_departures_idle(const EventStructure& structure, std::span<const Departure> departures,
                         const MbarrierSimulation& simulation, const BarrierOrder& order) {
  std::map<std::uint64_t, std::vector<const Departure*>> groups;    // by counter
  std::map<std::pair<int, std::uint64_t>, std::uint64_t> counters;  // by CTA and name
  std::map<std::uint64_t, std::uint64_t> counter_of;                // by object
  const auto is_same = [](auto& known, const auto& key, std::uint64_t counter) {
    return known.try_emplace(key, counter).first->second == counter;
  };
  for (const Departure& departure : departures) {
    const Event& event = structure.events[static_cast<std::size_t>(departure.event)];
    if (event.condition.is_false()) continue;
    const int cta = structure.program->threads[static_cast<std::size_t>(event.thread)].placement.cta;
    if (!is_same(counters, std::pair(cta, departure.name), departure.counter)) return false;
    for (const std::uint64_t object : departure.objects)
      if (!is_same(counter_of, object, departure.counter)) return false;
    groups[departure.counter].push_back(&departure);
  }
  return std::ranges::all_of(
      groups, [&](const auto& group) { return Group(structure, simulation, order, group.second).is_idle(); });
}

bool do_departures_end_threads(const EventStructure& structure, std::span<const Departure> departures) {
  std::set<EventId> own;
  std::map<int, unsigned> first;  // by thread: the step of its first departure
  for (const Departure& departure : departures) {
    if (departure.joins) continue;
    const Event& event = structure.events[static_cast<std::size_t>(departure.event)];
    const auto [known, is_new] = first.try_emplace(event.thread, event.step);
    known->second = std::min(known->second, event.step);
    own.insert(departure.event);
  }
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = structure.events[static_cast<std::size_t>(id)];
    const auto departs = first.find(event.thread);
    if (departs != first.end() && event.step > departs->second && !own.contains(id)) return false;
  }
  return true;
}

}  // namespace ptxmc
