#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

/// Threads that arrive at one barrier with a thread count, and an enumeration of all orders in which they do:
/// PTX ISA 8.7 § 9.7.13.1. It shares nothing with the engines.
namespace ptxmc::test {

/// By thread, the barriers that it executes: `barrier.sync` waits, `barrier.arrive` does not.
using Plan = std::vector<std::vector<bool>>;
/// By barrier, thread by thread, the number of its phase in order of appearance; -1: its phase never
/// completes.
using Phases = std::vector<int>;

inline Phases canonical(const Phases& phases) {
  std::map<int, int> numbers;
  Phases result;
  for (const int phase : phases)
    result.push_back(phase < 0 ? -1
                               : numbers.try_emplace(phase, static_cast<int>(numbers.size())).first->second);
  return result;
}

/// PTX ISA 8.7 § 9.7.13.1: arrivals complete the phase when their number is reached, and the barrier is
/// reinitialized.
class Arriving {
 public:
  Arriving(const Plan& waits, std::size_t needed)
      : waits_(waits), needed_(needed), next_(waits.size()), is_waiting_(waits.size()) {
    for (const auto& of_thread : waits) {
      first_.push_back(phases_.size());
      phases_.resize(phases_.size() + of_thread.size(), -1);
    }
    arrive();
  }

  std::set<Phases> found;

 private:
  void arrive() {
    bool is_end = true;
    for (std::size_t thread = 0; thread < waits_.size(); ++thread) {
      if (is_waiting_[thread] || next_[thread] == waits_[thread].size()) continue;
      is_end = false;
      Arriving after = *this;
      after.arrive(thread);
      found.insert(after.found.begin(), after.found.end());
    }
    if (is_end) found.insert(canonical(phases_));
  }

  void arrive(std::size_t thread) {
    is_waiting_[thread] = waits_[thread][next_[thread]];
    arrived_.push_back(first_[thread] + next_[thread]++);
    if (arrived_.size() == needed_) {
      for (const std::size_t barrier : arrived_) phases_[barrier] = number_;
      for (std::size_t other = 0; other < waits_.size(); ++other)
        if (is_waiting_[other] && phases_[first_[other] + next_[other] - 1] == number_)
          is_waiting_[other] = false;
      arrived_.clear();
      ++number_;
    }
    arrive();
  }

  Plan waits_;
  std::size_t needed_;
  std::vector<std::size_t> next_, first_, arrived_;
  std::vector<bool> is_waiting_;
  Phases phases_;
  int number_ = 0;
};

/// A barrier of a warp with a thread count, in warps, or without one: `barrier.arrive` has a count.
struct MixedBarrier {
  bool waits = true;
  std::size_t count = 0;  ///< 0: none
};
using MixedPlan = std::vector<std::vector<MixedBarrier>>;

/// Warps that arrive at one barrier with different thread counts, and exit afterwards, in all orders. The
/// launch ends when a phase is misused: arrivals have different counts, or arrivals with and without a count
/// cannot all be satisfied since a warp has exited or others have filled the phase.
class MixedArriving {
 public:
  explicit MixedArriving(const MixedPlan& plan)
      : plan_(plan), next_(plan.size()), is_waiting_(plan.size()), has_exited_(plan.size()) {
    for (const auto& of_warp : plan) {
      first_.push_back(phases_.size());
      phases_.resize(phases_.size() + of_warp.size(), -1);
    }
    step();
  }

  std::set<std::pair<Phases, bool>> found;  ///< the phases, and whether one is misused

 private:
  void step() {
    if (!settle()) {
      found.insert({canonical(phases_), true});
      return;
    }
    bool is_end = true;
    for (std::size_t warp = 0; warp < plan_.size(); ++warp) {
      if (is_waiting_[warp] || has_exited_[warp]) continue;
      is_end = false;
      MixedArriving after = *this;
      if (next_[warp] == plan_[warp].size()) {
        after.has_exited_[warp] = true;
      } else {
        after.is_waiting_[warp] = plan_[warp][next_[warp]].waits;
        after.arrived_.push_back({warp, after.next_[warp]++});
      }
      after.step();
      found.insert(after.found.begin(), after.found.end());
    }
    if (is_end) found.insert({canonical(phases_), false});
  }

