#include "src/library/litmus_property.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace ptxmc;

namespace {

LitmusTest test_of(const std::string& columns) {
  return parse_litmus("PTX T\n{ x=0; f=0; }\n" + columns + "exists (x == 0)\n", "T.litmus");
}

PropertyAnswer ask(const LitmusTest& test, LitmusProperty property, const Progress& progress = {}) {
  return decide_property(test, cat::load("ptx-8.7"), {}, property, progress, Engine::both);
}

Verdict hangs(const std::string& columns) {
  return ask(test_of(columns), LitmusProperty::termination).answer.verdict;
}

/// Threads of one CTA that run one instruction each.
std::string one_each(const std::vector<std::string>& instructions) {
  std::string places, code;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    places += (i == 0 ? " " : " | ") + fmt::format("P{}@cta 0,gpu 0", i);
    code += (i == 0 ? " " : " | ") + instructions[i];
  }
  return places + " ;\n" + code + " ;\n";
}

}  // namespace

// PTX ISA 8.7 § 8.7.1: conflicting, not ordered by causality, not morally strong.
TEST_CASE("a data race names the two accesses and what keeps them from being morally strong") {
  const LitmusTest weak =
      test_of(" P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | ld.relaxed.gpu r0, x ;\n");
  const PropertyAnswer race = ask(weak, LitmusProperty::race);
  CHECK(race.answer.verdict == Verdict::allowed);
  CHECK(race.answer.holds == false);
  REQUIRE(race.findings.size() == 1);
  CHECK(race.findings[0] ==
        "data race: `st.weak x, 1` (P0, line 4) and `ld.relaxed.gpu r0, x` (P1, line 4) are not ordered by "
        "causality, and the access of P0 is weak");

  const LitmusTest narrow =
      test_of(" P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.cta x, 1 | ld.relaxed.gpu r0, x ;\n");
  REQUIRE(ask(narrow, LitmusProperty::race).findings.size() == 1);
  CHECK(ask(narrow, LitmusProperty::race).findings[0].ends_with("the scope .cta of P0 does not include P1"));

  const LitmusTest strong =
      test_of(" P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;\n");
  CHECK(ask(strong, LitmusProperty::race).answer.holds == true);
}

TEST_CASE("a spin loop hangs when no write lets it go, and only then") {
  const std::string wait = "LC00: ld.relaxed.gpu r0, f";
  const LitmusTest lonely = test_of(" P0@cta 0,gpu 0 ;\n " + wait + " ;\n beq r0, 0, LC00 ;\n");
  const PropertyAnswer hang = ask(lonely, LitmusProperty::termination);
  CHECK(hang.answer.verdict == Verdict::allowed);
  REQUIRE(hang.findings.size() == 1);
  CHECK(hang.findings[0].find("reads f=0, and no later write comes") != std::string::npos);

  const LitmusTest freed = test_of(" P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n " + wait +
                                   " | st.relaxed.gpu f, 1 ;\n beq r0, 0, LC00 | ;\n");
  CHECK(ask(freed, LitmusProperty::termination).answer.holds == true);
  // T. Sorensen et al. 2016: a workgroup that waits may keep the one it waits for from starting.
  CHECK(ask(freed, LitmusProperty::termination, {Progress::Kind::occupancy, Scope::cta}).answer.verdict ==
        Verdict::allowed);
  CHECK(ask(freed, LitmusProperty::termination, {Progress::Kind::occupancy, Scope::gpu}).answer.holds ==
        true);
}

TEST_CASE("barriers in opposite order hang") {
  const LitmusTest crossed = test_of(
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.cta.sync 0 | bar.cta.sync 1 ;\n bar.cta.sync 1 | "
      "bar.cta.sync 0 ;\n");
  const PropertyAnswer hang = ask(crossed, LitmusProperty::termination);
  CHECK(hang.answer.verdict == Verdict::allowed);
  CHECK(hang.findings.size() == 2);
  const LitmusTest straight = test_of(
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.cta.sync 0 | bar.cta.sync 0 ;\n bar.cta.sync 1 | "
      "bar.cta.sync 1 ;\n");
  CHECK(ask(straight, LitmusProperty::termination).answer.holds == true);
}

