#pragma once

#include <cstdint>

#include "semantics/language/effects.hpp"

namespace ptxmc {

constexpr ThreadGroup all_thread_groups[] = {ThreadGroup::warp, ThreadGroup::warpgroup,
                                             ThreadGroup::cta_pair};

/// The position of a thread in its cluster; one CTA without a cluster is a cluster by itself.
struct PlaceInCluster {
  std::uint32_t cta_rank = 0;
  std::uint32_t thread = 0;          ///< its number in the CTA
  std::uint32_t threads_of_cta = 0;  ///< of every CTA of the cluster

  /// Its number among the threads of the cluster, CTA by CTA.
  std::uint32_t number() const { return cta_rank * threads_of_cta + thread; }
};

/// A group of a cluster, and the rank of a thread in it.
struct PlaceInGroup {
  std::uint32_t group = 0;  ///< its number among the groups of its kind in the cluster
  std::uint32_t rank = 0;
};

PlaceInGroup place_in(ThreadGroup, const PlaceInCluster&);

/// The number of ranks of a group; a group at the end of a CTA may have fewer threads.
std::uint32_t ranks_of(ThreadGroup, std::uint32_t threads_of_cta);

}  // namespace ptxmc
