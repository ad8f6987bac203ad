#include "solver/launch/launch_properties.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "solver/engine/engine.hpp"
#include "solver/launch/launch_exploration.hpp"
#include "solver/limits/time_limit.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

using enum LaunchProperty;

/// What the solver says of a launch; the explorer says the same where it says something.
LaunchAnswer ask(const LitmusTest& test, bool has_final_condition = false, unsigned bound = 2,
                 bool by_schedules = false) {
  TermGraph graph;
  const EventStructure structure = events_of(test, graph, bound, by_schedules);
  LaunchQuestion question = question_about(structure);
  question.traps_go_on = by_schedules;
  if (has_final_condition)
    question.final_condition = [](const ElementValue& value) { return equal(value(0, 0), Bits(64, 2)); };
  DecideOptions options;
  options.bound = bound;
  const cat::Model model = cat::load("ptx-8.7");
  if (by_schedules) {
    auto answer = check_launch_by_schedules(question, model, options, graph);
    REQUIRE(answer);
    return *answer;
  }
  const LaunchAnswer answer = check_launch(question, model, options, graph);
  const LaunchAnswer explored = explore_launch(question, model, options, graph);
  CHECK(contradiction(explored, answer).value_or("") == "");
  CHECK((explored.unknown == answer.unknown || explored.unknown.size() > answer.unknown.size()));
  return answer;
}

std::set<std::string> violated(const LaunchAnswer& answer) {
  std::set<std::string> result;
  for (const LaunchFinding& finding : answer.findings) result.insert(property_name(finding.property));
  return result;
}

std::set<std::string> violated_by(const std::string& text, int threads_of_warp = 1) {
  const LaunchAnswer answer = ask(launch_of(text, threads_of_warp));
  CHECK(answer.unknown.empty());
  return violated(answer);
}

using Properties = std::set<std::string>;

}  // namespace

TEST_CASE("a trap that an allowed execution reaches is a failed assertion") {
  const std::string reader =
      "  | ld.acquire.gpu r0, f ;\n"
      "  | bne r0, 1, LC00 ;\n"
      "  | ld.relaxed.gpu r1, x ;\n"
      "  | beq r1, 1, LC00 ;\n"
      "  | trap ;\n"
      "  | LC00: ;\nexists (x == 0)";
  const std::string threads = "{ x=0; f=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu x, 1 | ;\n";
  CHECK(violated_by(threads + " st.relaxed.gpu f, 1 | ;\n" + reader) == Properties{"assertion"});
  CHECK(violated_by(threads + " st.release.gpu f, 1 | ;\n" + reader).empty());
}

// The reader traps before it has to wait: the writer waits for it in vain, which is no deadlock of its own.
TEST_CASE("a trap ends the launch: the thread that it leaves waiting is no deadlock") {
  CHECK(violated_by("{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
                    " bar.cta.sync 0 | trap ;\n | bar.cta.sync 0 ;\nexists (x == 0)") ==
        Properties{"assertion"});
}

TEST_CASE("what a thread does behind a barrier that a trap keeps closed does not happen") {
  CHECK(violated_by("{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n"
                    " bar.cta.sync 0 | trap           | st.weak x, 1 ;\n"
                    " ld.weak r0, x  | bar.cta.sync 0 | bar.cta.sync 0 ;\nexists (x == 0)") ==
        Properties{"assertion"});
}

TEST_CASE("the final condition is one on executions in which all threads have ended") {
  const std::string add = "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n";
  const std::string end = "exists (x == 2)";
  const LaunchAnswer good =
      ask(launch_of(add + " red.relaxed.gpu.add x, 1 | red.relaxed.gpu.add x, 1 ;\n" + end), true);
  CHECK(good.findings.empty());
  const LaunchAnswer lost =
      ask(launch_of(add + " red.relaxed.cta.add x, 1 | red.relaxed.cta.add x, 1 ;\n" + end), true);
  CHECK(violated(lost) == Properties{"assertion", "race"});
}

TEST_CASE("a read of memory without a write is uninitialized") {
  LitmusTest test = launch_of(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " st.weak x, 1 | bar.cta.sync 0 ;\n bar.cta.sync 0 | ld.weak r0, x ;\nexists (x == 0)");
  test.program.memory[0].initial[0] = Bits();
  CHECK(ask(test).findings.empty());
  LitmusTest early = launch_of(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " st.weak x, 1 | ld.weak r0, x ;\n bar.cta.sync 0 | bar.cta.sync 0 ;\nexists (x == 0)");
  early.program.memory[0].initial[0] = Bits();
  CHECK(violated(ask(early)) == Properties{"uninitialized", "race"});
}

