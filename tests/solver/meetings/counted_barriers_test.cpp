// The phases that unknowns choose, beside an enumeration of all orders in which units arrive.
#include "solver/meetings/counted_barriers.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>
#include <random>
#include <set>

#include "semantics/language/diagnostic.hpp"
#include "solver/smt/smt_solver.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

/// By thread, the barriers that it executes: `barrier.sync` waits, `barrier.arrive` does not.
using Plan = std::vector<std::vector<bool>>;
/// By barrier, thread by thread, the number of its phase in order of appearance; -1: its phase never
/// completes.
using Phases = std::vector<int>;

Phases canonical(const Phases& phases) {
  std::map<int, int> numbers;
  Phases result;
  for (const int phase : phases)
    result.push_back(
        phase < 0 ? -1 : numbers.try_emplace(phase, static_cast<int>(numbers.size())).first->second);
  return result;
}

/// PTX ISA 8.7 § 9.7.13.1: arrivals complete the phase when their number is reached, and the barrier is
/// reinitialized.
class Arriving {
 public:
  Arriving(const Plan& waits, std::size_t needed)
      : waits_(waits), needed_(needed), next_(waits.size()), is_waiting_(waits.size()) {
    for (const auto& of_thread : waits) {
      first_.push_back(phases_.size());
      phases_.resize(phases_.size() + of_thread.size(), -1);
    }
    arrive();
  }

  std::set<Phases> found;

 private:
  void arrive() {
    bool is_end = true;
    for (std::size_t thread = 0; thread < waits_.size(); ++thread) {
      if (is_waiting_[thread] || next_[thread] == waits_[thread].size()) continue;
      is_end = false;
      Arriving after = *this;
      after.arrive(thread);
      found.insert(after.found.begin(), after.found.end());
    }
    if (is_end) found.insert(canonical(phases_));
  }

  void arrive(std::size_t thread) {
    is_waiting_[thread] = waits_[thread][next_[thread]];
    arrived_.push_back(first_[thread] + next_[thread]++);
    if (arrived_.size() == needed_) {
      for (const std::size_t barrier : arrived_) phases_[barrier] = number_;
      for (std::size_t other = 0; other < waits_.size(); ++other)
        if (is_waiting_[other] && phases_[first_[other] + next_[other] - 1] == number_)
          is_waiting_[other] = false;
      arrived_.clear();
      ++number_;
    }
    arrive();
  }

  Plan waits_;
  std::size_t needed_;
  std::vector<std::size_t> next_, first_, arrived_;
  std::vector<bool> is_waiting_;
  Phases phases_;
  int number_ = 0;
};

std::string columns_of(const Plan& waits, std::size_t count) {
  std::string text = "{ x=0; }\n";
  std::size_t rows = 0;
  for (std::size_t thread = 0; thread < waits.size(); ++thread) {
    text += fmt::format("{} P{}@cta 0,gpu 0", thread == 0 ? "" : " |", thread);
    rows = std::max(rows, waits[thread].size());
  }
  text += " ;\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t thread = 0; thread < waits.size(); ++thread)
      text += fmt::format("{} {}", thread == 0 ? "" : " |",
                          row >= waits[thread].size() ? std::string()
                                                      : fmt::format("barrier.{} 0, {}",
                                                                    waits[thread][row] ? "sync" : "arrive",
                                                                    count));
    text += " ;\n";
  }
  return text + "exists (x == 0)";
}

