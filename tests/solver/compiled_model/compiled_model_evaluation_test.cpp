// The operators of cat in compiled models, against the algebra of bit matrices.
#include <doctest/doctest.h>

#include "tests/solver/compiled_model/grown_model.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

const char* const operators_text = R"("own"
let order = po
let source = rf
let writers = domain(rf)
let readers = range(rf)
let either = writers | readers
let both = writers & readers
let lost = R \ readers
let others = ~readers
let between = writers * readers
let apart = ~(po | rf)
let option = between?
let selected = [writers]; po; [readers]
let turned = between^-1
let closed = (between | po)+
let rec even = (odd; step) and odd = step | (even; step) and step = po | rf
let base = step+
)";

BitMatrix diagonal(const BitSet& set) { return BitMatrix::identity(set); }

void check_operators(Grown& grown, const Execution& whole) {
  CompiledModel& model = grown.model();
  const BitSet present = model.inputs.present;
  const BitMatrix order = model.value("order"), source = model.inputs.rf;
  const BitSet writers = source.domain(), readers = source.range();
  BitSet reads(whole.events.size());
  for (std::size_t id = 0; id < whole.events.size(); ++id)
    if (present.contains(id) && whole.events[id].is_read()) reads.insert(id);
  const BitMatrix between = BitMatrix::product(writers, readers);
  CHECK(model.value("writers") == diagonal(writers));
  CHECK(model.value("readers") == diagonal(readers));
  CHECK(model.value("either") == diagonal(writers | readers));
  CHECK(model.value("both") == diagonal(writers & readers));
  CHECK(model.value("lost") == diagonal(reads - readers));
  CHECK(model.value("others") == diagonal(present - readers));
  CHECK(model.value("between") == between);
  CHECK(model.value("apart") == BitMatrix::product(present, present) - (order | source));
  CHECK(model.value("option") == (between | diagonal(present)));
  CHECK(model.value("selected") == diagonal(writers).compose(order).compose(diagonal(readers)));
  CHECK(model.value("turned") == between.inverse());
  CHECK(model.value("closed") == (between | order).closure());
  // Paths of an even and of an odd number of steps: the least fixpoint.
  const BitMatrix step = order | source;
  BitMatrix odd = step, even = step.compose(step);
  for (bool changed = true; changed;) {
    const BitMatrix next_odd = odd | even.compose(step), next_even = even | odd.compose(step);
    changed = !(next_odd == odd && next_even == even);
    odd = next_odd;
    even = next_even;
  }
  CHECK(model.value("odd") == odd);
  CHECK(model.value("even") == even);
  CHECK(model.value("base") == step.closure());
}

}  // namespace

TEST_CASE("the operators of cat have the values of the algebra") {
  const cat::Model cat = cat::parse({"operators", operators_text}, {});
  grow_at_random(cat, 60, 4,
                 [](Grown& grown, RandomEvents& random) { check_operators(grown, random.execution()); });
  grow_at_random(cat, 3, 30, [](Grown& grown, RandomEvents& random) {
    if (random.below(8) == 0) check_operators(grown, random.execution());
  });
}

TEST_CASE("total coherence relates an initial write to the later ones, and leaves the others open") {
  const cat::Model cat = cat::parse({"total", "\"total\" let order = co\nacyclic co | po as one"}, {});
  std::size_t open_pairs = 0;
  grow_at_random(cat, 60, 4, [&](Grown& grown, RandomEvents& random) {
    CompiledModel& model = grown.model();
    const BitMatrix order = model.value("order");
    const auto& events = random.execution().events;
    const auto is_open = [&](std::size_t a, std::size_t b) { return model.is_open_pair(0, a, b); };
    for (std::size_t a = 0; a < events.size(); ++a)
      for (std::size_t b = 0; b < events.size(); ++b) {
        const bool are_present = model.inputs.present.contains(a) && model.inputs.present.contains(b);
        const std::uint64_t x = events[a].location.is_constant() && events[a].is_memory_access()
                                    ? events[a].location.to_u64()
                                    : 0,
                            y = events[b].location.is_constant() && events[b].is_memory_access()
                                    ? events[b].location.to_u64()
                                    : 0;
        const bool overlap = x < y + events[b].size && y < x + events[a].size;
        const bool are_writes =
            a != b && are_present && events[a].is_write() && events[b].is_write() && overlap;
        const bool from_initial = are_writes && events[a].kind == EventKind::initial_write &&
                                  events[b].kind != EventKind::initial_write;
        const bool is_choice = are_writes && events[a].kind != EventKind::initial_write &&
                               events[b].kind != EventKind::initial_write;
        CHECK(order.contains(a, b) == from_initial);
        CHECK(is_open(a, b) == is_choice);
        open_pairs += is_choice ? 1 : 0;
      }
  });
  CHECK(open_pairs > 100);
}
