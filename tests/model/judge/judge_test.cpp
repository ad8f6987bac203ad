// Models evaluated on executions that are written by hand.
#include "model/judge/judge.hpp"

#include <doctest/doctest.h>

#include "tests/model/executions.hpp"
#include "tests/model/judge/locations.hpp"

using namespace ptxmc;
using test::x;
using test::y;

namespace {

cat::Model model(const std::string& text) { return cat::parse({"m.cat", text}, {}); }

/// What the value of `r` is, in a model that defines it so.
Pairs value(const std::string& expression, const Execution& execution) {
  return judge(model("PTX let r = " + expression), execution).relations.at("r");
}

/// x = 1; y = 1 beside reads of y, then x, from the writes that are given.
struct MessagePassing : ExecutionBuilder {
  int p0 = thread(), p1 = thread();
  EventId x0 = initial(x, 4), y0 = initial(y, 4);
  EventId x1, y1, read_y, read_x;

  MessagePassing(bool new_y, bool new_x, Access write_y = {}, Access reading_y = {}) {
    x1 = write(p0, x, 4, 1);
    y1 = write(p0, y, 4, 1, write_y);
    read_y = read(p1, y, 4, new_y ? y1 : y0, reading_y);
    read_x = read(p1, x, 4, new_x ? x1 : x0);
    execution().choices["co"] = {{x0, x1}, {y0, y1}};
  }
};

/// x = 1; fence; read y beside y = 1; fence; read x: both read the initial value.
struct StoreBuffering : ExecutionBuilder {
  int p0 = thread(), p1 = thread();
  EventId x0 = initial(x, 4), y0 = initial(y, 4);
  EventId x1, fence0, read_y, y1, fence1, read_x;

  explicit StoreBuffering(Sem sem) {
    const Fence between{.sem = sem, .scope = Scope::sys};
    x1 = write(p0, x, 4, 1);
    fence0 = fence(p0, between);
    read_y = read(p0, y, 4, y0);
    y1 = write(p1, y, 4, 1);
    fence1 = fence(p1, between);
    read_x = read(p1, x, 4, x0);
  }
};

}  // namespace

TEST_CASE("message passing under sequential consistency: only the flag without the data is forbidden") {
  const cat::Model sc = cat::load("sc");
  for (const bool new_y : {false, true})
    for (const bool new_x : {false, true}) {
      MessagePassing test(new_y, new_x);
      const Judgement judgement = judge(sc, test.execution());
      CAPTURE(new_y);
      CAPTURE(new_x);
      CHECK(judgement.malformed.empty());
      CHECK(judgement.accepted() == !(new_y && !new_x));
      CHECK(judgement.axioms.at(0) == judgement.accepted());
      CHECK(judgement.axioms.at(1));
    }
}

TEST_CASE("axioms and flags are the same when nothing else is asked for, in accepted executions and others") {
  for (const bool new_x : {false, true})
    for (const char* name : {"sc", "ptx-8.7"}) {
      MessagePassing test(true, new_x);
      const Judgement all = judge(cat::load(name), test.execution());
      const Judgement both = judge_axioms_and_flags(cat::load(name), test.execution());
      CHECK(both.axioms == all.axioms);
      CHECK(both.flags == all.flags);
      CHECK(both.malformed == all.malformed);
      CHECK(both.relations.empty());
      const Judgement axioms = judge_axioms(cat::load(name), test.execution());
      CHECK(axioms.axioms == all.axioms);
      CHECK(axioms.flags.empty());
      CHECK(axioms.malformed == all.malformed);
    }
  MessagePassing broken(true, true);
  broken.execution().choices["co"] = {{broken.x1, broken.x0}};  // against the initial write
  CHECK(judge_axioms(cat::load("sc"), broken.execution()).malformed ==
        judge(cat::load("sc"), broken.execution()).malformed);
  CHECK_FALSE(judge_axioms(cat::load("sc"), broken.execution()).accepted());
}

TEST_CASE("store buffering under sequential consistency: both initial values are forbidden") {
  StoreBuffering test(Sem::acq_rel);
  test.execution().choices["co"] = {{test.x0, test.x1}, {test.y0, test.y1}};
  CHECK_FALSE(judge(cat::load("sc"), test.execution()).accepted());
  CHECK(judge(model("acyclic po-loc | com as coherence"), test.execution()).accepted());
}

