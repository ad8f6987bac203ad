#include "solver/explorer/explorer.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <regex>

#include "semantics/language/diagnostic.hpp"
#include "solver/engine/engine.hpp"
#include "solver/explorer/termination_exploration.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

/// A test of threads that run the same code, each in a CTA of its own.
std::string same_code(unsigned threads, const std::vector<std::string>& code, const std::string& question) {
  std::string text = "PTX test\n{}\n";
  const auto row = [&](const auto& cell) {
    std::vector<std::string> cells;
    for (unsigned i = 0; i < threads; ++i) cells.push_back(cell(i));
    return fmt::format("{} ;\n", fmt::join(cells, " | "));
  };
  text += row([](unsigned i) { return fmt::format("P{0}@cta {0},gpu 0", i); });
  for (const std::string& line : code) text += row([&](unsigned) { return line; });
  return text + question + "\n";
}

std::string in_one_cta(const std::string& text) {
  return std::regex_replace(text, std::regex("@cta [0-9]+"), "@cta 0");
}

Answer explored(const std::string& text, bool all_states = true) {
  const LitmusTest test = parse_litmus(text, "test.litmus");
  DecideOptions options;
  options.count_executions = true;
  options.all_states = all_states;
  return explore(test.program, test.question, cat::load("ptx-8.7"), options);
}

/// So that no two threads can change places: their registers are asked for.
std::string with_registers_told_apart(unsigned threads, const std::string& condition) {
  std::string result = "~exists (" + condition;
  for (unsigned i = 0; i < threads; ++i) result += fmt::format(" \\/ P{}:r0 > 1000", i);
  return result + ")";
}

const std::vector<std::string> counter = {"atom.relaxed.gpu.add r0, count, 1"};
const std::vector<std::string> ticket_lock = {"atom.relaxed.gpu.add r0, ticket, 1",
                                              "Wait: ld.acquire.gpu r1, turn",
                                              "bne r1, r0, Wait",
                                              "ld.weak r2, count",
                                              "add r2, r2, 1",
                                              "st.weak count, r2",
                                              "add r3, r0, 1",
                                              "st.release.gpu turn, r3"};
const std::vector<std::string> two_increments = {"atom.relaxed.gpu.add r0, x, 1",
                                                 "atom.relaxed.gpu.add r1, y, 1"};

}  // namespace

