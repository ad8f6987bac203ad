#include "solver/explorer/progress_report.hpp"

namespace ptxmc {

ProgressReport::ProgressReport(const DecideOptions& options) : options_(options) {}

std::string ProgressReport::reason_to_stop() const {
  if (options_.interrupted && options_.interrupted->load()) return "interrupted";
  if (stopwatch_.has_passed(options_.timeout_seconds)) return "timeout";
  return {};
}

void ProgressReport::set_estimate(double executions) {
  estimate_ = executions;
  if (options_.on_progress) options_.on_progress({executions, 0, 0});
}

void ProgressReport::note(std::uint64_t executions, double done) {
  if (!options_.on_progress) return;
  const std::lock_guard lock(mutex_);
  executions_ += executions;
  done_ += done;
  const double now = stopwatch_.seconds();
  const double estimate = estimate_ > 0 || done_ == 0 ? estimate_ : static_cast<double>(executions_) / done_;
  if (now < told_ + 1 || estimate == 0) return;
  told_ = now;
  options_.on_progress({estimate, executions_, now});
}

void ProgressReport::begin_anew() {
  const std::lock_guard lock(mutex_);
  executions_ = 0;
  done_ = 0;
}

}  // namespace ptxmc
