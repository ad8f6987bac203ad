#include "solver/meetings/mbarrier_memory.hpp"

#include <doctest/doctest.h>

#include "tests/solver/launch_columns.hpp"

using namespace ptxmc;

namespace {

struct Verdicts {
  bool are_apart, are_undisturbed;
  bool operator==(const Verdicts&) const = default;
};

/// Of one thread that executes this code after `mbarrier.init` of c and an arrival at it.
Verdicts verdicts_behind_arrival(const std::vector<std::string>& code) {
  Columns columns(1, ".shared c : u64[1] = {0};");
  columns.add(0, "mbarrier.init.b64 [c], 3").add(0, "mbarrier.arrive.b64 _, [c]");
  for (const std::string& instruction : code) columns.add(0, instruction);
  TermGraph graph;
  const LitmusTest test = columns.test(1);
  const EventStructure structure = events_of(test, graph);
  const BarrierSchedule schedule(structure.events.size(), -1);
  return {are_mbarriers_apart(structure, schedule), are_phases_undisturbed(structure, schedule)};
}

}  // namespace

// PTX ISA 8.7 § 9.7.13.15.3.
TEST_CASE("between init and inval only operations access an object") {
  const std::string inval = "mbarrier.inval.b64 [c]", init = "mbarrier.init.b64 [c], 1",
                    store = "st.weak.u64 [c], 1", load = "ld.weak.u32 r1, [c]",
                    arrive = "mbarrier.arrive.b64 _, [c]";
  const Verdicts fine{true, true}, late{false, true}, early{false, false};
  CHECK(verdicts_behind_arrival({inval, store, load}) == fine);
  CHECK(verdicts_behind_arrival({inval, store, init, arrive}) == fine);
  CHECK(verdicts_behind_arrival({inval, init, arrive, inval, load}) == fine);
  CHECK(verdicts_behind_arrival({store}) == late);  // the memory still holds an object
  CHECK(verdicts_behind_arrival({load, inval}) == late);
  CHECK(verdicts_behind_arrival({init, arrive}) == late);
  CHECK(verdicts_behind_arrival({store, init, arrive}) == late);
  CHECK(verdicts_behind_arrival({store, arrive}) == early);
  CHECK(verdicts_behind_arrival({inval, init, store, arrive}) == early);
}