// PTX ISA 8.7 § 9.7.13.1: the barrier is complete when as many threads as its count says have arrived, and is
// ready for use again at once; `arrive` counts, and does not wait.
TEST_CASE("a thread whose phase of a barrier with a count never completes waits for ever") {
  const std::string two = "bar.cta.sync 0, 1, 2", arrive = "bar.cta.arrive 0, 1, 2";
  CHECK(hangs(one_each({two})) == Verdict::allowed);
  CHECK(hangs(one_each({two, two})) == Verdict::forbidden);
  CHECK(hangs(one_each({two, two, two})) == Verdict::allowed);
  CHECK(hangs(one_each({two, two, two, two})) == Verdict::forbidden);
  CHECK(hangs(one_each({two, arrive})) == Verdict::forbidden);
  CHECK(hangs(one_each({arrive, two, arrive})) == Verdict::allowed);  // the two that do not wait fill a phase
  CHECK(hangs(one_each({arrive, two, arrive, two})) == Verdict::forbidden);
}

// A barrier without a count waits for those that have not exited.
TEST_CASE("an exited thread is not awaited, a spinning thread is") {
  const std::string places = " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n";
  CHECK(hangs(places + " bar.cta.sync 0 | ld.relaxed.gpu r0, f ;\n | beq r0, 0, LC10 ;\n"
                       " | bar.cta.sync 0 ;\n | LC10: ;\n") == Verdict::forbidden);
  CHECK(hangs(places + " bar.cta.sync 0 | LC10: ld.relaxed.gpu r0, f ;\n"
                       " st.relaxed.gpu f, 1 | beq r0, 0, LC10 ;\n | bar.cta.sync 0 ;\n") ==
        Verdict::allowed);
  CHECK(hangs(places + " st.relaxed.gpu f, 1 | LC10: ld.relaxed.gpu r0, f ;\n"
                       " bar.cta.sync 0 | beq r0, 0, LC10 ;\n | bar.cta.sync 0 ;\n") == Verdict::forbidden);
}

// A loop that writes in each iteration is no spin loop: how often it goes round is not known.
TEST_CASE("what lies beyond the bound on loops is unknown") {
  const PropertyAnswer answer =
      ask(test_of(" P0@cta 0,gpu 0 ;\n LC00: atom.relaxed.gpu.add r0, f, 1 ;\n blt r0, 5, LC00 ;\n"),
          LitmusProperty::termination);
  CHECK(answer.answer.verdict == Verdict::unknown);
  CHECK(answer.answer.reason == "loop bound 2");
}

// PTX ISA 8.7 § 8.7.2: the axioms do not apply to a program with a mixed-size data race.
TEST_CASE("nothing is said of the ends of a program with a mixed-size data race") {
  const LitmusTest test = parse_litmus(
      "PTX T\n{ x : u32[1]; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu.u32 [x], 1 | "
      "L: ld.relaxed.gpu.u16 r0, [x] ;\n | beq r0, 0, L ;\nexists (P1:r0 == 1)\n",
      "T.litmus");
  const PropertyAnswer answer = ask(test, LitmusProperty::termination);
  CHECK(answer.answer.verdict == Verdict::unknown);
  CHECK(answer.answer.reason == "mixed-size data race");
}

// PTX ISA 8.7 § 8.10.2: Fence-SC order relates the two fences in one of the two ways; in one of them the
// store of P1 comes before the other in causality order, in the other way nothing orders the two.
TEST_CASE("a race that one order of fences prevents is found in the other") {
  const LitmusTest test = test_of(
      " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n fence.sc.gpu | st.relaxed.gpu x, 1 | "
      "fence.sc.gpu ;\n | fence.sc.gpu | st.weak x, 2 ;\n");
  CHECK(ask(test, LitmusProperty::race).answer.verdict == Verdict::allowed);
}

