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

/// The plan as columns of a litmus test.
inline std::string columns_of(const Plan& waits, std::size_t count) {
  std::string text = "{ x=0; }\n";
  std::size_t rows = 0;
  for (std::size_t thread = 0; thread < waits.size(); ++thread) {
    text += fmt::format("{} P{}@cta 0,gpu 0", thread == 0 ? "" : " |", thread);
    rows = std::max(rows, waits[thread].size());
  }
  text += " ;\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t thread = 0; thread < waits.size(); ++thread)
      text +=
          fmt::format("{} {}", thread == 0 ? "" : " |",
                      row >= waits[thread].size()
                          ? std::string()
                          : fmt::format("barrier.{} 0, {}", waits[thread][row] ? "sync" : "arrive", count));
    text += " ;\n";
  }
  return text + "exists (x == 0)";
}

inline Plan random_plan(std::mt19937& random) {
  Plan plan(2 + random() % 3);
  for (auto& of_thread : plan)
    for (std::size_t n = random() % 4; n > 0; --n) of_thread.push_back(random() % 2 != 0);
  return plan;
}

}  // namespace ptxmc::test
