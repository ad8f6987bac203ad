#include "model/relations/related_pairs.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "model/relations/base_sets.hpp"

namespace ptxmc {

namespace {

using Events = std::span<const Event>;

std::vector<EventId> events_that(bool (*may_be_related)(const Event&), bool (*among)(const Event&),
                                 Events events) {
  std::vector<EventId> result;
  for (std::size_t id = 0; id < events.size(); ++id)
    if ((!may_be_related || may_be_related(events[id])) && (!among || among(events[id])))
      result.push_back(static_cast<EventId>(id));
  return result;
}

/// Finds the accesses that may touch a byte of another access.
class AccessesByLocation {
 public:
  AccessesByLocation(Events events, std::span<const EventId> accesses)
      : all_(accesses.begin(), accesses.end()) {
    for (const EventId id : accesses)
      if (is_short(events[index(id)]))
        short_.emplace_back(events[index(id)].location.to_u64(), id);
      else
        others_.push_back(id);
    std::ranges::sort(short_);
  }

  /// In ascending order.
  std::vector<EventId> near(const Event& access) const {
    if (!is_short(access)) return all_;
    std::vector<EventId> result = others_;
    const std::uint64_t location = access.location.to_u64();
    const std::uint64_t first = location < most_bytes ? 0 : location - most_bytes + 1;
    for (auto i = std::ranges::lower_bound(short_, std::pair<std::uint64_t, EventId>(first, 0));
         i != short_.end() && i->first < location + access.size; ++i)
      result.push_back(i->second);
    std::ranges::sort(result);
    return result;
  }

 private:
  static constexpr std::uint64_t most_bytes = 64;

  /// Whether the access has a known location and few bytes, of which the addresses do not wrap around.
  static bool is_short(const Event& access) {
    return access.location.is_constant() && access.size <= most_bytes &&
           access.location.to_u64() + access.size > access.location.to_u64();
  }

  std::vector<std::pair<std::uint64_t, EventId>> short_;  // with the locations, in their order
  std::vector<EventId> others_, all_;                     // ascending
};

/// Two events of the same class have the same thread, strand and scope.
class AgentClasses {
 public:
  explicit AgentClasses(Events events) {
    std::map<std::tuple<int, unsigned, Scope>, std::size_t> classes;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const auto [found, is_new] =
          classes.try_emplace({events[i].thread, events[i].strand, scope_of(events[i])}, classes.size());
      if (is_new) examples_.push_back(static_cast<EventId>(i));
      class_of_.push_back(found->second);
    }
    related_.resize(examples_.size());
  }

  /// By class: whether events of the class of `id` are related to its events.
  const std::vector<bool>& related_to(EventId id, const auto& holds) {
    std::vector<bool>& result = related_[of(id)];
    if (result.empty())
      for (const EventId example : examples_) result.push_back(holds(id, example).is_true());
    return result;
  }

  std::size_t of(EventId id) const { return class_of_[static_cast<std::size_t>(id)]; }

 private:
  std::vector<std::size_t> class_of_;       // by event
  std::vector<EventId> examples_;           // by class
  std::vector<std::vector<bool>> related_;  // by class; empty: not asked yet
};

}  // namespace

void for_each_related(const BaseRelation& relation, const Program& program, Events events,
                      const FoundPair& found, bool (*among)(const Event&)) {
  const std::vector<EventId> to = events_that(relation.to, among, events);
  if (to.empty()) return;
  const std::vector<EventId> from = events_that(relation.from, among, events);
  const auto holds = [&](EventId a, EventId b) { return relation.holds(program, events, a, b); };
  const auto look_at = [&](EventId a, std::span<const EventId> successors) {
    for (const EventId b : successors)
      if (const Bits condition = holds(a, b); !condition.is_false()) found(a, b, condition);
  };
  switch (relation.pairing) {
    case Pairing::any:
      for (const EventId a : from) look_at(a, to);
      return;
    case Pairing::one_event:
      for (const EventId a : from)
        if (std::ranges::binary_search(to, a)) look_at(a, {&a, 1});
      return;
    case Pairing::one_thread: {
      std::map<int, std::vector<EventId>> by_thread;
      for (const EventId b : to) by_thread[events[index(b)].thread].push_back(b);
      for (const EventId a : from) look_at(a, by_thread[events[index(a)].thread]);
      return;
    }
    case Pairing::common_bytes: {
      const AccessesByLocation accesses(events, to);
      for (const EventId a : from) look_at(a, accesses.near(events[index(a)]));
      return;
    }
    case Pairing::by_agents: {
      AgentClasses classes(events);
      const Bits yes = Bits::boolean(true);
      for (const EventId a : from) {
        const std::vector<bool>& is_related = classes.related_to(a, holds);
        for (const EventId b : to)
          if (is_related[classes.of(b)]) found(a, b, yes);
      }
      return;
    }
  }
}

}  // namespace ptxmc