namespace {

Answer condition_of(const std::string& columns, const std::string& question) {
  const LitmusTest test = parse_litmus("PTX T\n{ x=0; f=0; }\n" + columns + question, "T.litmus");
  const Answer answer = ask(test, LitmusProperty::condition).answer;
  DecideOptions verdict_only;
  verdict_only.all_states = false;
  const Answer alone =
      decide_property(test, cat::load("ptx-8.7"), verdict_only, LitmusProperty::condition, {}, Engine::both)
          .answer;
  CHECK(alone.verdict == answer.verdict);
  CHECK(alone.reason == answer.reason);
  return answer;
}

}  // namespace

TEST_CASE(
    "what is asked of all final states of a program that never ends is unknown, with the threads that wait") {
  const std::string waits =
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.weak x, 7 | barrier.cta.sync 1, 64; ;\n"
      " barrier.cta.arrive 1, 64; | ld.weak r0, x ;\n";
  for (const std::string question : {"forall (1:r0 == 12345)", "filter (1:r0 == 7) forall (1:r0 == 7)"}) {
    CAPTURE(question);
    const Answer answer = condition_of(waits, question);
    CHECK(answer.verdict == Verdict::unknown);
    CHECK_FALSE(answer.holds.has_value());
    CHECK(answer.reason == "no execution ends: P1 waits for ever at line 4");
  }
  for (const std::string question : {"exists (1:r0 == 7)", "~exists (1:r0 == 7)"}) {
    CAPTURE(question);
    const Answer answer = condition_of(waits, question);
    CHECK(answer.verdict == Verdict::forbidden);
    CHECK(answer.notes == std::vector<std::string>{"no execution ends: P1 waits for ever at line 4"});
  }
  const std::string both =
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.cta.sync 0 | bar.cta.sync 1 ;\n"
      " bar.cta.sync 1 | bar.cta.sync 0 ;\n";
  CHECK(condition_of(both, "forall (x == 1)").reason ==
        "no execution ends: P0 waits for ever at line 4, P1 waits for ever at line 4");
  const std::string spins = " P0@cta 0,gpu 0 ;\n L: ld.relaxed.gpu r0, f ;\n beq r0, 0, L ;\n";
  CHECK(condition_of(spins, "forall (x == 1)").reason ==
        "no execution ends: P0 repeats the loop in line 5 for ever");
  CHECK(condition_of(" P0@cta 0,gpu 0 ;\n trap ;\n", "forall (x == 1)").reason ==
        "no execution ends: P0 traps at line 4");
}

TEST_CASE("where some executions end, the condition speaks of those") {
  const std::string some =
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n ld.relaxed.cta r0, x | st.relaxed.cta x, 1 ;\n"
      " L: beq r0, 0, L | ;\n";
  CHECK(condition_of(some, "forall (0:r0 == 1)").holds == true);
  CHECK(condition_of(some, "exists (0:r0 == 0)").holds == false);
  const Answer filtered = condition_of(some, "filter (0:r0 == 0) forall (0:r0 == 1)");
  CHECK(filtered.holds == true);
  CHECK(filtered.notes == std::vector<std::string>{"no final state satisfies the filter"});
}

// PTX ISA 8.7 § 8.7.2
TEST_CASE("the two accesses of a mixed-size race are named, and drawn") {
  const LitmusTest test = parse_litmus(
      "PTX T\n{ x : u32; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu.u32 [x], 1 | "
      "ld.relaxed.gpu.u16 r0, [x] ;\nexists (P1:r0 == 1)\n",
      "T.litmus");
  const PropertyAnswer answer = ask(test, LitmusProperty::condition);
  CHECK(answer.answer.verdict == Verdict::unknown);
  CHECK(answer.answer.reason == "mixed-size data race");
  CHECK(answer.answer.notes ==
        std::vector<std::string>{
            "data race: `st.relaxed.gpu.u32 [x], 1` (P0, line 4) and `ld.relaxed.gpu.u16 "
            "r0, [x]` (P1, line 4) are not ordered by causality, and they overlap partially"});
  CHECK(answer.highlighted.size() == 1);
  CHECK(answer.answer.witness.has_value());
}

