// Executions that differ by a permutation of interchangeable threads, found by trying all permutations.
#include "solver/explorer/thread_renaming.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <numeric>
#include <set>

#include "solver/explorer/next_step.hpp"
#include "tests/solver/explorer/guided_execution.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// A program whose first threads have the same code, and perhaps one thread more.
std::string alike(int threads, const std::string& code, const std::string& other = "") {
  std::string header = "PTX alike { x=0; y=0; }", rows, mine = code;
  const int all = threads + (other.empty() ? 0 : 1);
  for (int thread = 0; thread < all; ++thread)
    header += fmt::format("{} P{}@cta {},gpu 0", thread == 0 ? "" : " |", thread, thread);
  const auto split = [](std::string text) {
    std::vector<std::string> lines;
    for (std::size_t at = text.find(';'); at != std::string::npos; at = text.find(';')) {
      lines.push_back(text.substr(0, at));
      text = text.substr(at + 1);
    }
    return lines;
  };
  const auto own = split(code), others = split(other);
  for (std::size_t row = 0; row < std::max(own.size(), others.size()); ++row) {
    for (int thread = 0; thread < all; ++thread) {
      const auto& lines = thread < threads ? own : others;
      rows += fmt::format("{} {}", thread == 0 ? "" : " |", row < lines.size() ? lines[row] : "");
    }
    rows += " ;\n";
  }
  return header + " ;\n" + rows + "exists (x == 1)";
}

/// The smallest key of the execution under all permutations of the first threads.
std::string smallest_name(const Execution& execution, int threads) {
  std::vector<int> order(static_cast<std::size_t>(threads));
  std::iota(order.begin(), order.end(), 0);
  std::string smallest;
  do {
    // Events are named by thread and place, so that the names of a permuted execution are sorted anew.
    std::vector<std::string> names, pairs;
    std::map<int, int> place;
    for (const Event& event : execution.events) {
      const int thread = event.thread >= 0 && event.thread < threads
                             ? order[static_cast<std::size_t>(event.thread)]
                             : event.thread;
      names.push_back(fmt::format("{}.{}", thread, place[event.thread]++));
    }
    for (const ReadsFrom& from : execution.reads_from)
      pairs.push_back(names[static_cast<std::size_t>(from.read)] + "<" +
                      names[static_cast<std::size_t>(from.write)]);
    std::ranges::sort(names);
    std::ranges::sort(pairs);
    std::string key;
    for (const auto& name : names) key += name + " ";
    for (const auto& pair : pairs) key += pair + " ";
    if (smallest.empty() || key < smallest) smallest = key;
  } while (std::ranges::next_permutation(order).found);
  return smallest;
}

struct Case {
  std::string text;
  int threads;
};

std::vector<Case> cases() {
  return {
      {alike(3, "atom.relaxed.gpu.add r0, x, 1;"), 3},
      {alike(2, "ld.relaxed.gpu r0, x; st.relaxed.gpu x, 1;"), 2},
      {alike(3, "ld.relaxed.gpu r0, x; st.relaxed.gpu x, 1;"), 3},
      {alike(2, "st.relaxed.gpu x, 1; ld.relaxed.gpu r0, y;", "ld.relaxed.gpu r0, x; st.relaxed.gpu y, 2;"),
       2},
      {alike(3, "atom.relaxed.gpu.cas r0, x, 0, 1;", "ld.acquire.gpu r0, x;"), 3},
      {alike(2, "atom.relaxed.gpu.exch r0, x, 1; st.relaxed.gpu y, r0;", "ld.relaxed.gpu r0, y;"), 2}};
}

}  // namespace

TEST_CASE("executions have one key only if a permutation of threads makes them equal") {
  const cat::Model model = cat::load("ptx-8.7");
  std::mt19937 random(1);
  for (const auto& one : cases()) {
    const auto& [text, threads] = one;
    CAPTURE(one.text);
    SmallProgram program(text);
    const auto all = all_executions(program.structure, model);
    REQUIRE(all);
    std::map<std::string, std::string> orbit_of;  // by key
    std::map<std::string, int> orbits;            // with the number of their executions
    std::map<std::string, double> equivalent;
    for (const Execution& known : all->accepted_sources) {
      GuidedExecution guided(program.structure, model, known);
      REQUIRE(guided.execution.settle());
      guided.complete(random);
      ThreadRenaming renaming(program.structure, guided.execution.model, {});
      REQUIRE_FALSE(renaming.is_trivial());
      const std::string orbit = smallest_name(known, threads);
      ++orbits[orbit];
      equivalent[orbit] = renaming.equivalent_executions(guided.execution);
      CHECK(orbit_of.emplace(renaming.key(guided.execution), orbit).first->second == orbit);
    }
    // In programs as small as these, also if.
    CHECK(orbit_of.size() == orbits.size());
    CHECK(orbits.size() < all->accepted_sources.size());
    for (const auto& [orbit, executions] : orbits) CHECK(equivalent[orbit] == executions);
  }
}

