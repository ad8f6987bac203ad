#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

#include "solver/decide.hpp"

namespace ptxmc {

/// What those who explore for one question have in common: when they began, and what is told meanwhile.
/// Several threads may ask it.
class ExplorationWatch {
 public:
  /// The options outlive it.
  explicit ExplorationWatch(const DecideOptions&);

  /// Why they must end; empty: they need not.
  std::string reason_to_stop() const;

  /// How many executions there seem to be; told at once.
  void set_estimate(double executions);
  /// So many executions more were found, in so much more of the tree. Told once a second.
  void note(std::uint64_t executions, double done = 0);
  /// What was found until now is looked for again.
  void begin_anew();

 private:
  using Clock = std::chrono::steady_clock;

  double seconds() const;

  const DecideOptions& options_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  double estimate_ = 0;  // 0: as densely as in the part of the tree that is done
  double done_ = 0;
  std::uint64_t executions_ = 0;
  double told_ = 0;  // seconds
};

}  // namespace ptxmc
