#pragma once

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace ptxmc {

/// A computation has taken as long as it may, or was interrupted: says which.
struct OutOfTime : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How long what this thread computes may take, while the limit lives: long computations look at it.
class TimeLimit {
 public:
  /// 0 seconds: no limit but that of an outer one, which nothing inside it outlasts.
  TimeLimit(double seconds, const std::atomic<bool>* interrupted);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  /// Throws OutOfTime when the limit of this thread, if it has one, is reached.
  static void check();
  /// Of the limit of this thread; 0: it has none.
  static double seconds_left();

 private:
  using Clock = std::chrono::steady_clock;

  const Clock::time_point end_;
  const std::atomic<bool>* interrupted_;
  const TimeLimit* outer_;
  static thread_local const TimeLimit* current_;
};

}  // namespace ptxmc
