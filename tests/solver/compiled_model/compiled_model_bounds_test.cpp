// Values of a compiled model that are not computed, because they are empty or equal to another one in every
// execution.
#include <doctest/doctest.h>

#include "tests/solver/compiled_model/grown_model.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

TEST_CASE("a flag that no execution raises is known from the events") {
  const cat::Model cat = cat::parse({"flags", R"("own"
let source = rf
flag ~empty rf & (R * W) as never
flag ~empty (rf; rf) & (W * W) as read_and_written
flag ~empty rf & ext as between_threads
flag ~empty po \ (po | rf) as difference
flag ~empty (po \ rf) as without)"},
                                    {});
  std::size_t raised = 0;
  grow_at_random(cat, 60, 4, [&](Grown& grown, RandomEvents&) {
    CHECK_FALSE(grown.model().may_be_raised(0));
    CHECK_FALSE(grown.model().may_be_raised(1));  // no event reads and writes
    for (std::size_t flag = 0; flag < cat.flags.size(); ++flag)
      if (grown.model().is_raised(flag)) {
        ++raised;
        CHECK(grown.model().may_be_raised(flag));
      }
  });
  CHECK(raised > 100);
}

TEST_CASE("a value that equals another one by the bounds has the value of its definition") {
  const cat::Model cat = cat::parse({"equal", R"("own"
let order = po
let source = rf
let reach = (po | rf)+
let filtered = rf & (W * R)
let outside = rf & ext
let inside = rf \ ext
let nothing = rf & (R * R)
let more = rf | nothing
let less = rf \ (R * W)
let kept = [W]; rf; [R]
let selected = [R]; (po | rf)
let behind = (po | rf); [R]
let fewer = reach \ rf
let before_none = reach; (po & po^-1)?
let joined = (reach & ext) | (([W | R]; reach; [_]) & loc & ext & reach)
let located = loc
let apart = (reach & ext) | ((reach; reach?) & loc)
acyclic reach | filtered | outside | inside | more | less | kept | selected | behind as all)"},
                                    {});
  const auto check_values = [](Grown& grown, RandomEvents& random) {
    CompiledModel& model = grown.model();
    const auto& events = random.execution().events;
    const BitMatrix order = model.value("order"), source = model.inputs.rf, step = order | source;
    BitMatrix within(events.size()), reads(events.size());
    for (std::size_t a = 0; a < events.size(); ++a) {
      if (events[a].is_read()) reads.insert(a, a);
      for (std::size_t b = 0; b < events.size(); ++b)
        if (events[a].thread == events[b].thread) within.insert(a, b);
    }
    for (const char* same : {"filtered", "more", "less", "kept"}) {
      CAPTURE(same);
      CHECK(model.value(same) == source);
    }
    CHECK(model.value("nothing").is_empty());
    CHECK(model.value("outside") == source - within);
    CHECK(model.value("inside") == (source & within));
    CHECK(model.value("selected") == reads.compose(step));
    CHECK(model.value("behind") == step.compose(reads));
    CHECK(model.value("fewer") == step.closure() - source);
    CHECK(model.value("before_none") == step.closure());
    CHECK(model.value("joined") == step.closure() - within);
    CHECK(model.value("apart") == ((step.closure() - within) | (step.closure() & model.value("located"))));
  };
  grow_at_random(cat, 60, 4, check_values);
}

TEST_CASE("a choice has pairs only if its relation may have some") {
  const cat::Model cat = cat::parse({"choices", R"(PTX
with first from orientations((R * R) & (W * W))
with second from orientations((W * W) & loc & ext)
let co = ([IW]; loc; [W \ IW]) | second
acyclic first | second as ordered)"},
                                    {});
  std::size_t with_pairs = 0;
  grow_at_random(cat, 60, 4, [&](Grown& grown, RandomEvents&) {
    CompiledModel& model = grown.model();
    model.value("co");
    REQUIRE(model.inputs.choices.size() == 2);
    CHECK_FALSE(model.may_have_pairs(0));
    std::size_t a = 0, b = 0;
    CHECK_FALSE(model.find_open_pair(0, a, b));
    if (model.find_open_pair(1, a, b)) {
      ++with_pairs;
      CHECK(model.may_have_pairs(1));
    }
  });
  CHECK(with_pairs > 20);
}
