// Grids and clusters that start later: PTX ISA 8.7 § 9.7.13.13, § 9.7.13.17.
#include <algorithm>
#include <set>

#include "src/kernel/machine/machine.hpp"

namespace ptxmc::kernel {

bool has_ended(const Cta& cta) {
  return std::ranges::all_of(cta.threads,
                             [](const auto& thread) { return thread->state == Thread::State::ended; });
}

/// Whether all threads of a grid have ended, and all asynchronous operations that they have started are
/// performed.
bool Machine::has_completed(int grid) const {
  const LaunchedGrid* const own = &grids_.all[static_cast<std::size_t>(grid)];
  return std::ranges::all_of(running_.ctas,
                             [&](const auto& cta) { return cta->grid != own || has_ended(*cta); }) &&
         std::ranges::none_of(asynchronous_.started, [&](const StartedOperation& operation) {
           return operation.thread->cta->grid == own;
         });
}

/// A dependent grid may start when each CTA of its prerequisite has executed launch_dependents or has ended.
bool Machine::may_start(int grid) const {
  const int prerequisite = grids_.all[static_cast<std::size_t>(grid)].prerequisite;
  if (prerequisite < 0) return true;
  if (!grids_.are_early[static_cast<std::size_t>(grid)]) return has_completed(prerequisite);
  const LaunchedGrid* const before = &grids_.all[static_cast<std::size_t>(prerequisite)];
  return std::ranges::all_of(running_.ctas, [&](const auto& cta) {
    return cta->grid != before || cta->allows_dependents || has_ended(*cta);
  });
}

/// Starts dependent grids that may start, and lets the threads continue whose prerequisite has completed.
void Machine::advance_grids() {
  if (grids_.all.back().prerequisite < 0) return;
  for (std::size_t grid = 0; grid < grids_.all.size(); ++grid) {
    if (!may_start(static_cast<int>(grid))) continue;
    for (Thread* thread : running_.threads)
      if (thread->cta->grid == &grids_.all[grid] && thread->state == Thread::State::unstarted &&
          !thread->cta->cluster->starts_late)
        thread->state = Thread::State::running;
  }
  for (Thread* thread : std::exchange(grids_.waiting, {}))
    if (has_completed(thread->cta->grid->prerequisite))
      go_on(*thread, [&] { return thread->after_barrier({}); });
    else
      grids_.waiting.push_back(thread);
}

/// § 9.7.13.17. The clusters of a grid that may cancel others start one after the other, in the order of
/// their numbers; the first one starts at once.
void Machine::hold_back_clusters() {
  std::set<const LaunchedGrid*> begun;
  for (const auto& cluster : running_.clusters) {
    const LaunchedGrid* const grid = cluster->ctas.front()->grid;
    if (!grid->cancels_clusters || begun.insert(grid).second) continue;
    cluster->starts_late = true;
    ++grids_.held_back;
    for (Thread* thread : cluster->threads) thread->state = Thread::State::unstarted;
  }
}

/// The clusters of a grid that have not started, or of all grids (null).
std::vector<Cluster*> Machine::unstarted_clusters(const LaunchedGrid* grid) const {
  std::vector<Cluster*> result;
  for (const auto& cluster : running_.clusters)
    if (cluster->starts_late && (grid == nullptr || cluster->ctas.front()->grid == grid))
      result.push_back(cluster.get());
  return result;
}

/// Starts a cluster that was held back and whose grid has started. Returns whether there was one.
bool Machine::start_held_back_cluster() {
  for (Cluster* cluster : unstarted_clusters(nullptr)) {
    if (!may_start(static_cast<int>(cluster->ctas.front()->grid - grids_.all.data()))) continue;
    cluster->starts_late = false;
    --grids_.held_back;
    for (Thread* thread : cluster->threads) thread->state = Thread::State::running;
    return true;
  }
  return false;
}

/// A request may fail at any time. Without a seed it fails only if all clusters have started.
CancelledCluster Machine::cancel_cluster() {
  const std::vector<Cluster*> unstarted = unstarted_clusters(thread_->cta->grid);
  const bool fails = unstarted.empty() || (options_.seed && schedule_.random() % 4 == 0);
  if (fails) return {.succeeds = Bits::boolean(false), .ctaid = {Bits(32, 0), Bits(32, 0), Bits(32, 0)}};
  Cluster& cancelled = *unstarted[options_.seed ? schedule_.random() % unstarted.size() : 0];
  cancelled.starts_late = false;
  --grids_.held_back;
  for (Thread* thread : cancelled.threads) thread->state = Thread::State::ended;
  const Dimensions& ctaid = cancelled.ctas.front()->index;
  return {.succeeds = Bits::boolean(true),
          .ctaid = {Bits(32, ctaid[0]), Bits(32, ctaid[1]), Bits(32, ctaid[2])}};
}

void Machine::launch_dependents() {
  thread_->cta->allows_dependents = true;
  advance_grids();
}

Results Machine::wait_for_prerequisite(std::function<Results(const Bits&)> after) {
  const int prerequisite = thread_->cta->grid->prerequisite;
  if (prerequisite < 0 || has_completed(prerequisite)) return after({});
  grids_.waiting.push_back(thread_);
  return wait_at_barrier(std::move(after));
}

}  // namespace ptxmc::kernel
