// Barriers without a thread count in a partial execution: PTX ISA 8.7 § 9.7.13.1.
#include "solver/explorer/explored_barriers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "semantics/language/diagnostic.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

const std::string two = "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n";
const std::string end = "\nexists (x == 0)";

/// A launch whose reads, if there are any, have no source yet. The barriers go on as far as they can.
struct Explored {
  LitmusTest test;
  TermGraph graph;
  const EventStructure structure;
  const cat::Model model = cat::load("ptx-8.7");
  const ExploredBarriers barriers;
  PartialExecution execution;

  explicit Explored(const std::string& rows, int threads_of_warp = 1,
                    std::optional<BarrierSchedule> schedule = {})
      : test(launch_of(two + rows + end, threads_of_warp)),
        structure(schedule ? under_schedule(events_of(test, graph), *schedule) : events_of(test, graph)),
        barriers(structure, schedule),
        execution(structure, model, std::vector<std::string>{"co"}, PartialExecution::Ends::any, {},
                  barriers.terms()) {
    do REQUIRE(execution.settle());
    while (barriers.settle(execution));
  }

  std::vector<EventId> events() const {
    std::vector<EventId> result;
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
      if (structure.events[static_cast<std::size_t>(id)].kind == EventKind::barrier) result.push_back(id);
    return result;
  }

  /// By phase, the numbers of its threads.
  std::vector<std::vector<int>> phases() const {
    std::vector<std::vector<int>> result;
    for (const PartialExecution::Phase& phase : execution.phases()) {
      auto& threads = result.emplace_back();
      for (const EventId id : phase.members)
        threads.push_back(structure.events[static_cast<std::size_t>(id)].thread);
      std::ranges::sort(threads);
    }
    return result;
  }

  int waiting_for_ever() const {
    return static_cast<int>(
        std::ranges::count_if(events(), [&](EventId id) { return execution.waits_for_ever(id); }));
  }
};

using PhasesOfThreads = std::vector<std::vector<int>>;

}  // namespace

TEST_CASE("threads that are all at a barrier go on, and the n-th arrivals are the n-th phase") {
  Explored twice("bar.sync 0 | bar.sync 0 ;\n bar.sync 0 | bar.sync 0 ;");
  CHECK(twice.phases() == PhasesOfThreads{{0, 1}, {0, 1}});
  std::vector<std::size_t> numbers;
  for (const EventId id : twice.events())
    numbers.push_back(twice.barriers.number_of(twice.execution, id).value());
  CHECK(numbers == std::vector<std::size_t>{0, 1, 0, 1});
  CHECK_FALSE(twice.barriers.give_up(twice.execution));
}

TEST_CASE("a thread that has exited is not waited for") {
  CHECK(Explored("bar.sync 0 | ;").phases() == PhasesOfThreads{{0}});
}

TEST_CASE("threads at different barriers wait for ever once nothing else can happen") {
  Explored apart("bar.sync 0 | bar.sync 1 ;");
  CHECK(apart.phases().empty());
  CHECK(apart.waiting_for_ever() == 0);
  CHECK(apart.barriers.give_up(apart.execution));
  CHECK(apart.waiting_for_ever() == 2);
  CHECK_FALSE(apart.barriers.some_warp_diverges(apart.execution));
}

TEST_CASE("threads of one warp at different aligned barriers diverge, and never go on") {
  Explored diverged("bar.sync 0 | ;\n | bar.sync 0 ;", 2);
  CHECK(diverged.barriers.some_warp_diverges(diverged.execution));
  CHECK(diverged.waiting_for_ever() == 2);
  CHECK(diverged.phases().empty());
}

TEST_CASE("a thread goes on as soon as the others arrive or exit, whatever they read") {
  const std::string write = "st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;\n bar.sync 0 | beq r0, 0, L ;\n";
  const Explored certain(write + " | bar.sync 0 ;\n | L: ;");
  CHECK(certain.phases() == PhasesOfThreads{{0}});
  // The other thread may be at another barrier instead.
  const Explored open(write + " | bar.sync 0 ;\n | L: bar.sync 1 ;");
  CHECK(open.phases().empty());
  CHECK(open.waiting_for_ever() == 0);
}

TEST_CASE("under a schedule the phases are those of the schedule") {
  // Two events a thread: bar.arrive and bar.sync with the count 64.
  const std::string rows = "bar.arrive 0, 64 | bar.sync 0, 64 ;\n bar.arrive 0, 64 | bar.sync 0, 64 ;";
  TermGraph graph;
  const LitmusTest test = launch_of(two + rows + end);
  const auto schedules = barrier_schedules(events_of(test, graph));
  REQUIRE(schedules);
  REQUIRE(schedules->size() == 2);
  std::multiset<std::size_t> phases;
  for (const BarrierSchedule& schedule : *schedules) {
    const Explored explored(rows, 1, schedule);
    phases.insert(explored.phases().size());
    for (const auto& threads : explored.phases())
      CHECK((threads == std::vector<int>{0, 1} || threads == std::vector<int>{0, 0}));
  }
  CHECK(phases == std::multiset<std::size_t>{1, 2});
}

TEST_CASE("a barrier with a count in a launch needs a schedule") {
  CHECK_THROWS_AS(Explored("bar.sync 0, 64 | bar.sync 0, 64 ;"), Unsupported);
}
