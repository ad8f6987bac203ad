// The axioms of compiled models while executions grow, against their definitions on whole relations.
#include <doctest/doctest.h>

#include "tests/solver/compiled_model/grown_model.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// Whether the axiom holds for program order and reads-from.
using Meaning = bool (*)(const BitMatrix& order, const BitMatrix& source);

struct Case {
  const char* axiom;
  Meaning holds;
};

const Case cases[] = {
    {"acyclic order | source as one",
     [](const BitMatrix& order, const BitMatrix& source) { return (order | source).is_acyclic(); }},
    {"irreflexive (source; order)+ as one",
     [](const BitMatrix& order, const BitMatrix& source) {
       return source.compose(order).closure().is_irreflexive();
     }},
    {"irreflexive source; order as one",
     [](const BitMatrix& order, const BitMatrix& source) { return source.compose(order).is_irreflexive(); }},
    {"empty source; order; source as one",
     [](const BitMatrix& order, const BitMatrix& source) {
       return source.compose(order).compose(source).is_empty();
     }},
    {"empty domain(source) & range(source; order) as one",
     [](const BitMatrix& order, const BitMatrix& source) {
       return (source.domain() & source.compose(order).range()).is_empty();
     }},
};

cat::Model model_of(const char* axiom) {
  return cat::parse({"axiom", std::string("\"own\"\nlet order = po\nlet source = rf\n") + axiom}, {});
}

}  // namespace

TEST_CASE("an axiom that prunes is broken as soon as the execution so far breaks it") {
  for (const Case& one : cases) {
    CAPTURE(one.axiom);
    const cat::Model cat = model_of(one.axiom);
    std::size_t broken = 0, refused = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      CAPTURE(seed);
      RandomEvents random(seed, seed < 145 ? 4 : 30);
      TermGraph graph;
      Grown grown(cat, random, graph);
      CompiledModel& model = grown.model();
      const std::vector<bool> all(random.execution().events.size(), true);
      for (const Growth& growth : random_growth(random.execution(), all, random)) {
        bool is_refused = false;
        if (const auto* takes = std::get_if<Takes>(&growth.what)) {
          REQUIRE(model.may_become_consistent());
          is_refused = model.refuses(grown.source(takes->source));
        }
        const std::size_t mark = grown.mark();
        grown.grow(growth);
        const BitMatrix source = model.inputs.rf;
        // Values that were computed for another purpose have not been tested.
        const bool asks = random.below(2) == 0;
        if (asks) model.value("source");
        const bool may_be = model.may_become_consistent();
        if (is_refused) CHECK_FALSE(may_be);
        refused += is_refused ? 1 : 0;
        broken += may_be ? 0 : 1;
        if (may_be) {
          CHECK(one.holds(model.value("order"), source));
          CHECK(model.is_consistent());
          continue;
        }
        grown.undo_to(mark);
        CHECK(model.may_become_consistent());
        CHECK_FALSE(one.holds(model.value("order"), source));  // an order of events that are there already
      }
    }
    CHECK(broken > 5);
    if (&one == &cases[0]) CHECK(refused == broken);
  }
}

TEST_CASE("a negated axiom, or one of a relation that may shrink, is tested when the execution is complete") {
  const cat::Model negated = model_of("~empty source; order as some");
  const cat::Model shrinking = model_of("let read = range(source)\nempty R \\ read as all_have_sources");
  for (const cat::Model* cat : {&negated, &shrinking}) {
    std::size_t holding = 0, failing = 0;
    grow_at_random(*cat, 60, 4, [&](Grown& grown, RandomEvents& random) {
      CompiledModel& model = grown.model();
      BitSet reads(model.inputs.present.size());
      for (std::size_t id = 0; id < reads.size(); ++id)
        if (model.inputs.present.contains(id) && random.execution().events[id].is_read()) reads.insert(id);
      const BitMatrix source = model.inputs.rf;
      const bool holds = cat == &negated ? !source.compose(model.value("order")).is_empty()
                                         : (reads - source.range()).is_empty();
      CHECK(model.is_consistent() == holds);
      ++(holds ? holding : failing);
      if (cat == &shrinking) CHECK(model.may_become_consistent());  // a source may follow
    });
    CHECK(holding > 50);
    CHECK(failing > 50);
  }
}

TEST_CASE("a pair is oriented if the other direction would close a cycle") {
  const cat::Model cat = cat::parse({"forced", R"(PTX
let order = po
with chosen from orientations((W * W) & loc & ~id)
let co = ([IW]; loc; [W \ IW]) | chosen
acyclic po | chosen as one)"},
                                    {});
  std::size_t forced = 0;
  grow_at_random(cat, 60, 4, [&](Grown& grown, RandomEvents&) {
    CompiledModel& model = grown.model();
    REQUIRE(model.may_become_consistent());
    const BitMatrix order = model.value("order"), chosen = model.chosen(0);
    CHECK((order | chosen).is_acyclic());
    for (const auto& [a, b] : order.pairs()) {
      CHECK_FALSE(model.is_open_pair(0, a, b));
      forced += chosen.contains(a, b) ? 1 : 0;
      CHECK_FALSE(chosen.contains(b, a));
    }
    std::size_t a = 0, b = 0;
    if (!model.find_open_pair(0, a, b)) return;
    CHECK_FALSE(order.contains(a, b));
    CHECK(model.value_at_most("co").contains(a, b));
    CHECK(model.value_at_most("co").contains(b, a));
    CHECK(model.is_open_pair(0, a, b));  // the bound has changed nothing
  });
  CHECK(forced > 20);
}
