// One execution of the operations on mbarriers against all orders in which they may happen: PTX ISA 8.7
// § 9.7.13.15.
#include "solver/meetings/mbarrier_simulation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "semantics/language/mbarrier_state.hpp"
#include "tests/solver/launch_columns.hpp"

using namespace ptxmc;

namespace {

/// A launch whose waits are known, and its simulation under one schedule of its barriers.
struct Simulated {
  explicit Simulated(const Columns& columns, unsigned count_of_a, const std::set<EventId>& endless = {})
      : test(columns.test(count_of_a)), waits(MbarrierWaits::find(events_of(test, graph))) {
    REQUIRE(waits);
    const auto decided = waits->decided(endless);
    REQUIRE(decided);
    const auto schedules = barrier_schedules(*decided);
    REQUIRE(schedules);
    REQUIRE(schedules->size() == 1);
    structure = under_schedule(*decided, schedules->front());
    result = simulate_mbarriers(structure, schedules->front(), *waits, endless);
  }

  /// The reads of the operations on mbarriers that a thread performs, in program order.
  std::vector<EventId> operations(int thread) const {
    std::vector<EventId> reads;
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
      if (const Event& event = structure.events[static_cast<std::size_t>(id)];
          event.thread == thread && event.is_read() && is_mbarrier_operation(event) &&
          event.condition.is_true())
        reads.push_back(id);
    return reads;
  }

  LitmusTest test;
  TermGraph graph;
  std::optional<MbarrierWaits> waits;
  EventStructure structure;
  std::optional<MbarrierSimulation> result;
};

enum class Kind { arrive, drop, expect, complete, wait };

/// An operation on the object a: a number of arrivals or bytes, or the parity of the awaited phase.
struct Operation {
  Kind kind;
  unsigned number;
};

using ObjectPlan = std::vector<std::vector<Operation>>;
/// By thread and operation: the phase of the object in which it happens; -1: never.
using PhasesOfThreads = std::vector<std::vector<int>>;

Columns columns_of(const ObjectPlan& plan) {
  Columns columns(plan.size());
  for (std::size_t thread = 0; thread < plan.size(); ++thread)
    for (const auto& [kind, number] : plan[thread]) switch (kind) {
        case Kind::arrive:
          columns.add(thread, fmt::format("mbarrier.arrive.b64 _, [a], {}", number));
          break;
        case Kind::drop:
          columns.add(thread, fmt::format("mbarrier.arrive_drop.b64 _, [a], {}", number));
          break;
        case Kind::expect:
          columns.add(thread, fmt::format("mbarrier.expect_tx.relaxed.cta.b64 [a], {}", number));
          break;
        case Kind::complete:
          columns.add(thread, fmt::format("mbarrier.complete_tx.relaxed.cta.b64 [a], {}", number));
          break;
        case Kind::wait:
          columns.wait(thread, "a", std::to_string(number));
          break;
      }
  return columns;
}

/// All orders of the operations, on numbers. It shares nothing with the code under test.
class Orders {
 public:
  Orders(const ObjectPlan& plan, int count)
      : plan_(plan), next_(plan.size()), pending_(count), expected_(count) {
    for (const auto& operations : plan) phases_.emplace_back(operations.size(), -1);
    continue_all();
  }

  std::set<PhasesOfThreads> found;
  bool is_undefined = false;  ///< some order exceeds a count

 private:
  void continue_all() {
    bool is_end = true;
    for (std::size_t thread = 0; thread < plan_.size() && !is_undefined; ++thread) {
      if (next_[thread] == plan_[thread].size()) continue;
      Orders after = *this;
      after.found.clear();
      if (!after.perform(thread)) continue;
      is_end = false;
      if (!after.is_undefined) after.continue_all();
      is_undefined = is_undefined || after.is_undefined;
      found.insert(after.found.begin(), after.found.end());
    }
    if (is_end) found.insert(phases_);
  }

  /// Returns false if the thread waits.
  bool perform(std::size_t thread) {
    const auto [kind, number] = plan_[thread][next_[thread]];
    const int count = static_cast<int>(number);
    if (kind == Kind::wait && phase_ % 2 == count) return false;
    phases_[thread][next_[thread]++] = phase_;
    if (kind == Kind::drop) expected_ -= count;
    if (kind == Kind::arrive || kind == Kind::drop) pending_ -= count;
    if (kind == Kind::expect) bytes_ += count;
    if (kind == Kind::complete) bytes_ -= count;
    is_undefined = pending_ < 0 || expected_ < 1;
    const bool may_complete = kind != Kind::wait && kind != Kind::expect;
    if (may_complete && pending_ == 0 && bytes_ == 0) {
      pending_ = expected_;
      ++phase_;
    }
    return true;
  }

