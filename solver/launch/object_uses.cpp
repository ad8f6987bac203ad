#include "solver/launch/object_uses.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "model/program/barriers.hpp"

namespace ptxmc {

namespace {

bool is_of_mbarrier(const Event& event) { return event.access.mbarrier != MbarrierAccess::none; }

constexpr unsigned object_size = 8;

struct Object {
  EventId made_by = -1;  ///< mbarrier.init, or an initial write
  EventId first = -1;    ///< the first operation that writes
};

class Uses {
 public:
  Uses(const Execution& execution, std::span<const std::size_t> moments)
      : execution_(execution), events_(execution.events), moments_(moments) {}

  ObjectUses result() {
    if (!find_objects() || !are_apart() || !read_objects()) return {true};
    ObjectUses uses;
    for (const auto& [place, object] : objects_)
      if (object.made_by >= 0 && object.first >= 0 && !is_ordered(object.made_by, object.first))
        uses.unordered.emplace_back(object.made_by, object.first);
    return uses;
  }

 private:
  const Event& at(EventId id) const { return events_[index(id)]; }

  bool find_objects() {
    for (EventId id = 0; id < static_cast<EventId>(events_.size()); ++id) {
      const Event& event = at(id);
      const bool is_other_reduction =
          event.strand != 0 && event.access.is_reduction && !is_of_mbarrier(event);
      if (event.is_memory_access() && is_other_reduction) return false;
      if (!event.is_memory_access() || !is_of_mbarrier(event)) continue;
      if (event.access.mbarrier == MbarrierAccess::inval || event.size != object_size) return false;
      Object& object = objects_[event.location.to_u64()];
      if (event.access.mbarrier == MbarrierAccess::init) {
        if (object.made_by >= 0) return false;
        object.made_by = id;
      } else if (event.is_write() &&
                 (object.first < 0 || moments_[index(id)] < moments_[index(object.first)])) {
        object.first = id;
      }
    }
    return true;
  }

  /// Whether all accesses to the bytes of objects are operations on a whole object.
  bool are_apart() const {
    return std::ranges::all_of(events_, [&](const Event& event) {
      if (!event.is_memory_access() || event.kind == EventKind::initial_write) return true;
      const std::uint64_t first = event.location.to_u64();
      for (auto near = objects_.lower_bound(first - std::min<std::uint64_t>(first, object_size - 1));
           near != objects_.end() && near->first < first + event.size; ++near)
        if (!is_of_mbarrier(event) || near->first != first) return false;
      return true;
    });
  }

  bool read_objects() const {
    return std::ranges::all_of(execution_.reads_from, [&](const ReadsFrom& source) {
      return at(source.read).access.mbarrier != MbarrierAccess::operation || is_of_mbarrier(at(source.write));
    });
  }

  /// Whether program order, or a barrier, orders an init before an operation of a thread, or before the start
  /// of the asynchronous operation that performs it.
  bool is_ordered(EventId init, EventId use) const {
    const Event &first = at(init), &second = at(use);
    if (first.kind == EventKind::initial_write) return true;
    if (first.access.proxy != Proxy::generic || second.access.proxy != Proxy::generic ||
        !identical(first.address, second.address))
      return false;
    if (first.thread == second.thread) return first.step < second.step;
    std::set<int> phases;  // in which the thread of the init arrives after it
    for (std::size_t i = 0; i < execution_.barrier_phase.size(); ++i)
      if (const Event& barrier = events_[i]; execution_.barrier_phase[i] >= 0 &&
                                             barrier.thread == first.thread && barrier.step > first.step &&
                                             arrives_at_barrier(barrier) && !barrier.barrier.is_relaxed)
        phases.insert(execution_.barrier_phase[i]);
    for (std::size_t i = 0; i < execution_.barrier_phase.size(); ++i)
      if (const Event& barrier = events_[i]; phases.contains(execution_.barrier_phase[i]) &&
                                             barrier.thread == second.thread && barrier.step < second.step &&
                                             waits_at_barrier(barrier))
        return true;
    return false;
  }

  const Execution& execution_;
  const std::vector<Event>& events_;
  const std::span<const std::size_t> moments_;
  std::map<std::uint64_t, Object> objects_;  // by the first byte
};

}  // namespace

ObjectUses uses_of_objects(const Execution& execution, std::span<const std::size_t> moments) {
  return Uses(execution, moments).result();
}

}  // namespace ptxmc