TEST_CASE("a finding names its two lines once, however many threads are at them") {
  const LaunchAnswer answer =
      ask(launch_of("{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n"
                    " st.weak x, 1 | st.weak x, 2 | st.weak x, 3 ;\nexists (x == 0)"));
  REQUIRE(answer.findings.size() == 1);
  CHECK(answer.findings[0].property == race);
  CHECK(answer.findings[0].site.where.line == 4);
  CHECK(answer.findings[0].site.event >= 0);
}

TEST_CASE("a loop that wants more iterations than the bound leaves what is not found unknown") {
  const std::string loop =
      "{ x=0; }\n P0@cta 0,gpu 0 ;\n LC00: atom.relaxed.gpu.add r0, x, 1 ;\n bne r0, 5, LC00 ;\nexists (x == "
      "0)";
  const LaunchAnswer answer = ask(launch_of(loop));
  CHECK(answer.findings.empty());
  CHECK(answer.unknown.at(deadlock) == "loop bound 2");
  CHECK(ask(launch_of(loop), false, 6).unknown.empty());
}

TEST_CASE("a spin loop that no write ends is a deadlock") {
  const std::string spin = "{ f=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n LC00: ld.relaxed.gpu r0, f | ";
  const std::string end = " ;\n beq r0, 0, LC00 | ;\nexists (f == 0)";
  CHECK(violated_by(spin + "st.relaxed.gpu f, 1" + end).empty());
  CHECK(violated_by(spin + "st.relaxed.gpu f, 0" + end) == Properties{"deadlock"});
}

// The loop writes, but what it writes is what it has read.
TEST_CASE("a lock taken by an exchange is awaited, and for ever if no thread releases it") {
  const std::string take =
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
      " LC00: atom.acquire.gpu.exch r0, x, 1 | LC01: atom.acquire.gpu.exch r0, x, 1 ;\n"
      " bne r0, 0, LC00 | bne r0, 0, LC01 ;\n";
  CHECK(violated_by(take + " st.release.gpu x, 0 | st.release.gpu x, 0 ;\nexists (x == 0)").empty());
  CHECK(violated_by(take + " | st.release.gpu x, 0 ;\nexists (x == 0)") == Properties{"deadlock"});
}

// PTX ISA 8.7 § 9.7.13.1: the count is in threads, and each warp counts with all of its threads.
TEST_CASE("a warp counts as a whole at a barrier") {
  const std::string head =
      "{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 | P3@cta 0,gpu 0 ;\n";
  const std::string all = "bar.cta.sync 0, 0, 64";
  const std::string ordered = " st.weak x, 1 | st.weak y, 1 | | ;\n " + all + " | " + all + " | " + all +
                              " | " + all + " ;\n | | ld.weak r0, x | ld.weak r0, y ;\nexists (x == 0)";
  CHECK(violated_by(head + ordered, 2).empty());
  // Four warps of one thread: any two of them fill a phase.
  CHECK(violated_by(head + ordered, 1) == Properties{"race"});
}

TEST_CASE("a count that the warps never reach is a deadlock") {
  const std::string barrier = "bar.cta.sync 0, 0, 96";
  CHECK(violated_by("{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n " + barrier + " | " + barrier +
                    " ;\nexists (x == 0)") == Properties{"deadlock"});
}

// The producer may arrive twice before the consumer comes, and fill the phase alone.
TEST_CASE("arrivals of one warp may fill a phase") {
  CHECK(violated_by("{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
                    " bar.cta.arrive 0, 0, 64 | bar.cta.sync 0, 0, 64 ;\n"
                    " bar.cta.arrive 0, 0, 64 | bar.cta.sync 0, 0, 64 ;\nexists (x == 0)") ==
        Properties{"deadlock"});
}

TEST_CASE("exited threads are not waited for, but their warp has diverged") {
  const std::string program =
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.sync 0 | ;\nexists (x == 0)";
  CHECK(violated_by(program, 1).empty());
  CHECK(violated_by(program, 2) == Properties{"divergence"});
}