TEST_SUITE("explorer") {
  TEST_CASE("threads take turns at a counter in any order") {
    // n! orders of n atomic additions (PTX ISA 8.7 § 8.10.3), found with and without exchanging threads.
    for (const bool is_symmetric : {true, false}) {
      const auto question = [&](unsigned threads) {
        const std::string condition = fmt::format("count != {}", threads);
        return is_symmetric ? "~exists (" + condition + ")" : with_registers_told_apart(threads, condition);
      };
      CHECK(explored(same_code(4, counter, question(4)), is_symmetric).executions == 24);
      CHECK(explored(same_code(5, counter, question(5)), is_symmetric).executions == 120);
      CHECK(explored(same_code(4, ticket_lock, question(4)), is_symmetric).executions == 24);
    }
  }

  TEST_CASE("counts do not depend on the numbers of interchangeable threads") {
    const Answer symmetric = explored(same_code(4, two_increments, "~exists (x != 4)"));
    const Answer told_apart =
        explored(same_code(4, two_increments, with_registers_told_apart(4, "x != 4")), false);
    CHECK(symmetric.executions == 576);  // 4! for each variable: relaxed, so nothing relates the two
    CHECK(told_apart.executions == 576);
  }

  TEST_CASE("a lock of many threads explores in few steps") {
    const Answer answer = explored(same_code(12, ticket_lock, "~exists (count != 12)"));
    CHECK(answer.verdict == Verdict::forbidden);
    CHECK(answer.executions == 479001600);  // 12!
    CHECK(answer.blocked == 0);
    REQUIRE(answer.states.size() == 1);
    CHECK(answer.states.front().executions == 479001600);
  }

  TEST_CASE("threads of one CTA that meet at a barrier change places too") {
    // After the lock all wait for each other, and read what the last one has counted: 12! orders, one state.
    std::vector<std::string> code = ticket_lock;
    code.insert(code.end(), {"bar.cta.sync 0", "ld.weak r4, count", "bar.cta.sync 0", "st.weak seen, r4"});
    const Answer answer = explored(in_one_cta(same_code(12, code, "~exists (seen != 12)")));
    CHECK(answer.verdict == Verdict::forbidden);
    CHECK(answer.executions == 479001600);  // 12!
  }

  TEST_CASE("phases of interchangeable threads are counted separately") {
    // Two of four threads fill each phase (PTX ISA 8.7 § 9.7.13.1): three ways to make pairs of them. In each
    // pair one adds first or not: what they read is relaxed, 4! orders.
    const std::vector<std::string> pairs = {"bar.cta.sync 0, 1, 2", "atom.relaxed.gpu.add r0, count, 1"};
    const std::string text = in_one_cta(same_code(4, pairs, "~exists (count != 4)"));
    CHECK(explored(text).executions == 3 * 24);
  }

  TEST_CASE("more executions than can be counted are not counted") {
    const Answer answer = explored(same_code(24, counter, "~exists (count != 24)"));
    CHECK(answer.verdict == Verdict::forbidden);
    CHECK_FALSE(answer.executions.has_value());
    CHECK(answer.states_complete);
  }

  TEST_CASE("what is found does not depend on how many look for it") {
    const std::vector<std::string> code = {"st.relaxed.gpu x, 1", "ld.relaxed.gpu r0, y",
                                           "atom.relaxed.gpu.add r1, y, 1"};
    const std::string question = "exists (P0:r0 == 1 /\\ P1:r0 == 0 /\\ P2:r1 == 2)";
    const LitmusTest test = parse_litmus(same_code(3, code, question), "test.litmus");
    DecideOptions options;
    options.count_executions = true;
    const Answer alone = explore(test.program, test.question, cat::load("ptx-8.7"), options);
    options.jobs = 3;
    const Answer together = explore(test.program, test.question, cat::load("ptx-8.7"), options);
    CHECK(alone.verdict == together.verdict);
    CHECK(alone.executions == together.executions);
    REQUIRE(alone.states.size() == together.states.size());
    for (std::size_t i = 0; i < alone.states.size(); ++i) {
      CHECK(alone.states[i].values == together.states[i].values);
      CHECK(alone.states[i].executions == together.states[i].executions);
      CHECK(alone.states[i].witness.choices == together.states[i].witness.choices);
    }
    REQUIRE(alone.witness.has_value());
    CHECK(alone.witness->choices == together.witness->choices);
  }

  TEST_CASE("an estimate is exact where all ways have as many branches") {
    double estimate = 0;
    DecideOptions options;
    options.on_progress = [&](const ExplorationProgress& progress) { estimate = progress.estimate; };
    const std::string text =
        "PTX test\n{}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n"
        " st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, x ;\nexists (P1:r0 == P2:r0)\n";
    const LitmusTest test = parse_litmus(text, "test.litmus");
    explore(test.program, test.question, cat::load("ptx-8.7"), options);
    CHECK(estimate == 4);
  }

  TEST_CASE("a lock blocks no exploration") {
    const std::vector<std::string> lock = {"Try: atom.acquire.gpu.cas r0, lock, 0, 1",
                                           "bne r0, 0, Try",
                                           "ld.weak r1, count",
                                           "add r1, r1, 1",
                                           "st.weak count, r1",
                                           "st.release.gpu lock, 0"};
    const Answer answer = explored(same_code(4, lock, with_registers_told_apart(4, "count != 4")), false);
    CHECK(answer.executions == 24);
    CHECK(answer.blocked == 0);
  }

  TEST_CASE("no read is left to wait for what depends on itself") {
    // Two rounds of a barrier of three threads. In the first none can go on before all have arrived; in the
    // second the arrivals are additions too, so that any of them might be the source of an earlier one.
    const std::vector<std::string> rounds = {
        "atom.acq_rel.gpu.add r0, arrived, 1", "First: ld.acquire.gpu r1, arrived",  "blt r1, 3, First",
        "atom.acq_rel.gpu.add r2, arrived, 1", "Second: ld.acquire.gpu r3, arrived", "blt r3, 6, Second"};
    const Answer answer = explored(same_code(3, rounds, with_registers_told_apart(3, "arrived != 6")), false);
    CHECK(answer.verdict == Verdict::forbidden);
    // 3! orders of the first additions, 3! of the second ones. A thread that is first, second, third of these
    // sees at the end of the first round what up to 0, 1, 2 of them have added.
    CHECK(answer.executions == 6 * 6 * (1 * 2 * 3));
    CHECK(answer.blocked < answer.executions);
  }

  TEST_CASE("a stack to which each thread tries to push once") {
    std::string text = "PTX test\n{}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0 ;\n";
    text +=
        " ld.relaxed.gpu r0, top | ld.relaxed.gpu r0, top | ld.relaxed.gpu r0, top | ld.relaxed.gpu r0, top "
        ";\n";
    text += " atom.release.gpu.cas r1, top, r0, 1 | atom.release.gpu.cas r1, top, r0, 2 |";
    text += " atom.release.gpu.cas r1, top, r0, 3 | atom.release.gpu.cas r1, top, r0, 4 ;\n";
    const LitmusTest test = parse_litmus(text + "~exists (top == 0)\n", "test.litmus");
    DecideOptions options;
    options.count_executions = true;
    const Answer answer =
        decide_with(Engine::both, test.program, test.question, cat::load("ptx-8.7"), options);
    CHECK(answer.verdict == Verdict::forbidden);
    CHECK(answer.blocked < answer.executions);
  }

  TEST_CASE("a barrier of a grid blocks no exploration") {
    const std::vector<std::string> all_added = {"atom.acq_rel.gpu.add r0, arrived, 1",
                                                "Wait: ld.acquire.gpu r1, arrived", "bne r1, 5, Wait"};
    const std::vector<std::string> lock_with_red = {"atom.relaxed.gpu.add r0, ticket, 1",
                                                    "Wait: ld.acquire.gpu r1, turn", "bne r1, r0, Wait",
                                                    "red.release.gpu.add turn, 1"};
    for (const auto& [code, place] : {std::pair{all_added, "arrived"}, std::pair{lock_with_red, "turn"}}) {
      const Answer answer =
          explored(same_code(5, code, with_registers_told_apart(5, fmt::format("{} > 5", place))), false);
      CHECK(answer.executions == 120);  // the orders of five additions
      CHECK(answer.blocked == 0);
    }
  }

  TEST_CASE("places that no scope tells apart are equal") {
    // All of 12 threads may change places, whatever CTAs they are in: every scope is the GPU's.
    std::string text = same_code(12, ticket_lock, "~exists (count != 12)");
    for (unsigned i = 0; i < 12; ++i) {
      const std::string old = fmt::format("P{0}@cta {0},", i);
      text.replace(text.find(old), old.size(), fmt::format("P{}@cta {},", i, i / 5));
    }
    const Answer answer = explored(text);
    CHECK(answer.verdict == Verdict::forbidden);
    CHECK(answer.executions == 479001600);  // 12!
  }

  TEST_CASE("places that a scope tells apart are not") {
    // Two and two in a CTA; additions of .cta scope in different CTAs are not morally strong:
    // those of one CTA may be lost, but not one of its two alone.
    const std::string text =
        "PTX test\n{}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0 | P3@cta 1,gpu 0 ;\n"
        " red.relaxed.cta.add x, 1 | red.relaxed.cta.add x, 1 | red.relaxed.cta.add x, 1 |"
        " red.relaxed.cta.add x, 1 ;\nexists (x == 2)\n";
    const LitmusTest test = parse_litmus(text, "test.litmus");
    DecideOptions options;
    options.count_executions = true;
    const Answer answer =
        decide_with(Engine::both, test.program, test.question, cat::load("ptx-8.7"), options);
    CHECK(answer.verdict == Verdict::allowed);
  }
}