TEST_CASE("a source stands for those of threads for which nothing is chosen yet") {
  const cat::Model model = cat::load("ptx-8.7");
  SmallProgram program(alike(3, "atom.relaxed.gpu.add r0, x, 1;", "ld.relaxed.gpu r0, x;"));
  PartialExecution execution(program.structure, model, {});
  REQUIRE(execution.settle());
  ThreadRenaming renaming(program.structure, execution.model, {});
  const auto part_of = [&](int thread) {
    for (std::size_t part = 0; part < execution.parts().size(); ++part)
      if (program.structure.events[static_cast<std::size_t>(execution.parts()[part].read)].thread == thread)
        return part;
    FAIL("no such read");
    return std::size_t{0};
  };
  const auto times = [&](std::size_t part) {
    std::vector<std::uint64_t> result;
    const BitSet sources = execution.parts()[part].candidates;
    for (const auto& [write, count] : renaming.representatives(execution, part, sources)) {
      CHECK(sources.contains(static_cast<std::size_t>(write)));
      result.push_back(count);
    }
    return result;
  };
  // The load may read the initial value, or one of three alike writes; an update, one of the two others.
  CHECK(times(part_of(3)) == std::vector<std::uint64_t>{1, 3});
  CHECK(times(part_of(0)) == std::vector<std::uint64_t>{1, 2});
  // When the first update has read the initial value, its write is told apart.
  const std::size_t first = part_of(0);
  execution.choose_source(first, 0);
  REQUIRE(execution.settle());
  CHECK(times(part_of(3)) == std::vector<std::uint64_t>{1, 1, 2});
  CHECK(times(part_of(1)) == std::vector<std::uint64_t>{1, 1, 1});
}

TEST_CASE("a reader stands for those of threads for which nothing is chosen yet") {
  const cat::Model model = cat::load("ptx-8.7");
  SmallProgram program(alike(3, "atom.relaxed.gpu.add r0, x, 1;", "ld.relaxed.gpu r0, x;"));
  PartialExecution execution(program.structure, model, {});
  REQUIRE(execution.settle());
  ThreadRenaming renaming(program.structure, execution.model, {});
  NextStep next(execution, program.structure, model);
  Step step;
  next.find(step);
  const auto event_of = [&](int thread, bool is_write) {
    for (const Event& event : program.structure.events)
      if (event.thread == thread && event.is_write() == is_write)
        return static_cast<EventId>(&event - program.structure.events.data());
    FAIL("no such event");
    return EventId{0};
  };
  const auto part_of = [&](int thread) {
    const auto& parts = execution.parts();
    return static_cast<std::size_t>(
        std::ranges::find(parts, event_of(thread, false), &PartialExecution::Part::read) - parts.begin());
  };
  const EventId initial = 0;
  const auto all = renaming.readers_alike(execution, part_of(0), initial);
  CHECK(std::set(all.begin(), all.end()) == std::set{part_of(0), part_of(1), part_of(2)});
  // The load has no thread like it; and an exchange of threads changes whose write theirs is.
  CHECK(renaming.readers_alike(execution, part_of(3), initial) == std::vector{part_of(3)});
  CHECK(renaming.readers_alike(execution, part_of(0), event_of(1, true)) == std::vector{part_of(0)});
  // One of three additions must be the first.
  CHECK(next.one_must_take(all, initial));
  CHECK_FALSE(next.one_must_take(std::vector{part_of(0), part_of(1)}, initial));
  CHECK_FALSE(next.one_must_take(std::vector{part_of(3)}, initial));
  execution.choose_source(part_of(0), initial);
  REQUIRE(execution.settle());
  next.find(step);
  const auto others = renaming.readers_alike(execution, part_of(1), event_of(0, true));
  CHECK(std::set(others.begin(), others.end()) == std::set{part_of(1), part_of(2)});
  CHECK(next.one_must_take(others, event_of(0, true)));
}

TEST_CASE("threads whose registers are shown, or with other code, are not interchangeable") {
  const cat::Model model = cat::load("ptx-8.7");
  const auto is_trivial = [&](const std::string& text, const ObservedState& observed) {
    SmallProgram program(text);
    PartialExecution execution(program.structure, model, {});
    return ThreadRenaming(program.structure, execution.model, observed).is_trivial();
  };
  const std::string two = alike(2, "ld.relaxed.gpu r0, x;", "st.relaxed.gpu x, 1;");
  FinalTerm first;
  first.kind = FinalTerm::Kind::thread_register;
  CHECK_FALSE(is_trivial(two, {}));
  CHECK(is_trivial(two, {.terms = {first}}));
  CHECK(is_trivial(alike(1, "ld.relaxed.gpu r0, x;", "st.relaxed.gpu x, 1;"), {}));
}
