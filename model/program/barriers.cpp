#include "model/program/barriers.hpp"

#include <map>

namespace ptxmc {

bool waits_at_barrier(const Event& event) { return event.barrier.kind != Barrier::Kind::arrive; }

bool arrives_at_barrier(const Event& event) { return event.barrier.kind != Barrier::Kind::wait; }

bool is_aligned_barrier(const Event& event) {
  return event.kind == EventKind::barrier && event.barrier.aligned;
}

int group_of(const Program& program, Barrier::Group group, int thread) {
  const Placement& place = program.threads[static_cast<std::size_t>(thread)].placement;
  if (group == Barrier::Group::prerequisite) return thread;
  if (group == Barrier::Group::cluster) return place.cluster;
  return group == Barrier::Group::warp ? place.warp : place.cta;
}

bool is_in_group(const Program& program, Barrier::Group group, int number, int thread) {
  const auto place_of = [&](int of) -> const Placement& {
    return program.threads[static_cast<std::size_t>(of)].placement;
  };
  return group_of(program, group, thread) == number ||
         (group == Barrier::Group::prerequisite && place_of(thread).grid == place_of(number).prerequisite);
}

bool awaits_whole_group(const Program& program, const Event& event) {
  return program.arrivals == Arrivals::by_warp || event.barrier.group == Barrier::Group::prerequisite;
}

BarrierName name_of(const Program& program, const Event& event) {
  const Barrier& barrier = event.barrier;
  return {barrier.group, group_of(program, barrier.group, event.thread),
          barrier.id.width() == 0 ? 0 : barrier.id.value(), barrier.textual, barrier.gathering};
}

std::vector<std::vector<int>> units_of(const Program& program, const Event& event) {
  const Barrier::Group group = event.barrier.group;
  const int number = group_of(program, group, event.thread);
  std::vector<std::vector<int>> result;
  for (const std::vector<int>& warp : threads_of_warps(program)) {
    std::vector<int> unit;
    for (std::size_t lane = 0; lane < warp.size(); ++lane)
      if (is_in_group(program, group, number, warp[lane]) &&
          (group != Barrier::Group::warp || (event.barrier.id.value() >> lane & 1) != 0))
        unit.push_back(warp[lane]);
    if (!unit.empty()) result.push_back(std::move(unit));
  }
  return result;
}

std::vector<std::vector<int>> threads_of_warps(const Program& program) {
  std::map<int, std::vector<int>> warps;
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread)
    warps[program.threads[thread].placement.warp].push_back(static_cast<int>(thread));
  std::vector<std::vector<int>> result;
  for (auto& [number, threads] : warps) result.push_back(std::move(threads));
  return result;
}

}  // namespace ptxmc
