#include "solver/threads/open_races.hpp"

#include <algorithm>
#include <vector>

#include "solver/limits/time_limit.hpp"
#include "solver/threads/counter_order.hpp"
#include "solver/threads/overlaps.hpp"

namespace ptxmc {

namespace {

bool is_strong(const Event& event) { return event.access.sem != Sem::weak; }

/// Whether the scope of an access contains all threads of this relation.
bool reaches(const Event& event, Neighbours relation) {
  const Scope least = relation == Neighbours::across_ctas ? Scope::gpu : Scope::cta;
  return event.access.scope >= least;
}

/// Whether two accesses are morally strong if they overlap. Accesses are aligned, so those of one size then
/// overlap completely.
bool are_morally_strong(const Event& a, const Event& b, Neighbours relation) {
  return is_strong(a) && is_strong(b) && reaches(a, relation) && reaches(b, relation) &&
         a.access.proxy == b.access.proxy && a.size == b.size;
}

/// The races of two events of two threads with one relation.
class RacesOf {
 public:
  RacesOf(OpenQuestions& questions, Neighbours relation, ThreadPair& pair,
          const std::vector<CounterOrder>& orders)
      : questions_(questions),
        relation_(relation),
        pair_(pair),
        barriers_(questions.thread(), relation),
        orders_(orders) {}

  void look(OpenRaces& races, OpenSuspects& suspects) {
    const auto& events = questions_.thread().structure.events;
    std::vector<const Event*> accesses;
    for (const Event& event : events)
      if (event.is_memory_access() && !event.condition.is_false()) accesses.push_back(&event);
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      TimeLimit::check();
      std::vector<OpenSuspect> all;
      Bits mixed = Bits::boolean(false);
      for (std::size_t k = i; k < accesses.size(); ++k) {
        const Event &first = *accesses[i], &second = *accesses[k];
        const Bits race = race_of(first, second);
        if (race.is_false()) continue;
        all.push_back({LaunchProperty::race, race, line_of(first), line_of(second), first.step, second.step});
        if (first.size != second.size) mixed = mixed | race;
      }
      if (!races.are_excluded)
        std::erase_if(all, [&](const OpenSuspect& suspect) { return suspects.has_enough_of(suspect); });
      if (!suspects.are_excluded(relation_, std::move(all))) races.are_excluded = false;
      if (races.are_mixed_excluded && !questions_.never(relation_, mixed)) races.are_mixed_excluded = false;
    }
  }

 private:
  static std::uint32_t line_of(const Event& event) { return event.instruction->where.line; }

  /// The condition that one thread performs the first access, the other the second, and that they race.
  Bits race_of(const Event& first, const Event& second) {
    const Bits none = Bits::boolean(false);
    if (first.is_read() && second.is_read()) return none;
    if (are_morally_strong(first, second, relation_)) return none;
    // Barriers do not order accesses of different proxies.
    const bool are_ordered = first.access.proxy == Proxy::generic && second.access.proxy == Proxy::generic;
    if (are_ordered && barriers_.is_certain(first.step, second.step)) return none;
    if (!see_common_bytes(first, second)) return none;
    const Bits overlaps = overlap_of(first, second, pair_);
    if (overlaps.is_false()) return none;
    if (are_ordered && is_reset(first, second)) return none;
    const Bits is_ordered =
        are_ordered ? some_between(first, second) | is_counted_between(first, second) : none;
    return overlaps & first.condition & pair_.other(second.condition) & ~is_ordered;
  }

  bool see_common_bytes(const Event& first, const Event& second) const {
    const OpenThread& thread = questions_.thread();
    const bool is_shared = is_in_shared_memory(thread, first) || is_in_shared_memory(thread, second);
    return !(relation_ == Neighbours::across_ctas && is_shared) && may_overlap(first, second);
  }

  /// Whether a barrier that both threads execute is between the accesses.
  Bits some_between(const Event& first, const Event& second) {
    const unsigned low = std::min(first.step, second.step), high = std::max(first.step, second.step);
    Bits& some = between_[{low, high}];
    if (some.width() == 0) {
      some = Bits::boolean(false);
      barriers_.for_each_between(
          low, high, [&](const Bits& condition) { some = some | (condition & pair_.other(condition)); });
    }
    return some;
  }

  bool is_reset(const Event& first, const Event& second) const {
    return std::ranges::any_of(orders_,
                               [&](const CounterOrder& order) { return order.resets(first, second); });
  }

  /// Whether a counter orders the accesses: CounterOrder.
  Bits is_counted_between(const Event& first, const Event& second) {
    Bits result = Bits::boolean(false);
    for (const CounterOrder& order : orders_) {
      result = result | (order.tells(first.step) & pair_.other(order.knows_of_all(second.step))) |
               (order.knows_of_all(first.step) & pair_.other(order.tells(second.step)));
    }
    return result;
  }

  OpenQuestions& questions_;
  const Neighbours relation_;
  ThreadPair& pair_;
  const BarriersBetween barriers_;
  const std::vector<CounterOrder>& orders_;
  std::map<std::pair<unsigned, unsigned>, Bits> between_;
};

}  // namespace

OpenRaces look_for_races(OpenQuestions& questions, OpenSuspects& suspects,
                         const std::vector<CounterOrder>& orders) {
  const bool differs_in_warps =
      !questions.thread().groups.empty() ||
      std::ranges::any_of(questions.thread().structure.events, [](const Event& event) {
        return event.kind == EventKind::barrier && event.barrier.group == Barrier::Group::warp;
      });
  using enum Neighbours;
  const std::vector<Neighbours> relations =
      differs_in_warps ? std::vector{in_warp, across_warps, across_ctas} : std::vector{in_cta, across_ctas};
  OpenRaces races{true, true};
  for (const Neighbours relation : relations)
    if (ThreadPair* const pair = questions.pair(relation))
      RacesOf(questions, relation, *pair, orders).look(races, suspects);
  return races;
}

}  // namespace ptxmc