  ObjectPlan plan_;
  std::vector<std::size_t> next_;
  int pending_, expected_, bytes_ = 0, phase_ = 0;
  PhasesOfThreads phases_;
};

ObjectPlan random_object_plan(std::mt19937& random) {
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  ObjectPlan plan(2 + below(2));
  for (auto& operations : plan)
    for (unsigned phase = 0, n = 1 + below(3); n > 0; --n) {
      constexpr Kind kinds[] = {Kind::arrive, Kind::arrive,   Kind::arrive, Kind::drop,
                                Kind::expect, Kind::complete, Kind::wait,   Kind::wait};
      const Kind kind = kinds[below(8)];
      const bool counts_bytes = kind == Kind::expect || kind == Kind::complete;
      operations.push_back({kind, kind == Kind::wait ? phase++ % 2
                                  : counts_bytes     ? 4 * (1 + below(2))
                                                     : 1 + below(5) / 4});
    }
  return plan;
}

/// What the simulation says about each operation of the plan.
PhasesOfThreads phases_in(const Simulated& simulated, const ObjectPlan& plan) {
  PhasesOfThreads result;
  for (std::size_t thread = 0; thread < plan.size(); ++thread) {
    auto& own = result.emplace_back(plan[thread].size(), -1);
    const auto reads = simulated.operations(static_cast<int>(thread));
    REQUIRE(reads.size() <= own.size());
    for (std::size_t i = 0; i < reads.size(); ++i)
      if (plan[thread][i].kind == Kind::wait) {
        const auto passed = simulated.result->passed.find(reads[i]);
        if (passed != simulated.result->passed.end()) own[i] = static_cast<int>(passed->second.phase);
      } else if (const auto phase = simulated.result->phase_of.find(reads[i]);
                 phase != simulated.result->phase_of.end()) {
        own[i] = static_cast<int>(phase->second);
      }
  }
  return result;
}

/// The phases of the object have these operations, with the counts of the plan.
void check_object(const Simulated& simulated, const ObjectPlan& plan, const PhasesOfThreads& phases,
                  unsigned count) {
  REQUIRE(simulated.result->objects.size() == 1);
  const MbarrierObject& object = simulated.result->objects.front();
  std::uint64_t expected = count;
  for (std::size_t k = 0; k < object.phases.size(); ++k) {
    CHECK(object.phases[k].pending == expected);
    CHECK(object.phases[k].expected == expected);
    std::size_t operations = 0;
    for (std::size_t thread = 0; thread < plan.size(); ++thread) {
      const auto reads = simulated.operations(static_cast<int>(thread));
      for (std::size_t i = 0; i < reads.size(); ++i) {
        const auto [kind, number] = plan[thread][i];
        if (kind == Kind::wait || phases[thread][i] != static_cast<int>(k)) continue;
        ++operations;
        const auto update = std::ranges::find(object.phases[k].updates, reads[i], &MbarrierUpdate::read);
        REQUIRE(update != object.phases[k].updates.end());
        CHECK(update->write == simulated.structure.events[static_cast<std::size_t>(reads[i])].rmw);
        CHECK(update->increments == 0);
        CHECK(update->arrivals == (kind == Kind::arrive || kind == Kind::drop ? number : 0));
        CHECK(update->drops == (kind == Kind::drop ? number : 0));
        CHECK(update->expects == (kind == Kind::expect ? number : 0));
        CHECK(update->completes == (kind == Kind::complete ? number : 0));
        expected -= update->drops;
      }
    }
    CHECK(object.phases[k].updates.size() == operations);
  }
}

/// The polls at which threads wait for ever.
std::set<EventId> blocked_in(const Simulated& simulated, const ObjectPlan& plan,
                             const PhasesOfThreads& phases) {
  std::set<EventId> result;
  for (std::size_t thread = 0; thread < plan.size(); ++thread)
    if (const auto never = std::ranges::find(phases[thread], -1); never != phases[thread].end())
      result.insert(simulated.operations(
          static_cast<int>(thread))[static_cast<std::size_t>(never - phases[thread].begin())]);
  return result;
}

}  // namespace

