#include "solver/meetings/mbarrier_memory.hpp"

#include <algorithm>
#include <map>

#include "solver/meetings/barrier_order.hpp"
#include "solver/meetings/mbarrier_waits.hpp"

namespace ptxmc {

namespace {

class Lives {
 public:
  Lives(const EventStructure& structure, const BarrierSchedule& schedule)
      : structure_(structure), schedule_(schedule) {
    for (EventId id = 0; id < event_count(); ++id) {
      const Event& event = at(id);
      if (event.condition.is_false() || !event.location.is_constant()) continue;
      if (event.access.mbarrier == MbarrierAccess::init) inits_[event.location.to_u64()].push_back(id);
      if (event.access.mbarrier == MbarrierAccess::inval) invals_[event.location.to_u64()].push_back(id);
      if (is_mbarrier_operation(event)) operations_[event.location.to_u64()].push_back(id);
    }
  }

  /// Whether other accesses are outside of the lives of objects, or, if it is allowed, behind all operations.
  bool are_apart(bool may_follow_operations) {
    std::uint64_t before = 0;
    for (const auto& [object, inits] : inits_) {
      if (before != 0 && object - before < size) return false;
      before = object;
    }
    if (!may_follow_operations && !are_ended_before_others()) return false;
    for (EventId id = 0; id < event_count(); ++id)
      if (!is_apart(id, may_follow_operations)) return false;
    return true;
  }

 private:
  static constexpr unsigned size = 8;  // bytes of an object

  EventId event_count() const { return static_cast<EventId>(structure_.events.size()); }
  const Event& at(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }

  bool is_apart(EventId id, bool may_follow_operations) {
    const Event& event = at(id);
    if (!event.is_memory_access() || event.kind == EventKind::initial_write || event.condition.is_false() ||
        event.access.mbarrier != MbarrierAccess::none)
      return true;
    return std::ranges::all_of(inits_, [&](const auto& object) {
      return !event.may_touch(object.first, size) || std::ranges::all_of(object.second, [&](EventId init) {
        return is_outside_life(id, init, object.first) ||
               (may_follow_operations && follows_operations(id, object.first));
      });
    });
  }

  /// Whether an access precedes `mbarrier.init`, or follows an `mbarrier.inval` behind it.
  bool is_outside_life(EventId access, EventId init, std::uint64_t object) {
    return order().precedes(access, init) || is_between(init, access, object);
  }

  /// Whether an `mbarrier.inval` follows `mbarrier.init`, and precedes the other event.
  bool is_between(EventId init, EventId event, std::uint64_t object) {
    const auto invals = invals_.find(object);
    return invals != invals_.end() && std::ranges::any_of(invals->second, [&](EventId inval) {
             return at(inval).condition.is_true() && order().precedes(init, inval) && is_before(inval, event);
           });
  }

  /// Whether an `mbarrier.inval` is between every two `mbarrier.init` of the same memory.
  bool are_ended_before_others() {
    return std::ranges::all_of(inits_, [&](const auto& object) {
      const std::vector<EventId>& inits = object.second;
      for (std::size_t i = 0; i < inits.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (!is_between(inits[i], inits[j], object.first) && !is_between(inits[j], inits[i], object.first))
            return false;
      return true;
    });
  }

  /// Whether an access follows all operations on an object, but those on a later object in its memory.
  bool follows_operations(EventId access, std::uint64_t object) {
    const auto operations = operations_.find(object);
    const auto is_on_later_object = [&](EventId operation) {
      return std::ranges::any_of(inits_.at(object), [&](EventId init) {
        return order().precedes(access, init) && order().precedes(init, operation);
      });
    };
    return operations == operations_.end() || std::ranges::all_of(operations->second, [&](EventId operation) {
             return is_before(operation, access) || is_on_later_object(operation);
           });
  }

  /// Whether an operation on an mbarrier, through the generic proxy, precedes an access in causality order.
  bool is_before(EventId operation, EventId access) {
    return at(access).access.proxy == Proxy::generic ? order().precedes(operation, access)
                                                     : order().precedes_through_fence(operation, access);
  }

  const BarrierOrder& order() {
    if (!order_) order_.emplace(structure_, schedule_);
    return *order_;
  }

  const EventStructure& structure_;
  const BarrierSchedule& schedule_;
  std::map<std::uint64_t, std::vector<EventId>> inits_, invals_, operations_;  // by location
  std::optional<BarrierOrder> order_;                                          // if it is needed
};

}  // namespace

bool are_mbarriers_apart(const EventStructure& structure, const BarrierSchedule& schedule) {
  return Lives(structure, schedule).are_apart(false);
}

bool are_phases_undisturbed(const EventStructure& structure, const BarrierSchedule& schedule) {
  return Lives(structure, schedule).are_apart(true);
}

}  // namespace ptxmc
