#include "semantics/language/thread_group.hpp"

namespace ptxmc {

std::uint32_t ranks_of(ThreadGroup group, std::uint32_t threads_of_cta) {
  constexpr std::uint32_t warps_per_warpgroup = 4;
  switch (group) {
    case ThreadGroup::warp:
      return lanes_per_warp;
    case ThreadGroup::warpgroup:
      return warps_per_warpgroup * lanes_per_warp;
    case ThreadGroup::cta_pair:
      return 2 * threads_of_cta;
  }
  return 0;
}

PlaceInGroup place_in(ThreadGroup group, const PlaceInCluster& place) {
  if (group == ThreadGroup::cta_pair)
    return {place.cta_rank / 2, place.cta_rank % 2 * place.threads_of_cta + place.thread};
  const std::uint32_t ranks = ranks_of(group, place.threads_of_cta);
  const std::uint32_t groups_of_cta = (place.threads_of_cta + ranks - 1) / ranks;
  return {place.cta_rank * groups_of_cta + place.thread / ranks, place.thread % ranks};
}

}  // namespace ptxmc
