// Values that are updated row by row, against the same operations on whole relations.
#include <doctest/doctest.h>

#include "tests/solver/compiled_model/grown_model.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// The axiom makes all of the values ones that are updated while the execution grows.
const char* const rows_text = R"("own"
let order = po
let source = rf
let step = order | source
let reach = step+
let back = source^-1
let through = source; order
let leading = order; source
let outside = source & ext
let without = source \ order
let maybe = source?
let both = reach; back
empty reach | back | through | leading | outside | without | maybe | both as nothing)";

/// Compares the values. Those of `po` and `ext` depend on the events alone.
void check_rows(Grown& grown) {
  CompiledModel& model = grown.model();
  const BitMatrix source = model.value("source"), order = model.value("order");
  const BitMatrix reach = (order | source).closure();
  CHECK(source == model.inputs.rf);
  CHECK(model.value("step") == (order | source));
  CHECK(model.value("reach") == reach);
  CHECK(model.value("back") == source.inverse());
  CHECK(model.value("through") == source.compose(order));
  CHECK(model.value("leading") == order.compose(source));
  CHECK(model.value("without") == source - order);
  CHECK(model.value("maybe") == (source | BitMatrix::identity(model.inputs.present)));
  CHECK(model.value("both") == reach.compose(source.inverse()));
  const BitMatrix outside = model.value("outside");
  CHECK((outside - source).is_empty());
  CHECK((outside & order).is_empty());  // program order is within a thread
}

}  // namespace

TEST_CASE("values follow each change of an execution") {
  const cat::Model cat = cat::parse({"rows", rows_text}, {});
  grow_at_random(cat, 60, 4, [](Grown& grown, RandomEvents&) { check_rows(grown); });
}

TEST_CASE("values with rows of several words follow each change") {
  const cat::Model cat = cat::parse({"rows", rows_text}, {});
  grow_at_random(cat, 3, 30, [](Grown& grown, RandomEvents& random) {
    if (random.below(4) == 0) check_rows(grown);
  });
}

TEST_CASE("closures are extended by many new pairs at once, with cycles among them") {
  const cat::Model cat =
      cat::parse({"closure", "\"own\"\nlet source = rf\nlet reach = source+\nempty reach as no"}, {});
  for (const std::size_t most : {4, 30})
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      CAPTURE(seed);
      RandomEvents random(seed, most);
      TermGraph graph;
      Grown grown(cat, random, graph);
      CompiledModel& model = grown.model();
      if (random.execution().reads_from.empty()) continue;  // the relation is always empty
      const std::size_t size = random.execution().events.size();
      for (std::size_t id = 0; id < size; ++id) grown.grow({Happens{static_cast<EventId>(id)}});
      model.value("reach");
      // Any pairs will do: only the closure is in question.
      for (int round = 0; round < 4; ++round) {
        const std::size_t pairs = round == 0 ? 2 : 5 + random.below(size);
        for (std::size_t i = 0; i < pairs; ++i) {
          const std::size_t a = random.below(size), b = random.below(size);
          const bool is_forward = round < 2;
          if (a == b) continue;
          const std::size_t from = is_forward ? std::min(a, b) : a, to = is_forward ? std::max(a, b) : b;
          model.inputs.rf.insert(from, to);
          model.note_source(to, from);
        }
        REQUIRE(model.value("source") == model.inputs.rf);
        CHECK(model.value("reach") == model.inputs.rf.closure());
      }
    }
}