TEST_CASE("the simulation is one of the possible executions, with the counts of its operations") {
  std::mt19937 random(23);
  int defined = 0, with_phases = 0, with_blocked = 0;
  for (int i = 0; i < 600; ++i) {
    const ObjectPlan plan = random_object_plan(random);
    const unsigned count = 1 + static_cast<unsigned>(random() % 4);
    const Orders orders(plan, static_cast<int>(count));
    if (orders.is_undefined) continue;
    ++defined;
    CAPTURE(i);
    const Simulated simulated(columns_of(plan), count);
    REQUIRE(simulated.result);
    const PhasesOfThreads phases = phases_in(simulated, plan);
    CHECK(orders.found.contains(phases));
    const bool has_updates = std::ranges::any_of(plan, [](const auto& operations) {
      return std::ranges::any_of(operations, [](const Operation& one) { return one.kind != Kind::wait; });
    });
    if (has_updates) check_object(simulated, plan, phases, count);
    const auto blocked = blocked_in(simulated, plan, phases);
    CHECK(std::set<EventId>(simulated.result->blocked.begin(), simulated.result->blocked.end()) == blocked);
    with_phases += simulated.result->objects.front().phases.size() > 1 ? 1 : 0;
    if (blocked.empty()) continue;
    ++with_blocked;
    // The same threads, whose blocked waits are known never to end.
    const Simulated endless(columns_of(plan), count, blocked);
    REQUIRE(endless.result);
    CHECK(endless.result->blocked.empty());
    CHECK(phases_in(endless, plan) == phases);
    std::set<EventId> found;
    for (const auto& [read, object] : endless.result->endless) {
      found.insert(read);
      CHECK(object == 0);
    }
    CHECK(found == blocked);
  }
  CHECK(defined > 100);
  CHECK(with_phases > 50);
  CHECK(with_blocked > 30);
}

TEST_CASE("threads also meet at barriers") {
  for (const bool is_early : {true, false}) {
    Columns columns(2);
    columns.wait(0, "a", "0").add(0, "barrier.sync 0");
    if (is_early) columns.add(1, "mbarrier.arrive.b64 _, [a]");
    columns.add(1, "barrier.sync 0");
    if (!is_early) columns.add(1, "mbarrier.arrive.b64 _, [a]");
    const Simulated simulated(columns, 1);
    REQUIRE(simulated.result);
    const EventId poll = simulated.operations(0).front(), arrival = simulated.operations(1).front();
    CHECK(simulated.result->passed.contains(poll) == is_early);
    CHECK(simulated.result->phase_of.contains(arrival) == is_early);
    CHECK(simulated.result->blocked == (is_early ? std::vector<EventId>{} : std::vector{poll}));
  }
}

TEST_CASE("all arrivals at a barrier precede what follows it") {
  // The arrival of thread 2 is needed for the phase, and precedes its own barrier.
  Columns columns(3);
  columns.add(0, "barrier.sync 0").wait(0, "a", "0").add(0, "barrier.sync 0");
  columns.add(1, "barrier.sync 0").add(1, "mbarrier.arrive.b64 _, [a]").add(1, "barrier.sync 0");
  columns.add(2, "mbarrier.arrive.b64 _, [a]").add(2, "barrier.sync 0").add(2, "barrier.sync 0");
  columns.add(2, "mbarrier.arrive.b64 _, [a]");
  const Simulated simulated(columns, 2);
  REQUIRE(simulated.result);
  CHECK(simulated.result->blocked.empty());
  const auto& phases = simulated.result->objects.front().phases;
  REQUIRE(phases.size() == 2);
  CHECK(phases[0].updates.size() == 2);
  CHECK(phases[1].updates.size() == 1);
}

// § 9.7.13.15.9, § 9.7.13.15.10.
TEST_CASE("objects begin with mbarrier.init and end with mbarrier.inval") {
  const auto simulated = [](const std::vector<std::string>& code) {
    Columns columns(1, ".shared c : u64[1] = {0};");
    for (const std::string& instruction : code) columns.add(0, instruction);
    return std::make_unique<Simulated>(columns, 1);
  };
  const std::string init = "mbarrier.init.b64 [c], 3", arrive = "mbarrier.arrive.b64 _, [c]",
                    inval = "mbarrier.inval.b64 [c]";
  const auto whole = simulated({init, arrive, inval});
  REQUIRE(whole->result);
  REQUIRE(whole->result->objects.size() == 1);
  const MbarrierObject& object = whole->result->objects.front();
  CHECK(object.phases.front().pending == 3);
  CHECK(object.phases.front().expected == 3);
  CHECK(object.last_phase() == 0);
  const Event& begin = whole->structure.events[static_cast<std::size_t>(object.init)];
  CHECK(begin.access.mbarrier == MbarrierAccess::init);
  CHECK(begin.location.to_u64() == object.location);
  REQUIRE(object.inval);
  CHECK(whole->structure.events[static_cast<std::size_t>(*object.inval)].access.mbarrier ==
        MbarrierAccess::inval);
  CHECK_FALSE(simulated({init, arrive})->result->objects.front().inval);
  CHECK_FALSE(simulated({arrive, init})->result);  // used before
  CHECK_FALSE(simulated({init, inval, arrive})->result);
  CHECK_FALSE(simulated({init, inval, inval})->result);
  REQUIRE(simulated({init, init, arrive})->result);  // undefined: § 9.7.13.15.9
  CHECK(simulated({init, init, arrive})->result->objects.size() == 2);
  const auto again = simulated({init, inval, init, arrive});
  REQUIRE(again->result);
  REQUIRE(again->result->objects.size() == 2);
  CHECK(again->result->objects[0].phases.front().updates.empty());
  CHECK(again->result->objects[1].phases.front().updates.size() == 1);
  CHECK(again->result->objects[0].location == again->result->objects[1].location);
}

