#include "src/kernel/unfolding/encounters.hpp"

#include <algorithm>

#include "solver/algebra/simplify_under.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc::kernel {

namespace {

/// By stop: the number of earlier exchanges of the thread with the same qualifiers and mask, if the thread
/// arrives at the stop.
std::vector<Bits> counts_of(const std::vector<Stop>& stops) {
  std::vector<Bits> counts;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const Stop& stop = stops[i];
    Bits& count = counts.emplace_back(stop.arrival.turn);
    for (std::size_t before = 0; before < i; ++before) {
      const Stop& other = stops[before];
      if (other.kind != Stop::Kind::exchange || !other.is_same_instruction(stop)) continue;
      if (stop.mask.is_constant() && other.mask.is_constant()) continue;
      const Bits is_alike = equal(other.mask, stop.mask);
      if (is_alike.is_false()) continue;
      count = count + (simplify_under(stop.arrival.condition, other.arrival.condition) & is_alike)
                          .zero_extend(count.width());
    }
  }
  return counts;
}

/// Whether two threads that both arrive at these stops meet there; width 1.
Bits may_meet(const Stop& a, const Bits& count_of_a, const Stop& b, const Bits& count_of_b,
              const Bits& named) {
  if (!a.is_same_instruction(b) || b.kind != Stop::Kind::exchange || a.form.group != b.form.group)
    return Bits::boolean(false);
  if (!a.waits()) return are_together(a, b);
  return named & equal(a.mask, b.mask) & equal(count_of_a, count_of_b);
}

class Encounters {
 public:
  Encounters(const std::vector<std::vector<Stop>>& stops, const ThreadGroups& groups)
      : stops_(stops), groups_(groups) {
    for (const auto& own : stops) counts_.push_back(counts_of(own));
  }

  Meeting at(int thread, std::size_t stop) const {
    Meeting meeting;
    const Stop& own = stop_of(thread, stop);
    const std::vector<int>& group = groups_.group_of(own.form.group, thread);
    const unsigned own_rank = groups_.rank_of(own.form.group, thread);
    for (unsigned rank = 0; rank < group.size(); ++rank) {
      const int other = group[rank];
      if (other == ThreadGroups::no_thread) continue;
      if (other == thread) {
        meeting.push_back({rank, stop});
        continue;
      }
      const Bits are_named = own.awaits(own_rank) & own.awaits(rank);
      if (are_named.is_false()) continue;
      for (std::size_t i = 0; i < counts_of_thread(other).size(); ++i) {
        const Bits when = may_meet(own, counts_of_thread(thread)[stop], stop_of(other, i),
                                   counts_of_thread(other)[i], are_named);
        if (!when.is_false()) meeting.push_back({rank, i, when});
      }
    }
    return meeting;
  }

 private:
  const Stop& stop_of(int thread, std::size_t stop) const {
    return stops_[static_cast<std::size_t>(thread)][stop];
  }
  const std::vector<Bits>& counts_of_thread(int thread) const {
    return counts_[static_cast<std::size_t>(thread)];
  }

  const std::vector<std::vector<Stop>>& stops_;
  const ThreadGroups& groups_;
  std::vector<std::vector<Bits>> counts_;  // by thread and stop
};

}  // namespace

Bits are_together(const Stop& a, const Stop& b) {
  if (a.waits() || b.waits() || a.active.calls != b.active.calls) return Bits::boolean(false);
  const unsigned width = std::max(a.active.together.width(), b.active.together.width());
  return equal(a.active.together.zero_extend(width), b.active.together.zero_extend(width));
}

std::vector<std::vector<Meeting>> encounters(const std::vector<std::vector<Stop>>& stops,
                                             const ThreadGroups& groups) {
  std::vector<std::vector<Meeting>> result(stops.size());
  const Encounters all(stops, groups);
  for (int thread = 0; thread < groups.size(); ++thread) {
    TimeLimit::check();
    const auto& own = stops[static_cast<std::size_t>(thread)];
    for (std::size_t i = 0; i < own.size(); ++i)
      result[static_cast<std::size_t>(thread)].push_back(
          own[i].kind == Stop::Kind::exchange ? all.at(thread, i) : Meeting());
  }
  return result;
}

}  // namespace ptxmc::kernel