TEST_CASE("more states than are kept leave the condition decided, and executions counted") {
  const LitmusTest test = parse_litmus(
      "PTX SB\n{}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;\n"
      " ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\nexists (P0:r0 == 2 /\\ P1:r0 == 2)",
      "test.litmus");
  const cat::Model model = cat::load("ptx-8.7");
  for (const bool all_states : {true, false})
    for (const bool count_executions : {true, false}) {
      DecideOptions options;
      options.max_states = 3;
      options.all_states = all_states;
      options.count_executions = count_executions;
      const Answer explored = explore(test.program, test.question, model, options);
      CHECK(explored.verdict == Verdict::forbidden);
      CHECK(explored.holds == false);
      CHECK_FALSE(explored.states_complete);
      if (all_states) CHECK(explored.states.size() == 3);
      if (count_executions) CHECK(explored.executions == 4);
    }
}

// PTX ISA 8.7 § 9.7.13.1: barrier.red gives all threads the count of true predicates, here 2: both go on to
// the second barrier.
TEST_CASE("arrivals at a barrier may depend on the result of an earlier barrier") {
  const LitmusTest test = parse_litmus(R"(PTX test
{ x = 0; }
P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
setp.eq.u32 %p0, 0, 0 | setp.eq.u32 %p0, 0, 0 ;
barrier.cta.red.popc.u32 %r0, 1, 2, %p0 | barrier.cta.red.popc.u32 %r0, 1, 2, %p0 ;
setp.ne.u32 %p1, %r0, 2 | setp.ne.u32 %p1, %r0, 2 ;
@%p1 bra LC0 | @%p1 bra LC1 ;
st.weak.u32 [x], 1 | ;
barrier.cta.sync 0, 2 | barrier.cta.sync 0, 2 ;
LC0: | LC1: ;
 | ld.weak.u32 %r1, [x] ;
exists (P1:r1 = 1)
)",
                                       "test.litmus");
  const cat::Model model = cat::load("ptx-8.7");
  const Answer answer = decide_with(Engine::both, test.program, test.question, model, {});
  CHECK(answer.verdict == Verdict::allowed);
  CHECK(answer.states.size() == 1);
  CHECK(find_flag_with(Engine::both, test.program, model, {}, "data_race")->raised == Verdict::forbidden);
  CHECK(decide_termination_with(Engine::both, test.program, model, {}, {}).hangs == Verdict::forbidden);
}

