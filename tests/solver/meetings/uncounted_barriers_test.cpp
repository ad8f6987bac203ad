// The conditions under which threads continue at barriers without a count, against the arrivals of threads
// that are counted one by one.
#include "solver/meetings/uncounted_barriers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "solver/meetings/barrier_matching.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

/// Three threads of a CTA with these columns, as a litmus test or as a launch in which each is a warp.
struct Threads {
  LitmusTest test;
  TermGraph graph;
  EventStructure structure;

  Threads(const std::string& rows, bool is_launch)
      : test(launch_of("{ x=0; y=0; z=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n" + rows +
                       "exists (x == 0)")) {
    if (!is_launch) test.program.arrivals = Arrivals::by_thread;
    structure = events_of(test, graph);
  }

  const Event& event(EventId id) const { return structure.events[static_cast<std::size_t>(id)]; }
};

/// What the threads do under an assignment of values: each read returns 0 or 1, and each barrier that a
/// thread waits at lets it continue or not.
class Course {
 public:
  Course(const Threads& threads, std::mt19937& random) : threads_(threads) {
    for (const Event& event : threads.structure.events) {
      if (event.is_read()) values_.set(event.value.term()->variable, Bits(event.value.width(), random() % 2));
      if (event.goes_on.width() != 0 && !event.goes_on.is_constant())
        values_.set(event.goes_on.term()->variable, Bits::boolean(random() % 4 != 0));
    }
  }

  bool holds(const Bits& condition) { return values_.apply(condition).is_true(); }
  bool happens(EventId id) { return holds(threads_.event(id).condition); }
  std::uint64_t number(const Bits& value) { return values_.apply(value).to_u64(); }

  /// The barriers with one id at which a thread arrives, in order.
  std::vector<EventId> arrivals(int thread, std::uint64_t id) {
    std::vector<EventId> result;
    for (EventId i = 0; i < static_cast<EventId>(threads_.structure.events.size()); ++i)
      if (const Event& event = threads_.event(i); event.kind == EventKind::barrier &&
                                                  event.thread == thread && happens(i) &&
                                                  number(event.barrier.id) == id)
        result.push_back(i);
    return result;
  }

  /// Whether a thread stops at none of its barriers.
  bool has_exited(int thread) {
    for (EventId i = 0; i < static_cast<EventId>(threads_.structure.events.size()); ++i)
      if (const Event& event = threads_.event(i);
          event.kind == EventKind::barrier && event.thread == thread && happens(i) && !holds(event.goes_on))
        return false;
    return true;
  }

 private:
  const Threads& threads_;
  Substitution values_;
};

/// Compares each arrival of a launch, in which all threads of the CTA that have not exited are awaited (PTX
/// ISA 8.7 § 9.7.13.1). Returns how many were complete, and how many were not.
std::pair<int, int> compare_arrivals(const std::string& rows) {
  CAPTURE(rows);
  Threads threads(rows, true);
  std::vector<UncountedArrival> arrivals;
  for (const auto& meeting : barrier_meetings(threads.structure))
    for (UncountedArrival& arrival :
         uncounted_arrivals(threads.structure, meeting, divergent_barriers_by_event(threads.structure)))
      arrivals.push_back(std::move(arrival));
  std::mt19937 random(3);
  int complete = 0, incomplete = 0;
  for (int i = 0; i < 64; ++i) {
    Course course(threads, random);
    for (const UncountedArrival& arrival : arrivals) {
      if (!course.happens(arrival.event)) continue;
      const Event& event = threads.event(arrival.event);
      const std::uint64_t id = course.number(event.barrier.id);
      const auto own = course.arrivals(event.thread, id);
      const auto number = static_cast<std::size_t>(std::ranges::find(own, arrival.event) - own.begin());
      CHECK(course.number(arrival.number) == number);
      bool have_all_come = true;
      for (int thread = 0; thread < 3; ++thread)
        if (thread != event.thread && course.arrivals(thread, id).size() <= number &&
            !course.has_exited(thread))
          have_all_come = false;
      CHECK(course.holds(arrival.have_all_come) == have_all_come);
      CHECK(course.holds(arrival.goes_on()) == have_all_come);  // each thread is a warp: none diverges
      ++(have_all_come ? complete : incomplete);
    }
  }
  return {complete, incomplete};
}

const std::string reads = " ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, z ;\n";

}  // namespace