/// All phases that satisfy the constraints.
std::set<Phases> chosen_phases(const LitmusTest& test) {
  TermGraph graph;
  const EventStructure structure = events_of(test, graph);
  const BarrierPhases phases = choose_barrier_phases(structure, graph);
  SmtSolver solver({.timeout_seconds = 60});
  for (const Bits& constraint : phases.constraints) solver.add(constraint);
  std::vector<EventId> barriers;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
    if (structure.events[static_cast<std::size_t>(id)].kind == EventKind::barrier) barriers.push_back(id);
  std::vector<Bits> shown;  // by barrier: it is complete; by pair: they meet
  const auto show = [&](const Bits& term) {
    shown.push_back(graph.variable(1, "shown"));
    solver.add(equal(shown.back(), term));
  };
  for (const EventId id : barriers) show(phases.complete[static_cast<std::size_t>(id)]);
  for (const EventId a : barriers)
    for (const EventId b : barriers) {
      Bits meets = Bits::boolean(false);
      for (const auto& [to, when] : phases.meet.rows[static_cast<std::size_t>(a)])
        if (to == b) meets = meets | when;
      show(meets);
    }
  std::set<Phases> result;
  while (solver.check() == SmtSolver::Result::satisfiable) {
    std::vector<bool> values;
    Bits same = Bits::boolean(true);
    for (const Bits& variable : shown) {
      const Bits value = solver.value(variable.term()->variable, 1);
      values.push_back(value.is_true());
      same = same & equal(variable, value);
    }
    solver.add(~same);
    Phases found(barriers.size(), -1);
    for (std::size_t i = 0; i < barriers.size(); ++i) {
      if (values[i]) found[i] = static_cast<int>(i);
      for (std::size_t j = 0; j < i; ++j)
        if (values[barriers.size() * (i + 1) + j]) found[i] = std::min(found[i], found[j]);
    }
    result.insert(canonical(found));
  }
  return result;
}

Plan random_plan(std::mt19937& random) {
  Plan plan(2 + random() % 3);
  for (auto& of_thread : plan)
    for (std::size_t n = random() % 4; n > 0; --n) of_thread.push_back(random() % 2 != 0);
  return plan;
}

std::string refusal_of(const std::string& columns) {
  try {
    chosen_phases(launch_of(columns));
  } catch (const Unsupported& unsupported) {
    return unsupported.what();
  }
  return "";
}

}  // namespace

TEST_CASE("threads of litmus tests and warps of launches meet in all orders and in no other way") {
  std::mt19937 random(1);
  std::size_t different = 0;
  for (int i = 0; i < 40; ++i) {
    const Plan plan = random_plan(random);
    const std::size_t needed = 1 + random() % plan.size();
    const std::set<Phases> expected = Arriving(plan, needed).found;
    CAPTURE(columns_of(plan, needed));
    if (expected.size() > 1) ++different;
    CHECK(chosen_phases(parse_litmus("PTX t\n" + columns_of(plan, needed), "t.litmus")) == expected);
    CHECK(chosen_phases(launch_of(columns_of(plan, needed * lanes_per_warp))) == expected);
  }
  CHECK(different > 10);
}

TEST_CASE("a launch whose barrier has several counts, or a count that is not known, is refused") {
  const std::string two = "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n";
  const std::string end = "\nexists (x == 0)";
  CHECK(refusal_of(two + "bar.sync 0, 64 | bar.sync 0, 64 ;" + end) == "");
  CHECK(refusal_of(two + "bar.sync 0, 64 | bar.sync 0, 32 ;" + end).find("different thread counts") !=
        std::string::npos);
  CHECK(refusal_of(two + "bar.sync 0, 32 | bar.sync 0 ;" + end).find("with and without a thread count") !=
        std::string::npos);
  CHECK(refusal_of(two + "bar.sync 0 | bar.sync 0 ;\n bar.sync 0, 32 | bar.sync 0, 32 ;" + end)
            .find("with and without a thread count") != std::string::npos);
  CHECK(refusal_of(two + "bar.sync 0, 48 | bar.sync 0, 48 ;" + end).find("no multiple of the warp size") !=
        std::string::npos);
  CHECK(refusal_of(two + "ld.relaxed.gpu r0, x | ;\n bar.sync 0, r0 | bar.sync 0, r0 ;" + end)
            .find("a thread count that is not known") != std::string::npos);
}
