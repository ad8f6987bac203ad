// The waits of a launch for phases of mbarriers: PTX ISA 8.7 § 9.7.13.15.16.
#include "solver/meetings/mbarrier_waits.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "semantics/language/mbarrier_state.hpp"
#include "solver/unfolding/substitution.hpp"
#include "tests/solver/launch_columns.hpp"

using namespace ptxmc;

namespace {

const std::string arrival = "mbarrier.arrive.b64 _, [a]";

/// The events of a launch, in which a misuse ends its thread, and the waits that are found in them.
struct WaitingLaunch {
  explicit WaitingLaunch(const Columns& columns, unsigned count_of_a = 2)
      : test(columns.test(count_of_a)), structure(unfolded()), waits(MbarrierWaits::find(structure)) {}

  const Event& at(EventId id) const { return structure.events[static_cast<std::size_t>(id)]; }

  /// The events of a thread of one kind.
  std::vector<EventId> events_of(int thread, EventKind kind) const {
    std::vector<EventId> result;
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
      if (at(id).thread == thread && at(id).kind == kind) result.push_back(id);
    return result;
  }

  LitmusTest test;
  TermGraph graph;
  EventStructure structure;
  std::optional<MbarrierWaits> waits;

 private:
  EventStructure unfolded() {
    UnfoldOptions options;
    options.may_wait_for_ever = true;
    options.misuse_ends_thread = true;
    return unfold(test.program, graph, options);
  }
};

/// The content of an object in a phase that needs two arrivals.
Bits word_in(unsigned phase) {
  MbarrierState state;
  state.pending = state.expected = Bits(MbarrierState::count_width, 2);
  state.transactions = Bits(MbarrierState::transactions_width, 0);
  state.phase = Bits(MbarrierState::phase_width, phase);
  return word_of(state);
}

/// A thread that polls, goes to its end if the poll returns True, and then polls in a loop for the phase 0 of
/// a.
Columns polls_before_loop(const std::string& first, const std::string& between = "") {
  Columns columns(2);
  columns.add(0, arrival).add(1, first).add(1, "@p0 bra END");
  if (!between.empty()) columns.add(1, between);
  return columns.wait(1, "a", "0").add(1, "END: st.weak.u32 [x], 2");
}

const std::string poll_of_a = "mbarrier.test_wait.parity.b64 p0, [a], 0";

bool holds(const EventStructure& structure, EventId id) {
  return structure.events[static_cast<std::size_t>(id)].condition.is_true();
}

/// How a thread ends in every execution; empty if this is open.
std::optional<Ending::Kind> end_of(const EventStructure& structure, std::size_t thread) {
  for (const Ending& ending : structure.endings[thread])
    if (ending.condition.is_true()) return ending.kind;
  return std::nullopt;
}

}  // namespace

TEST_CASE("operations on an mbarrier count or wait; initialization and invalidation do neither") {
  Columns columns(1);
  columns.add(0, "st.weak.u32 [x], 1").add(0, "mbarrier.inval.b64 [a]");
  const WaitingLaunch without(columns);
  CHECK_FALSE(has_mbarrier_operations(without.structure));
  columns.add(0, arrival);
  const WaitingLaunch with(columns);
  CHECK(has_mbarrier_operations(with.structure));
  // The read and the write of the arrival.
  CHECK(std::ranges::count_if(with.structure.events, is_mbarrier_operation) == 2);
}

TEST_CASE("an operation that no execution performs is none of the launch") {
  WaitingLaunch launch(Columns(1).add(0, arrival));
  for (Event& event : launch.structure.events) event.condition = Bits::boolean(false);
  CHECK_FALSE(has_mbarrier_operations(launch.structure));
}

