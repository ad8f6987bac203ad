#include "solver/time_limit.hpp"

#include <algorithm>

namespace ptxmc {

thread_local const TimeLimit* TimeLimit::current_ = nullptr;

TimeLimit::TimeLimit(double seconds, const std::atomic<bool>* interrupted)
    : is_limited_(seconds > 0),
      end_(Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
      interrupted_(interrupted),
      outer_(current_) {
  current_ = this;
}

TimeLimit::~TimeLimit() { current_ = outer_; }

void TimeLimit::check() {
  if (current_ == nullptr) return;
  if (current_->interrupted_ && current_->interrupted_->load()) throw OutOfTime("interrupted");
  if (current_->is_limited_ && Clock::now() > current_->end_) throw OutOfTime("timeout");
}

double TimeLimit::seconds_left() {
  if (current_ == nullptr || !current_->is_limited_) return 0;
  constexpr double least = 0.001;
  return std::max(least, std::chrono::duration<double>(current_->end_ - Clock::now()).count());
}

}  // namespace ptxmc
