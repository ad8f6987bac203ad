#pragma once

#include <algorithm>
#include <chrono>

namespace ptxmc {

/// Measures the time since its construction.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  /// Whether a limit is over; 0: there is none.
  bool has_passed(double limit_seconds) const { return limit_seconds > 0 && seconds() > limit_seconds; }
  /// The rest of a limit, at least a millisecond; 0: there is none.
  double left_of(double limit_seconds) const {
    return limit_seconds > 0 ? std::max(limit_seconds - seconds(), 0.001) : 0;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace ptxmc
