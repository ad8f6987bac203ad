#include "src/litmus/placements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace ptxmc {

namespace {

using litmus_syntax::ThreadHeader;

Cta cta_of(const ThreadHeader& header) {
  Cta cta;
  cta.gpu = header.gpu.bits;
  if (header.cluster) cta.cluster = header.cluster->bits;
  cta.cta = header.cta.bits;
  return cta;
}

template <class T>
std::size_t index_of(std::vector<T>& items, const T& item) {
  const auto found = std::find(items.begin(), items.end(), item);
  if (found == items.end()) items.push_back(item);
  return static_cast<std::size_t>(std::find(items.begin(), items.end(), item) - items.begin());
}

/// Unique numbers: the wished numbers if they are unique.
std::vector<int> unique_numbers(const std::vector<std::uint64_t>& wished) {
  const std::set<std::uint64_t> different(wished.begin(), wished.end());
  const bool usable =
      different.size() == wished.size() &&
      (different.empty() || *different.rbegin() <= std::uint64_t{std::numeric_limits<int>::max()});
  std::vector<int> numbers;
  for (std::size_t i = 0; i < wished.size(); ++i) numbers.push_back(static_cast<int>(usable ? wished[i] : i));
  return numbers;
}

/// By thread: the first thread of its CTA with the same written warp, or the thread itself if no warp is
/// written.
std::vector<int> warps_of(const std::vector<ThreadHeader>& headers,
                          const std::vector<std::size_t>& cta_of_thread) {
  std::vector<int> warps;
  for (std::size_t thread = 0; thread < headers.size(); ++thread) {
    const auto is_in_warp = [&](std::size_t other) {
      return headers[thread].warp && headers[other].warp && cta_of_thread[thread] == cta_of_thread[other] &&
             headers[thread].warp->bits == headers[other].warp->bits;
    };
    std::size_t first = 0;
    while (first < thread && !is_in_warp(first)) ++first;
    warps.push_back(static_cast<int>(first));
  }
  return warps;
}

/// The number of the grid: 0 if none is written.
int grid_of(const ThreadHeader& header) { return header.grid ? static_cast<int>(header.grid->bits) : 0; }

void name_ctas(std::vector<Cta>& ctas) {
  for (Cta& cta : ctas) {
    const bool unique =
        std::count_if(ctas.begin(), ctas.end(), [&](const Cta& other) { return other.cta == cta.cta; }) == 1;
    if (!unique) cta.name = fmt::format("gpu{}:", cta.gpu);
    if (!unique && cta.cluster) cta.name += fmt::format("cluster{}:", *cta.cluster);
    cta.name += fmt::format("cta{}", cta.cta);
  }
}

}  // namespace

namespace {

/// A thread without a placement is alone in a CTA of GPU 0, whose number is that of the thread, or the next
/// free number.
std::vector<ThreadHeader> all_placed(std::vector<ThreadHeader> headers) {
  std::set<std::uint64_t> taken;
  for (const ThreadHeader& header : headers)
    if (header.is_placed) taken.insert(header.cta.bits);
  for (ThreadHeader& header : headers) {
    if (header.is_placed) continue;
    header.cta.bits = header.name.number;
    while (!taken.insert(header.cta.bits).second) ++header.cta.bits;
  }
  return headers;
}

}  // namespace

Placements place_threads(const std::vector<ThreadHeader>& written) {
  const std::vector<ThreadHeader> headers = all_placed(written);
  Placements result;
  for (const ThreadHeader& header : headers)
    result.cta_of_thread.push_back(index_of(result.ctas, cta_of(header)));
  name_ctas(result.ctas);

  std::vector<Cta> clusters;  // a written cluster is identified by GPU and number; its CTA is 0
  std::vector<std::uint64_t> wished_gpus, wished_clusters, wished_ctas;
  std::vector<std::size_t> gpu_of_cta, cluster_of_cta;
  for (Cta cta : result.ctas) {
    gpu_of_cta.push_back(index_of(wished_gpus, cta.gpu));
    wished_ctas.push_back(cta.cta);
    const std::uint64_t wished_cluster = cta.cluster.value_or(cta.cta);
    if (cta.cluster) cta.cta = 0;
    cluster_of_cta.push_back(index_of(clusters, cta));
    if (clusters.size() > wished_clusters.size()) wished_clusters.push_back(wished_cluster);
  }
  const auto gpus = unique_numbers(wished_gpus);
  const auto cluster_numbers = unique_numbers(wished_clusters);
  const auto ctas = unique_numbers(wished_ctas);
  for (std::size_t cta = 0; cta < ctas.size(); ++cta) result.ctas[cta].number = ctas[cta];
  const std::vector<int> warps = warps_of(headers, result.cta_of_thread);
  for (std::size_t thread = 0; thread < headers.size(); ++thread) {
    const std::size_t cta = result.cta_of_thread[thread];
    const int grid = grid_of(headers[thread]);
    result.of_thread.push_back({ctas[cta], cluster_numbers[cluster_of_cta[cta]], gpus[gpu_of_cta[cta]],
                                warps[thread], grid, grid - 1});
  }
  return result;
}

}  // namespace ptxmc