TEST_CASE("coherence of reads: the new value, then the old one") {
  ExecutionBuilder test;
  const int p0 = test.thread(), p1 = test.thread();
  const EventId x0 = test.initial(x, 4);
  const EventId x1 = test.write(p0, x, 4, 1);
  const EventId first = test.read(p1, x, 4, x1), second = test.read(p1, x, 4, x0);
  test.execution().choices["co"] = {{x0, x1}};
  const Judgement judgement = judge(model("acyclic po-loc | com as coherence show fr"), test.execution());
  CHECK_FALSE(judgement.accepted());
  CHECK(judgement.relations.at("rf") == Pairs{{x0, second}, {x1, first}});
  CHECK(judgement.relations.at("fr") == Pairs{{second, x1}});
  CHECK(judgement.relations.at("co") == Pairs{{x0, x1}});
  CHECK_FALSE(judge(cat::load("sc"), test.execution()).accepted());
}

TEST_CASE("two increments that both read the initial value") {
  for (const bool lost : {false, true}) {
    ExecutionBuilder test;
    const int p0 = test.thread(), p1 = test.thread();
    const EventId x0 = test.initial(x, 4);
    const EventId a = test.read_modify_write(p0, x, 4, x0, 1);
    const EventId b = test.read_modify_write(p1, x, 4, lost ? x0 : a + 1, lost ? 1 : 2);
    test.execution().choices["co"] = {{x0, a + 1}, {x0, b + 1}, {a + 1, b + 1}};
    const Judgement judgement = judge(cat::load("sc"), test.execution());
    CHECK(judgement.malformed.empty());
    CHECK(judgement.accepted() == !lost);
    CHECK(judgement.axioms.at(1) == !lost);
    CHECK(value("po", test.execution()) == Pairs{{a, a + 1}, {b, b + 1}});
    CHECK(value("rmw", test.execution()) == Pairs{{a, a + 1}, {b, b + 1}});
  }
}

TEST_CASE("PTX 6.4 and 8.7: message passing needs a release and an acquire with a scope that includes both") {
  const auto accepted = [](const char* name, Scope scope, Sem write, Sem read) {
    MessagePassing test(true, false, {.sem = write, .scope = scope}, {.sem = read, .scope = scope});
    test.execution().choices.clear();
    test.execution().program = nullptr;
    Program apart = test.program();
    apart.threads.at(1).placement = {.cta = 1, .cluster = 1, .gpu = 0};
    test.execution().program = &apart;
    return judge(cat::load(name), test.execution()).accepted();
  };
  for (const char* name : {"ptx-6.4", "ptx-8.7"}) {
    CAPTURE(name);
    CHECK_FALSE(accepted(name, Scope::gpu, Sem::release, Sem::acquire));
    CHECK(accepted(name, Scope::cta, Sem::release, Sem::acquire));
    CHECK(accepted(name, Scope::gpu, Sem::relaxed, Sem::acquire));
    CHECK(accepted(name, Scope::gpu, Sem::release, Sem::relaxed));
  }
}

TEST_CASE("PTX 6.4 and 8.7: store buffering is forbidden by fence.sc, whichever way the fences are ordered") {
  for (const char* name : {"ptx-6.4", "ptx-8.7"}) {
    CAPTURE(name);
    for (const bool forth : {false, true}) {
      StoreBuffering test(Sem::sc);
      test.execution().choices["fence_sc"] = {forth ? std::pair(test.fence0, test.fence1)
                                                    : std::pair(test.fence1, test.fence0)};
      const Judgement judgement = judge(cat::load(name), test.execution());
      CHECK(judgement.malformed.empty());
      CHECK_FALSE(judgement.accepted());
    }
    StoreBuffering weaker(Sem::acq_rel);
    CHECK(judge(cat::load(name), weaker.execution()).accepted());
    StoreBuffering unordered(Sem::sc);
    CHECK(judge(cat::load(name), unordered.execution()).malformed ==
          std::vector<std::string>{"'fence_sc' does not relate the events 3 and 6"});
  }
}