// "phaseParity indicates the parity of either the current phase or the immediately preceding phase": the wait
// is over in the phases whose own parity is the other one.
TEST_CASE("a poll for a parity returns True in the phases of the other parity") {
  for (const unsigned parity : {0u, 1u}) {
    const WaitingLaunch launch(Columns(1).wait(0, "a", std::to_string(parity)));
    REQUIRE(launch.waits);
    REQUIRE(launch.waits->polls().size() == 1);
    const auto& poll = launch.waits->polls().front();
    CHECK(poll.last == poll.read);
    CHECK(poll.token.width() == 0);
    CHECK(launch.at(poll.read).is_read());
    CHECK(launch.at(poll.success).kind == EventKind::wait);
    const VariableId variable = launch.at(poll.read).value.term()->variable;
    CHECK(launch.waits->reads() == std::map<VariableId, EventId>{{variable, poll.read}});
    for (unsigned phase = 0; phase < 8; ++phase) {
      Substitution known;
      known.set(variable, word_in(phase));
      const Bits succeeds = known.apply(poll.succeeds);
      REQUIRE(succeeds.is_constant());
      CHECK(succeeds.is_true() == (phase % 2 != parity));
    }
  }
}

TEST_CASE("a poll for the phase of a token returns True in the next phase") {
  const WaitingLaunch launch(Columns(1).add(0, "mbarrier.arrive.b64 r2, [a]").wait(0, "a", "r2", true));
  REQUIRE(launch.waits);
  REQUIRE(launch.waits->polls().size() == 1);
  const auto& poll = launch.waits->polls().front();
  REQUIRE(poll.token.width() == 64);
  const EventId arrival = launch.events_of(0, EventKind::read).front();
  CHECK(launch.waits->reads().size() == 2);
  for (unsigned phase = 0; phase < 8; ++phase)
    for (const unsigned later : {0u, 1u}) {
      Substitution known;
      known.set(launch.at(arrival).value.term()->variable, word_in(phase));
      known.set(launch.at(poll.read).value.term()->variable, word_in((phase + later) % 8));
      CHECK(mbarrier_state(known.apply(poll.token)).phase.to_u64() == phase);
      const Bits succeeds = known.apply(poll.succeeds);
      REQUIRE(succeeds.is_constant());
      CHECK(succeeds.is_true() == (later == 1));
    }
}

TEST_CASE("polls before a loop are of its wait if they wait for the same phase in the same way") {
  const WaitingLaunch launch(polls_before_loop(poll_of_a));
  REQUIRE(launch.waits);
  const auto reads = launch.events_of(1, EventKind::read);
  const auto& polls = launch.waits->polls();
  REQUIRE(reads.size() == 2);
  REQUIRE(polls.size() == 2);
  for (const std::size_t i : {0u, 1u}) {
    CHECK(polls[i].read == reads[i]);
    CHECK(polls[i].last == reads[1]);
    CHECK(launch.waits->last_poll(reads[i]) == reads[1]);
  }
  CHECK_FALSE(launch.waits->last_poll(launch.events_of(0, EventKind::read).front()));
  // Another parity, object, order, or an operation between the polls.
  CHECK_FALSE(WaitingLaunch(polls_before_loop("mbarrier.test_wait.parity.b64 p0, [a], 1")).waits);
  CHECK_FALSE(WaitingLaunch(polls_before_loop("mbarrier.test_wait.parity.b64 p0, [b], 0")).waits);
  CHECK_FALSE(WaitingLaunch(polls_before_loop("mbarrier.test_wait.parity.relaxed.cta.b64 p0, [a], 0")).waits);
  CHECK_FALSE(
      WaitingLaunch(polls_before_loop("mbarrier.test_wait.parity.acquire.cluster.b64 p0, [a], 0")).waits);
  CHECK_FALSE(WaitingLaunch(polls_before_loop(poll_of_a, "st.weak.u32 [x], 1")).waits);
  CHECK_FALSE(WaitingLaunch(polls_before_loop(poll_of_a, "fence.acq_rel.cta")).waits);
}

TEST_CASE("a poll that is not repeated until it returns True is no wait") {
  CHECK_FALSE(WaitingLaunch(Columns(1).add(0, poll_of_a)).waits);
  Columns gives_up(1);  // if another thread sets x
  gives_up.add(0, "L: mbarrier.try_wait.parity.b64 p0, [a], 0")
      .add(0, "@p0 bra END")
      .add(0, "ld.relaxed.gpu.u32 r1, [x]")
      .add(0, "setp.eq.u32 p1, r1, 0")
      .add(0, "@p1 bra L")
      .add(0, "st.weak.u32 [x], 2")
      .add(0, "END: st.weak.u32 [x], 3");
  CHECK_FALSE(WaitingLaunch(gives_up).waits);
}

