// The changes that affect each value of a compiled model, against a model that has only the last execution.
#include <doctest/doctest.h>

#include "tests/solver/compiled_model/grown_model.hpp"
#include "tests/solver/own_models.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// Compares all values after many changes, with values asked for on the way, with those of a fresh model.
void compare_with_fresh(const cat::Model& cat, std::uint64_t count, std::size_t most_events) {
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    CAPTURE(cat.name);
    CAPTURE(seed);
    RandomEvents random(seed, most_events), same(seed, most_events);
    TermGraph graph;
    Grown grown(cat, random, graph), fresh(cat, same, graph);
    const Execution& whole = random.execution();
    const std::vector<bool> part = random_part(whole, random);
    const std::vector<Growth> growths = random_growth(whole, part, random);
    for (const Growth& growth : growths) {
      if (random.below(2) == 0) {
        const std::size_t mark = grown.mark();
        grown.grow(growth);
        if (random.below(2) == 0) grown.model().value(grown.names()[random.below(grown.names().size())]);
        grown.undo_to(mark);
      }
      grown.grow(growth);
      if (random.below(2) == 0) grown.model().value(grown.names()[random.below(grown.names().size())]);
    }
    for (const Growth& growth : growths) fresh.grow(growth);
    for (const std::string& name : grown.names()) {
      CAPTURE(name);
      CHECK(grown.model().value(name) == fresh.model().value(name));
    }
  }
}

}  // namespace

TEST_CASE("after any changes a model has the values of a fresh one") {
  for (const char* name : {"ptx-6.4", "ptx-8.7", "sc"}) compare_with_fresh(cat::load(name), 80, 4);
  compare_with_fresh(cat::load("ptx-8.7"), 4, 30);
}

TEST_CASE("after any changes models with recursion and negation have the values of a fresh one") {
  for (std::size_t i = 0; i < own_models().size(); ++i)
    compare_with_fresh(cat::parse({"own" + std::to_string(i), own_models()[i]}, {}), 60, 4);
}

TEST_CASE("events that differ in what the model reads of them are told apart") {
  // Two threads of one CTA that write x, the second one more strongly.
  const auto are_alike = [](const char* text, Sem second) {
    Program program;
    std::vector<Event> events;
    for (int thread = 0; thread < 2; ++thread) {
      program.threads.push_back(
          {"P" + std::to_string(thread), {.cta = 0, .cluster = 0, .gpu = 0, .warp = thread}, {}, {}, {}});
      Event& event = events.emplace_back();
      event.kind = EventKind::write;
      event.thread = thread;
      event.location = event.address = Bits(64, 0x100);
      event.size = 4;
      event.value = Bits(32, 0);
      event.access.sem = thread == 0 ? Sem::relaxed : second;
      event.access.scope = Scope::gpu;
      event.access.space = StateSpace::global;
    }
    const cat::Model cat = cat::parse({"alike", text}, {});
    const CompiledModel model(cat, program, events, {});
    const std::size_t a[] = {0}, b[] = {1};
    return model.cannot_tell_apart(a, b);
  };
  const char* const with_order =
      "\"own\"\nlet release = W & REL\nacyclic po | rf | ([release]; loc; [release]) as one";
  CHECK(are_alike(with_order, Sem::relaxed));
  CHECK_FALSE(are_alike(with_order, Sem::release));
  CHECK(are_alike("\"own\"\nacyclic po | rf as one", Sem::release));
}
