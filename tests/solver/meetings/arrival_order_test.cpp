// The order in which threads arrive at barriers and continue: acyclic if and only if the threads can be run
// to their ends.
#include "solver/meetings/arrival_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "solver/meetings/chosen_phases.hpp"
#include "solver/smt/smt_solver.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

constexpr int threads = 3;

/// A launch of three threads, each a warp, that arrive at barriers with a count. The text has a row for each
/// step of all threads.
std::string random_rows(std::mt19937& random) {
  static constexpr const char* barriers[] = {"barrier.sync 0, 64", "barrier.sync 1, 64",
                                             "barrier.arrive 0, 64", "barrier.arrive 1, 64"};
  std::string rows;
  for (int row = 0; row < 3; ++row)
    for (int thread = 0; thread < threads; ++thread)
      rows += std::string(thread == 0 ? " " : " | ") + barriers[random() % 4] +
              (thread + 1 < threads ? "" : " ;\n");
  return rows;
}

LitmusTest launch_with(const std::string& rows) {
  return launch_of("{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n" + rows +
                   "exists (x == 0)");
}

/// Barrier events with an assignment to phases, and further steps that some of them await.
struct Assignment {
  const EventStructure& structure;
  std::vector<EventId> barriers;
  std::vector<int> phase;  // by event
  BarrierPhases phases;

  explicit Assignment(const EventStructure& events, std::mt19937& random)
      : structure(events), phase(events.events.size(), -1) {
    for (EventId id = 0; id < static_cast<EventId>(events.events.size()); ++id)
      if (event(id).kind == EventKind::barrier) barriers.push_back(id);
    std::map<int, std::set<int>> members;  // threads, by phase
    for (const EventId id : barriers) {
      const int barrier = static_cast<int>(event(id).barrier.id.to_u64());
      const int wanted =
          2 * static_cast<int>(random() % 3) + barrier;  // phases of one barrier have its parity
      if (members[wanted].insert(event(id).thread).second) phase[static_cast<std::size_t>(id)] = wanted;
    }
    phases = known_barrier_phases(structure, phase);
    phases.order.clear();
    const auto any_barrier = [&] { return barriers[random() % barriers.size()]; };
    if (random() % 2 == 0)
      phases.exits.push_back({any_barrier(), static_cast<int>(random() % threads), Bits::boolean(true)});
    if (random() % 2 == 0) phases.order.push_back({any_barrier(), any_barrier(), Bits::boolean(true)});
    if (random() % 4 == 0) phases.elsewhere.push_back({any_barrier(), any_barrier(), Bits::boolean(true)});
    std::erase_if(phases.order, [](const auto& pair) { return pair.first == pair.second; });
  }

  const Event& event(EventId id) const { return structure.events[static_cast<std::size_t>(id)]; }
};

/// Runs the threads: PTX ISA 8.7 § 9.7.13.1: `sync` waits for the arrivals of its phase, `arrive` does not.
class Run {
 public:
  explicit Run(const Assignment& assignment) : all_(assignment) {
    for (const EventId id : all_.barriers) ways_[all_.event(id).thread].push_back(id);
  }

  /// Whether all threads end.
  bool ends() {
    for (bool changed = true; changed;) {
      changed = false;
      for (int thread = 0; thread < threads; ++thread)
        while (step(thread)) changed = true;
    }
    return ended_.size() == threads;
  }

 private:
  bool step(int thread) {
    if (ended_.contains(thread)) return false;
    const auto& way = ways_[thread];
    if (done_[thread] == way.size()) return ended_.insert(thread).second;
    const EventId id = way[done_[thread]];
    if (!arrived_.contains(id)) return may_arrive(id) && arrived_.insert(id).second;
    if (!may_continue(id)) return false;
    ++done_[thread];
    return true;
  }

  bool may_arrive(EventId id) const {
    return std::ranges::all_of(all_.phases.order, [&](const BarrierPhases::Earlier& pair) {
      return pair.second != id || arrived_.contains(pair.first);
    });
  }

  bool may_continue(EventId id) const {
    for (const auto& exit : all_.phases.exits)
      if (exit.barrier == id && !ended_.contains(exit.thread)) return false;
    for (const auto& elsewhere : all_.phases.elsewhere)
      if (elsewhere.barrier == id && !arrived_.contains(elsewhere.arrival)) return false;
    const int own = all_.phase[static_cast<std::size_t>(id)];
    if (own < 0 || all_.event(id).barrier.kind == Barrier::Kind::arrive) return true;
    return std::ranges::all_of(all_.barriers, [&](EventId other) {
      return all_.phase[static_cast<std::size_t>(other)] != own || arrived_.contains(other);
    });
  }