// As above, with a barrier for all that use it: P1 goes round it and waits, at the next one, for P0, which
// waits for it to exit. Nothing ends then; a random test in which the engines had two readings.
TEST_CASE("a thread that skips a barrier because of a result is awaited until it exits") {
  const LitmusTest test = parse_litmus(R"(PTX test
{ x = 0; }
P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
setp.eq.u32 p0, 0, 1 | setp.eq.u32 p0, 0, 0 ;
barrier.cta.red.popc.u32 r0, 2, 2, p0 | barrier.cta.red.popc.u32 r0, 2, 2, p0 ;
bar.cta.sync 0 | bne r0, 2, SKIP ;
bar.cta.sync 1 | bar.cta.sync 0 ;
 | SKIP: bar.cta.sync 1 ;
exists (true)
)",
                                       "test.litmus");
  const cat::Model model = cat::load("ptx-8.7");
  CHECK(decide_with(Engine::both, test.program, test.question, model, {}).verdict == Verdict::forbidden);
  CHECK(decide_termination_with(Engine::both, test.program, model, {}, {}).hangs == Verdict::allowed);
}

namespace {

/// What both engines say within a bound on loops.
Verdict verdict_within(const LitmusTest& test, unsigned bound) {
  DecideOptions options;
  options.bound = bound;
  return decide_with(Engine::both, test.program, test.question, cat::load("ptx-8.7"), options).verdict;
}

}  // namespace

// P0 waits until P1 has left its loop, of six iterations; what P0 does afterwards depends on the result.
TEST_CASE("a barrier that is not filled within the bound may be filled behind it") {
  const LitmusTest test = parse_litmus(R"(PTX test
{ x = 0; }
P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
setp.eq.u32 p0, 0, 0 | LOOP: atom.relaxed.cta.add r0, x, 1 ;
barrier.cta.red.popc.u32 r0, 1, 2, p0 | blt r0, 5, LOOP ;
bne r0, 1, END | barrier.cta.sync 1, 2 ;
ld.relaxed.cta r1, x | ;
END: | ;
exists (P0:r1 == 6)
)",
                                       "test.litmus");
  CHECK(verdict_within(test, 2) == Verdict::unknown);
  CHECK(verdict_within(test, 5) == Verdict::allowed);
}

// P0 waits for arrivals that P1 makes after its loop, which the bound cuts off: until then P0 is at its first
// barrier alone, and its second one, with another count, is not reached.
TEST_CASE("the bound cuts off arrivals that others wait for") {
  const LitmusTest test = parse_litmus(R"(PTX test
{ z = 0; }
P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
bar.cta.sync 0, 0, 2 | L10: atom.relaxed.gpu.add.u32 r1, z, 1 ;
bar.cta.sync 0, 0, 3 | blt r1, 2, L10 ;
 | bar.cta.arrive 0, 0, 2 ;
 | bar.cta.arrive 0, 0, 3 ;
 | bar.cta.arrive 0, 0, 3 ;
exists (P1:r1 == 2)
)",
                                       "test.litmus");
  CHECK(verdict_within(test, 1) == Verdict::unknown);
  CHECK(verdict_within(test, 2) == Verdict::allowed);
}