TEST_CASE("a phase of a launch is complete when each thread has arrived as often, or has exited") {
  int complete = 0, incomplete = 0;
  for (const std::string& rows :
       {std::string(
            " barrier.sync 0 | barrier.sync 0 | barrier.sync 0 ;\n barrier.sync 0 | barrier.sync 0 | ;\n"),
        reads + " beq r0, 0, A | beq r0, 0, B | ;\n barrier.sync 0 | barrier.sync 0 | barrier.sync 0 ;\n"
                " A: barrier.sync 0 | B: barrier.sync 0 | barrier.sync 0 ;\n",
        reads + " beq r0, 0, A | beq r0, 0, B | beq r0, 1, C ;\n barrier.sync 1 | barrier.sync 0 | "
                "barrier.sync 1 ;\n"
                " A: barrier.sync 0 | B: barrier.sync 1 | C: barrier.sync 0 ;\n",
        reads + " barrier.sync r0 | barrier.sync 0 | barrier.sync r0 ;\n barrier.sync 1 | barrier.sync 1 | "
                ";\n"}) {
    const auto [some, others] = compare_arrivals(rows);
    complete += some;
    incomplete += others;
  }
  CHECK(complete > 50);
  CHECK(incomplete > 50);
}

TEST_CASE("threads of another CTA are not awaited, and a thread that waits at another barrier is") {
  TermGraph graph;
  const LitmusTest test = launch_of(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0 ;\n"
      " barrier.sync 0 | barrier.sync 1 | barrier.sync 0 ;\nexists (x == 0)");
  const EventStructure structure = events_of(test, graph);
  for (const auto& meeting : barrier_meetings(structure))
    for (const UncountedArrival& arrival :
         uncounted_arrivals(structure, meeting, divergent_barriers_by_event(structure))) {
      const int thread = structure.events[static_cast<std::size_t>(arrival.event)].thread;
      if (thread == 2) {
        CHECK(arrival.absent.empty());
        CHECK(arrival.have_all_come.is_true());
        continue;
      }
      REQUIRE(arrival.absent.size() == 1);
      CHECK(arrival.absent.front().thread == 1 - thread);
      CHECK_FALSE(arrival.have_all_come.is_true());
    }
}

// PTX ISA 8.7 § 9.7.13.1: the threads that execute an aligned barrier of a warp must execute the same one.
TEST_CASE("a phase whose threads belong to a warp at different aligned barriers never completes") {
  const std::string rows = " bar.sync 0 | | bar.sync 0 ;\n | bar.sync 0 | ;\n";
  for (const int threads_of_warp : {1, 2}) {
    TermGraph graph;
    const LitmusTest test = launch_of(
        "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n" + rows + "exists (x == 0)",
        threads_of_warp);
    const EventStructure structure = events_of(test, graph);
    Substitution all_continue;
    for (const Event& event : structure.events)
      if (event.goes_on.width() != 0) all_continue.set(event.goes_on.term()->variable, Bits::boolean(true));
    std::size_t count = 0;
    for (const auto& meeting : barrier_meetings(structure))
      for (const UncountedArrival& arrival :
           uncounted_arrivals(structure, meeting, divergent_barriers_by_event(structure))) {
        ++count;
        CHECK(all_continue.apply(arrival.diverges).is_true() == (threads_of_warp == 2));
        CHECK(all_continue.apply(arrival.goes_on()).is_true() == (threads_of_warp == 1));
      }
    CHECK(count == 3);
  }
}

// A thread of a litmus test takes part in a barrier if its text contains it: it may stand for a part of a
// CTA.
TEST_CASE("in a litmus test only threads with the barrier in their text are awaited") {
  const auto absent_of_first = [](const std::string& rows) {
    Threads threads(rows, false);
    const auto meetings = barrier_meetings(threads.structure);
    REQUIRE_FALSE(meetings.empty());
    std::vector<int> result;
    for (const UncountedArrival& arrival : uncounted_arrivals(threads.structure, meetings.front(), {}))
      if (threads.event(arrival.event).thread == 0)
        for (const auto& absent : arrival.absent) result.push_back(absent.thread);
    return result;
  };
  CHECK(absent_of_first(" barrier.cta.sync 0 | barrier.cta.sync 0 | st.relaxed.gpu x, 1 ;\n") ==
        std::vector{1});
  CHECK(absent_of_first(" barrier.cta.sync 0 | barrier.cta.sync 0 | barrier.cta.sync 0 ;\n") ==
        std::vector{1, 2});
}
