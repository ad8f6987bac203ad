#include "solver/unfolding/live_registers.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "solver/unfolding/function_body.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;

namespace {

RegisterId id_of(const Thread& thread, const std::string& name) {
  const auto place = std::ranges::find(thread.register_names, name);
  REQUIRE(place != thread.register_names.end());
  return static_cast<RegisterId>(place - thread.register_names.begin());
}

std::vector<std::vector<bool>> live_in(const Thread& thread, const std::vector<RegisterId>& observed) {
  const ControlFlowGraph flow(thread.code);
  return live_registers(thread.code, register_uses(thread.code), flow, thread.register_names.size(),
                        observed);
}

}  // namespace

TEST_CASE("a register that only feeds itself is dead, one that is observed lives to the end") {
  const LitmusTest test = with_thread(R"(
    LC00: add r0, r0, 1 ;
    add r1, r1, 1 ;
    ld.relaxed.gpu r2, x ;
    beq r2, 0, LC00 ;)");
  const Thread& thread = test.program.threads[0];
  const auto live = live_in(thread, {id_of(thread, "r1")});
  CHECK_FALSE(live[0][id_of(thread, "r0")]);
  CHECK(live[0][id_of(thread, "r1")]);
  CHECK(live[3][id_of(thread, "r2")]);
  CHECK_FALSE(live[0][id_of(thread, "r2")]);
}

// A loop that looks some times before it sleeps: libcu++ waits so.
TEST_CASE("what only decides whether to sleep is dead") {
  const LitmusTest test = with_thread(R"(
    LC00: bge r0, 16, LC01 ;
    add r0, r0, 1 ;
    bra LC02 ;
    LC01: nanosleep.u32 r1 ;
    add r1, r1, r1 ;
    LC02: ld.relaxed.gpu r2, x ;
    beq r2, 0, LC00 ;
    st.relaxed.gpu y, 1 ;)");
  const Thread& thread = test.program.threads[0];
  const auto live = live_in(thread, {});
  CHECK_FALSE(live[0][id_of(thread, "r0")]);
  CHECK_FALSE(live[0][id_of(thread, "r1")]);
}

TEST_CASE("what decides whether to write, or what, is live") {
  const LitmusTest test = with_thread(R"(
    LC00: bge r0, 16, LC01 ;
    add r0, r0, 1 ;
    bra LC02 ;
    LC01: add r1, r1, 1 ;
    LC02: ld.relaxed.gpu r2, x ;
    beq r2, 0, LC00 ;
    st.relaxed.gpu y, r1 ;)");
  const Thread& thread = test.program.threads[0];
  const auto live = live_in(thread, {});
  CHECK(live[0][id_of(thread, "r0")]);
  CHECK(live[0][id_of(thread, "r1")]);
  const LitmusTest writes = with_thread(R"(
    LC00: bge r0, 16, LC01 ;
    add r0, r0, 1 ;
    bra LC02 ;
    LC01: st.relaxed.gpu y, 1 ;
    LC02: ld.relaxed.gpu r2, x ;
    beq r2, 0, LC00 ;)");
  CHECK(live_in(writes.program.threads[0], {})[0][id_of(writes.program.threads[0], "r0")]);
}

// An endless delay is no end: how long a loop without effects goes on has a consequence.
TEST_CASE("what decides how long a loop goes on is live") {
  const LitmusTest test = with_thread(R"(
    LC00: add r0, r0, 1 ;
    bne r0, 16, LC00 ;
    st.relaxed.gpu y, 1 ;)");
  CHECK(live_in(test.program.threads[0], {})[0][id_of(test.program.threads[0], "r0")]);
}
