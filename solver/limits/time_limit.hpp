#pragma once

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace ptxmc {

/// Thrown when a computation has reached its time limit or was interrupted; the message says which.
struct OutOfTime : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A time limit for the computations of this thread while this object exists. Long computations check it.
class TimeLimit {
 public:
  /// 0 seconds: no limit beyond that of an enclosing TimeLimit, which always applies too.
  TimeLimit(double seconds, const std::atomic<bool>* interrupted);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  /// Throws OutOfTime if the limit of this thread is reached.
  static void check();
  /// The seconds left of the limit of this thread; 0 if there is no limit.
  static double seconds_left();

 private:
  using Clock = std::chrono::steady_clock;

  const Clock::time_point end_;
  const std::atomic<bool>* interrupted_;
  const TimeLimit* outer_;
  static thread_local const TimeLimit* current_;
};

}  // namespace ptxmc
