#include "solver/meetings/certain_barriers.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "model/program/barriers.hpp"
#include "solver/algebra/conjuncts.hpp"
#include "solver/meetings/divergence.hpp"

namespace ptxmc {

namespace {

/// A barrier at which all threads of a warp, of a mask or of a CTA wait.
struct Object {
  std::vector<std::vector<int>> units;
  std::map<int, std::vector<EventId>> arrivals;  // by thread, in program order
  std::size_t phases = 0;                        // the certain ones
};

/// Whether arrivals may depend on reads.
enum class Mode : std::uint8_t { certain, open };

class CertainPhases {
 public:
  CertainPhases(EventStructure structure, Mode mode) : mode_(mode), result_{std::move(structure), {}} {
    result_.schedule.assign(events().size(), -1);
    if (mode_ == Mode::open) {
      divergent_ = divergent_barriers_by_event(result_.structure);
      for (const Event& event : events())
        if (is_open(event.goes_on)) all_ways_on_.insert(event.goes_on.term()->variable);
    }
    find_objects();
    if (mode_ == Mode::open)
      std::erase_if(objects_, [&](const auto& each) { return !are_nested(each.second); });
  }

  CertainBarriers run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& [name, object] : objects_)
        while (add_phase(object)) changed = result_.has_any = true;
    }
    if (result_.has_any) substitute(result_.structure, passed_);
    result_.passed = std::move(passed_);
    return std::move(result_);
  }

 private:
  const std::vector<Event>& events() const { return result_.structure.events; }
  const Event& at(EventId id) const { return events()[static_cast<std::size_t>(id)]; }

  static bool is_open(const Bits& goes_on) { return goes_on.width() != 0 && !goes_on.is_constant(); }

  /// Whether the condition shows that its thread has gone on behind an arrival.
  bool is_behind(const Bits& condition, EventId arrival) const {
    return certainly_implies(condition, at(arrival).condition) &&
           certainly_implies(condition, at(arrival).goes_on);
  }

  /// Whether each thread arrives only behind its arrival before.
  bool are_nested(const Object& object) const {
    return std::ranges::all_of(object.arrivals, [&](const auto& of_thread) {
      const std::vector<EventId>& arrivals = of_thread.second;
      for (std::size_t i = 1; i < arrivals.size(); ++i)
        if (!is_behind(at(arrivals[i]).condition, arrivals[i - 1])) return false;
      return true;
    });
  }

  /// Whether the thread of an arrival exits only behind it.
  bool exits_behind(EventId arrival) const {
    const auto& endings = result_.structure.endings[static_cast<std::size_t>(at(arrival).thread)];
    return std::ranges::all_of(endings, [&](const Ending& ending) {
      return ending.kind != Ending::Kind::completed || is_behind(ending.condition, arrival);
    });
  }

  /// Whether no thread may exit while others wait for it: all arrive, or none does, or each exits only
  /// behind its arrival.
  bool are_all_awaited(const std::vector<EventId>& arrivals) {
    const Bits first = passed_.apply(at(arrivals.front()).condition);
    return std::ranges::all_of(
               arrivals, [&](EventId id) { return identical(passed_.apply(at(id).condition), first); }) ||
           std::ranges::all_of(arrivals, [&](EventId id) { return exits_behind(id); });
  }

  bool is_decided(const Bits& condition) const {
    return mode_ == Mode::certain ? condition.is_true()
                                  : std::ranges::none_of(variables_of(condition), [&](VariableId id) {
                                      return all_ways_on_.contains(id);
                                    });
  }

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
        if (!is_decided(passed_.apply(at(id).condition)) || diverges(at(id), unit, object)) return {};
        if (!divergent_.empty() && !divergent_[static_cast<std::size_t>(id)].empty()) return {};
        members.push_back(id);
      }
    if (mode_ == Mode::open && !are_all_awaited(members)) return {};
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
    Bits all_come = Bits::boolean(true);
    for (const EventId id : members) all_come = all_come & passed_.apply(at(id).condition);
    for (const EventId id : members) {
      result_.schedule[static_cast<std::size_t>(id)] = phases_;
      if (is_open(at(id).goes_on)) ways_on_.emplace_back(at(id).goes_on, all_come);
    }
    // A substitution keeps the results for terms that it was applied to, without later replacements.
    passed_ = {};
    for (const auto& [way_on, when] : ways_on_) passed_.replace(way_on, when);
    ++phases_;
    ++object.phases;
    return true;
  }

  const Mode mode_;
  CertainBarriers result_;
  DivergentBarriers divergent_;       // empty if no warps may diverge
  std::set<VariableId> all_ways_on_;  // Event::goes_on
  std::map<BarrierName, Object> objects_;
  std::vector<std::pair<Bits, Bits>> ways_on_;  // Event::goes_on of the arrivals so far, and their values
  Substitution passed_;                         // these values
  int phases_ = 0;
};

}  // namespace

CertainBarriers with_certain_barriers(EventStructure structure) {
  return CertainPhases(std::move(structure), Mode::certain).run();
}

CertainBarriers with_common_phases(EventStructure structure) {
  return CertainPhases(std::move(structure), Mode::open).run();
}

}  // namespace ptxmc
