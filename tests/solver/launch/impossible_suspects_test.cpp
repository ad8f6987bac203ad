#include "solver/launch/impossible_suspects.hpp"

#include <doctest/doctest.h>

#include <string>

#include "model/cat/embedded_models.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

using enum LaunchProperty;

std::set<LaunchProperty> excluded(const std::string& text, int threads_of_warp = 1,
                                  bool is_bound_reached = true) {
  TermGraph graph;
  const LitmusTest test = launch_of(text, threads_of_warp);
  const EventStructure structure = events_of(test, graph);
  const LaunchQuestion question = question_about(structure);
  const SettledCandidates candidates = settle(question, cat::load("ptx-8.7"), graph);
  return properties_without_suspects(question, candidates, {}, is_bound_reached);
}

}  // namespace

TEST_CASE("threads without barriers and loops: only relations of the model can show violations") {
  const auto result = excluded(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.weak x, 1 | ld.weak r0, x ;\nexists (x == 0)");
  CHECK(result.contains(divergence));
  CHECK(result.contains(undefined));
  CHECK(result.contains(deadlock));
  CHECK(result.contains(assertion));
  CHECK_FALSE(result.contains(race));
  CHECK_FALSE(result.contains(uninitialized));
}

TEST_CASE("a thread that may wait for ever, and one that may leave out an aligned barrier") {
  const std::string threads = "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n";
  const auto waiting = excluded(threads +
                                " st.relaxed.gpu x, 1 | Wait: ld.relaxed.gpu r0, x ;\n"
                                "  | bne r0, 1, Wait ;\nexists (x == 0)");
  CHECK(waiting.contains(divergence));
  CHECK_FALSE(waiting.contains(deadlock));
  const auto divergent = excluded(threads +
                                      " st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;\n"
                                      "  | bne r0, 1, End ;\n bar.sync 0 | bar.sync 0 ;\n"
                                      "  | End: ;\nexists (x == 0)",
                                  2);
  CHECK_FALSE(divergent.contains(divergence));
}

TEST_CASE("a loop may need more iterations than the bound, unless it is known that it does not") {
  const std::string text =
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
      " Again: atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 1 ;\n"
      " bne r0, 9, Again |  ;\nexists (x == 0)";
  CHECK(excluded(text).empty());
  const auto below_bound = excluded(text, 1, false);
  CHECK(below_bound.contains(divergence));
  CHECK(below_bound.contains(deadlock));
  CHECK_FALSE(below_bound.contains(race));
}
