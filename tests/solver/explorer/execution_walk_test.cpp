// The walk visits each execution once: all of them, and a part of them behind each place of the tree.
#include "solver/explorer/execution_walk.hpp"

#include <doctest/doctest.h>

#include <set>

#include "solver/unfolding/unfold.hpp"
#include "tests/solver/explorer/guided_execution.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// Keeps what it is shown.
class Visits final : public ExecutionObserver {
 public:
  std::multiset<std::string> seen;
  Next next = Next::all;
  bool is_concerned = true;  // with orders other than coherence

  bool may_show_something(const PartialExecution&) override { return true; }
  /// Executions that the bound on loops cuts off are not among all_executions.
  bool begin(PartialExecution& execution) override { return execution.all_completed(); }
  bool depends_on_orders(PartialExecution&) override { return is_concerned; }
  Next look(PartialExecution& execution, bool) override {
    const Execution complete = execution.execution();
    seen.insert(is_concerned ? key_of(complete) : key_of_sources(complete));
    return next;
  }
  std::uint64_t executions() const override { return seen.size(); }
};

/// A walk through the executions of a program, with what it needs.
struct Walk {
  const DecideOptions options = {};
  PartialExecution execution;
  const ExploredBarriers barriers;
  const CountedPhases phases;
  ProgressReport report;
  ExecutionWalk walk;

  Walk(const EventStructure& structure, const cat::Model& model)
      : execution(structure, model, std::vector<std::string>{"co"}),
        barriers(structure),
        phases(structure, barriers),
        report(options),
        walk(structure, model, execution, barriers, &phases, report) {}
};

std::multiset<std::string> keys_of(const std::vector<Execution>& executions,
                                   std::string (*key)(const Execution&)) {
  std::multiset<std::string> keys;
  for (const Execution& execution : executions) keys.insert(key(execution));
  return keys;
}

}  // namespace

TEST_CASE("a walk visits each execution once, and again when it is repeated") {
  for (const char* name : {"ptx-8.7", "ptx-6.4", "sc"}) {
    const cat::Model model = cat::load(name);
    for (const auto& program : small_programs(name)) {
      CAPTURE(name);
      CAPTURE(program->text);
      Walk walk(program->structure, model);
      for (int round = 0; round < 2; ++round) {
        Visits visits;
        const auto course = walk.walk.run(visits, {});
        CHECK_FALSE(course.stopped);
        CHECK_FALSE(course.was_blocked);
        CHECK_FALSE(course.lacked_values);
        CHECK(visits.seen == keys_of(program->all.accepted, key_of));
      }
    }
  }
}

TEST_CASE("places divide a walk: each execution is behind one of them, in the order of the walk") {
  const cat::Model model = cat::load("ptx-8.7");
  const AreTooMany never = [](std::uint64_t) { return false; };
  std::size_t divided = 0;
  for (const auto& program : small_programs("ptx-8.7")) {
    CAPTURE(program->text);
    Walk walk(program->structure, model);
    for (const std::size_t at_least : {2, 5}) {
      Visits above, behind;
      const auto [places, course] = walk.walk.divide(at_least, above);
      CHECK_FALSE(course.stopped);
      divided += places.size() > 1 ? 1 : 0;
      double done = 0;
      for (const Place& place : places) {
        CHECK(place.done >= done);
        done = place.done;
        CHECK_FALSE(walk.walk.run(behind, place.path, never).stopped);
      }
      CHECK(done <= doctest::Approx(1));
      CHECK(above.seen.empty());
      CHECK(behind.seen == keys_of(program->all.accepted, key_of));
    }
  }
  CHECK(divided > 10);
}

TEST_CASE("an observer may leave an execution, or the walk, and need not see every order") {
  const cat::Model model = cat::load("ptx-8.7");
  for (const auto& program : small_programs("ptx-8.7")) {
    CAPTURE(program->text);
    Walk walk(program->structure, model);
    Visits one_order;
    one_order.next = ExecutionObserver::Next::other_sources;
    one_order.is_concerned = false;
    walk.walk.run(one_order, {});
    CHECK(one_order.seen == keys_of(program->all.accepted_sources, key_of_sources));

    Visits first;
    first.next = ExecutionObserver::Next::nothing;
    const auto course = walk.walk.run(first, {});
    CHECK(first.seen.size() == 1);
    CHECK(course.stopped);
    CHECK(course.reason.empty());
  }
}

TEST_CASE("a limit on steps ends a walk with its reason") {
  const cat::Model model = cat::load("ptx-8.7");
  int stopped = 0;
  for (const auto& program : small_programs("ptx-8.7")) {
    Walk walk(program->structure, model);
    Visits first, all, some;
    walk.walk.run(first, {});  // the first run also looks for sources that no execution has
    const auto whole = walk.walk.run(all, {});
    const auto course = walk.walk.run(some, StepLimit::of(whole.steps / 2 + 1));
    CHECK(course.stopped == (whole.steps > whole.steps / 2 + 1));
    if (!course.stopped) continue;
    ++stopped;
    CHECK(course.reason == StepLimit::reason);
    CHECK(std::ranges::includes(all.seen, some.seen));
    CHECK_FALSE(walk.walk.run(some, StepLimit::of(whole.steps)).stopped);
  }
  CHECK(stopped > 20);
}

TEST_CASE("an estimate of the number of executions is exact if each path has as many") {
  const LitmusTest test = parse_litmus(
      "PTX t { x=0; y=0; } P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\nst.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;\n"
      "st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, y ;\nexists (x == 1)",
      "t.litmus");
  TermGraph graph;
  const EventStructure structure = unfold(test.program, graph, {});
  const cat::Model model = cat::load("ptx-8.7");
  Walk walk(structure, model);
  Visits visits;
  const auto estimate = walk.walk.estimate(visits, {});
  REQUIRE(estimate);
  CHECK(estimate->executions == doctest::Approx(4));
  CHECK(estimate->inequivalent == doctest::Approx(4));
  Visits all;
  walk.walk.run(all, {});
  CHECK(all.seen.size() == 4);
}