TEST_CASE("as many CTAs as there are may not start") {
  const LitmusTest test = parse_litmus(
      same_code(18, {"L: ld.relaxed.gpu r0, x", "beq r0, 0, L"}, "exists (true)"), "test.litmus");
  const Progress progress{Progress::Kind::occupancy, Scope::cta};
  CHECK(explore_termination(test.program, cat::load("ptx-8.7"), {}, progress).hangs == Verdict::allowed);
}

// What a loop would have read in further iterations holds up nothing that comes after it. P1 adds to the 1 of
// P0's store, and its cas reads that store again: the weak store is not ordered before the addition, so
// nothing says that the addition hides it (PTX ISA 8.7 § 8.10.1). P0 adds to what one of the two wrote.
TEST_CASE("iterations that do not happen hold up nothing") {
  const LitmusTest test = parse_litmus(R"(PTX test
{ x = 0; }
P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
st.weak x, 1 | L10: atom.relaxed.gpu.add r0, x, 1 ;
atom.release.gpu.cas r0, x, 0, 2 | blt r0, 1, L10 ;
and r9, r0, 1 | ld.relaxed.gpu r1, x ;
atom.relaxed.gpu.add r1, x, r9 | atom.acq_rel.gpu.cas r2, x, 1, 2 ;
exists (P0:r0 = 1 /\ P0:r1 = 2 /\ P1:r0 = 1 /\ P1:r1 = 1 /\ P1:r2 = 1)
)",
                                       "test.litmus");
  const Answer answer = decide_with(Engine::both, test.program, test.question, cat::load("ptx-8.7"), {});
  CHECK(answer.verdict == Verdict::allowed);
}

TEST_CASE("an exploration is given up when it has come nowhere, not when it is nearly done") {
  const auto reason = [](unsigned threads) {
    const std::string question = with_registers_told_apart(threads, fmt::format("count != {}", threads));
    const LitmusTest test = parse_litmus(same_code(threads, counter, question), "test.litmus");
    DecideOptions options;
    options.max_steps = 200;
    return explore(test.program, test.question, cat::load("ptx-8.7"), options).reason;
  };
  CHECK(reason(5).empty());  // 120 executions
  CHECK(reason(7) == "step limit");
}

// PTX ISA 8.7 § 9.7.13.1: barrier.sync and barrier.red of one barrier meet; only the latter bring a
// predicate.
TEST_CASE("a barrier in the spelling of litmus tests meets one in that of PTX") {
  const LitmusTest test = parse_litmus(R"(PTX test
{ x = 0; }
P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
st.weak x, 1 | setp.eq.u32 p0, 0, 0 ;
bar.cta.sync 0 | barrier.cta.red.popc.u32 r0, 0, p0 ;
 | ld.weak r1, x ;
~exists (P1:r0 != 1 \/ P1:r1 != 1)
)",
                                       "test.litmus");
  const Answer answer = decide_with(Engine::both, test.program, test.question, cat::load("ptx-8.7"), {});
  CHECK(answer.holds == true);
}

TEST_CASE("a value that is left open and decides what happens is for the solver") {
  const std::string begin =
      "PTX test\n{ x = 0; }\n P0 ;\n createpolicy.cvt.L2.b64 r1, 3 ;\n bne r1, 7, End ;\n";
  const std::string stores = begin + " st.relaxed.gpu x, 1 ;\n End: ;\nexists (x=1)\n";
  CHECK_THROWS_AS(explored(stores), Unsupported);
  const LitmusTest test = parse_litmus(stores, "test.litmus");
  const Answer answer =
      decide_with(*find_engine("auto"), test.program, test.question, cat::load("ptx-8.7"), {});
  CHECK(answer.verdict == Verdict::allowed);
  CHECK(answer.states.size() == 2);

  const std::string waits =
      begin + " Again: ;\n ld.relaxed.gpu r2, x ;\n beq r2, 0, Again ;\n End: ;\nexists (x=1)\n";
  const LitmusTest waiting = parse_litmus(waits, "test.litmus");
  CHECK_THROWS_AS(explore_termination(waiting.program, cat::load("ptx-8.7"), {}, {}), Unsupported);
}
