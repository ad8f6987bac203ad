#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "solver/limits/stopwatch.hpp"
#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// The start time and progress that all threads which explore one question share. Several threads may use it
/// at the same time.
class ProgressReport {
 public:
  /// The options must outlive it.
  explicit ProgressReport(const DecideOptions&);

  /// Why the exploration must end; empty if it may continue.
  std::string reason_to_stop() const;

  /// Sets the estimated number of executions, and reports it at once.
  void set_estimate(double executions);
  /// Records further executions and a further share of the tree. Progress is reported once a second.
  void note(std::uint64_t executions, double done = 0);
  /// Resets the counts, since the search starts again.
  void begin_anew();

 private:
  const DecideOptions& options_;
  const Stopwatch stopwatch_;
  std::mutex mutex_;
  double estimate_ = 0;  // 0: extrapolated from the part of the tree that is done
  double done_ = 0;
  std::uint64_t executions_ = 0;
  double told_ = 0;  // time of the last report, in seconds
};

}  // namespace ptxmc
