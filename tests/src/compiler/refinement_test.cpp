#include "src/compiler/refinement.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace ptxmc;

namespace {

Fact no() { return {Verdict::forbidden, {}}; }

/// A program of one observable of 32 bits that has these outcomes, and nothing else.
ComparedProgram program(std::vector<std::int64_t> values) {
  ComparedProgram result;
  result.outcomes = [values](unsigned) {
    ObservedOutcomes outcomes;
    for (const std::int64_t value : values) outcomes.values.push_back({value});
    outcomes.executions.resize(values.size());
    outcomes.widths = {32};
    outcomes.is_complete = true;
    return outcomes;
  };
  result.allows = [](const Outcome&) { return Verdict::unknown; };
  result.waits_for_ever = result.fails = result.races = no;
  return result;
}

Refinement decide(const ComparedProgram& source, const ComparedProgram& target,
                  const RefinementOptions& options = {}) {
  return decide_refinement(source, target, options);
}

const auto yes = [] { return Fact{Verdict::allowed, "in line 7"}; };
const auto open = [] { return Fact{Verdict::unknown, "timeout"}; };

}  // namespace

TEST_CASE("outcomes of the target are among those of the source") {
  const Refinement less = decide(program({0, 1, 2}), program({1}));
  CHECK(less.differs == Verdict::forbidden);
  CHECK(less.missing == 2);
  const Refinement more = decide(program({0}), program({0, 3}));
  CHECK(more.differs == Verdict::allowed);
  REQUIRE(more.extra.size() == 1);
  CHECK(more.target.values[more.extra.front()] == Outcome{3});
  CHECK(decide(program({-1}), program({0xffff'ffff})).differs == Verdict::forbidden);
}

TEST_CASE("an outcome that an incomplete source does not show is asked for") {
  ComparedProgram source = program({0});
  const auto whole = source.outcomes;
  source.outcomes = [whole](unsigned bound) {
    ObservedOutcomes outcomes = whole(bound);
    outcomes.is_complete = false;
    outcomes.reason = "timeout";
    return outcomes;
  };
  for (const Verdict allows : {Verdict::allowed, Verdict::forbidden, Verdict::unknown}) {
    source.allows = [allows](const Outcome&) { return allows; };
    const Refinement found = decide(source, program({0, 1}));
    CHECK(found.differs == (allows == Verdict::allowed     ? Verdict::forbidden
                            : allows == Verdict::forbidden ? Verdict::allowed
                                                           : Verdict::unknown));
    if (allows == Verdict::unknown) CHECK(found.reason == "the source: timeout");
  }
}

TEST_CASE("the bound of the source grows while it hides outcomes") {
  ComparedProgram source = program({});
  const auto asked = std::make_shared<unsigned>(0);
  source.outcomes = [asked](unsigned bound) {
    *asked = bound;
    ObservedOutcomes outcomes;
    for (unsigned i = 0; i <= bound; ++i) outcomes.values.push_back({i});
    outcomes.executions.resize(outcomes.values.size());
    outcomes.widths = {32};
    outcomes.reason = "loop bound " + std::to_string(bound);
    return outcomes;
  };
  CHECK(decide(source, program({7})).differs == Verdict::forbidden);
  CHECK(*asked >= 7);
  CHECK(decide(source, program({1'000'000})).differs == Verdict::unknown);
}

TEST_CASE("an incomplete target refines nothing, and may differ") {
  ComparedProgram target = program({0});
  const auto whole = target.outcomes;
  target.outcomes = [whole](unsigned bound) {
    ObservedOutcomes outcomes = whole(bound);
    outcomes.is_complete = false;
    outcomes.reason = "loop bound 2";
    return outcomes;
  };
  CHECK(decide(program({0}), target).differs == Verdict::unknown);
  CHECK(decide(program({0}), target).reason == "loop bound 2");
  CHECK(decide(program({1}), target).differs == Verdict::allowed);
}

TEST_CASE("waiting for ever and failing are behaviours") {
  for (const bool waits : {true, false}) {
    ComparedProgram source = program({0}), target = program({0});
    auto& own = waits ? target.waits_for_ever : target.fails;
    auto& other = waits ? source.waits_for_ever : source.fails;
    own = yes;
    const Refinement found = decide(source, target);
    CHECK(found.differs == Verdict::allowed);
    CHECK(found.reason == (waits ? "may wait for ever: in line 7" : "may fail: in line 7"));
    other = open;
    CHECK(decide(source, target).differs == Verdict::unknown);
    other = yes;
    CHECK(decide(source, target).differs == Verdict::forbidden);
    own = open;
    CHECK(decide(source, target).differs == Verdict::forbidden);
  }
}

TEST_CASE("a race makes a source of C++ undefined, and one of PTX not") {
  ComparedProgram source = program({0});
  source.races = yes;
  CHECK(decide(source, program({1})).differs == Verdict::allowed);
  source.is_undefined_by_races = true;
  const Refinement vacuous = decide(source, program({1}));
  CHECK(vacuous.differs == Verdict::forbidden);
  CHECK(vacuous.is_vacuous);
  CHECK(decide(source, program({1}), {.ignores_races = true}).differs == Verdict::allowed);
  source.races = open;
  CHECK(decide(source, program({1})).differs == Verdict::unknown);
  CHECK(decide(source, program({0})).differs == Verdict::forbidden);
}

TEST_CASE("a race that the target adds to a source of PTX is a note") {
  ComparedProgram target = program({0});
  target.races = yes;
  const Refinement found = decide(program({0}), target);
  CHECK(found.differs == Verdict::forbidden);
  CHECK(found.notes == std::vector<std::string>{"the target has a race that the source lacks: in line 7"});
}
