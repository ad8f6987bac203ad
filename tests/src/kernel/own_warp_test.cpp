// PTX ISA 8.7 § 9.7.13.1, § 9.7.13.3: barrier instructions cause "the executing thread to wait for all
// non-exited threads from its warp". An H100 ends, or does not, as these tests say, where no other comment
// stands.
#include <doctest/doctest.h>

#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// The answer of `check` for two threads of a warp; %p0 is true in the first. `run` finds no deadlock if
/// there is none, and a deadlock without a loop that waits.
std::string found_in_warp(const std::string& code, std::uint32_t threads = 2) {
  const std::string text = kernel_with_out(
      ".shared .align 4 .b32 flag[1];\n"
      "mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; mov.u32 %r1, flag;\n" +
      code + "\nEND:");
  Launch launch = out_of({0}, threads);
  launch.entries = {"k"};
  launch.module = written_file("k.ptx", header + text);
  launch.file = "k.toml";
  const std::string answer = verdict(launch, Engine::automatic);
  CHECK(verdict(launch, Engine::smt) == answer);
  const bool has_loop = code.find("bra L") != std::string::npos;
  if (!has_loop) CHECK((run(text, launch).kinds() == "deadlock ") == (answer == "deadlock"));
  return answer;
}

const std::string clear_flag = "st.volatile.shared.u32 [%r1], 0; bar.warp.sync 0x3;\n";
const std::string set_flag = "st.volatile.shared.u32 [%r1], 1;\n";
const std::string await_flag = "L: ld.volatile.shared.u32 %r2, [%r1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra L;\n";

}  // namespace

TEST_CASE("a thread that has arrived waits for the arrival of its warp") {
  CHECK(found_in_warp(clear_flag + "@!%p0 bra B;\nbarrier.arrive 1, 64;\n" + set_flag +
                      "bra END;\nB: " + await_flag + "barrier.arrive 1, 64;") == "deadlock");
  CHECK(found_in_warp("@!%p0 bra B; barrier.arrive 1, 64;\nB: bar.warp.sync 0x3;") == "deadlock");
  CHECK(found_in_warp("@%p0 match.any.sync.b32 %r3, %r0, 0x3;\nbarrier.arrive 1, 64;\n"
                      "@!%p0 match.any.sync.b32 %r3, %r0, 0x3;") == "deadlock");
}

TEST_CASE("the threads of a warp may arrive at different places") {
  CHECK(found_in_warp("@!%p0 bra B; barrier.arrive 1, 32; bra END;\nB: barrier.arrive 1, 32;") == "safe");
  CHECK(found_in_warp("@!%p0 bra B; barrier.sync 1, 32; bra END;\nB: barrier.sync 1, 32;") == "safe");
}

TEST_CASE("an arrival does not wait for threads that have exited, nor for other warps") {
  CHECK(found_in_warp("@!%p0 bra END; barrier.arrive 1, 32;") == "safe");
  CHECK(found_in_warp("setp.lt.u32 %p0, %r0, 32; @!%p0 bra B; barrier.arrive 1, 64; bra END;\n"
                      "B: barrier.sync 1, 64;",
                      33) == "safe");
}

// "Different warps may execute different forms of the barrier instruction": threads of one warp may not. An
// H100 does not end in the first of these, and reports an illegal instruction in the second.
TEST_CASE("threads of one warp execute different forms of a barrier") {
  CHECK(found_in_warp("@!%p0 bra B; barrier.arrive 1, 32; bra END;\nB: barrier.sync 1, 32;") == "divergence");
  CHECK(found_in_warp("@!%p0 bra B; barrier.sync 1; bra END;\nB: barrier.sync 1, 32;") == "divergence");
  CHECK(found_in_warp(
            "setp.eq.u32 %p1, %r0, 1;\n@%p0 bra A; @%p1 bra B;\nbarrier.red.popc.u32 %r2, 1, 32, %p0; "
            "bra END;\nA: barrier.arrive 1, 32; bra END;\nB: barrier.sync 1, 32;",
            3) == "divergence");
}

TEST_CASE("a reduction in one warp beside other forms of the barrier") {
  CHECK(
      found_in_warp("@!%p0 bra B; barrier.red.popc.u32 %r2, 1, 32, %p0; bra END;\nB: barrier.sync 1, 32;") ==
      "undefined");
}

TEST_CASE("barrier.cluster.arrive and barrier.cluster.wait wait for the warp") {
  const std::string arrive = "barrier.cluster.arrive;\n", wait = "barrier.cluster.wait;\n";
  CHECK(found_in_warp(clear_flag + "@!%p0 bra B;\n" + arrive + set_flag + wait +
                      "bra END;\nB: " + await_flag + arrive + wait) == "deadlock");
  CHECK(found_in_warp(clear_flag + arrive + "@!%p0 bra B;\n" + wait + set_flag +
                      "bra END;\nB: " + await_flag + wait) == "deadlock");
  CHECK(found_in_warp(clear_flag + arrive + wait + "@!%p0 bra B;\n" + set_flag +
                      "bra END;\nB: " + await_flag) == "safe");
}

TEST_CASE("what a warp has waited for at an arrival orders no accesses") {
  CHECK(
      found_in_warp("@%p0 st.shared.u32 [%r1], 1;\nbarrier.arrive 1, 64;\n@!%p0 ld.shared.u32 %r2, [%r1];") ==
      "race uninitialized");
}

TEST_CASE(
    "a reduction counts all threads of its phase, also where a value that was read decides about them") {
  const std::string text = kernel_with_out(
      ".shared .align 4 .b32 s[1];\n"
      "mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; @%p0 st.shared.u32 [s], 2; bar.sync 0;\n"
      "ld.shared.u32 %r1, [s]; setp.eq.u32 %p1, %r1, 2; @!%p1 bra END;\n"
      "bar.red.popc.u32 %r2, 1, 32, %p1; red.relaxed.gpu.global.add.u32 [%rd0], %r2;\nEND:");
  Launch launch = out_of({0}, 3);
  launch.final_condition = "out[0] == 9";
  CHECK(found_by_all(text, launch) == "safe");
  launch.final_condition = "out[0] == 3";
  CHECK(found_by_all(text, launch) == "assertion");
}

TEST_CASE("a reduction completes before an undefined use of a barrier, by threads that are in no phase") {
  const std::string text = kernel_with_out(
      "mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 1;\n"
      "barrier.red.popc.u32 %r2, 1, 64, %p0;\n"
      "bar.arrive 0, 32; barrier.sync 0;\n"
      "@%p0 st.volatile.global.u32 [%rd0], %r2;");
  CHECK(found_by_all(text, out_of({0}, 34)) == "undefined");
}
