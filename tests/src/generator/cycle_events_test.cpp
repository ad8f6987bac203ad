#include "src/generator/cycle_events.hpp"

#include <doctest/doctest.h>

using namespace ptxmc::generator;

namespace {

CycleExecution execution(const char* text) { return execution_of(from_first_access(parse_cycle(text))); }

}  // namespace

TEST_CASE("message passing: the flag is read, the old data too") {
  const CycleExecution mp = execution("PodWW Rfe PodRR Fre");
  CHECK(mp.threads == 2);
  CHECK(mp.locations == 2);
  CHECK(mp.events[1].value == 1);
  CHECK(mp.events[2].reads == 1U);
  CHECK(mp.events[3].reads == 0U);
  CHECK(mp.events[3].location == mp.events[0].location);
  CHECK_FALSE(mp.final_values[0].has_value());
}

TEST_CASE("a coherence edge gives the last write of a location") {
  const CycleExecution two_writes = execution("PodWW Coe PodWW Coe");
  CHECK(two_writes.final_values[0] == 2U);  // the write of the first thread follows
  CHECK(two_writes.final_values[1] == 2U);
  const CycleExecution own_order = execution("PosWW Coi");
  CHECK(own_order.final_values[0] ==
        own_order.events[0].value);  // the first write of the thread is the last one
}

TEST_CASE("a read before a write in coherence order takes the value before it") {
  const CycleExecution twice = execution("Rfe PosRR Fre");
  CHECK(twice.events[0].thread != twice.events[1].thread);
  std::vector<unsigned> values;
  for (const CycleEvent& event : twice.events)
    if (event.reads) values.push_back(*event.reads);
  CHECK(values == std::vector<unsigned>{1, 0});  // the new value, then the old one
  const CycleExecution own_write = execution("PosWR Fre Coe");
  CHECK(own_write.events[1].reads == 0U);  // the write of the other thread comes before that of its own
  CHECK(own_write.final_values[0] == own_write.events[0].value);
  const CycleExecution behind_own = execution("PodWW Rfe PosRR PodRW PosWR Fre");
  CHECK(behind_own.events[5].reads == behind_own.events[4].value);
}

TEST_CASE("the order of three writes is not shown by the last one") {
  CHECK_FALSE(is_observable(parse_cycle("PodWW Coe Coe PodWW Coe")));
  CHECK_FALSE(is_observable(parse_cycle("Coe Coe")));
  CHECK(is_observable(parse_cycle("PodWW Coe PodWW Coe")));
}

TEST_CASE("a cycle begins at the first access of a thread") {
  CHECK(name_of(from_first_access(parse_cycle("Rfe PodRR Fre PodWW"))) == "PodRR Fre PodWW Rfe");
  CHECK(name_of(from_first_access(parse_cycle("Coi PosWW"))) == "PosWW Coi");
  CHECK(name_of(from_first_access(parse_cycle("Rfi Rmw PosWW Rfi PosRW"))) == "Rmw PosWW Rfi PosRW Rfi");
}
