#include "src/generator/model_difference.hpp"

#include <doctest/doctest.h>

#include "model/cat/cat_model.hpp"
#include "src/generator/cycle_events.hpp"

using namespace ptxmc;
using namespace ptxmc::generator;

namespace {

constexpr const char* sc_per_location_alone = "acyclic ((po & loc) | rf | co | fr) as sc_per_location\n";

CycleLimits limits_of(std::initializer_list<const char*> names) {
  CycleLimits limits;
  for (const char* const name : names)
    for (const Edge& edge : edges_named(name)) limits.edges.push_back(edge);
  return limits;
}

}  // namespace

TEST_CASE("tests of one size have exactly so many threads and instructions") {
  const CycleLimits limits = limits_of({"Pod**", "Rfe", "Fre", "Coe", "Rmw", "fence.sc.gpu.d**"});
  std::size_t count = 0;
  for_each_test_of_size(limits, 2, 5, [&](const CycleTest& test) {
    ++count;
    CHECK(test.places.size() == 2);
    CHECK(instructions_of(test.cycle) == 5);
    return true;
  });
  CHECK(count > 0);
}

TEST_CASE("a test tells the models apart where one of them has no axiom about it") {
  const cat::Model sc = cat::load("sc");
  const cat::Model weaker = cat::parse({"weaker.cat", sc_per_location_alone}, {});
  const Cycle load_buffering = from_first_access(parse_cycle("PodRW Rfe PodRW Rfe"));
  const DecidedTest test =
      decide_under_both(sized_test_of({load_buffering, places_apart("gpu", 2)}), sc, weaker, Engine::smt, {});
  CHECK(test.differs());
  CHECK(test.first.verdict == Verdict::forbidden);
  CHECK(test.second.verdict == Verdict::allowed);
  const Cycle one_place = from_first_access(parse_cycle("PosWW Coi"));
  CHECK_FALSE(
      decide_under_both(sized_test_of({one_place, places_apart("gpu", 1)}), sc, weaker, Engine::smt, {})
          .differs());
}

TEST_CASE("a model that has no answer does not differ") {
  const Cycle clusters =
      from_first_access(parse_cycle("PodWW release.cluster Rfe acquire.cluster PodRR Fre"));
  const DecidedTest test =
      decide_under_both(sized_test_of({clusters, places_apart("cluster", 2)}), cat::load("ptx-6.4"),
                        cat::load("ptx-8.7"), Engine::automatic, {});
  CHECK_FALSE(test.differs());
  CHECK(test.is_decided_by_one());
}