TEST_CASE("of several mixed-size races one is named, and why the axioms say nothing of it") {
  const LitmusTest test = parse_litmus(
      "PTX T\n{ x : u32; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n"
      " st.weak.u32 [x], 1 | ld.weak.u16 r0, [x] | ld.weak.u16 r0, [x] ;\nexists (P1:r0 == 1)\n",
      "T.litmus");
  const PropertyAnswer answer = ask(test, LitmusProperty::condition);
  REQUIRE(answer.answer.notes.size() == 1);
  CHECK(answer.answer.notes[0].ends_with("and they overlap partially"));
  CHECK(answer.highlighted.size() == 1);
}

TEST_CASE("a race of instructions that are executed several times is said once") {
  const LitmusTest test = test_of(
      " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | L: ld.relaxed.gpu r0, x ;\n"
      " | add r1, r1, 1 ;\n | bne r1, 2, L ;\n");
  CHECK(ask(test, LitmusProperty::race).findings.size() == 1);
}

// PTX ISA 8.7 § 9.7.13.3: each thread arrives once before it waits.
TEST_CASE("a barrier that is used in an undefined way leaves nothing to decide") {
  const LitmusTest twice = test_of(
      " P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 ;\n"
      " barrier.cluster.arrive | barrier.cluster.arrive ;\n"
      " barrier.cluster.arrive | barrier.cluster.wait ;\n");
  const PropertyAnswer undefined = ask(twice, LitmusProperty::undefined);
  CHECK(undefined.answer.verdict == Verdict::allowed);
  REQUIRE(undefined.findings.size() == 1);
  CHECK(undefined.findings[0].find("§ 9.7.13.3") != std::string::npos);
  for (const LitmusProperty property :
       {LitmusProperty::condition, LitmusProperty::race, LitmusProperty::termination}) {
    const PropertyAnswer answer = ask(twice, property);
    CHECK(answer.answer.verdict == Verdict::unknown);
    CHECK_FALSE(answer.answer.holds);
    CHECK(answer.answer.reason == "undefined use of a barrier or mbarrier");
  }
  const LitmusTest once = test_of(
      " P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 ;\n"
      " barrier.cluster.arrive | barrier.cluster.arrive ;\n"
      " barrier.cluster.wait | barrier.cluster.wait ;\n");
  CHECK(ask(once, LitmusProperty::undefined).answer.holds == true);
  CHECK(ask(once, LitmusProperty::condition).answer.holds == true);
}

TEST_CASE("the faults of launches can be asked of a litmus test") {
  const auto test = [](const std::string& flag) {
    return test_of(" P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | ld." + flag +
                   " r0, f ;\n st.release.gpu f, 1 | beq r0, 0, OK ;\n | ld.weak r1, x ;\n"
                   " | beq r1, 1, OK ;\n | trap ;\n | OK: ;\n");
  };
  const PropertyAnswer trap = ask(test("relaxed.gpu"), LitmusProperty::assertion);
  CHECK(trap.answer.verdict == Verdict::allowed);
  CHECK(trap.findings == std::vector<std::string>{"line 8: assertion failed: trap, by P1"});
  CHECK(ask(test("acquire.gpu"), LitmusProperty::assertion).answer.holds == true);
  CHECK(ask(test("relaxed.gpu"), LitmusProperty::uninitialized).answer.holds == true);

  const LitmusTest outside =
      test_of(" P0@cta 0,gpu 0 ;\n ld.relaxed.gpu r0, f ;\n ld.weak r1, [r0+999999] ;\n");
  CHECK(ask(outside, LitmusProperty::out_of_bounds).answer.verdict == Verdict::allowed);
  CHECK(ask(outside, LitmusProperty::divergence).answer.holds == true);
}
