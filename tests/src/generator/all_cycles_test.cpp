#include "src/generator/all_cycles.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "model/cat/cat_model.hpp"
#include "solver/engine/engine.hpp"
#include "src/generator/cycle_events.hpp"
#include "src/generator/cycle_names.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc::generator;

namespace {

std::vector<Edge> edges(std::initializer_list<const char*> names) {
  std::vector<Edge> result;
  for (const char* const name : names)
    for (const Edge& edge : edges_named(name)) result.push_back(edge);
  return result;
}

std::vector<CycleTest> tests_of(const CycleLimits& limits) {
  std::vector<CycleTest> result;
  for_each_test(limits, [&](const CycleTest& test) {
    result.push_back(test);
    return true;
  });
  return result;
}

/// Every sequence of edges that is an observable cycle, without a thought for symmetry.
std::set<std::vector<std::string>> brute_force(const CycleLimits& limits, unsigned size) {
  std::set<std::vector<std::string>> classes;
  std::vector<std::size_t> digits(size);
  for (;;) {
    Cycle cycle;
    for (const std::size_t digit : digits) cycle.push_back({{}, limits.edges[digit]});
    bool is_allowed =
        mistake_of(cycle).empty() && is_observable(cycle) && threads_of(cycle) <= limits.threads;
    for (std::size_t i = 0; i < size && is_allowed; ++i)
      is_allowed = is_communication(cycle[i].edge) || is_communication(cycle[(i + 1) % size].edge);
    if (is_allowed) {
      std::vector<std::string> names, smallest;
      for (const Step& step : cycle) names.push_back(name_of(step.edge));
      smallest = names;
      for (unsigned turn = 0; turn < size; ++turn) {
        std::rotate(names.begin(), names.begin() + 1, names.end());
        smallest = std::min(smallest, names);
      }
      classes.insert(smallest);
    }
    std::size_t i = 0;
    while (i < size && ++digits[i] == limits.edges.size()) digits[i++] = 0;
    if (i == size) return classes;
  }
}

}  // namespace

TEST_CASE("cycles of four edges are the six classic tests of two threads") {
  CycleLimits limits{.edges = edges({"Pod**", "Rfe", "Fre", "Coe"})};
  limits.smallest = 4;
  std::set<std::string> names;
  for (const CycleTest& test : tests_of(limits)) names.insert(name_of(test));
  for (const char* const name : {"MP", "SB", "LB", "R", "S", "2+2W"}) CHECK(names.contains(name));
}

TEST_CASE("each cycle occurs once up to rotation") {
  CycleLimits limits{.edges = edges({"Pod**", "Pos**", "Rfe", "Fre", "Coe", "Rfi"})};
  for (unsigned size = 2; size <= 5; ++size) {
    CAPTURE(size);
    std::size_t count = 0;
    for_each_cycle(limits, size, [&](const Cycle&) {
      ++count;
      return true;
    });
    CHECK(count == brute_force(limits, size).size());
  }
}

TEST_CASE("tests that differ in the names of threads occur once") {
  CycleLimits limits{.edges = edges({"PodWR", "Fre"}), .accesses = {{}, {.order = "relaxed.gpu"}}};
  limits.smallest = 4;
  CHECK(tests_of(limits).size() == 10);  // 16 spellings of four accesses, 6 pairs of them symmetric
}

TEST_CASE("sequential consistency forbids every cycle") {
  CycleLimits limits{.edges = edges({"Pod**", "Pos**", "Rfe", "Rfi", "Fre", "Fri", "Coe", "Coi", "Rmw"})};
  limits.largest = 5;
  const ptxmc::cat::Model sc = ptxmc::cat::load("sc");
  std::size_t count = 0;
  for (const CycleTest& test : tests_of(limits)) {
    const std::string text = text_of(test, "T");
    CAPTURE(text);
    const ptxmc::LitmusTest read = ptxmc::parse_litmus(text, "T");
    const auto answer =
        ptxmc::decide_with(ptxmc::Engine::explorer, read.program, read.question, sc, ptxmc::DecideOptions());
    CHECK(answer.verdict == ptxmc::Verdict::forbidden);
    ++count;
  }
  CHECK(count > 100);
}

TEST_CASE("every way to place two or three threads") {
  CHECK(all_places(1).size() == 1);
  CHECK(all_places(2).size() == 4);  // one CTA, cluster, GPU; different GPUs
  std::set<ThreadPlaces> three;
  for (const ThreadPlaces& places : all_places(3)) three.insert(places);
  // Chains of three partitions (GPUs, finer clusters, finer CTAs) of three threads: for the partition of the
  // GPUs into one, two (three ways) or three parts there are 12, 3 or 1 pairs of finer partitions.
  CHECK(three.size() == 12 + 3 * 3 + 1);
  CHECK(all_places(3).size() == three.size());
}

TEST_CASE("every text that is generated is read") {
  CycleLimits limits{.edges = edges({"Pod**", "Rfe", "Fre", "Coe", "Rmw", "DpAddrd*", "DpDatadW", "DpCtrld*",
                                     "fence.sc.gpu.d**", "barrier.cta.sync.dWR"}),
                     .accesses = {{}, {.order = "acquire.gpu", .bits = 32}, {.proxy = "surface"}},
                     .scopes = {"all"}};
  limits.threads = 2;
  std::size_t count = 0;
  for_each_test(limits, [&](const CycleTest& test) {
    const std::string name = name_of(test);
    if (++count % 37 == 0) CHECK(ptxmc::parse_litmus(text_of(test, name), name).name == name);
    return true;
  });
  CHECK(count > 1'000);
}
