#include "solver/launch/defined_part.hpp"

#include <algorithm>
#include <map>

#include "model/program/barriers.hpp"
#include "model/program/misuses.hpp"
#include "model/program/program_order.hpp"
#include "solver/encoding/encoding.hpp"

namespace ptxmc {

namespace {

/// An undefined use may race: the race exists without what follows the use.
bool may_be_the_use(LaunchProperty property) { return property == LaunchProperty::race; }

/// Whether a suspect depends on an event as one that precedes its site, if that is no event, or precedes the
/// end of a thread that must have completed.
bool depends_on(const Suspect& suspect, const Event& event) {
  const bool precedes_site = suspect.site.event < 0 && event.thread == suspect.site.thread &&
                             (!suspect.step || event.step < *suspect.step);
  return precedes_site || std::ranges::find(suspect.completed, event.thread) != suspect.completed.end();
}

/// Whether a suspect has a site behind an arrival, in the thread of the arrival.
bool is_behind(const Suspect& suspect, const Event& arrival, std::span<const Event> events,
               const std::function<EventId(EventId)>& number) {
  const auto precedes_event = [&](const LaunchSite& site) {
    const EventId id = site.event < 0 ? -1 : number(site.event);
    return id >= 0 && is_earlier_instruction(arrival, events[index(id)]);
  };
  return depends_on(suspect, arrival) || precedes_event(suspect.site) ||
         (suspect.other && precedes_event(*suspect.other));
}

/// Whether a suspect follows the misuse of a phase by two arrivals, whichever of them is the later one.
bool follows_misuse(const Program& program, const Suspect& suspect, const Event& a, const Event& b,
                    std::span<const Event> events, const std::function<EventId(EventId)>& number) {
  const bool is_behind_a = is_behind(suspect, a, events, number),
             is_behind_b = is_behind(suspect, b, events, number);
  const auto warp_of = [&](const Event& event) {
    return group_of(program, Barrier::Group::warp, event.thread);
  };
  if (warp_of(a) == warp_of(b)) return is_behind_a || is_behind_b;
  return (is_behind_a && (waits_at_barrier(a) || is_behind_b)) || (is_behind_b && waits_at_barrier(b));
}

Bits some_end_undefined(const EventStructure& structure) {
  Bits some = Bits::boolean(false);
  for (const auto& endings : structure.endings)
    for (const Ending& ending : endings)
      if (ending.kind == Ending::Kind::undefined) some = some | ending.condition;
  return some;
}

/// Two arrivals that misuse their phase under a condition (width 1).
using PhaseMisuse = BarrierPhases::Misused;

/// All of them. Complete phases are only misused by reductions beside other arrivals.
std::vector<PhaseMisuse> phase_misuses(const Encoding& encoding) {
  const auto& events = encoding.structure().events;
  const BarrierPhases& phases = encoding.algebra().phases();
  std::vector<PhaseMisuse> result;
  const auto add = [&](EventId a, EventId b, const Bits& when, bool is_complete) {
    if (misuse_in_phase(events[index(a)], events[index(b)], is_complete)) result.push_back({a, b, when});
  };
  for (const auto& [first, second, when] : phases.misused) add(first, second, when, false);
  for (EventId a = 0; a < static_cast<EventId>(phases.meet.rows.size()); ++a)
    if (is_reduction(events[index(a)].barrier.kind))
      for (const auto& [b, when] : phases.meet.rows[index(a)]) add(a, b, when, true);
  return result;
}

/// By event: the condition that the relation has a pair with this second event.
std::vector<Bits> range(const Encoding& encoding, const char* name) {
  std::vector<Bits> result(encoding.structure().events.size(), Bits::boolean(false));
  if (const SymbolicRelation* relation = encoding.outcome().relation(name))
    for (const auto& row : relation->rows)
      for (const auto& [second, holds] : row) result[index(second)] = result[index(second)] | holds;
  return result;
}

}  // namespace

DefinedPart::DefinedPart(const Program& program, std::span<const Event> events, const UndefinedUses& uses)
    : program_(program),
      events_(events),
      is_misuse_(events.size()),
      is_after_(events.size()),
      has_undefined_use_(uses.has_end || !uses.misuses.empty()) {
  for (const auto& [write, use] : uses.misuses) is_misuse_[index(use)] = true;
  for (const auto& [use, later] : uses.after) is_after_[index(later)] = true;
  add_phases(uses.phases);
}

void DefinedPart::add_phases(std::span<const int> phases) {
  std::map<int, std::vector<EventId>> arrivals;  // by phase
  for (EventId id = 0; id < static_cast<EventId>(phases.size()); ++id)
    if (phases[index(id)] != -1 && arrives_at_barrier(events_[index(id)]))
      arrivals[phases[index(id)]].push_back(id);
  for (const auto& each : arrivals) {
    const std::vector<EventId>& members = each.second;
    const bool is_complete = each.first >= 0;
    const auto misuse = [&](EventId a, EventId b) {
      return misuse_in_phase(events_[index(a)], events_[index(b)], is_complete).has_value();
    };
    if (std::ranges::none_of(members, [&](EventId id) { return misuse(members.front(), id); })) continue;
    has_undefined_use_ = true;
    for (const EventId a : members)
      if (waits_at_barrier(events_[index(a)]))
        misusing_.emplace_back(a, a);
      else
        for (const EventId b : members)
          if (a != b && misuse(a, b)) misusing_.emplace_back(a, b);
  }
}

bool DefinedPart::contains(LaunchProperty property, const Suspect& suspect,
                           const std::function<EventId(EventId)>& number) const {
  if (property == LaunchProperty::undefined || !has_undefined_use_) return true;
  if (suspect.site.thread == Event::no_thread) return false;
  const auto is_defined = [&](EventId id) {
    return !is_after_[index(id)] && (may_be_the_use(property) || !is_misuse_[index(id)]);
  };
  for (const LaunchSite* site : {&suspect.site, suspect.other ? &*suspect.other : nullptr})
    if (site != nullptr && site->event >= 0)
      if (const EventId id = number(site->event); id >= 0 && !is_defined(id)) return false;
  for (EventId id = 0; id < static_cast<EventId>(events_.size()); ++id)
    if (depends_on(suspect, events_[index(id)]) && !is_defined(id)) return false;
  return std::ranges::none_of(misusing_, [&](const auto& pair) {
    return follows_misuse(program_, suspect, events_[index(pair.first)], events_[index(pair.second)], events_,
                          number);
  });
}

Bits some_undefined_use(const Encoding& encoding) {
  Bits some = some_end_undefined(encoding.structure());
  for (const Bits& is_misused : range(encoding, misuse_of_mbarrier)) some = some | is_misused;
  for (const PhaseMisuse& misused : phase_misuses(encoding)) some = some | misused.when;
  return some;
}

void restrict_to_defined_part(const Encoding& encoding, LaunchProperty property,
                              std::vector<Suspect>& suspects) {
  std::vector<Bits> undefined = range(encoding, after_misuse);
  const std::vector<Bits> uses = range(encoding, misuse_of_mbarrier);
  for (std::size_t i = 0; i < uses.size() && !may_be_the_use(property); ++i)
    undefined[i] = undefined[i] | uses[i];
  const auto& events = encoding.structure().events;
  const Bits some = some_undefined_use(encoding);
  const std::vector<PhaseMisuse> misused_phases = phase_misuses(encoding);
  for (Suspect& suspect : suspects) {
    Bits& condition = suspect.condition;
    if (suspect.site.thread == Event::no_thread) condition = condition & ~some;
    for (std::size_t i = 0; i < events.size(); ++i)
      if (depends_on(suspect, events[i])) condition = condition & ~undefined[i];
    for (const LaunchSite* site : {&suspect.site, suspect.other ? &*suspect.other : nullptr})
      if (site != nullptr && site->event >= 0) condition = condition & ~undefined[index(site->event)];
    for (const auto& [first, second, when] : misused_phases)
      if (follows_misuse(*encoding.structure().program, suspect, events[index(first)], events[index(second)],
                         events, std::identity()))
        condition = condition & ~when;
  }
}

}  // namespace ptxmc
