#include "src/litmus/placements.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

litmus_syntax::ThreadHeader header(std::uint64_t cta, std::optional<std::uint64_t> cluster,
                                   std::uint64_t gpu) {
  litmus_syntax::ThreadHeader result;
  result.is_placed = true;
  result.cta.bits = cta;
  if (cluster) result.cluster = litmus_syntax::Number{*cluster, {}};
  result.gpu.bits = gpu;
  return result;
}

}  // namespace

TEST_CASE("numbers that are different in the whole system stay as written") {
  const Placements placements = place_threads({header(3, {}, 1), header(5, {}, 1), header(3, {}, 1)});
  REQUIRE(placements.ctas.size() == 2);
  CHECK(placements.cta_of_thread == std::vector<std::size_t>{0, 1, 0});
  CHECK(placements.of_thread[0].cta == 3);
  CHECK(placements.of_thread[1].cta == 5);
  CHECK(placements.of_thread[2].cta == 3);
  CHECK(placements.of_thread[1].gpu == 1);
  CHECK(placements.of_thread[0].warp != placements.of_thread[2].warp);
  CHECK(placements.ctas[0].name == "cta3");
}

TEST_CASE("CTAs of different GPUs are different CTAs and clusters") {
  const Placements placements = place_threads({header(0, {}, 0), header(0, {}, 1)});
  CHECK(placements.of_thread[0].cta != placements.of_thread[1].cta);
  CHECK(placements.of_thread[0].cluster != placements.of_thread[1].cluster);
  CHECK(placements.ctas[0].name == "gpu0:cta0");
  CHECK(placements.ctas[1].name == "gpu1:cta0");
}

TEST_CASE("a CTA without a cluster is one of its own") {
  const Placements placements = place_threads({header(0, {}, 0), header(1, {}, 0), header(0, {}, 0)});
  CHECK(placements.of_thread[0].cluster != placements.of_thread[1].cluster);
  CHECK(placements.of_thread[0].cluster == placements.of_thread[2].cluster);
}

TEST_CASE("CTAs of a written cluster share it, in one GPU") {
  const Placements placements =
      place_threads({header(0, 0, 0), header(1, 0, 0), header(2, 1, 0), header(3, 0, 1), header(4, {}, 0)});
  const auto& of = placements.of_thread;
  CHECK(of[0].cluster == of[1].cluster);
  CHECK(of[0].cluster != of[2].cluster);
  CHECK(of[0].cluster != of[3].cluster);
  CHECK(of[4].cluster != of[0].cluster);
  CHECK(of[4].cluster != of[2].cluster);
  CHECK(of[0].cta != of[1].cta);
}

TEST_CASE("CTA 0 of two clusters is two CTAs") {
  const Placements placements = place_threads({header(0, 0, 0), header(0, 1, 0)});
  CHECK(placements.of_thread[0].cta != placements.of_thread[1].cta);
  CHECK(placements.ctas[1].name == "gpu0:cluster1:cta0");
}

TEST_CASE("a thread that is not placed is alone in a CTA of GPU 0") {
  litmus_syntax::ThreadHeader second;
  second.name.number = 1;
  const Placements alone = place_threads({litmus_syntax::ThreadHeader{}, second});
  CHECK(alone.of_thread[0].cta != alone.of_thread[1].cta);
  CHECK(alone.of_thread[0].cluster != alone.of_thread[1].cluster);
  CHECK(alone.of_thread[0].gpu == alone.of_thread[1].gpu);
  CHECK(alone.ctas[1].name == "cta1");
  const Placements mixed = place_threads({header(1, {}, 0), second});
  CHECK(mixed.of_thread[0].cta != mixed.of_thread[1].cta);
}

TEST_CASE("threads of one CTA that name one warp share it") {
  const auto in_warp = [](std::uint64_t warp, std::uint64_t cta) {
    litmus_syntax::ThreadHeader result = header(cta, {}, 0);
    result.warp = litmus_syntax::Number{warp, {}};
    return result;
  };
  const Placements placements =
      place_threads({header(0, {}, 0), in_warp(1, 0), in_warp(1, 0), in_warp(0, 0), in_warp(1, 1)});
  const auto& of = placements.of_thread;
  CHECK(of[1].warp == of[2].warp);
  CHECK(of[0].warp != of[1].warp);
  CHECK(of[0].warp != of[3].warp);
  CHECK(of[1].warp != of[3].warp);
  CHECK(of[1].warp != of[4].warp);
}

TEST_CASE("each grid is a dependent of the one before") {
  litmus_syntax::ThreadHeader dependent = header(1, {}, 0);
  dependent.grid = litmus_syntax::Number{1, {}};
  const Placements placements = place_threads({header(0, {}, 0), dependent});
  CHECK(placements.of_thread[0].grid == 0);
  CHECK(placements.of_thread[0].prerequisite == -1);
  CHECK(placements.of_thread[1].grid == 1);
  CHECK(placements.of_thread[1].prerequisite == 0);
}
