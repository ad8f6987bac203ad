// The phases that the explorer forms, beside an enumeration of all orders in which threads arrive.
#include "solver/explorer/counted_phases.hpp"

#include <doctest/doctest.h>

#include "solver/explorer/execution_walk.hpp"
#include "tests/solver/arrivals.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// Keeps the phases of each execution.
class PhasesSeen final : public ExecutionObserver {
 public:
  explicit PhasesSeen(const EventStructure& structure) : structure_(structure) {}

  std::multiset<Phases> seen;

  bool may_show_something(const PartialExecution&) override { return true; }
  bool begin(PartialExecution&) override { return true; }
  bool depends_on_orders(PartialExecution&) override { return false; }
  Next look(PartialExecution& execution, bool) override {
    Phases phases;
    for (EventId id = 0; id < static_cast<EventId>(structure_.events.size()); ++id) {
      if (structure_.events[static_cast<std::size_t>(id)].kind != EventKind::barrier) continue;
      phases.push_back(-1);
      for (std::size_t i = 0; i < execution.phases().size(); ++i)
        if (std::ranges::find(execution.phases()[i].members, id) != execution.phases()[i].members.end())
          phases.back() = static_cast<int>(i);
    }
    seen.insert(canonical(phases));
    return Next::all;
  }
  std::uint64_t executions() const override { return seen.size(); }

 private:
  const EventStructure& structure_;
};

/// The phases of all executions of a litmus test.
std::multiset<Phases> explored_phases(const LitmusTest& test) {
  TermGraph graph;
  const EventStructure structure = events_of(test, graph);
  const cat::Model model = cat::load("ptx-8.7");
  const ExploredBarriers barriers(structure);
  PartialExecution execution(structure, model, std::vector<std::string>{"co"}, PartialExecution::Ends::any,
                             {}, barriers.terms());
  const CountedPhases counted(structure, barriers);
  const DecideOptions options;
  ProgressReport report(options);
  ExecutionWalk walk(structure, model, execution, barriers, &counted, report);
  PhasesSeen phases(structure);
  const auto course = walk.run(phases, {});
  CHECK_FALSE(course.stopped);
  return phases.seen;
}

}  // namespace

TEST_CASE("the explorer forms each way in which threads can meet once, and no other") {
  std::mt19937 random(2);
  std::size_t different = 0;
  for (int i = 0; i < 60; ++i) {
    const Plan plan = random_plan(random);
    const std::size_t needed = 1 + random() % plan.size();
    const std::set<Phases> expected = Arriving(plan, needed).found;
    CAPTURE(columns_of(plan, needed));
    if (expected.size() > 1) ++different;
    const auto seen = explored_phases(parse_litmus("PTX t\n" + columns_of(plan, needed), "t.litmus"));
    CHECK(seen == std::multiset<Phases>(expected.begin(), expected.end()));
  }
  CHECK(different > 15);
}