  /// Ends the phase if it is complete. Returns false if it is misused.
  bool settle() {
    std::set<std::size_t> counts, kinds, here;
    for (const auto& [warp, number] : arrived_) {
      const std::size_t count = plan_[warp][number].count;
      counts.insert(count == 0 ? plan_.size() : count);
      kinds.insert(count == 0 ? 0 : 1);
      here.insert(warp);
    }
    if (counts.size() > 1) return false;
    if (counts.empty()) return true;
    bool all_have_come = true, all_are_here = true;
    for (std::size_t warp = 0; warp < plan_.size(); ++warp) {
      const bool is_here = here.contains(warp);
      if (kinds.size() > 1 && !is_here && has_exited_[warp]) return false;
      all_have_come = all_have_come && (is_here || has_exited_[warp]);
      all_are_here = all_are_here && is_here;
    }
    const bool is_filled = arrived_.size() >= *counts.begin();
    if (kinds.size() > 1 && is_filled && !all_are_here) return false;
    if (kinds == std::set<std::size_t>{0} ? all_have_come : is_filled) end_phase();
    return true;
  }

  void end_phase() {
    for (const auto& [warp, number] : arrived_) {
      phases_[first_[warp] + number] = number_;
      if (number + 1 == next_[warp]) is_waiting_[warp] = false;
    }
    arrived_.clear();
    ++number_;
  }

  MixedPlan plan_;
  std::vector<std::size_t> next_, first_;
  std::vector<bool> is_waiting_, has_exited_;
  std::vector<std::pair<std::size_t, std::size_t>> arrived_;  // warp, number of its barrier
  Phases phases_;
  int number_ = 0;
};

inline MixedPlan random_mixed_plan(std::mt19937& random) {
  MixedPlan plan(2 + random() % 2);
  for (auto& of_warp : plan)
    for (std::size_t n = random() % 3; n > 0; --n) {
      const std::size_t count = random() % (plan.size() + 2);
      of_warp.push_back({count == 0 || random() % 2 != 0, count});
    }
  return plan;
}

/// The plan as columns of a litmus test; a thread is a warp.
inline std::string columns_of(const MixedPlan& plan, std::size_t threads_of_warp) {
  std::string text = "{ x=0; }\n";
  std::size_t rows = 0;
  for (std::size_t thread = 0; thread < plan.size(); ++thread) {
    text += fmt::format("{} P{}@cta 0,gpu 0", thread == 0 ? "" : " |", thread);
    rows = std::max(rows, plan[thread].size());
  }
  text += " ;\n";
  const auto code_of = [&](const MixedBarrier& barrier) {
    const std::string count = barrier.count == 0 ? "" : fmt::format(", {}", barrier.count * threads_of_warp);
    return fmt::format("barrier.{} 0{}", barrier.waits ? "sync" : "arrive", count);
  };
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t thread = 0; thread < plan.size(); ++thread)
      text += fmt::format("{} {}", thread == 0 ? "" : " |",
                          row < plan[thread].size() ? code_of(plan[thread][row]) : std::string());
    text += " ;\n";
  }
  return text + "exists (x == 0)";
}

inline std::string columns_of(const Plan& waits, std::size_t count) {
  MixedPlan plan;
  for (const auto& of_thread : waits) {
    auto& barriers = plan.emplace_back();
    for (const bool is_waiting : of_thread) barriers.push_back({is_waiting, count});
  }
  return columns_of(plan, 1);
}

inline Plan random_plan(std::mt19937& random) {
  Plan plan(2 + random() % 3);
  for (auto& of_thread : plan)
    for (std::size_t n = random() % 4; n > 0; --n) of_thread.push_back(random() % 2 != 0);
  return plan;
}

}  // namespace ptxmc::test
