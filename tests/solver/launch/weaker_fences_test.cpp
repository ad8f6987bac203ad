#include "solver/launch/weaker_fences.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "model/cat/embedded_models.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

std::optional<EventStructure> weaker(TermGraph& graph, const std::string& fence, int count,
                                     const std::string& model) {
  std::string rows;
  for (int i = 0; i < count; ++i) rows += " " + fence + " ;\n";
  const LitmusTest test = launch_of("{ x=0; }\n P0@cta 0,gpu 0 ;\n" + rows + "forall (x == 0)\n");
  auto result = with_weaker_fences(events_of(test, graph), cat::load(model));
  if (result) result->program = nullptr;  // the test ends here
  return result;
}

}  // namespace

TEST_CASE("many fence.sc become weaker, for a model of the manual") {
  TermGraph graph;
  const auto found = weaker(graph, "fence.sc.gpu", 20, "ptx-8.7");
  REQUIRE(found.has_value());
  CHECK(std::ranges::none_of(found->events, [](const Event& event) {
    return event.kind == EventKind::fence && event.fence.sem != Sem::acq_rel;
  }));
  CHECK_FALSE(weaker(graph, "fence.sc.gpu", 2, "ptx-8.7").has_value());
  CHECK_FALSE(weaker(graph, "fence.acq_rel.gpu", 20, "ptx-8.7").has_value());
  CHECK_FALSE(weaker(graph, "fence.sc.gpu", 20, "sc").has_value());
}
