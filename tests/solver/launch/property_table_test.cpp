// What may violate a property, before it is asked whether an execution does.
#include "solver/launch/property_table.hpp"

#include <doctest/doctest.h>

#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

constexpr const char* two = "{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n";

std::vector<Suspect> suspects_of(const std::string& rows, LaunchProperty property, int threads_of_warp = 1) {
  const LitmusTest test = launch_of(two + rows + "exists (x == 0)", threads_of_warp);
  TermGraph graph;
  const EventStructure structure = events_of(test, graph);
  std::vector<Suspect> result;
  for (const Suspect& suspect : visible_suspects(structure, property))
    if (!suspect.condition.is_false()) result.push_back(suspect);
  for (Suspect& suspect : result) suspect.condition = Bits();  // its terms end with the graph
  return result;
}

}  // namespace

TEST_CASE("threads that may trap, and accesses that may be out of bounds, are suspects without a model") {
  CHECK(suspects_of(" ld.relaxed.gpu r0, x | st.relaxed.gpu x, 1 ;\n bne r0, 1, E | ;\n trap | ;\n E: | ;\n",
                    LaunchProperty::assertion)
            .size() == 1);
  CHECK(suspects_of(" ld.relaxed.gpu r0, x | st.relaxed.gpu x, 1 ;\n", LaunchProperty::assertion).empty());
  const auto stray =
      suspects_of(" ld.relaxed.gpu r0, [x+4] | ld.relaxed.gpu r0, x ;\n", LaunchProperty::out_of_bounds);
  REQUIRE(stray.size() == 1);
  CHECK(stray.front().site.thread == 0);
}

TEST_CASE("aligned barriers at different rows are suspects in one warp, and not in two") {
  const std::string rows = " bar.sync 0 | ;\n | bar.sync 0 ;\n";
  CHECK_FALSE(suspects_of(rows, LaunchProperty::divergence, 2).empty());
  CHECK(suspects_of(rows, LaunchProperty::divergence, 1).empty());
  CHECK(suspects_of(" bar.sync 0 | bar.sync 0 ;\n", LaunchProperty::divergence, 2).empty());
}

TEST_CASE("each property has one definition") {
  for (const LaunchProperty property : all_launch_properties()) {
    CAPTURE(property_name(property));
    CHECK(definition_of(property).property == property);
  }
}
