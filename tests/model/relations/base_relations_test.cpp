// What the predefined relations of cat say of pairs of events.
#include "model/relations/base_relations.hpp"

#include <doctest/doctest.h>

#include <set>

#include "model/cat/cat_model.hpp"
#include "model/relations/base_sets.hpp"
#include "tests/model/executions.hpp"

using namespace ptxmc;

namespace {

Bits related(const char* relation, const ExecutionBuilder& built, const std::vector<Event>& events, EventId a,
             EventId b) {
  const BaseRelation* base = find_base_relation(relation);
  REQUIRE(base);
  return base->holds(built.program(), events, a, b);
}

}  // namespace

TEST_CASE("every name is defined once, with a sentence") {
  std::set<std::string_view> names;
  const auto check = [&](std::string_view name, std::string_view meaning) {
    CAPTURE(name);
    CHECK(names.insert(name).second);
    CHECK(meaning.ends_with('.'));
  };
  for (const BaseSet& set : base_sets()) check(set.name, set.meaning);
  for (const BaseRelation& relation : base_relations()) check(relation.name, relation.meaning);
  for (const DerivedName& derived : derived_names()) check(derived.name, derived.meaning);
}

TEST_CASE("every name can be used in a model") {
  const auto accepts = [](const std::string& text) {
    CAPTURE(text);
    CHECK_NOTHROW(cat::parse({"m.cat", text}, {}));
  };
  for (const BaseSet& set : base_sets()) accepts("let x = [" + std::string(set.name) + "]");
  for (const BaseRelation& relation : base_relations()) accepts("let x = po; " + std::string(relation.name));
  for (const DerivedName& derived : derived_names()) {
    const std::string name(derived.name);
    const bool takes_set = name == "fencerel" || name == "toid";
    const bool is_function = derived.definition.starts_with("let " + name + "(");
    accepts("let x = " + (is_function ? name + (takes_set ? "(W)" : "(po)") : name));
  }
}

TEST_CASE("a wait succeeds its own read") {
  ExecutionBuilder test;
  test.thread();
  test.thread();
  const EventId object = test.initial(0, 8);
  const Access how{.sem = Sem::relaxed, .scope = Scope::cta, .mbarrier = MbarrierAccess::operation};
  const EventId first = test.read(0, 0, 8, object, how), first_wait = test.wait(0);
  const EventId second = test.read(0, 0, 8, object, how), second_wait = test.wait(0);
  const EventId other = test.read(1, 0, 8, object, how);
  const auto& events = test.execution().events;
  const auto holds = [&](const char* name, EventId x, EventId y) {
    return related(name, test, events, x, y).is_true();
  };
  CHECK(holds("succeeds", first, first_wait));
  CHECK(holds("succeeds", second, second_wait));
  CHECK_FALSE(holds("succeeds", first, second_wait));
  CHECK_FALSE(holds("succeeds", first_wait, first));
  CHECK_FALSE(holds("succeeds", other, first_wait));
  CHECK(holds("po", first, first_wait));
  CHECK(holds("po", first_wait, second));
  CHECK_FALSE(holds("po", first_wait, first));
  CHECK_FALSE(holds("po", first_wait, other));
}

// § 9.7.13.4: the prior mbarrier.init of the thread.
TEST_CASE("fence.mbarrier_init covers the initialisations of its own thread") {
  ExecutionBuilder test;
  test.thread();
  test.thread();
  const Access init{.mbarrier = MbarrierAccess::init};
  const EventId own = test.write(0, 0, 8, 0, init), store = test.write(0, 8, 8, 0);
  const EventId arrival = test.write(0, 0, 8, 0, {.mbarrier = MbarrierAccess::operation});
  const EventId fence = test.fence(
      0, {.sem = Sem::release, .scope = Scope::cluster, .restriction = Fence::Restriction::mbarrier_init});
  const EventId other = test.write(1, 16, 8, 0, init);
  const auto covers = [&](EventId access) {
    return related("fence_covers", test, test.execution().events, fence, access).is_true();
  };
  CHECK(covers(own));
  CHECK_FALSE(covers(store));
  CHECK_FALSE(covers(arrival));
  CHECK_FALSE(covers(other));
}

