// Undefined uses of barriers and divergence: `run`, the solver and the explorer have the same answer, and the
// judge accepts the executions that show it.
#include <doctest/doctest.h>

#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// Thread 0 executes one of two texts, the other threads of the CTA the other; both execute what follows.
std::string first_and_others(const std::string& first, const std::string& others,
                             const std::string& after = "") {
  return kernel_with_out("mov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra OTHERS;\n" + first +
                         "\nbra.uni AFTER;\nOTHERS:\n" + others + "\nAFTER:\n" + after);
}

}  // namespace

// PTX ISA 8.7 § 9.7.13.1: all threads of a warp execute the same aligned barrier.
TEST_CASE("threads of a warp arrive together with an aligned barrier and with another one") {
  CHECK(found_by_all(first_and_others("barrier.sync 0;", "bar.sync 0;"), out_of({0}, 3)) == "divergence");
  CHECK(found_by_all(first_and_others("bar.sync 0;", "barrier.sync 0;", "bar.sync 1;"), out_of({0}, 3)) ==
        "divergence");
  CHECK(found_by_all(first_and_others("barrier.sync 0;", "barrier.sync 0;"), out_of({0}, 3)) == "safe");
}

TEST_CASE("threads that diverge at bar.arrive do not meet the others at the next barrier") {
  CHECK(found_by_all(first_and_others("bar.sync 0;", "bar.arrive 1, 32;", "bar.sync 0;"), out_of({0}, 4),
                     true) == "divergence");
}

TEST_CASE("a warp does not meet another one that diverges") {
  const std::string text = kernel_with_out(
      "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra A;\nsetp.ge.u32 %p1, %r1, 32;\n"
      "@%p1 bra W;\nbar.sync 0;\nbra.uni E;\nA: bar.sync 0;\nbra.uni E;\nW: barrier.sync 0;\nE:");
  CHECK(found_by_all(text, out_of({0}, 33)) == "divergence");
}

// The thread that diverges reaches the other barrier only because the others have arrived.
TEST_CASE("a divergence behind the phase of the barrier from which it diverges") {
  const std::string after = "barrier.cluster.arrive;\nbarrier.cluster.wait;\nbar.sync 0;";
  CHECK(found_by_all(
            first_and_others("", "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;", after),
            out_of({0}, 4)) == "divergence");
  CHECK(found_by_all(first_and_others("", "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;",
                                      "barrier.cluster.arrive;\nbarrier.cluster.wait;\nbar.sync 0, 32;"),
                     out_of({0}, 4), true) == "divergence");
}

// § 9.7.13.1: threads 1 to 3 wait for thread 0 when they have arrived for the first time, and thread 0 waits
// at another barrier until they have exited.
TEST_CASE("threads of a warp that have arrived wait for the arrival of the others") {
  const std::string text = first_and_others("barrier.sync 0;", "", "bar.arrive 1, 32;\nbar.arrive 1, 32;");
  CHECK(found_by_all(text, out_of({0}, 4)) == "deadlock");
}

// A trap ends the launch: the trapped threads have not exited, so that a barrier still waits for them.
TEST_CASE("a barrier that only exits after a trap would complete") {
  const std::string stray = "st.global.u32 [%rd0+64], 1;";
  CHECK(found_by_all(first_and_others("barrier.sync 1, 32;\n" + stray, "trap;"), out_of({0}, 3)) ==
        "assertion");
  CHECK(found_by_all(first_and_others("barrier.sync 1;\nbarrier.cluster.wait;", "trap;"), out_of({0}, 3)) ==
        "assertion");
}

// § 9.7.13.3.
TEST_CASE("a wait at the barrier of the cluster that is undefined and elsewhere than the other threads") {
  const std::string text = kernel_with_out(
      "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nL: bar.sync 1;\nadd.u32 %r2, %r2, 1;\n"
      "setp.lt.u32 %p1, %r2, %r1;\n@%p1 bra L;\nbarrier.cluster.wait.aligned;");
  CHECK(found_by_all(text, out_of({0}, 3), true) == "undefined");
}

// In the first round of unfolding the lanes exchange; later it is known that the loop before never ends.
TEST_CASE("an exchange that is never reached") {
  const std::string text = kernel_with_out(
      "L: ld.acquire.gpu.global.u32 %r1, [%rd0];\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra L;\n"
      "elect.sync %r3|%p2, 7;");
  Launch launch = out_of({1}, 3);
  launch.grid = {2, 1, 1};
  launch.entries = {"k"};
  launch.module = written_file("k.ptx", header + text);
  for (const Engine engine : {Engine::smt, Engine::explorer}) CHECK(verdict(launch, engine) == "deadlock");
}

// The last instruction keeps one thread from standing for all, and there are so many threads that schedules
// decide.
TEST_CASE("nothing is found behind a trap, nor behind an exchange that waits for a thread that has trapped") {
  enum class Content { known, any };  // with content of any value the explorer does not decide
  const auto found = [](const std::string& body, Content content = Content::known) {
    Launch launch = out_of({0}, 120);
    if (content == Content::any) std::get<BufferParameter>(launch.parameters.front().is).content = AnyValue();
    launch.entries = {"k"};
    launch.module = written_file("k.ptx", header + kernel_with_out(body + "bar.sync 1, 64;"));
    launch.file = "k.toml";
    return verdict(launch, Engine::automatic);
  };
  const std::string trap = "mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 1; @!%p0 bra L; trap;";
  const std::string exchange =
      "setp.ge.u32 %p1, %r0, 3; @%p1 bra M; shfl.sync.bfly.b32 %r1, %r0, 0, 0x1f, 0x7;";
  const std::string misuse = "shfl.sync.bfly.b32 %r1, %r0, 0, 0x1f, 0x1;";
  for (const std::string& body :
       {trap + "bra M; L:" + exchange + misuse + "M:", trap + "L:" + exchange + misuse + "M:",
        trap + "L:" + exchange + "st.global.u32 [%rd0+4], %r0; M:",
        trap + "L: @!%p0 bra M; ld.global.u32 %r1, [%rd0+4]; M:"}) {
    CAPTURE(body);
    CHECK(found(body) == "assertion");
    CHECK(found(body, Content::any) == "assertion unknown (an assertion that fails before)");
  }
  CHECK(found(trap + "L: @%p0 bra M; ld.global.u32 %r1, [%rd0+4]; M:") == "assertion out-of-bounds");
}