  const Assignment& all_;
  std::map<int, std::vector<EventId>> ways_;  // by thread
  std::map<int, std::size_t> done_;
  std::set<EventId> arrived_;
  std::set<int> ended_;
};

/// Whether a relation whose pairs all hold has no cycle.
bool is_acyclic_graph(const SymbolicRelation& relation) {
  std::set<std::size_t> removed;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t a = 0; a < relation.rows.size(); ++a) {
      if (removed.contains(a)) continue;
      const bool is_last = std::ranges::all_of(relation.rows[a], [&](const auto& pair) {
        return removed.contains(static_cast<std::size_t>(pair.to));
      });
      if (is_last) changed = removed.insert(a).second;
    }
  }
  return removed.size() == relation.rows.size();
}

/// Two threads of a CTA, each a warp, the second of which reads from the first one's write of x. Whether this
/// may come about with both barriers in one phase, if the second thread reads 1.
bool may_read_one(const std::string& rows) {
  const LitmusTest test =
      launch_of("{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" + rows + "exists (x == 0)");
  TermGraph graph;
  const EventStructure structure = events_of(test, graph);
  std::vector<int> phase(structure.events.size(), -1);
  ReadsFromChoices reads_from;
  SmtSolver solver({10, 0, nullptr});
  EventId write = -1, read = -1;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = structure.events[static_cast<std::size_t>(id)];
    if (event.kind == EventKind::barrier) {
      phase[static_cast<std::size_t>(id)] = 0;
      if (event.goes_on.width() != 0) solver.add(event.goes_on);
    }
    if (event.kind == EventKind::write) write = id;
    if (event.is_read()) read = id;
  }
  REQUIRE(write >= 0);
  REQUIRE(read >= 0);
  const Bits& value = structure.events[static_cast<std::size_t>(read)].value;
  solver.add(equal(value, Bits(value.width(), 1)));
  reads_from.choices.push_back({read, write, {}, Bits::boolean(true)});
  BarrierPhases phases = known_barrier_phases(structure, phase);
  phases.is_in_order = false;
  const Bits in_order = come_about_in_order(structure, phases, reads_from, graph);
  return solver.check({&in_order, 1}) == SmtSolver::Result::satisfiable;
}

}  // namespace

TEST_CASE("the order is acyclic if and only if the threads can be run to their ends") {
  std::mt19937 random(7);
  int ends = 0, stuck = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string rows = random_rows(random);
    CAPTURE(rows);
    const LitmusTest test = launch_with(rows);
    TermGraph graph;
    const EventStructure structure = events_of(test, graph);
    for (int k = 0; k < 4; ++k) {
      const Assignment assignment(structure, random);
      const std::vector<Bits> happens(structure.events.size(), Bits::boolean(true));
      const ArrivalOrder order(structure, happens, assignment.phases);
      const bool all_end = Run(assignment).ends();
      CHECK(is_acyclic_graph(order.relation()) == all_end);
      ++(all_end ? ends : stuck);
    }
  }
  CHECK(ends > 50);
  CHECK(stuck > 50);
}

// PTX ISA 8.7 § 8.10.4 forbids speculations that satisfy themselves through communication between threads.
TEST_CASE("no thread arrives because of a value that is written only because it has arrived") {
  const std::string arrive_if_one =
      " barrier.sync 0, 64 | ld.relaxed.gpu r0, x ;\n st.relaxed.gpu x, 1 | beq r0, 0, E ;\n"
      " | barrier.sync 0, 64 ;\n | E: ;\n";
  CHECK_FALSE(may_read_one(arrive_if_one));
  const std::string written_before =
      " st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;\n barrier.sync 0, 64 | beq r0, 0, E ;\n"
      " | barrier.sync 0, 64 ;\n | E: ;\n";
  CHECK(may_read_one(written_before));
  const std::string arrives_in_any_case =
      " barrier.sync 0, 64 | ld.relaxed.gpu r0, x ;\n st.relaxed.gpu x, 1 | barrier.sync 0, 64 ;\n";
  CHECK(may_read_one(arrives_in_any_case));
}

TEST_CASE("waiting depends on reads if a branch on what was read precedes a barrier or the end") {
  const auto depends = [](const std::string& rows) {
    TermGraph graph;
    const LitmusTest test =
        launch_of("{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" + rows + "exists (x == 0)");
    return waiting_depends_on_reads(events_of(test, graph));
  };
  CHECK_FALSE(depends(" ld.relaxed.gpu r0, x | st.relaxed.gpu x, 1 ;\n"));
  CHECK_FALSE(depends(" ld.relaxed.gpu r0, x | barrier.sync 0 ;\n barrier.sync 0 | ;\n"));
  CHECK(
      depends(" ld.relaxed.gpu r0, x | barrier.sync 0 ;\n beq r0, 0, E | ;\n barrier.sync 0 | ;\n E: | ;\n"));
}
