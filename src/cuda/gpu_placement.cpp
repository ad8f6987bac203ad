#include "src/cuda/gpu_placement.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "semantics/language/diagnostic.hpp"

namespace ptxmc {

namespace {

/// Variables are in different cache lines.
constexpr std::uint64_t distance = 256;

void require_one_gpu(const Program& program) {
  for (const Thread& thread : program.threads) {
    if (thread.placement.gpu != program.threads.front().placement.gpu)
      throw Unsupported("threads on several GPUs", {});
    if (thread.placement.grid != program.threads.front().placement.grid)
      throw Unsupported("threads of several grids", {});
  }
  for (const Variable& variable : program.memory)
    if (variable.address != variable.location || variable.proxy != Proxy::generic)
      throw Unsupported("the virtual alias " + variable.name, {});
}

/// The number of a key among those met so far.
int number_of(std::map<int, int>& numbers, int key) {
  return numbers.try_emplace(key, static_cast<int>(numbers.size())).first->second;
}

/// The CTAs of a cluster have the ranks of their numbers.
void place_threads(const Program& program, GpuPlacement& result) {
  std::map<int, std::set<int>> ctas;  // by cluster
  for (const Thread& thread : program.threads) ctas[thread.placement.cluster].insert(thread.placement.cta);
  std::map<int, int> clusters, lanes;       // of the test; by warp: threads
  std::map<int, std::map<int, int>> warps;  // by CTA
  for (const Thread& thread : program.threads) {
    const Placement& place = thread.placement;
    const std::set<int>& own = ctas[place.cluster];
    const int cluster = number_of(clusters, place.cluster);
    if (result.ctas.size() < clusters.size()) result.ctas.emplace_back(own.begin(), own.end());
    result.threads.push_back({.cluster = cluster,
                              .rank = static_cast<int>(std::distance(own.begin(), own.find(place.cta))),
                              .warp = number_of(warps[place.cta], place.warp),
                              .lane = lanes[place.warp]++});
    result.cluster_size = std::max(result.cluster_size, static_cast<int>(own.size()));
    result.warps = std::max(result.warps, result.threads.back().warp + 1);
  }
}

void place_variables(const Program& program, GpuPlacement& result) {
  std::map<int, std::uint64_t> shared;  // by CTA: bytes in use
  for (const Variable& variable : program.memory) {
    const bool is_shared = variable.space == StateSpace::shared_cta;
    std::uint64_t& used = is_shared ? shared[variable.cta] : result.global_bytes;
    result.offsets.push_back(used);
    used += (variable.size() + distance - 1) / distance * distance;
    if (is_shared) result.shared_bytes = std::max(result.shared_bytes, used);
  }
}

}  // namespace

GpuPlacement place_on_gpu(const LitmusTest& test) {
  require_one_gpu(test.program);
  GpuPlacement result;
  place_threads(test.program, result);
  place_variables(test.program, result);
  return result;
}

}  // namespace ptxmc