TEST_CASE("from_reads goes by bytes") {
  ExecutionBuilder test;
  const int p0 = test.thread(), p1 = test.thread();
  const EventId initial = test.initial(x, 4);
  const EventId word = test.write(p0, x, 4, 0x44332211);
  const EventId low = test.write(p0, x, 1, 0xaa);
  const EventId high = test.write(p0, x + 2, 2, 0xddcc);
  // Byte 0 from `low`, bytes 1 to 3 from `word`: `high` comes later, `low` does not.
  const EventId mixed = test.read(p1, x, 4, {low, word, word, word});
  const EventId old = test.read(p1, x + 1, 1, initial);
  const EventId half = test.read(p1, x + 2, 2, word);
  const std::string co = "((po & loc & (W * W)) | (IW * (W \\ IW)))";
  CHECK(test.event(mixed).value.value() == 0x443322aa);
  CHECK(judge(model("PTX"), test.execution()).malformed.empty());
  CHECK(value("from_reads(" + co + ")", test.execution()) == Pairs{{mixed, high}, {old, word}, {half, high}});
  CHECK(value("from_reads(" + co + " | (W * R))", test.execution()) ==
        Pairs{{mixed, high}, {old, word}, {half, high}});  // a relation of a user's may hold reads
  CHECK(value("rf^-1; " + co, test.execution()) ==
        Pairs{{mixed, low}, {mixed, high}, {old, word}, {old, low}, {old, high}, {half, low}, {half, high}});
}

TEST_CASE("for accesses of one size from_reads is rf^-1; co") {
  for (const bool new_x : {false, true}) {
    MessagePassing test(true, new_x);
    const std::string co = "([IW]; loc; [W \\ IW])";
    CHECK(value("from_reads(" + co + ")", test.execution()) == value("rf^-1; " + co, test.execution()));
  }
}

TEST_CASE("operators, functions and recursion") {
  MessagePassing test(true, true);
  Execution& execution = test.execution();
  CHECK(value("po", execution) == Pairs{{test.x1, test.y1}, {test.read_y, test.read_x}});
  CHECK(value("po; po", execution).empty());
  CHECK(value("rf; po", execution) == Pairs{{test.y1, test.read_x}});
  CHECK(value("po^-1; [W]", execution) == Pairs{{test.y1, test.x1}});
  CHECK(value("po?", execution).size() == 2 + 6);
  CHECK(value("(po | rf)+ \\ (po | rf)", execution) == Pairs{{test.x1, test.read_y}, {test.y1, test.read_x}});
  CHECK(value("(po | rf)*", execution) == value("(po | rf)+ | id", execution));
  CHECK(value("W & ~IW", execution) == Pairs{{test.x1, test.x1}, {test.y1, test.y1}});
  CHECK(value("~(_ * _)", execution).empty());
  CHECK(
      value("IW * R", execution) ==
      Pairs{{test.x0, test.read_y}, {test.x0, test.read_x}, {test.y0, test.read_y}, {test.y0, test.read_x}});
  CHECK(value("domain(po)", execution) == Pairs{{test.x1, test.x1}, {test.read_y, test.read_y}});
  CHECK(value("range(rf)", execution) == Pairs{{test.read_y, test.read_y}, {test.read_x, test.read_x}});
  CHECK(value("0 | {}", execution).empty());
  CHECK(value("let rec t = po | rf | (t; t) in t", execution) == value("(po | rf)+", execution));
  // Paths of an odd and of an even number of steps: x1 -> y1 -> read_y -> read_x, and x1 -> read_x.
  CHECK(value("let step = po | rf in let rec odd = step | even; step and even = odd; step in odd",
              execution) == value("po | rf | ((po | rf); (po | rf); (po | rf))", execution));
  CHECK(value("let rec seen = IW | range([seen]; (rf | po)) in seen", execution) == value("IW", execution));
  CHECK(value("let rec seen = (W \\ IW) | range([seen]; (rf | po)) in seen", execution) ==
        value("~IW", execution));
  CHECK(value("let rec a = po | (let rec b = a | (b; rf) in b) in a", execution) ==
        value("po; rf*", execution));
}

