#include "solver/launch/guessed_reads.hpp"

#include <doctest/doctest.h>

#include "solver/meetings/mbarrier_phases.hpp"
#include "tests/solver/launch_columns.hpp"

using namespace ptxmc;

namespace {

/// Thread 0 publishes what the others do: they arrive at b if x is 1, and thread 0 waits for them.
Columns published(std::size_t threads, const std::string& store, const std::string& before_wait = "") {
  Columns columns(threads);
  columns.add(0, store).add(0, "mbarrier.arrive.b64 _, [a]").wait(0, "b", "0");
  for (std::size_t thread = 1; thread < threads; ++thread) {
    if (!before_wait.empty()) columns.add(thread, before_wait);
    columns.wait(thread, "a", "0")
        .add(thread, "ld.weak.u32 r1, [x]")
        .add(thread, "setp.eq.u32 p1, r1, 1")
        .add(thread, "@p1 mbarrier.arrive.b64 _, [b]");
  }
  return columns;
}

struct Guessed {
  std::size_t count = 0;    ///< guessed reads
  bool is_certain = false;  ///< under the one schedule of the mbarriers
};

/// The guesses for a launch whose mbarriers have no known schedule without them.
Guessed guessed_in(const Columns& columns, unsigned count_of_b) {
  TermGraph graph;
  const LitmusTest test = columns.test(1, count_of_b);
  const EventStructure structure = events_of(test, graph);
  const auto schedules = [](const EventStructure& events) {
    const auto waits = MbarrierWaits::find(events);
    return waits ? mbarrier_schedules(*waits) : std::nullopt;
  };
  CHECK(!schedules(structure));
  const auto guessed = guess_reads(structure, {});
  if (!guessed) return {};
  const auto found = schedules(guessed->structure);
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  return {guessed->values.size(), are_certain(*guessed, found->front().structure, found->front().schedule)};
}

}  // namespace

TEST_CASE("what a thread publishes before an arrival decides what others do behind their waits") {
  const Guessed guessed = guessed_in(published(4, "st.weak.u32 [x], 1"), 3);
  CHECK(guessed.count == 3);
  CHECK(guessed.is_certain);
}

TEST_CASE("a guess is not certain if a write of another thread may be read") {
  // Threads 1 and 2 store too, before their waits and in no order with thread 0.
  const Guessed guessed = guessed_in(published(3, "st.weak.u32 [x], 1", "st.weak.u32 [x], 1"), 2);
  CHECK(guessed.count == 2);
  CHECK(!guessed.is_certain);
}

TEST_CASE("a guess is not certain if the arrival does not release the write") {
  Columns columns(2);
  columns.add(0, "mbarrier.arrive.b64 _, [a]").add(0, "st.weak.u32 [x], 1").wait(0, "b", "0");
  columns.wait(1, "a", "0")
      .add(1, "ld.weak.u32 r1, [x]")
      .add(1, "setp.eq.u32 p1, r1, 1")
      .add(1, "@p1 mbarrier.arrive.b64 _, [b]");
  const Guessed guessed = guessed_in(columns, 1);
  CHECK(guessed.count == 1);
  CHECK(!guessed.is_certain);
}

TEST_CASE("values that decide nothing are not guessed") {
  Columns columns(2);
  columns.add(0, "st.weak.u32 [x], 1").add(0, "mbarrier.arrive.b64 _, [a]");
  columns.wait(1, "a", "0").add(1, "ld.weak.u32 r1, [x]");
  TermGraph graph;
  const LitmusTest test = columns.test(1);
  CHECK(!guess_reads(events_of(test, graph), {}));
}
