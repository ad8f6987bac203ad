#include "model/cat/cat_rewriting.hpp"

#include <doctest/doctest.h>

#include "model/judge/judge.hpp"
#include "tests/model/executions.hpp"

using namespace ptxmc;

namespace {

cat::Model model_of(const std::string& text) {
  return cat::parse({"test.cat", text}, [](const std::string&, const std::string&) { return std::nullopt; });
}

constexpr const char* tests = R"(
let co = 0
irreflexive po; rf as composed
irreflexive po | rf; rf as united
irreflexive (po; rf) | rf as nested
irreflexive id as identical
irreflexive po as simple
acyclic po | rf as cycle
~irreflexive rf; po as negated
flag ~empty rf as read
)";

/// A thread writes what it has read in its own future, if it reads from itself.
void check_same(bool from_itself) {
  ExecutionBuilder builder;
  const int thread = builder.thread();
  const EventId initial = builder.initial(64, 4);
  const EventId read = builder.read(thread, 64, 4, initial);
  const EventId write = builder.write(thread, 64, 4, 0);
  if (from_itself) builder.execution().reads_from.front() = {read, write, 64, 4};
  const cat::Model model = model_of(tests);
  const Judgement before = judge(model, builder.execution());
  const Judgement after = judge(cat::with_small_tests(model), builder.execution());
  CHECK(before.axioms == after.axioms);
  CHECK(before.flags == after.flags);
  CHECK(after.axioms ==
        std::vector<bool>{!from_itself, true, !from_itself, false, true, !from_itself, from_itself});
}

}  // namespace

TEST_CASE("smaller tests hold where those of the model hold") {
  check_same(false);
  check_same(true);
}

TEST_CASE("smaller tests keep their places and names, and none composes relations") {
  for (const char* name : {"ptx-6.4", "ptx-7.5", "ptx-8.7", "sc"}) {
    const cat::Model model = cat::load(name);
    const cat::Model small = cat::with_small_tests(model);
    REQUIRE(small.axioms.size() == model.axioms.size());
    for (std::size_t i = 0; i < model.axioms.size(); ++i) {
      CHECK(small.axioms[i].name == model.axioms[i].name);
      CHECK(small.axioms[i].form != cat::Test::Form::irreflexive);
    }
  }
}

TEST_CASE("parts without effect on these events are left out, and the model says the same") {
  ExecutionBuilder builder;
  const int thread = builder.thread();
  const EventId initial = builder.initial(64, 4);
  builder.read(thread, 64, 4, initial);
  builder.write(thread, 64, 4, 1);
  builder.execution().choices["co"] = {{initial, initial + 2}};
  const cat::Model model = cat::load("ptx-8.7");
  const cat::Model smaller = cat::specialized(model, builder.execution().events);
  const auto op_of = [&](const char* name) {
    return smaller.nodes[static_cast<std::size_t>(smaller.find(name)->node)].op;
  };
  CHECK(op_of("started_release") == cat::Operator::empty);
  CHECK(op_of("tensor_memory_order") == cat::Operator::empty);
  CHECK(op_of("executes_before") == cat::Operator::closure);
  // Without fences, barriers and mbarriers both are the same relation as another one.
  const auto node_of = [&](const char* name) { return smaller.find(name)->node; };
  CHECK(node_of("released") == node_of("synchronizes"));
  CHECK(node_of("released") != model.find("released")->node);
  CHECK(node_of("atomic") == node_of("morally_strong"));
  const Judgement all = judge(model, builder.execution()), same = judge(smaller, builder.execution());
  CHECK(same.axioms == all.axioms);
  CHECK(same.flags == all.flags);
  CHECK(same.relations.names() == all.relations.names());
  for (const std::string& name : all.relations.names())
    CHECK(same.relations.at(name) == all.relations.at(name));
}
