// Loops with a barrier, whose phases are the same in every execution: PTX ISA 8.7 § 9.7.13.1.
#include <doctest/doctest.h>

#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// The answer of the explorer for a tree reduction of so many threads, a power of 2, in shared memory.
std::string explored(int threads, const std::string& barrier) {
  const std::string text = kernel_with_out(
      ".shared .align 4 .b8 s[64];\n"
      "mov.u32 %r1, %tid.x; shl.b32 %r3, %r1, 2; mov.u32 %r4, s; add.u32 %r5, %r4, %r3;\n"
      "st.shared.u32 [%r5], 1;\nbar.sync 0;\nmov.u32 %r6, " +
      std::to_string(threads / 2) +
      ";\n"
      "STEP: setp.ge.u32 %p1, %r1, %r6; @%p1 bra MEET;\n"
      "shl.b32 %r7, %r6, 2; add.u32 %r7, %r5, %r7; ld.shared.u32 %r8, [%r7]; ld.shared.u32 %r9, [%r5];\n"
      "add.u32 %r9, %r9, %r8; st.shared.u32 [%r5], %r9;\n"
      "MEET: " +
      barrier +
      "shr.u32 %r6, %r6, 1; setp.ne.u32 %p1, %r6, 0; @%p1 bra STEP;\n"
      "setp.ne.u32 %p2, %r1, 0; @%p2 bra END; ld.shared.u32 %r9, [s]; st.global.u32 [%rd0], %r9;\nEND:");
  Launch launch = out_of({0}, threads);
  launch.entries = {"k"};
  launch.module = written_file("k.ptx", header + text);
  launch.file = "k.toml";
  return verdict(launch, Engine::explorer);
}

}  // namespace

TEST_CASE("the explorer takes the phases of a loop from their one schedule") {
  CHECK(explored(16, "bar.sync 0;\n") == "safe");
  CHECK(explored(4, "") == "race");
}

// The phases depend on reads, since a loop that waits for the other CTA is between the barriers. The number
// of aligned barriers before one is known: those before it happen whenever it happens.
TEST_CASE("the explorer decides barriers between loops that wait") {
  const auto round = [](const char* name, int arrivals) {
    const std::string n = name;
    return "@%p0 bra MEET" + n + ";\natom.add.acq_rel.gpu.u32 %r2, [%rd0], 1;\n" + "WAIT" + n +
           ": ld.acquire.gpu.u32 %r3, [%rd0]; setp.lt.u32 %p1, %r3, " + std::to_string(arrivals) +
           "; @%p1 bra WAIT" + n + ";\nMEET" + n + ": bar.sync 0;\n";
  };
  const std::string text = kernel_with_out("mov.u32 %r1, %tid.x; setp.ne.u32 %p0, %r1, 0;\n" + round("A", 2) +
                                           "bar.sync 0;\n" + round("B", 4));
  Launch launch = out_of({0}, 2);
  launch.grid = {2, 1, 1};
  CHECK(found_by_all(text, launch) == "safe");
  launch.entries = {"k"};
  launch.module = written_file("k.ptx", header + text);
  launch.file = "k.toml";
  CHECK(verdict(launch, Engine::explorer) == "safe");
}