TEST_CASE("threads of a warp at different aligned barriers diverge, and no more follows") {
  const std::string program =
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.sync 0 | st.weak x, 1 ;\n"
      " ld.weak r0, x | bar.sync 0 ;\n | ld.weak r0, x ;\nexists (x == 0)";
  CHECK(violated_by(program, 2) == Properties{"divergence"});
  CHECK(violated_by(program, 1).empty());
}

// A thread that never uses the barrier and never ends is waited for.
TEST_CASE("a barrier without a count waits for all threads of the CTA") {
  CHECK(violated_by("{ f=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
                    " bar.cta.sync 0 | LC00: ld.relaxed.cta r0, f ;\n"
                    " st.relaxed.cta f, 1 | beq r0, 0, LC00 ;\nexists (f == 0)") == Properties{"deadlock"});
}

// P1 would exit after barrier 1, for which P0 comes only after barrier 0, where it waits for P1.
TEST_CASE("an exit that needs the barrier that it would open opens none") {
  CHECK(violated_by("{ f=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
                    " bar.cta.sync 0 | bar.cta.sync 1 ;\n bar.cta.sync 1 | ;\nexists (f == 0)") ==
        Properties{"deadlock"});
}

TEST_CASE("a mixed-size race leaves everything else unknown") {
  const LaunchAnswer answer =
      ask(launch_of("{ a : b16[2] = {0, 0}; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                    " st.weak.b32 a, 1 | st.weak.b16 a, 2 ;\nexists (a[0] == 0)"));
  CHECK(violated(answer) == Properties{"race"});
  CHECK(answer.unknown.at(assertion) == "mixed-size data race");
}

TEST_CASE("accepted findings are no findings") {
  const LitmusTest test = launch_of(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | st.weak x, 2 ;\nexists (x == 0)");
  TermGraph graph;
  UnfoldOptions unfolding;
  unfolding.may_wait_for_ever = true;
  const EventStructure structure = unfold(test.program, graph, unfolding);
  LaunchQuestion question;
  question.structure = &structure;
  question.properties = {race};
  question.is_ignored = [](LaunchProperty property, const SourcePosition& where) {
    return property == race && where.line == 4;
  };
  CHECK(check_launch(question, cat::load("ptx-8.7"), {}, graph).findings.empty());
}

// The same answers, with or without relations.
TEST_CASE("what barriers alone prove is what the solver proves") {
  const std::string threads = "{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n";
  const auto both = [&](const std::string& rows, bool has_final_condition = false) {
    const LitmusTest test = launch_of(threads + rows + "exists (x == 0)");
    const Properties by_relations = violated(ask(test, has_final_condition));
    CHECK(violated(ask(test, has_final_condition, 2, true)) == by_relations);
    return by_relations;
  };
  const std::string barrier = " bar.cta.sync 0 | bar.cta.sync 0 ;\n";
  CHECK(both(" st.weak x, 1 | ;\n" + barrier + " | ld.weak r0, x ;\n | beq r0, 1, L ;\n | trap ;\n | L: ;\n")
            .empty());
  CHECK(both(" st.weak x, 1 | ;\n" + barrier +
             " | ld.weak r0, x ;\n | bne r0, 1, L ;\n | trap ;\n | L: ;\n") == Properties{"assertion"});
  CHECK(both(" st.weak x, 1 | ;\n | ld.weak r0, x ;\n" + barrier) == Properties{"race"});
  CHECK(both(" st.weak x, 1 | ;\n" + barrier + " | st.weak x, 2 ;\n", true).empty());
  CHECK(both(" st.weak x, 2 | ;\n" + barrier + " | st.weak x, 1 ;\n", true) == Properties{"assertion"});
  CHECK(both(" ld.weak r0, x | ;\n" + barrier + " | st.weak x, 2 ;\n").empty());
}

// P1 arrives because of what P2 has written, which has read what P0 writes when P1 has arrived: a speculation
// that would satisfy itself "through chains of instruction dependencies and inter-thread communication"
// (PTX ISA 8.7 § 8.10.4).
TEST_CASE("no write opens the barrier that it comes after") {
  CHECK(violated_by("{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0 ;\n"
                    " bar.cta.sync 0 | ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\n"
                    " st.relaxed.gpu x, 1 | beq r0, 0, L1 | beq r0, 0, L2 ;\n"
                    " | bar.cta.sync 0 | st.relaxed.gpu y, 1 ;\n"
                    " | bra E1 | trap ;\n | L1: bar.cta.sync 1 | L2: ;\n | E1: | ;\nexists (x == 0)") ==
        Properties{"deadlock"});
}

TEST_CASE("a barrier with a count of all threads and without one") {
  const std::string mailbox =
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " st.weak x, 2 | bar.sync 0 ;\n bar.arrive 0, 64 | ld.weak r0, x ;\nexists (x == 2)";
  CHECK(violated_by(mailbox).empty());
  const std::string late =
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " bar.arrive 0, 64 | bar.sync 0 ;\n st.weak x, 2 | ld.weak r0, x ;\nexists (x == 2)";
  CHECK(violated_by(late) == Properties{"race"});
}

// The time is over when the suspects of a deadlock are considered. Without a deadlock the launch has a race.
TEST_CASE("what is found before the time is over stays found") {
  const LitmusTest test = launch_of(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " st.weak x, 1 | st.weak x, 2 ;\n bar.cta.sync 0 | bar.cta.sync 1 ;\nexists (x == 1)");
  for (const bool by_schedules : {false, true}) {
    CAPTURE(by_schedules);
    TermGraph graph;
    const EventStructure structure = events_of(test, graph, 2, by_schedules);
    LaunchQuestion question = question_about(structure);
    question.traps_go_on = by_schedules;
    question.is_ignored = [](LaunchProperty property, const SourcePosition&) {
      if (property == deadlock) throw OutOfTime("timeout");
      return false;
    };
    const cat::Model model = cat::load("ptx-8.7");
    const std::optional<LaunchAnswer> answer = by_schedules
                                                   ? check_launch_by_schedules(question, model, {}, graph)
                                                   : check_launch(question, model, {}, graph);
    REQUIRE(answer);
    CHECK(violated(*answer) == Properties{"race"});
    CHECK(answer->unknown.at(deadlock) == "timeout");
    CHECK(!answer->unknown.contains(race));
  }
}

namespace {

/// Pairs of threads that share nothing with other pairs: one hands a value over to the other.
std::string pairs_of_threads(int pairs, const std::string& store) {
  std::string variables, threads, rows[4];
  for (int i = 0; i < pairs; ++i) {
    const std::string x = "x" + std::to_string(i), f = "f" + std::to_string(i);
    const std::string bar = i == 0 ? " " : " | ";
    variables += x + "=0; " + f + "=0; ";
    for (const int thread : {2 * i, 2 * i + 1})
      threads += (thread == 0 ? " P" : " | P") + std::to_string(thread) + "@cta " + std::to_string(thread) +
                 ",gpu 0";
    rows[0] += bar + "st.weak " + x + ", 1 | ld.acquire.gpu r0, " + f;
    rows[1] += bar + store + " " + f + ", 1 | bne r0, 1, End";
    rows[2] += bar + " | st.weak " + x + ", 2";
    rows[3] += bar + " | End:";
  }
  std::string text = "{ " + variables + "}\n" + threads + " ;\n";
  for (const std::string& row : rows) text += row + " ;\n";
  return text + "exists (x0 == 0)";
}

bool is_excluded_for_alike_parts(const std::string& text) {
  TermGraph graph;
  const LitmusTest test = launch_of(text);
  const EventStructure structure = events_of(test, graph);
  return is_excluded_for_alike_parts(question_about(structure), cat::load("ptx-8.7"), {}, graph);
}

}  // namespace

TEST_CASE("a part that stands for others that are alike excludes everything, or does not") {
  CHECK(is_excluded_for_alike_parts(pairs_of_threads(8, "st.release.gpu")));
  CHECK_FALSE(is_excluded_for_alike_parts(pairs_of_threads(8, "st.relaxed.gpu")));
  CHECK_FALSE(
      is_excluded_for_alike_parts(pairs_of_threads(3, "st.release.gpu")));  // a search takes no longer
}

TEST_CASE("one part among many that are alike has a race") {
  std::string text = pairs_of_threads(9, "st.release.gpu");
  const std::size_t last = text.rfind("st.release");
  text.replace(last, std::string("st.release").size(), "st.relaxed");
  CHECK_FALSE(is_excluded_for_alike_parts(text));
}
