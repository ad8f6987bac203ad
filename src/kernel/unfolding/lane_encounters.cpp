#include "src/kernel/unfolding/lane_encounters.hpp"

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
    Bits& count = counts.emplace_back(stop.turn);
    for (std::size_t before = 0; before < i; ++before) {
      const Stop& other = stops[before];
      if (other.kind != Stop::Kind::exchange || other.instruction != stop.instruction) continue;
      if (stop.mask.is_constant() && other.mask.is_constant()) continue;
      const Bits is_alike = equal(other.mask, stop.mask);
      if (is_alike.is_false()) continue;
      count = count + (simplify_under(stop.condition, other.condition) & is_alike).zero_extend(count.width());
    }
  }
  return counts;
}

/// Whether two threads that both arrive at these stops meet there; width 1.
Bits may_meet(const Stop& a, const Bits& count_of_a, const Stop& b, const Bits& count_of_b,
              const Bits& named) {
  if (a.instruction != b.instruction || b.kind != Stop::Kind::exchange) return Bits::boolean(false);
  if (!a.waits()) return are_together(a, b);
  return named & equal(a.mask, b.mask) & equal(count_of_a, count_of_b);
}

class Encounters {
 public:
  Encounters(const std::vector<std::vector<Stop>>& stops, const std::vector<int>& warp)
      : stops_(stops), warp_(warp) {
    for (const int thread : warp)
      counts_.push_back(thread < 0 ? std::vector<Bits>()
                                   : counts_of(stops[static_cast<std::size_t>(thread)]));
  }

  Meeting at(unsigned lane, std::size_t stop) const {
    Meeting meeting;
    const Stop& own = stop_of(lane, stop);
    for (unsigned other = 0; other < lanes_per_warp; ++other) {
      if (warp_[other] < 0) continue;
      if (other == lane) {
        meeting.push_back({lane, stop});
        continue;
      }
      const Bits are_named = own.mask.extract(lane, 1) & own.mask.extract(other, 1);
      if (are_named.is_false()) continue;
      for (std::size_t i = 0; i < counts_[other].size(); ++i) {
        const Bits when = may_meet(own, counts_[lane][stop], stop_of(other, i), counts_[other][i], are_named);
        if (!when.is_false()) meeting.push_back({other, i, when});
      }
    }
    return meeting;
  }

 private:
  const Stop& stop_of(unsigned lane, std::size_t stop) const {
    return stops_[static_cast<std::size_t>(warp_[lane])][stop];
  }

  const std::vector<std::vector<Stop>>& stops_;
  const std::vector<int>& warp_;
  std::vector<std::vector<Bits>> counts_;  // by lane and stop
};

}  // namespace

Bits are_together(const Stop& a, const Stop& b) {
  if (a.waits() || b.waits() || a.calls != b.calls) return Bits::boolean(false);
  const unsigned width = std::max(a.together.width(), b.together.width());
  return equal(a.together.zero_extend(width), b.together.zero_extend(width));
}

std::vector<std::vector<Meeting>> lane_encounters(const std::vector<std::vector<Stop>>& stops,
                                                  const std::vector<std::vector<int>>& warps) {
  std::vector<std::vector<Meeting>> result(stops.size());
  for (const auto& warp : warps) {
    const Encounters encounters(stops, warp);
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
      if (warp[lane] < 0) continue;
      TimeLimit::check();
      const auto thread = static_cast<std::size_t>(warp[lane]);
      for (std::size_t i = 0; i < stops[thread].size(); ++i)
        result[thread].push_back(stops[thread][i].kind == Stop::Kind::exchange ? encounters.at(lane, i)
                                                                               : Meeting());
    }
  }
  return result;
}

}  // namespace ptxmc::kernel
