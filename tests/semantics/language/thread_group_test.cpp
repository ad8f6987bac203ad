#include "semantics/language/thread_group.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

std::pair<std::uint32_t, std::uint32_t> place(ThreadGroup group, const PlaceInCluster& where) {
  const PlaceInGroup found = place_in(group, where);
  return {found.group, found.rank};
}

using Place = std::pair<std::uint32_t, std::uint32_t>;

}  // namespace

// PTX ISA 8.7 § 9.7.15.1: four warps, the first of which has a number that is a multiple of 4. § 9.7.16.4.1:
// the CTAs of a pair differ in the last bit of %cluster_ctarank.
TEST_CASE("the groups of a thread in a cluster of CTAs with 160 threads") {
  CHECK(place(ThreadGroup::warp, {0, 33, 160}) == Place(1, 1));
  CHECK(place(ThreadGroup::warp, {1, 0, 160}) == Place(5, 0));
  CHECK(place(ThreadGroup::warpgroup, {0, 127, 160}) == Place(0, 127));
  CHECK(place(ThreadGroup::warpgroup, {0, 128, 160}) == Place(1, 0));
  CHECK(place(ThreadGroup::warpgroup, {1, 5, 160}) == Place(2, 5));
  CHECK(place(ThreadGroup::cta_pair, {0, 5, 160}) == Place(0, 5));
  CHECK(place(ThreadGroup::cta_pair, {3, 5, 160}) == Place(1, 165));
  CHECK(ranks_of(ThreadGroup::warp, 160) == 32);
  CHECK(ranks_of(ThreadGroup::warpgroup, 160) == 128);
  CHECK(ranks_of(ThreadGroup::cta_pair, 160) == 320);
}

TEST_CASE("a CTA with a last warp that is not full begins the next one with a new warp") {
  CHECK(place(ThreadGroup::warp, {1, 0, 33}) == Place(2, 0));
  CHECK(PlaceInCluster{1, 3, 33}.number() == 36);
}