// § 9.7.13.15.15: the instruction increments the pending count, and the operation arrives.
TEST_CASE("an arrival of cp.async.mbarrier.arrive follows its increment") {
  for (const bool increments : {true, false}) {
    Columns columns(1);
    columns.add(0, fmt::format("cp.async.mbarrier.arrive{}.shared.b64 [a]", increments ? "" : ".noinc"));
    const Simulated simulated(columns, 2);
    REQUIRE(simulated.result);
    const auto& updates = simulated.result->objects.front().phases.front().updates;
    REQUIRE(updates.size() == (increments ? 2 : 1));
    CHECK(updates.front().increments == (increments ? 1 : 0));
    CHECK(updates.front().arrivals == (increments ? 0 : 1));
    CHECK(updates.back().arrivals == 1);
    CHECK(updates.back().increments == 0);
  }
}

TEST_CASE("an update whose counts are not known has no simulation") {
  Columns columns(1);
  columns.add(0, "ld.weak.u32 r1, [x]").add(0, "mbarrier.arrive.b64 _, [a], r1");
  CHECK_FALSE(Simulated(columns, 2).result);
}

TEST_CASE("a word in a phase has the counts of the word, and phases are counted modulo 8") {
  std::mt19937_64 random(5);
  for (int i = 0; i < 50; ++i) {
    const Bits word(64, random());
    const auto phase = static_cast<unsigned>(random() % 40);
    const MbarrierState before = mbarrier_state(word), after = mbarrier_state(word_in_phase(word, phase));
    CHECK(after.phase.to_u64() == phase % 8);
    CHECK(identical(after.pending, before.pending));
    CHECK(identical(after.expected, before.expected));
    CHECK(identical(after.transactions, before.transactions));
  }
}

TEST_CASE("terms over words have a value if the phases of all words are known") {
  Columns columns(1);
  columns.add(0, "mbarrier.arrive.b64 r2, [a]").wait(0, "a", "r2", true).wait(0, "a", "1");
  const Simulated simulated(columns, 1);
  REQUIRE(simulated.result);
  const auto reads = simulated.operations(0);
  REQUIRE(reads.size() == 3);
  const auto& polls = simulated.waits->polls();
  REQUIRE(polls.size() == 2);
  const auto value = [&](EventId read) {
    return simulated.structure.events[static_cast<std::size_t>(read)].value;
  };
  const auto phase_in = [&](const Bits& word, const PhaseOfRead& phases) {
    return in_phases(mbarrier_state(word).phase, simulated.structure, *simulated.waits, phases);
  };
  REQUIRE(phase_in(value(reads[0]), {{reads[0], 13}}));
  CHECK(phase_in(value(reads[0]), {{reads[0], 13}})->to_u64() == 5);
  CHECK_FALSE(phase_in(value(reads[0]), {{reads[1], 13}}));
  CHECK_FALSE(in_phases(mbarrier_state(value(reads[0])).pending, simulated.structure, *simulated.waits,
                        {{reads[0], 1}}));
  const auto returns = [&](std::size_t poll, const PhaseOfRead& phases, unsigned phase) {
    return succeeds(polls[poll], simulated.structure, *simulated.waits, phases, phase);
  };
  // The wait for the token of phase 2, and the wait for the end of an odd phase.
  CHECK(returns(0, {{reads[0], 2}}, 2) == false);
  CHECK(returns(0, {{reads[0], 2}}, 3) == true);
  CHECK_FALSE(returns(0, {}, 3));
  CHECK(returns(1, {}, 3) == false);
  CHECK(returns(1, {}, 4) == true);
  // In the simulation the arrival ends phase 0, and nothing ends phase 1.
  CHECK(simulated.result->passed.at(reads[1]).phase == 1);
  CHECK(simulated.result->blocked == std::vector{reads[2]});
}