TEST_CASE("tests and flags can be negated") {
  MessagePassing test(true, false);
  const Judgement judgement =
      judge(model("~acyclic po | rf | fr ~empty po irreflexive po flag empty po flag ~empty rf "
                  "flag ~irreflexive po? show po; rf as next"),
            test.execution());
  CHECK(judgement.axioms == std::vector<bool>{true, true, true});
  CHECK(judgement.flags == std::vector<bool>{false, true, true});
  CHECK(judgement.relations.at("next") == Pairs{{test.x1, test.read_y}});
  CHECK_FALSE(judge(model("~empty 0"), test.execution()).accepted());
}

TEST_CASE("barriers that met") {
  ExecutionBuilder test;
  const int p0 = test.thread(), p1 = test.thread();
  const EventId first = test.barrier(p0, Barrier::Kind::arrive, 1, 0);
  const EventId alone = test.barrier(p0, Barrier::Kind::sync, 1, -1);
  const EventId second = test.barrier(p1, Barrier::Kind::sync, 1, 0);
  const EventId other = test.barrier(p1, Barrier::Kind::sync, 1, 1);
  CHECK(value("syncbar", test.execution()) == Pairs{{first, second}, {second, first}});
  CHECK(value("[BAR]; syncbar; [BAR_SYNC]", test.execution()) == Pairs{{first, second}});
  CHECK(value("BAR_ARRIVE", test.execution()) == Pairs{{first, first}});
  CHECK(value("BAR_SYNC", test.execution()) == Pairs{{alone, alone}, {second, second}, {other, other}});
  test.event(second).barrier.id = Bits(32, 2);
  CHECK(judge(model("PTX"), test.execution()).malformed ==
        std::vector<std::string>{"events 0 and 2 meet, but at no common barrier"});
}

TEST_CASE("orientations and linear orders are what the execution chose, and are checked") {
  MessagePassing test(true, true);
  const auto malformed = [&](const char* text, Pairs chosen) {
    test.execution().choices["o"] = std::move(chosen);
    return judge(model(text), test.execution()).malformed;
  };
  const auto accepted = [&](const char* text, Pairs chosen) {
    test.execution().choices["o"] = std::move(chosen);
    return judge(model(text), test.execution()).accepted();
  };
  using Sentences = std::vector<std::string>;
  const EventId a = test.x1, b = test.y1;
  const char* pairs = "with o from orientations((po | id) & (W * W))";
  CHECK(malformed(pairs, {{a, b}}).empty());
  CHECK(malformed(pairs, {{b, a}}).empty());
  CHECK(malformed(pairs, {}) == Sentences{"'o' does not relate the events 2 and 3"});
  CHECK(malformed(pairs, {{a, b}, {b, a}}) == Sentences{"'o' relates the events 2 and 3 both ways"});
  CHECK(malformed(pairs, {{a, b}, {a, test.read_x}}) ==
        Sentences{"'o' relates the events 2 and 5, which it must not"});
  CHECK(malformed(pairs, {{a, b}, {a, a}}) == Sentences{"'o' relates the events 2 and 2, which it must not"});

  const char* linear = "with o from linearisations(W, po)";
  const EventId x0 = test.x0, y0 = test.y0;
  CHECK(accepted(linear, {{x0, y0}, {x0, a}, {x0, b}, {y0, a}, {y0, b}, {a, b}}));
  CHECK(accepted(linear, {{y0, x0}, {x0, a}, {x0, b}, {y0, a}, {y0, b}, {a, b}}));
  CHECK_FALSE(accepted(linear, {{x0, y0}, {x0, a}, {x0, b}, {y0, a}, {y0, b}, {b, a}}));  // against po
  CHECK_FALSE(accepted(linear, {{x0, y0}, {a, x0}, {x0, b}, {y0, a}, {y0, b}, {a, b}}));  // a cycle
  CHECK_FALSE(accepted(linear, {{x0, y0}, {x0, a}, {x0, b}, {y0, a}, {y0, b}}));          // not total
  CHECK_FALSE(accepted("with o from linearisations(W \\ IW, po?)", {{a, b}}));  // nothing extends (a, a)
}

