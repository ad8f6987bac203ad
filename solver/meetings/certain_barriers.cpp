#include "solver/meetings/certain_barriers.hpp"

#include <algorithm>
#include <map>

#include "model/program/barriers.hpp"
#include "solver/unfolding/substitution.hpp"

namespace ptxmc {

namespace {

/// A barrier at which all threads of a warp, of a mask or of a CTA wait.
struct Object {
  std::vector<std::vector<int>> units;
  std::map<int, std::vector<EventId>> arrivals;  // by thread, in program order
  std::size_t phases = 0;                        // the certain ones
};

class CertainPhases {
 public:
  explicit CertainPhases(EventStructure structure) : result_{std::move(structure), {}, false} {
    result_.schedule.assign(events().size(), -1);
    find_objects();
  }

  CertainBarriers run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& [name, object] : objects_)
        while (add_phase(object)) changed = result_.has_any = true;
    }
    if (result_.has_any) substitute(result_.structure, passed_);
    return std::move(result_);
  }

 private:
  const std::vector<Event>& events() const { return result_.structure.events; }
  const Event& at(EventId id) const { return events()[static_cast<std::size_t>(id)]; }

  static bool is_supported(const Event& event) {
    return event.barrier.kind != Barrier::Kind::arrive && event.barrier.kind != Barrier::Kind::wait &&
           !event.barrier.count;
  }

  void find_objects() {
    std::map<BarrierName, bool> all_supported;
    for (EventId id = 0; id < static_cast<EventId>(events().size()); ++id) {
      const Event& event = at(id);
      const bool has_place =
          event.kind == EventKind::barrier && !event.condition.is_false() &&
          (event.barrier.group == Barrier::Group::warp || event.barrier.group == Barrier::Group::cta);
      if (!has_place) continue;
      if (!event.barrier.id.is_constant()) {  // it may be any of the barriers
        objects_.clear();
        return;
      }
      const BarrierName name = name_of(*result_.structure.program, event);
      auto& supported = all_supported.try_emplace(name, true).first->second;
      supported = supported && is_supported(event);
      Object& object = objects_[name];
      if (object.units.empty()) object.units = units_of(*result_.structure.program, event);
      object.arrivals[event.thread].push_back(id);
    }
    std::erase_if(objects_, [&](const auto& each) { return !all_supported.at(each.first); });
  }

  /// The arrivals of the next phase of a barrier, if all of them are certain.
  std::vector<EventId> next_phase(const Object& object) {
    std::vector<EventId> members;
    for (const std::vector<int>& unit : object.units)
      for (const int thread : unit) {
        const auto arrivals = object.arrivals.find(thread);
        if (arrivals == object.arrivals.end() || arrivals->second.size() <= object.phases) return {};
        const EventId id = arrivals->second[object.phases];
        if (!passed_.apply(at(id).condition).is_true() || diverges(at(id), unit, object)) return {};
        members.push_back(id);
      }
    return members;
  }

  /// Whether threads of a warp arrive at different aligned barriers.
  bool diverges(const Event& event, const std::vector<int>& unit, const Object& object) const {
    const auto first = object.arrivals.find(unit.front());
    if (first == object.arrivals.end() || first->second.size() <= object.phases) return true;
    const Event& other = at(first->second[object.phases]);
    return (event.barrier.aligned || other.barrier.aligned) && event.instruction != other.instruction;
  }

  bool add_phase(Object& object) {
    const std::vector<EventId> members = next_phase(object);
    if (members.empty()) return false;
    for (const EventId id : members) {
      result_.schedule[static_cast<std::size_t>(id)] = phases_;
      const Bits& goes_on = at(id).goes_on;
      if (goes_on.width() != 0 && !goes_on.is_constant()) ways_on_.push_back(goes_on);
    }
    // A substitution keeps the results for terms that it was applied to, without later replacements.
    passed_ = {};
    for (const Bits& way_on : ways_on_) passed_.replace(way_on, Bits::boolean(true));
    ++phases_;
    ++object.phases;
    return true;
  }

  CertainBarriers result_;
  std::map<BarrierName, Object> objects_;
  std::vector<Bits> ways_on_;  // that threads go on behind the certain barriers
  Substitution passed_;        // these are true
  int phases_ = 0;
};

}  // namespace

CertainBarriers with_certain_barriers(EventStructure structure) {
  return CertainPhases(std::move(structure)).run();
}

}  // namespace ptxmc
