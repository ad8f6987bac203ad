// Executions that grow step by step, with steps taken back, evaluated by the compiled model and, at the end,
// by the judge.
#include "solver/compiled_model/compiled_model.hpp"

#include <doctest/doctest.h>

#include "model/judge/judge.hpp"
#include "tests/sanitized.hpp"
#include "tests/solver/compiled_model/grown_model.hpp"
#include "tests/solver/own_models.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

Pairs renumbered(const BitMatrix& value, const std::vector<bool>& is_present) {
  std::vector<EventId> numbers;
  EventId next = 0;
  for (const bool present : is_present) numbers.push_back(present ? next++ : -1);
  Pairs result;
  for (const auto& [a, b] : value.pairs()) result.emplace_back(numbers[a], numbers[b]);
  std::ranges::sort(result);
  return result;
}

/// Compares every name, axiom and flag of a complete execution with the judge. Returns whether every axiom
/// holds.
bool agrees_with_judge(Grown& grown, const cat::Model& cat, const Execution& whole,
                       const std::vector<bool>& is_present) {
  const Execution execution = part_of(whole, is_present, chosen_by(grown.model()));
  const Judgement judgement = judge(cat, execution);
  const bool holds = std::ranges::all_of(judgement.axioms, [](bool axiom) { return axiom; });
  // Only what the choices are about: the events were not made by code.
  for (const std::string& sentence : judgement.malformed) {
    CAPTURE(sentence);
    CHECK(sentence.find("orient") == std::string::npos);
  }
  CHECK(grown.model().is_consistent() == holds);
  for (std::size_t flag = 0; flag < cat.flags.size(); ++flag) {
    CAPTURE(cat.flags[flag].name);
    CHECK(grown.model().is_raised(flag) == judgement.flags[flag]);
    if (judgement.flags[flag]) CHECK(grown.model().may_be_raised(flag));
  }
  for (const std::string& name : grown.names()) {
    CAPTURE(name);
    Pairs expected = judgement.relations.at(name);
    std::ranges::sort(expected);
    CHECK(renumbered(grown.model().value(name), is_present) == expected);
  }
  return holds;
}

/// The execution grows once more in another order. If the axioms hold at the end, no step on the way may be
/// given up, refused, or oriented otherwise.
void check_growth(Grown& grown, const Execution& whole, const std::vector<bool>& is_present,
                  const std::map<std::string, Pairs>& choices, bool is_accepted, RandomEvents& random) {
  CompiledModel& model = grown.model();
  const auto is_chosen = [&](std::size_t choice, std::size_t a, std::size_t b) {
    const Pairs& pairs = choices.at(model.inputs.choices[choice].name);
    return std::ranges::count(pairs, std::pair(static_cast<EventId>(a), static_cast<EventId>(b))) > 0;
  };
  const auto check_orientations = [&] {
    for (std::size_t i = 0; i < model.inputs.choices.size(); ++i)
      for (const auto& [a, b] : model.chosen(i).pairs()) CHECK(is_chosen(i, a, b));
  };
  for (const Growth& growth : random_growth(whole, is_present, random)) {
    if (const auto* takes = std::get_if<Takes>(&growth.what); takes && is_accepted && random.below(2) == 0) {
      REQUIRE(model.may_become_consistent());
      CHECK_FALSE(model.refuses(grown.source(takes->source)));
    }
    if (random.below(3) == 0) {  // a step that is taken back
      const std::size_t mark = grown.mark();
      grown.grow(growth);
      if (random.below(2) == 0) model.may_become_consistent();
      grown.undo_to(mark);
    }
    grown.grow(growth);
    if (random.below(2) == 0) {
      const bool may_be = model.may_become_consistent();
      if (is_accepted) REQUIRE(may_be);
      if (is_accepted) check_orientations();
      if (!may_be) return;  // the state is only good to go back from
    }
  }
  if (!is_accepted) return;
  REQUIRE(model.may_become_consistent());
  check_orientations();
  for (std::size_t i = 0; i < model.inputs.choices.size(); ++i)
    for (std::size_t a = 0, b = 0; model.find_open_pair(i, a, b);) {
      if (!is_chosen(i, a, b)) std::swap(a, b);
      REQUIRE(is_chosen(i, a, b));
      model.orient(i, a, b);
      if (random.below(2) == 0) REQUIRE(model.may_become_consistent());
    }
}

/// Returns how many executions were accepted.
std::size_t compare_with_judge(const cat::Model& cat, std::uint64_t count, std::size_t most_events = 4) {
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    CAPTURE(cat.name);
    CAPTURE(seed);
    RandomEvents random(seed, most_events);
    TermGraph graph;
    Grown grown(cat, random, graph);
    const Execution& whole = random.execution();
    const std::vector<bool> is_present = random_part(whole, random);
    const std::size_t start = grown.mark();
    for (const Growth& growth : random_growth(whole, is_present, random)) grown.grow(growth);
    orient_all(grown.model(), random);
    const auto choices = chosen_by(grown.model());
    const bool holds = agrees_with_judge(grown, cat, whole, is_present);
    grown.undo_to(start);
    if (holds) ++accepted;
    grown.mark();
    check_growth(grown, whole, is_present, choices, holds, random);
    if (holds) CHECK(agrees_with_judge(grown, cat, whole, is_present));
  }
  return accepted;
}

}  // namespace

TEST_CASE("a compiled model has the values, axioms and flags that the judge has") {
  for (const char* name : {"ptx-6.4", "ptx-7.5", "ptx-8.7", "sc"}) {
    const std::size_t accepted = compare_with_judge(cat::load(name), sampled(600));
    CHECK(accepted > sampled(100));
    CHECK(accepted < sampled(600));
  }
}

TEST_CASE("the same with more than 64 events, whose rows are several words") {
  for (const char* name : {"ptx-8.7", "sc"}) CHECK(compare_with_judge(cat::load(name), 12, 30) > 0);
}

TEST_CASE("the same for models with recursion, negation, sets, and orientations of what reads decide") {
  for (std::size_t i = 0; i < own_models().size(); ++i) {
    CAPTURE(i);
    CHECK(compare_with_judge(cat::parse({"own" + std::to_string(i), own_models()[i]}, {}), 100) > 5);
  }
}

TEST_CASE("values that are asked for before the axioms do not hide a violation") {
  const cat::Model cat = cat::load("sc");
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    RandomEvents events(seed);
    TermGraph graph;
    Grown grown(cat, events, graph);
    const std::vector<bool> all(events.execution().events.size(), true);
    const std::size_t start = grown.mark();
    bool holds[2] = {};
    for (const bool asks : {false, true}) {
      const std::size_t before = grown.mark();
      for (const Growth& growth : random_growth(events.execution(), all, events)) {
        grown.grow(growth);
        if (asks) grown.model().value("rf");
      }
      holds[asks] = grown.model().may_become_consistent();
      grown.undo_to(before);
    }
    grown.undo_to(start);
    CHECK(holds[false] == holds[true]);
  }
}