TEST_CASE("program order, threads and placement") {
  ExecutionBuilder test;
  const int p0 = test.thread({.cta = 0, .cluster = 0, .gpu = 0}),
            p1 = test.thread({.cta = 1, .cluster = 0, .gpu = 0});
  const int p2 = test.thread({.cta = 2, .cluster = 1, .gpu = 0}),
            p3 = test.thread({.cta = 3, .cluster = 2, .gpu = 1});
  const EventId initial = test.initial(0, 4);
  const EventId a = test.write(p0, 0, 4, 1), b = test.write(p0, 4, 4, 1), c = test.write(p0, 8, 4, 1);
  const EventId d = test.write(p1, 0, 4, 1), e = test.write(p2, 0, 4, 1), f = test.write(p3, 0, 4, 1);
  test.event(b).step = test.event(a).step;  // two elements of a vector
  const auto& events = test.execution().events;
  const auto holds = [&](const char* name, EventId x, EventId y) {
    return related(name, test, events, x, y).is_true();
  };
  CHECK(holds("po", a, c));
  CHECK(holds("po", b, c));
  CHECK_FALSE(holds("po", a, b));
  CHECK_FALSE(holds("po", c, a));
  CHECK_FALSE(holds("po", a, d));
  CHECK_FALSE(holds("po", initial, a));
  CHECK(holds("same_thread", a, b));
  CHECK(holds("same_thread", a, a));
  CHECK_FALSE(holds("same_thread", initial, initial));
  CHECK(holds("int", a, c));
  CHECK(holds("int", initial, initial));
  CHECK(holds("ext", a, d));
  CHECK(holds("ext", initial, a));
  CHECK_FALSE(holds("ext", a, c));
  CHECK(holds("scta", a, c));
  CHECK_FALSE(holds("scta", a, d));
  CHECK(holds("scluster", a, d));
  CHECK_FALSE(holds("scluster", a, e));
  CHECK(holds("sgpu", a, e));
  CHECK_FALSE(holds("sgpu", a, f));
  CHECK_FALSE(holds("sgpu", initial, a));
}

TEST_CASE("scopes (PTX ISA 8.7 § 8.5)") {
  ExecutionBuilder test;
  const Placement places[] = {{.cta = 0, .cluster = 0, .gpu = 0},
                              {.cta = 1, .cluster = 0, .gpu = 0},
                              {.cta = 2, .cluster = 1, .gpu = 0},
                              {.cta = 3, .cluster = 2, .gpu = 1}};
  for (const Placement& place : places) test.thread(place);
  const EventId initial = test.initial(0, 4);
  std::vector<EventId> other;
  const EventId cta = test.write(0, 0, 4, 1, {.sem = Sem::relaxed, .scope = Scope::cta});
  const EventId cluster = test.fence(0, {.sem = Sem::sc, .scope = Scope::cluster});
  const EventId gpu = test.write(0, 0, 4, 1, {.sem = Sem::relaxed, .scope = Scope::gpu});
  const EventId sys = test.write(0, 0, 4, 1, {.is_volatile = true});
  const EventId weak = test.write(0, 0, 4, 1);
  for (int thread = 1; thread < 4; ++thread)
    other.push_back(test.write(thread, 0, 4, 1, {.sem = Sem::relaxed, .scope = Scope::gpu}));
  const auto& events = test.execution().events;
  const auto reaches = [&](EventId from) {
    std::string result;
    for (const EventId to : other)
      result += related("in_scope", test, events, from, to).is_true() ? '1' : '0';
    return result;
  };
  CHECK(reaches(cta) == "000");
  CHECK(reaches(cluster) == "100");
  CHECK(reaches(gpu) == "110");
  CHECK(reaches(sys) == "111");
  CHECK(reaches(weak) == "000");
  CHECK(reaches(initial) == "000");
  CHECK(related("in_scope", test, events, sys, weak).is_true());
  CHECK(related("in_scope", test, events, sys, initial).is_false());
  CHECK(related("sr", test, events, gpu, other[1]).is_true());
  CHECK(related("sr", test, events, sys, other[2]).is_false());  // the other's scope is its own GPU
  CHECK(related("sr", test, events, cta, other[0]).is_false());
}

