// Asynchronous operations in the events of a thread: PTX ISA 8.7 § 8.9.1.1, § 9.7.9.25.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "model/program/program_order.hpp"
#include "solver/unfolding/unfold.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

/// The events of one thread with this code, `s` in shared and `g` in global memory.
struct UnfoldedStrands {
  explicit UnfoldedStrands(const std::string& code)
      : test(parse_litmus(
            "PTX t\n{ .shared s : u32[8] = {0}; g : u32[8] = {0}; .shared bar : mbarrier = 1; }\n"
            " P0@cta 0,cluster 0,gpu 0 ;\n" +
                code + "\nexists (true)",
            "t.litmus")),
        structure(unfold(test.program, graph, {})) {}

  std::vector<Event> events_of(unsigned strand) const {
    std::vector<Event> result;
    for (const Event& event : structure.events)
      if (event.thread == 0 && event.strand == strand) result.push_back(event);
    return result;
  }

  /// The operations that the n-th wait for groups waits for.
  std::vector<unsigned> waited_for(std::size_t number) const {
    std::vector<unsigned> result;
    for (const Event& event : events_of(0))
      if (event.kind == EventKind::wait && number-- == 0)
        for (const Completion& completion : event.completes)
          if (completion.condition.is_true()) result.push_back(completion.strand);
    return result;
  }

  LitmusTest test;
  TermGraph graph;
  EventStructure structure;
};

using Strands = std::vector<unsigned>;

const std::string first = " cp.async.ca.shared.global [s], [g], 4; ;\n";
const std::string second = " cp.async.ca.shared.global [s+8], [g+8], 8; ;\n";
const std::string commit = " cp.async.commit_group; ;\n";

}  // namespace

TEST_CASE("the accesses of a copy are in one strand, outside of program order") {
  const UnfoldedStrands unfolded(" st.shared.u32 [s], 1; ;\n" + second + " ld.shared.u32 r1, [s]; ;");
  const auto& events = unfolded.structure.events;
  const auto copied = unfolded.events_of(1);
  REQUIRE(copied.size() == 4);  // two elements of four bytes
  CHECK(copied[0].is_read());
  CHECK(copied[1].is_write());
  CHECK(copied[0].access.is_copy);
  REQUIRE(copied[1].data_dependencies.size() == 1);
  CHECK(identical(events[static_cast<std::size_t>(copied[1].data_dependencies[0])].value, copied[0].value));
  const Event before = unfolded.events_of(0).front(), after = unfolded.events_of(0).back();
  CHECK(is_before_start(before, copied[0]));
  CHECK_FALSE(is_before_start(after, copied[0]));
  CHECK_FALSE(is_earlier_instruction(before, copied[0]));
  CHECK_FALSE(is_earlier_instruction(copied[3], after));
  CHECK_FALSE(are_of_one_agent(before, copied[0]));
  CHECK(are_of_one_agent(copied[0], copied[3]));
  const auto number = [&](const Event& wanted) {
    return static_cast<EventId>(std::ranges::find_if(events,
                                                     [&](const Event& event) {
                                                       return event.strand == wanted.strand &&
                                                              event.kind == wanted.kind &&
                                                              identical(event.address, wanted.address);
                                                     }) -
                                events.begin());
  };
  CHECK(is_earlier_in_strand(events, number(copied[0]), number(copied[3])));
  CHECK_FALSE(is_earlier_in_strand(events, number(copied[3]), number(copied[0])));
  CHECK_FALSE(precedes(events, number(copied[0]), number(copied[3])));
}

// § 9.7.9.25.3.2, § 9.7.9.25.3.3.
TEST_CASE("a wait is for the operations of all groups but the latest") {
  CHECK(UnfoldedStrands(first + commit + second + commit + " cp.async.wait_group 1; ;").waited_for(0) ==
        Strands{1});
  CHECK(UnfoldedStrands(first + commit + second + commit + " cp.async.wait_group 0; ;").waited_for(0) ==
        Strands{1, 2});
  CHECK(UnfoldedStrands(first + second + commit + " cp.async.wait_group 0; ;").waited_for(0) ==
        Strands{1, 2});
  CHECK(UnfoldedStrands(first + commit + second + " cp.async.wait_group 0; ;").waited_for(0) == Strands{1});
  CHECK(UnfoldedStrands(first + second + " cp.async.wait_all; ;").waited_for(0) == Strands{1, 2});
  // an empty group counts
  CHECK(UnfoldedStrands(first + commit + commit + " cp.async.wait_group 1; ;").waited_for(0) == Strands{1});
  // what is complete is not waited for again
  CHECK(UnfoldedStrands(first + " cp.async.wait_all; ;\n" + second + " cp.async.wait_all; ;").waited_for(1) ==
        Strands{2});
}

// § 9.7.9.25.1.1, § 9.7.9.25.6.2.
TEST_CASE("bulk operations have groups of their own, and a wait for their reads alone") {
  const std::string store = " cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16; ;\n";
  CHECK(UnfoldedStrands(store + first + commit + " cp.async.wait_group 0; ;").waited_for(0) == Strands{2});
  const UnfoldedStrands read(store + " cp.async.bulk.commit_group; ;\n cp.async.bulk.wait_group.read 0; ;");
  const auto copied = read.events_of(1);
  const Event wait = read.events_of(0).back();
  CHECK(is_complete_before(copied[0], wait).is_true());
  CHECK(is_complete_before(copied[1], wait).is_false());
  CHECK(copied[0].access.proxy == Proxy::async);
}

TEST_CASE("a copy that only some paths start is waited for where it was started") {
  const UnfoldedStrands unfolded(
      " ld.global.u32 r1, [g]; ;\n setp.eq.u32 p0, r1, 0; ;\n"
      " @p0 cp.async.ca.shared.global [s], [g], 4; ;\n" +
      commit + " cp.async.wait_group 0; ;");
  CHECK(unfolded.waited_for(0) == Strands{1});
  CHECK_FALSE(unfolded.events_of(1).front().condition.is_constant());
}

// § 9.7.13.15.15.
TEST_CASE("the arrival of cp.async.mbarrier.arrive follows the copies before it") {
  const UnfoldedStrands unfolded(first + " cp.async.mbarrier.arrive.shared.b64 [bar]; ;\n" + second);
  const auto arrival = unfolded.events_of(2);
  REQUIRE(arrival.size() == 2);
  CHECK(is_complete_before(unfolded.events_of(1).back(), arrival[1]).is_true());
  CHECK(is_complete_before(unfolded.events_of(3).back(), arrival[1]).is_false());
  // the increment is an operation of the thread itself
  CHECK(unfolded.events_of(0).size() == 2);
}
