#include "solver/meetings/mbarrier_memory.hpp"

#include <algorithm>
#include <map>

#include "solver/meetings/barrier_order.hpp"

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
    }
  }

  bool are_apart() {
    std::uint64_t before = 0;
    for (const auto& [object, inits] : inits_) {
      if (before != 0 && object - before < size) return false;
      before = object;
    }
    for (EventId id = 0; id < event_count(); ++id)
      if (!is_apart(id)) return false;
    return true;
  }

 private:
  static constexpr unsigned size = 8;  // bytes of an object

  EventId event_count() const { return static_cast<EventId>(structure_.events.size()); }
  const Event& at(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }

  bool is_apart(EventId id) {
    const Event& event = at(id);
    if (!event.is_memory_access() || event.kind == EventKind::initial_write || event.condition.is_false() ||
        event.access.mbarrier != MbarrierAccess::none)
      return true;
    return std::ranges::all_of(inits_, [&](const auto& object) {
      return !event.may_touch(object.first, size) || std::ranges::all_of(object.second, [&](EventId init) {
        return is_outside_life(id, init, object.first);
      });
    });
  }

  /// Whether an access precedes `mbarrier.init`, or follows an `mbarrier.inval` behind it.
  bool is_outside_life(EventId access, EventId init, std::uint64_t object) {
    if (!order_) order_.emplace(structure_, schedule_);
    if (order_->precedes(access, init)) return true;
    const auto invals = invals_.find(object);
    return invals != invals_.end() && std::ranges::any_of(invals->second, [&](EventId inval) {
             return at(inval).condition.is_true() && order_->precedes(init, inval) &&
                    is_before(inval, access);
           });
  }

  /// Whether an operation on an mbarrier, through the generic proxy, precedes an access in causality order.
  bool is_before(EventId operation, EventId access) const {
    return at(access).access.proxy == Proxy::generic ? order_->precedes(operation, access)
                                                     : order_->precedes_through_fence(operation, access);
  }

  const EventStructure& structure_;
  const BarrierSchedule& schedule_;
  std::map<std::uint64_t, std::vector<EventId>> inits_, invals_;  // by location
  std::optional<BarrierOrder> order_;                             // if it is needed
};

}  // namespace

bool are_mbarriers_apart(const EventStructure& structure, const BarrierSchedule& schedule) {
  return Lives(structure, schedule).are_apart();
}

}  // namespace ptxmc