TEST_CASE("overlap, complete and partial, of locations and of virtual addresses") {
  ExecutionBuilder test;
  const int p0 = test.thread();
  const EventId initial = test.initial(0, 8);
  const EventId word = test.write(p0, 0, 4, 0), same = test.write(p0, 0, 4, 0),
                half = test.write(p0, 2, 2, 0);
  const EventId next = test.write(p0, 4, 4, 0), alias = test.write(p0, 0, 4, 0),
                last = test.write(p0, ~0ull - 1, 4, 0);
  const EventId fence = test.fence(p0, {});
  test.event(alias).address = Bits(64, 0x1000);
  const auto& events = test.execution().events;
  const auto holds = [&](const char* name, EventId a, EventId b) {
    const bool forth = related(name, test, events, a, b).is_true();
    CHECK(forth == related(name, test, events, b, a).is_true());
    return forth;
  };
  CHECK(holds("loc", word, same));
  CHECK(holds("loc", word, word));
  CHECK(holds("loc", word, half));
  CHECK_FALSE(holds("loc", word, next));
  CHECK_FALSE(holds("loc", half, next));
  CHECK(holds("loc", initial, next));
  CHECK(holds("loc", last, word));  // the last bytes of the address space and, wrapping around, the first
  CHECK_FALSE(holds("loc", last, half));
  CHECK_FALSE(holds("loc", fence, fence));
  CHECK(holds("same_location", word, same));
  CHECK_FALSE(holds("same_location", word, half));
  CHECK(holds("same_location", initial, half));
  CHECK_FALSE(holds("same_location", fence, fence));
  CHECK(holds("loc", word, alias));
  CHECK(holds("same_location", word, alias));
  CHECK_FALSE(holds("vloc", word, alias));
  CHECK(holds("vloc", word, half));
  CHECK(holds("vloc", initial, alias));
}

TEST_CASE("overlap of unknown addresses is a term") {
  TermGraph graph;
  ExecutionBuilder test;
  const int p0 = test.thread();
  test.write(p0, 0x100, 4, 0);
  test.write(p0, 0x100, 4, 0);
  std::vector<Event> events = test.execution().events;
  events[1].location = graph.variable(64, "a");
  const Bits overlap = related("loc", test, events, 0, 1);
  CHECK_FALSE(overlap.is_constant());
  for (const std::uint64_t address : {0xfcu, 0xfdu, 0x100u, 0x103u, 0x104u}) {
    Substitution substitution;
    substitution.set(0, Bits(64, address));
    CHECK(substitution.apply(overlap).is_true() == (address > 0xfc && address < 0x104));
  }
}

TEST_CASE("dependencies") {
  ExecutionBuilder test;
  const int p0 = test.thread();
  const EventId initial = test.initial(0, 4);
  const EventId a = test.read(p0, 0, 4, initial), b = test.read(p0, 0, 4, initial),
                c = test.write(p0, 0, 4, 0);
  test.event(c).address_dependencies = {a};
  test.event(c).data_dependencies = {a, b};
  test.event(b).control_dependencies = {a};
  const auto& events = test.execution().events;
  CHECK(related("addr", test, events, a, c).is_true());
  CHECK(related("addr", test, events, b, c).is_false());
  CHECK(related("data", test, events, b, c).is_true());
  CHECK(related("data", test, events, c, b).is_false());
  CHECK(related("ctrl", test, events, a, b).is_true());
  CHECK(related("ctrl", test, events, a, c).is_false());
}

TEST_CASE("proxies of two accesses, and the state space that a proxy fence speaks of") {
  ExecutionBuilder test;
  const int p0 = test.thread();
  const EventId initial = test.initial(0, 4);
  const EventId generic = test.write(p0, 0, 4, 0),
                texture = test.write(p0, 0, 4, 0, {.proxy = Proxy::texture});
  const EventId shared = test.write(p0, 0, 4, 0, {.space = StateSpace::shared_cta});
  const EventId global = test.write(p0, 0, 4, 0, {.space = StateSpace::global});
  const EventId all = test.fence(p0, {.is_proxy_fence = true, .to = Proxy::async});
  const EventId only_shared =
      test.fence(p0, {.is_proxy_fence = true, .to = Proxy::async, .space = StateSpace::shared_cluster});
  const auto& events = test.execution().events;
  CHECK(related("same_proxy", test, events, generic, shared).is_true());
  CHECK(related("same_proxy", test, events, generic, texture).is_false());
  CHECK(related("same_proxy", test, events, initial, texture).is_true());
  CHECK(related("same_proxy", test, events, generic, all).is_false());
  CHECK(related("fence_covers", test, events, all, global).is_true());
  CHECK(related("fence_covers", test, events, only_shared, shared).is_true());
  CHECK(related("fence_covers", test, events, only_shared, global).is_false());
  CHECK(related("fence_covers", test, events, shared, only_shared).is_false());
}
