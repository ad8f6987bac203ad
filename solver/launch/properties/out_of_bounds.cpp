#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "model/program/program_order.hpp"
#include "solver/launch/properties/properties.hpp"

// An access beyond its allocation, or misaligned; or to the shared memory of a CTA that has ended.

namespace ptxmc {

namespace {

std::vector<Suspect> stray_accesses(const EventStructure& structure) {
  std::vector<Suspect> result = ending_suspects(structure, Ending::Kind::stray_access);
  for (Suspect& access : violation_suspects(structure, Violation::Kind::out_of_bounds))
    result.push_back(std::move(access));
  return result;
}

constexpr const char* access_after_end = "access_after_end";

bool some_may_outlive_its_cta(const EventStructure& structure) {
  return std::ranges::any_of(structure.events, [](const Event& event) {
    return event.may_outlive_cta && !event.condition.is_false();
  });
}

/// The CTA in whose shared memory an access may be; empty if that is open.
std::optional<int> cta_of(const Program& program, const Event& access) {
  std::set<int> ctas;
  for (const Variable& variable : program.memory)
    if (variable.cta >= 0 && access.may_touch(variable.location, variable.size())) ctas.insert(variable.cta);
  return ctas.size() == 1 ? std::optional(*ctas.begin()) : std::nullopt;
}

std::vector<int> threads_of(const Program& program, int cta) {
  std::vector<int> result;
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread)
    if (program.threads[thread].placement.cta == cta) result.push_back(static_cast<int>(thread));
  return result;
}

/// An access that no event of the CTA follows. It comes after the end of the CTA if all threads of the CTA
/// have ended.
std::optional<Suspect> late_access(const EventStructure& structure, EventId id, EventId) {
  const Event& access = structure.events[static_cast<std::size_t>(id)];
  Suspect suspect{Bits::boolean(true), site_of(structure, id), {}, {}, {}};
  if (const auto cta = cta_of(*structure.program, access))
    suspect.completed = threads_of(*structure.program, *cta);
  return suspect;
}

/// Adds a thread of the CTA that may have ended.
bool add_cta(LaunchFinding& finding, const EventStructure&, const Holds&) {
  if (finding.site.event < 0) return true;
  const Execution& witness = finding.witness;
  const auto cta = cta_of(*witness.program, witness.events[static_cast<std::size_t>(finding.site.event)]);
  if (!cta) return false;
  finding.other = LaunchSite{threads_of(*witness.program, *cta).front(), {}, -1};
  return true;
}

/// The condition that no event of the CTA follows an access in the order of barriers and of waits for groups.
class LateAccesses {
 public:
  explicit LateAccesses(const LaunchFacts& facts) : facts_(facts) {
    const auto& events = facts.structure().events;
    for (EventId id = 0; id < static_cast<EventId>(events.size()); ++id)
      if (const Event& event = at(id); event.thread != Event::no_thread && event.strand == 0)
        of_cta_[cta_of_thread(event.thread)].push_back(id);
  }

  Bits some() const {
    Bits result = Bits::boolean(false);
    const auto& events = facts_.structure().events;
    for (EventId id = 0; id < static_cast<EventId>(events.size()); ++id)
      if (at(id).may_outlive_cta && !at(id).condition.is_false()) result = result | is_late(id);
    return result;
  }

 private:
  const Event& at(EventId id) const { return facts_.structure().events[static_cast<std::size_t>(id)]; }
  int cta_of_thread(int thread) const {
    return facts_.structure().program->threads[static_cast<std::size_t>(thread)].placement.cta;
  }

  Bits is_late(EventId id) const {
    Bits late = at(id).condition;
    const auto cta = cta_of(*facts_.structure().program, at(id));
    const bool is_asynchronous_read = at(id).strand != 0 && at(id).is_read() && at(id).rmw == -1;
    if (!is_asynchronous_read && cta == cta_of_thread(at(id).thread)) return Bits::boolean(false);
    const auto events = cta ? of_cta_.find(*cta) : of_cta_.end();
    if (events == of_cta_.end()) return late;
    for (auto other = events->second.rbegin(); other != events->second.rend() && !late.is_false(); ++other)
      if (facts_.order().executes_before(id, *other) || is_complete_before(at(id), at(*other)).is_true())
        late = late & ~at(*other).condition;
    return late;
  }

  const LaunchFacts& facts_;
  std::map<int, std::vector<EventId>> of_cta_;  // by CTA: the events of its threads
};

bool is_none_late(LaunchFacts& facts) {
  if (!some_may_outlive_its_cta(facts.structure())) return true;
  return !facts.may_be(LateAccesses(facts).some());
}

}  // namespace

PropertyDefinition out_of_bounds_property() {
  return {.property = LaunchProperty::out_of_bounds,
          .visible = stray_accesses,
          .relation = access_after_end,
          .of_pair = late_access,
          .is_relevant = some_may_outlive_its_cta,
          .is_excluded = is_none_late,
          .complete = add_cta};
}

}  // namespace ptxmc
