// What the explorer asks of a model and of events before it begins.
#include "solver/explorer/explored_model.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "semantics/language/diagnostic.hpp"
#include "solver/limits/event_limit.hpp"
#include "solver/smt_engine/unfold_options.hpp"
#include "tests/solver/all_executions.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

cat::Model model_of(const std::string& text) { return cat::parse({"mine", text}, {}); }

cat::NodeId node_of(const cat::Model& model, const char* name) { return model.find(name)->node; }

EventStructure events_of(const std::string& rows, TermGraph& graph) {
  static std::vector<std::unique_ptr<LitmusTest>> tests;  // events point into programs
  tests.push_back(std::make_unique<LitmusTest>(with_thread(rows)));
  return unfold(tests.back()->program, graph, {});
}

}  // namespace

TEST_CASE("only flags after which a model does not cover the program are kept") {
  const auto names = [](const cat::Model& model) {
    std::vector<std::string> result;
    for (const cat::Test& flag : model.flags) result.push_back(flag.name);
    return result;
  };
  const auto contains = [](const std::vector<std::string>& all, const std::string& name) {
    return std::ranges::find(all, name) != all.end();
  };
  const auto mixed = names(with_voiding_flags(cat::load("ptx-8.7"), true));
  const auto plain = names(with_voiding_flags(cat::load("ptx-8.7"), false));
  CHECK(contains(mixed, mixed_size_race));
  CHECK_FALSE(contains(plain, mixed_size_race));
  for (const auto& kept : {mixed, plain}) {
    CHECK_FALSE(contains(kept, "data_race"));
    CHECK(contains(kept, "undefined_mmio_to_shared"));
  }
}

TEST_CASE("a program that the model does not cover raises one of these flags") {
  TermGraph graph;
  const EventStructure later = events_of("fence.acquire.gpu ;", graph);
  CHECK(voiding_flag(later, cat::load("ptx-6.4")) == "later_than_ptx_6_4");
  CHECK_FALSE(voiding_flag(later, cat::load("ptx-8.7")));
  CHECK_FALSE(voiding_flag(events_of("st.weak x, 1 ;", graph), cat::load("ptx-6.4")));
}

TEST_CASE("relations grow, shrink, or do neither with further choices") {
  const cat::Model model = model_of(
      "\"directions\"\nlet com = rf | co\nlet open = (W * W) \\ co\nlet both = (rf; co) \\ (co; rf)\n"
      "let fixed = po\nacyclic com | open | both | fixed");
  CHECK(grows_with_choices(model, node_of(model, "com")));
  CHECK_FALSE(shrinks_with_choices(model, node_of(model, "com")));
  CHECK(shrinks_with_choices(model, node_of(model, "open")));
  CHECK_FALSE(grows_with_choices(model, node_of(model, "open")));
  CHECK_FALSE(grows_with_choices(model, node_of(model, "both")));
  CHECK_FALSE(shrinks_with_choices(model, node_of(model, "both")));
  CHECK(grows_with_choices(model, node_of(model, "fixed")));
  CHECK(shrinks_with_choices(model, node_of(model, "fixed")));
}

TEST_CASE("an axiom makes a relation a strict order") {
  const cat::Model model = model_of(
      "\"orders\"\nlet a = po | rf\nlet b = (po | co)+\nlet c = po | co | rf\nlet d = (po | fr)+\n"
      "acyclic a\nirreflexive b\nirreflexive c\n~acyclic d");
  CHECK(is_strict_order(model, node_of(model, "a")));
  CHECK(is_strict_order(model, node_of(model, "b")));
  CHECK_FALSE(is_strict_order(model, node_of(model, "c")));
  CHECK_FALSE(is_strict_order(model, node_of(model, "d")));
}

TEST_CASE("a read may take a value from thin air if a write that it may read depends on it") {
  const auto may = [](const std::string& columns) {
    const LitmusTest test = parse_litmus(
        "PTX t { x=0; y=0; } P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n" + columns + "\nexists (x == 0)",
        "t.litmus");
    TermGraph graph;
    const EventStructure structure = unfold(test.program, graph, {});
    const cat::Model model = with_voiding_flags(cat::load("ptx-8.7"), false);
    const PartialExecution execution(structure, model, std::vector<std::string>{"co"},
                                     PartialExecution::Ends::completed, {}, {});
    return may_read_from_thin_air(structure, execution.parts());
  };
  CHECK(may("ld.weak r0, x | ld.weak r0, y ;\nst.weak y, r0 | st.weak x, r0 ;"));
  CHECK_FALSE(may("ld.weak r0, x | ld.weak r0, y ;\nst.weak y, r0 | st.weak x, 1 ;"));
  CHECK_FALSE(may("st.weak x, 1 | ld.weak r0, x ;"));
}

TEST_CASE("the explorer refuses what it cannot explore before it begins") {
  TermGraph graph;
  const EventStructure structure = events_of("st.weak x, 1 ;", graph);
  CandidateExecutions candidates{&structure};
  CHECK_NOTHROW(check_closed(candidates));
  candidates.are_meetings_chosen = true;
  CHECK_THROWS_AS(check_closed(candidates), Unsupported);
  candidates.are_meetings_chosen = false;
  candidates.assumption = graph.variable(1, "assumed");
  CHECK_THROWS_AS(check_closed(candidates), Unsupported);

  EventStructure large = structure;
  large.events.resize(100, structure.events.front());
  DecideOptions options;
  CHECK_NOTHROW(check_worth_exploring(large, options));
  options.max_steps = 1;
  CHECK_THROWS_AS(check_worth_exploring(large, options), Unsupported);
  options.max_steps = 0;
  options.max_events = 99;
  CHECK_THROWS_WITH_AS(check_worth_exploring(large, options), "events: 99", TooManyEvents);
  large.events.resize(5'001, structure.events.front());
  options.max_events = 0;
  CHECK_THROWS_WITH_AS(check_worth_exploring(large, options), "events: 5000", TooManyEvents);
}
