#include "solver/threads/open_races.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "solver/limits/time_limit.hpp"

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

/// The bytes that an access may touch.
struct Region {
  std::uint64_t first = 0, size = 0;
};

Region region_of(const Event& event) {
  if (event.location.is_constant()) return {event.location.to_u64(), event.size};
  return {event.region_first, event.region_size};
}

/// Whether two aligned accesses overlap, width 1. Both are inside of one region, so the upper bits of their
/// locations are the same if the region does not cross a multiple of a power of two.
Bits overlap(const Bits& a, unsigned size_of_a, const Bits& b, unsigned size_of_b, const Region& both) {
  const auto low = static_cast<unsigned>(std::bit_width(std::max(size_of_a, size_of_b)) - 1);
  const std::uint64_t last = both.first + both.size - 1;
  const auto high = std::max(static_cast<unsigned>(std::bit_width(both.first ^ last)), low + 1);
  return equal(a.extract(low, high - low), b.extract(low, high - low));
}

/// The races of two events of two threads with one relation.
class RacesOf {
 public:
  RacesOf(OpenQuestions& questions, Neighbours relation, ThreadPair& pair)
      : questions_(questions), relation_(relation), pair_(pair), barriers_(questions.thread(), relation) {}

  bool are_excluded() {
    const auto& events = questions_.thread().structure.events;
    std::vector<const Event*> accesses;
    for (const Event& event : events)
      if (event.is_memory_access() && !event.condition.is_false()) accesses.push_back(&event);
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      TimeLimit::check();
      Bits some = Bits::boolean(false);
      for (std::size_t k = i; k < accesses.size(); ++k) some = some | race_of(*accesses[i], *accesses[k]);
      if (!questions_.never(relation_, some)) return false;
    }
    return true;
  }

 private:
  /// The condition that one thread performs the first access, the other the second, and that they race.
  Bits race_of(const Event& first, const Event& second) {
    const Bits none = Bits::boolean(false);
    if (first.is_read() && second.is_read()) return none;
    if (are_morally_strong(first, second, relation_)) return none;
    // Barriers do not order accesses of different proxies.
    const bool are_ordered = first.access.proxy == Proxy::generic && second.access.proxy == Proxy::generic;
    if (are_ordered && barriers_.is_certain(first.step, second.step)) return none;
    if (!may_overlap(first, second)) return none;
    const Bits overlaps = overlapping(first, second);
    if (overlaps.is_false()) return none;
    const Bits is_ordered = are_ordered ? some_between(first, second) : none;
    return overlaps & first.condition & pair_.other(second.condition) & ~is_ordered;
  }

  bool may_overlap(const Event& first, const Event& second) const {
    const Region a = region_of(first), b = region_of(second);
    if (relation_ == Neighbours::across_ctas && (is_in_shared(a) || is_in_shared(b))) return false;
    return a.size == 0 || b.size == 0 || (a.first < b.first + b.size && b.first < a.first + a.size);
  }

  /// Whether all of these bytes are in memory of which each CTA has its own.
  bool is_in_shared(const Region& region) const {
    return region.size != 0 && std::ranges::all_of(questions_.thread().memory, [&](const OpenMemory& memory) {
             const bool is_apart =
                 region.first >= memory.first + memory.size || memory.first >= region.first + region.size;
             return memory.is_shared || is_apart;
           });
  }

  Bits overlapping(const Event& first, const Event& second) {
    const Region a = region_of(first), b = region_of(second);
    Region both = {0, ~std::uint64_t{0}};
    if (a.size != 0 && b.size != 0) {
      both.first = std::min(a.first, b.first);
      both.size = std::max(a.first + a.size, b.first + b.size) - both.first;
    }
    return overlap(first.location, first.size, pair_.other(second.location), second.size, both);
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

  OpenQuestions& questions_;
  const Neighbours relation_;
  ThreadPair& pair_;
  const BarriersBetween barriers_;
  std::map<std::pair<unsigned, unsigned>, Bits> between_;
};

}  // namespace

bool are_races_excluded(OpenQuestions& questions) {
  const auto has_warp_barriers =
      std::ranges::any_of(questions.thread().structure.events, [](const Event& event) {
        return event.kind == EventKind::barrier && event.barrier.group == Barrier::Group::warp;
      });
  using enum Neighbours;
  const std::vector<Neighbours> relations =
      has_warp_barriers ? std::vector{in_warp, across_warps, across_ctas} : std::vector{in_cta, across_ctas};
  for (const Neighbours relation : relations) {
    ThreadPair* const pair = questions.pair(relation);
    if (pair != nullptr && !RacesOf(questions, relation, *pair).are_excluded()) return false;
  }
  return true;
}

}  // namespace ptxmc
