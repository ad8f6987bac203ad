// Programmatic dependents: PTX ISA 8.7 § 9.7.13.13.
#include <algorithm>

#include "src/kernel/machine/machine.hpp"

namespace ptxmc::kernel {

namespace {

bool has_ended(const Cta& cta) {
  return std::ranges::all_of(cta.threads,
                             [](const auto& thread) { return thread->state == Thread::State::ended; });
}

}  // namespace

/// Whether all threads of a grid have ended, and all asynchronous operations that they have started are
/// performed.
bool Machine::has_completed(int grid) const {
  const LaunchedGrid* const own = &grids_[static_cast<std::size_t>(grid)];
  return std::ranges::all_of(ctas_, [&](const auto& cta) { return cta->grid != own || has_ended(*cta); }) &&
         std::ranges::none_of(
             started_, [&](const StartedOperation& operation) { return operation.thread->cta->grid == own; });
}

/// A dependent grid may start when each CTA of its prerequisite has executed launch_dependents or has ended.
bool Machine::may_start(int grid) const {
  const int prerequisite = grids_[static_cast<std::size_t>(grid)].prerequisite;
  if (prerequisite < 0) return true;
  if (!starts_early_[static_cast<std::size_t>(grid)]) return has_completed(prerequisite);
  const LaunchedGrid* const before = &grids_[static_cast<std::size_t>(prerequisite)];
  return std::ranges::all_of(ctas_, [&](const auto& cta) {
    return cta->grid != before || cta->allows_dependents || has_ended(*cta);
  });
}

/// Starts dependent grids that may start, and lets the threads continue whose prerequisite has completed.
void Machine::advance_grids() {
  if (!launch_.is_dependent) return;
  for (std::size_t grid = 0; grid < grids_.size(); ++grid) {
    if (!may_start(static_cast<int>(grid))) continue;
    for (Thread* thread : threads_)
      if (thread->cta->grid == &grids_[grid] && thread->state == Thread::State::unstarted)
        thread->state = Thread::State::running;
  }
  for (Thread* thread : std::exchange(at_grid_wait_, {}))
    if (has_completed(thread->cta->grid->prerequisite))
      go_on(*thread, [&] { return thread->after_barrier({}); });
    else
      at_grid_wait_.push_back(thread);
}

void Machine::launch_dependents() {
  thread_->cta->allows_dependents = true;
  advance_grids();
}

Results Machine::wait_for_prerequisite(std::function<Results(const Bits&)> after) {
  const int prerequisite = thread_->cta->grid->prerequisite;
  if (prerequisite < 0 || has_completed(prerequisite)) return after({});
  at_grid_wait_.push_back(thread_);
  return wait_at_barrier(std::move(after));
}

}  // namespace ptxmc::kernel