TEST_CASE("arrivals with .noComplete are noted") {
  Columns columns(1);
  columns.add(0, "mbarrier.arrive.b64 r3, [a]").add(0, "mbarrier.arrive.noComplete.b64 r2, [a], 1");
  const WaitingLaunch launch(columns);
  REQUIRE(launch.waits);
  CHECK(launch.waits->without_completion() == std::set<EventId>{launch.events_of(0, EventKind::read).back()});
}

TEST_CASE("waits are over as soon as they begin, except those that never end") {
  const WaitingLaunch launch(Columns(1).wait(0, "a", "0").add(0, "st.weak.u32 [x], 1").wait(0, "a", "1"));
  REQUIRE(launch.waits);
  const auto& polls = launch.waits->polls();
  REQUIRE(polls.size() == 2);
  const EventId first = polls[0].read, second = polls[1].read;
  const EventId write = launch.events_of(0, EventKind::write).front();

  const auto all = launch.waits->decided({});
  REQUIRE(all);
  for (const EventId id : {first, polls[0].success, write, second, polls[1].success}) CHECK(holds(*all, id));
  CHECK(end_of(*all, 0) == Ending::Kind::completed);
  const AwaitedPolls awaited = launch.waits->awaited({});
  CHECK(awaited.endless.empty());
  REQUIRE(awaited.succeeds.size() == 2);
  CHECK(identical(awaited.succeeds.at(second), polls[1].succeeds));

  const auto one = launch.waits->decided({second});
  REQUIRE(one);
  for (const EventId id : {first, polls[0].success, write, second}) CHECK(holds(*one, id));
  CHECK(one->events[static_cast<std::size_t>(polls[1].success)].condition.is_false());
  CHECK(end_of(*one, 0) == Ending::Kind::spinning);
  CHECK(launch.waits->awaited({second}).endless == std::set<EventId>{second});
  CHECK(launch.waits->awaited({second}).succeeds.contains(first));

  const auto none = launch.waits->decided({first, second});
  REQUIRE(none);
  CHECK(holds(*none, first));
  for (const EventId id : {polls[0].success, write, second, polls[1].success})
    CHECK(none->events[static_cast<std::size_t>(id)].condition.is_false());
  CHECK(end_of(*none, 0) == Ending::Kind::spinning);
}

TEST_CASE("the first poll that is tried ends a wait, so that later ones are not needed") {
  const WaitingLaunch launch(polls_before_loop(poll_of_a));
  REQUIRE(launch.waits);
  const auto reads = launch.events_of(1, EventKind::read);
  const EventId write = launch.events_of(1, EventKind::write).front();
  const auto over = launch.waits->decided({});
  REQUIRE(over);
  CHECK(holds(*over, reads[0]));
  CHECK(over->events[static_cast<std::size_t>(reads[1])].condition.is_false());
  CHECK(holds(*over, write));
  const auto endless = launch.waits->decided({reads[1]});
  REQUIRE(endless);
  CHECK(holds(*endless, reads[1]));
  CHECK(endless->events[static_cast<std::size_t>(write)].condition.is_false());
  CHECK(launch.waits->awaited({reads[1]}).endless == std::set<EventId>{reads[0], reads[1]});
}

TEST_CASE("a content of an object that decides more than a wait leaves the launch undecided") {
  const auto is_decided = [](const std::string& use) {
    Columns columns(1);
    columns.add(0, "mbarrier.arrive.b64 r2, [a]").add(0, "mbarrier.pending_count.b64 r3, r2");
    if (!use.empty()) columns.add(0, "setp.eq.u32 p1, r3, 1").add(0, use);
    const WaitingLaunch launch(columns.wait(0, "a", "r2", true));
    REQUIRE(launch.waits);
    return launch.waits->decided({}).has_value();
  };
  CHECK(is_decided(""));
  CHECK_FALSE(is_decided("st.weak.u32 [x], r3"));     // a value
  CHECK_FALSE(is_decided("@p1 st.weak.u32 [x], 1"));  // a condition
  CHECK_FALSE(is_decided("@p1 exit"));                // an end
  CHECK_FALSE(is_decided("@p1 mbarrier.arrive.b64 _, [a]"));
}