TEST_CASE("coherence: total for each location unless the model is PTX's, then any strict partial order") {
  ExecutionBuilder test;
  const int p0 = test.thread(), p1 = test.thread();
  const EventId x0 = test.initial(x, 4);
  const EventId a = test.write(p0, x, 4, 1), b = test.write(p0, x, 4, 2), c = test.write(p1, x, 4, 3);
  const EventId other = test.write(p1, y, 4, 3);
  const auto malformed = [&](const char* text, Pairs co) {
    test.execution().choices["co"] = std::move(co);
    return judge(model(text), test.execution()).malformed;
  };
  using Sentences = std::vector<std::string>;
  CHECK(malformed("\"herd\"", {{a, b}, {b, c}, {a, c}}).empty());  // the initial write is first by itself
  CHECK(malformed("\"herd\"", {{a, b}, {b, c}}) == Sentences{"'co' does not relate the events 1 and 3"});
  CHECK(malformed("\"herd\"", {{a, b}, {b, c}, {c, a}}) == Sentences{"'co' has a cycle"});
  CHECK(malformed("\"herd\"", {{a, x0}, {a, b}, {b, c}, {a, c}}) ==
        Sentences{"'co' relates the events 0 and 1 both ways", "'co' has a cycle"});
  CHECK(malformed("PTX", {}).empty());
  CHECK(malformed("PTX", {{a, c}}).empty());
  CHECK(malformed("PTX", {{a, b}, {b, c}}) == Sentences{"'co' is not transitive from event 1 to event 3"});
  CHECK(malformed("PTX", {{a, other}}) == Sentences{"'co' relates the events 1 and 4, which it must not"});
  CHECK(malformed("PTX let co = total_coherence", {{a, b}, {b, c}}) ==
        Sentences{"'co' does not relate the events 1 and 3"});
  test.execution().choices["co"] = {{a, b}};
  CHECK(judge(model("PTX"), test.execution()).relations.at("co") == Pairs{{x0, a}, {x0, b}, {x0, c}, {a, b}});
  // Writes that do not overlap are related only through such as do.
  ExecutionBuilder sizes;
  const int p = sizes.thread();
  const EventId left = sizes.write(p, x, 4, 1), middle = sizes.write(p, x + 2, 4, 2),
                right = sizes.write(p, x + 4, 4, 3);
  for (const char* text : {"\"herd\"", "PTX"}) {
    sizes.execution().choices["co"] = {{left, middle}, {middle, right}, {left, right}};
    CHECK(judge(model(text), sizes.execution()).malformed.empty());
    sizes.execution().choices["co"] = {{left, middle}, {middle, right}};
    CHECK(judge(model(text), sizes.execution()).malformed.empty());
    sizes.execution().choices["co"] = {{left, middle}, {right, middle}, {left, right}};
    CHECK(judge(model(text), sizes.execution()).malformed ==
          Sentences{"'co' relates the events 0 and 2, which it must not"});
  }
  // A model's own coherence is not a choice.
  CHECK(judge(model("let co = po & (W * W)"), test.execution()).malformed.empty());
}

TEST_CASE("a read takes each of its bytes, as written, from one write") {
  const auto malformed = [](const auto& change) {
    MessagePassing test(true, true);
    change(test);
    return judge(model("PTX"), test.execution()).malformed;
  };
  using Sentences = std::vector<std::string>;
  CHECK(malformed([](MessagePassing&) {}).empty());
  CHECK(malformed([](MessagePassing& test) { test.execution().reads_from.pop_back(); }) ==
        Sentences(4, "event 5 reads a byte from 0 writes"));
  CHECK(malformed([](MessagePassing& test) {
          test.execution().reads_from.push_back(test.execution().reads_from.back());
        }) == Sentences(4, "event 5 reads a byte from 2 writes"));
  CHECK(malformed([](MessagePassing& test) { --test.execution().reads_from.back().count; }) ==
        Sentences{"event 5 reads a byte from 0 writes"});
  CHECK(malformed([](MessagePassing& test) { test.event(test.read_x).value = Bits(32, 7); }) ==
        Sentences{"event 5 reads another value from event 2 than it wrote"});
  CHECK(malformed([](MessagePassing& test) { test.execution().reads_from.back().write = test.y1; }) ==
        Sentences{"event 5 reads a byte from event 3 that not both touch"});
  CHECK(malformed([](MessagePassing& test) { ++test.execution().reads_from.back().count; }) ==
        Sentences{"event 5 reads a byte from event 2 that not both touch"});
  CHECK(malformed([](MessagePassing& test) { test.execution().reads_from.back().write = test.read_y; }) ==
        Sentences{"event 5 reads from event 4, but they are no read and write"});
}
