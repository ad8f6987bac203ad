#include "solver/unfolding/idle_updates.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "solver/engine/engine.hpp"
#include "solver/smt_engine/unfold_options.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

/// Two threads that wait with an atomic operation, and a third.
LitmusTest waiting(const std::string& update, const std::string& third) {
  return parse_litmus("PTX t\n{ l = 0; x = 0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n L: " +
                          update + " | L: " + update + " | " + third +
                          " ;\n bne r0, 0, L | bne r0, 0, L | ;\n ld.weak r1, x | ld.weak r1, x | ;\n"
                          " add r1, r1, 1 | add r1, r1, 1 | ;\n st.weak x, r1 | st.weak x, r1 | ;\n"
                          " st.release.gpu l, 0 | st.release.gpu l, 0 | ;\nforall (x == 2)",
                      "t.litmus");
}

/// Failed attempts of the first thread end as waiting, and are no iterations.
bool leaves_out(const LitmusTest& test, const std::string& model = "ptx-8.7") {
  TermGraph graph;
  const EventStructure structure =
      unfold(test.program, graph, unfold_options(test.program, {}, cat::load(model), {}));
  return std::ranges::any_of(structure.endings[0],
                             [](const Ending& ending) { return ending.kind == Ending::Kind::spinning; });
}

}  // namespace

// docs/soundness.md, Loops that wait
TEST_CASE(
    "an update that writes back what it has read is left out where all accesses are morally strong with it") {
  const std::string lock = "atom.acquire.gpu.exch r0, l, 1";
  CHECK(leaves_out(waiting(lock, "")));
  CHECK(leaves_out(waiting(lock, "ld.relaxed.gpu r0, l")));
  CHECK(leaves_out(waiting(lock, "ld.volatile r0, l")));
  CHECK(leaves_out(waiting("atom.acquire.gpu.or r0, l, 1", "")));
  CHECK(leaves_out(waiting(lock, "ld.weak r0, x")));

  CHECK_FALSE(leaves_out(waiting(lock, "ld.weak r0, l")));
  CHECK_FALSE(leaves_out(waiting(lock, "ld.relaxed.cta r0, l")));
  CHECK_FALSE(leaves_out(waiting(lock, "ld.relaxed.gpu.u32 r0, l")));
  CHECK_FALSE(leaves_out(waiting("atom.acquire.cta.exch r0, l, 1", "")));
  CHECK_FALSE(leaves_out(waiting(lock, ""), "sc"));
}

TEST_CASE("both engines decide a lock that is taken by an exchange: condition, race and end") {
  const cat::Model model = cat::load("ptx-8.7");
  const LitmusTest lock = waiting("atom.acquire.gpu.exch r0, l, 1", "");
  const Answer answer = decide_with(Engine::both, lock.program, lock.question, model, {});
  CHECK(answer.holds == true);
  CHECK(answer.states_complete);
  CHECK(find_flag_with(Engine::both, lock.program, model, {}, "data_race")->raised == Verdict::forbidden);
  CHECK(decide_termination_with(Engine::both, lock.program, model, {}, {}).hangs == Verdict::forbidden);

  const LitmusTest wrong = waiting("atom.relaxed.gpu.exch r0, l, 1", "");
  CHECK(decide_with(Engine::both, wrong.program, wrong.question, model, {}).holds == false);
  CHECK(find_flag_with(Engine::both, wrong.program, model, {}, "data_race")->raised == Verdict::allowed);
}

TEST_CASE("a lock that is never released hangs, whatever its failed attempts write") {
  const LitmusTest kept = parse_litmus(
      "PTX t\n{ l = 0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
      " L: atom.acquire.gpu.exch r0, l, 1 | L: atom.acquire.gpu.exch r0, l, 1 ;\n"
      " bne r0, 0, L | bne r0, 0, L ;\nexists (l == 1)",
      "t.litmus");
  const Termination answer =
      decide_termination_with(Engine::both, kept.program, cat::load("ptx-8.7"), {}, {});
  CHECK(answer.hangs == Verdict::allowed);
  REQUIRE(answer.stuck.size() == 1);
  CHECK(answer.stuck[0].how == Ending::Kind::spinning);
}

// PTX ISA 8.7 § 8.10.5 speaks of morally strong accesses: P0 reads from an update of P1 that reads from P0's
// own later store. That update changes nothing, and is needed all the same.
TEST_CASE("an update that a weak load can read from counts as an iteration") {
  const LitmusTest test = parse_litmus(
      "PTX t\n{ l = 0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n"
      " ld.weak r0, l | L: atom.relaxed.gpu.max r0, l, 1 | st.relaxed.gpu l, 2 ;\n"
      " st.relaxed.gpu l, 1 | beq r0, 1, L | ;\nexists (P0:r0 == 1 /\\ P1:r0 == 2)",
      "t.litmus");
  for (const Engine engine : {Engine::explorer, Engine::smt})
    CHECK(decide_with(engine, test.program, test.question, cat::load("ptx-8.7"), {}).verdict ==
          Verdict::allowed);
}
