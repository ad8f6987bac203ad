#include "src/cuda/gpu_placement.hpp"

#include <doctest/doctest.h>

#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

GpuPlacement placement_of(const std::string& initial, const std::string& header, std::size_t columns) {
  std::string row = " st.weak x, 1";
  for (std::size_t i = 1; i < columns; ++i) row += " | st.weak x, 1";
  return place_on_gpu(
      parse_litmus("PTX t\n{" + initial + "}\n" + header + ";\n" + row + ";\nexists (x == 0)", "t"));
}

}  // namespace

TEST_CASE("threads of one CTA have different warps, unless they share one") {
  const GpuPlacement apart = placement_of("x;", "P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0", 3);
  CHECK(apart.warps == 2);
  CHECK(apart.threads[1].warp == 1);
  CHECK(apart.threads[1].lane == 0);
  CHECK(apart.threads[2].cluster == 1);
  const GpuPlacement together = placement_of("x;", "P0@warp 0,cta 0,gpu 0 | P1@warp 0,cta 0,gpu 0", 2);
  CHECK(together.warps == 1);
  CHECK(together.threads[1].lane == 1);
}

TEST_CASE("the CTAs of a cluster have the ranks of their numbers") {
  const GpuPlacement place = placement_of("x;", "P0@cta 1,cluster 0,gpu 0 | P1@cta 0,cluster 0,gpu 0", 2);
  CHECK(place.cluster_size == 2);
  CHECK(place.threads[0].rank == 1);
  CHECK(place.threads[1].rank == 0);
}

TEST_CASE("variables are in different cache lines, shared ones in the memory of their CTA") {
  const GpuPlacement place =
      placement_of("x; y : u32[100]; z; .shared s; .shared t;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0", 2);
  CHECK(place.offsets[0] == 0);
  CHECK(place.offsets[1] == 256);
  CHECK(place.offsets[2] == 768);
  CHECK(place.global_bytes == 1024);
  CHECK(place.shared_bytes == 512);
}
