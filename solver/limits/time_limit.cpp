#include "solver/limits/time_limit.hpp"

#include <algorithm>

#include "solver/limits/memory_limit.hpp"

namespace ptxmc {

thread_local const TimeLimit* TimeLimit::current_ = nullptr;

namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point end_of(double seconds) {
  if (seconds <= 0) return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

TimeLimit::TimeLimit(double seconds, const std::atomic<bool>* interrupted)
    : end_(std::min(end_of(seconds), current_ ? current_->end_ : Clock::time_point::max())),
      interrupted_(interrupted),
      outer_(current_) {
  current_ = this;
}

TimeLimit::~TimeLimit() { current_ = outer_; }

void TimeLimit::check() {
  if (MemoryLimit::is_reached()) throw OutOfTime("memory limit");
  if (current_ == nullptr) return;
  if (current_->interrupted_ && current_->interrupted_->load()) throw OutOfTime("interrupted");
  if (Clock::now() > current_->end_) throw OutOfTime("timeout");
}

double TimeLimit::seconds_left() {
  if (current_ == nullptr || current_->end_ == Clock::time_point::max()) return 0;
  constexpr double least = 0.001;
  return std::max(least, std::chrono::duration<double>(current_->end_ - Clock::now()).count());
}

}  // namespace ptxmc
