// Correct concurrent kernels finish without a finding whatever the interleaving; wrong ones are found out by
// some.
#include <doctest/doctest.h>

#include "tests/src/kernel/kernel_run.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

constexpr std::uint64_t seeds = 200;

/// A buffer `out` of so many zeros, and the values that every seed must leave in it.
void always_ends_with(const std::string& text, Launch launch, const std::vector<std::string>& values) {
  launch.parameters = {{"out", buffer("u32", ".u32", std::vector<std::uint64_t>(values.size()))}};
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    const Outcome outcome = run(text, launch, {seed, 1'000'000});
    REQUIRE(outcome.kinds() == "");
    REQUIRE(outcome.values() == values);
  }
}

Launch launch_of(std::uint32_t ctas, std::uint32_t threads) {
  Launch launch = launch_with({}, threads);
  launch.grid = {ctas, 1, 1};
  return launch;
}

/// Each thread takes a lock (out[0]), counts in out[1] without atomicity, and gives the lock back.
std::string locked(const std::string& take) {
  return R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<5>; .reg .b64 %rd<2>; .reg .pred %p;
  ld.param.u64 %rd1, [out];
SPIN:
  )" + take +
         R"(
  setp.ne.u32 %p, %r1, 0;
  @%p bra SPIN;
  fence.acq_rel.gpu;
  ld.relaxed.gpu.u32 %r2, [%rd1+4];
  add.u32 %r3, %r2, 1;
  st.relaxed.gpu.u32 [%rd1+4], %r3;
  fence.acq_rel.gpu;
  atom.relaxed.gpu.exch.b32 %r4, [%rd1], 0;
  ret;
})";
}

}  // namespace

TEST_CASE("a spin lock") {
  always_ends_with(locked("atom.relaxed.gpu.cas.b32 %r1, [%rd1], 0, 1;"), launch_of(3, 2), {"0", "6"});
}

TEST_CASE("a lock that is none loses an update for some seed") {
  const std::string text = locked("ld.relaxed.gpu.u32 %r1, [%rd1]; ");
  bool is_lost = false;
  for (std::uint64_t seed = 0; seed < seeds && !is_lost; ++seed) {
    Launch launch = launch_of(3, 2);
    launch.parameters = {{"out", buffer("u32", ".u32", {0, 0})}};
    is_lost = run(text, launch, {seed}).values()[1] != "6";
  }
  CHECK(is_lost);
}

TEST_CASE("producers and consumers at named barriers") {
  // Warp 0 writes 1 to 3 one after the other, warp 1 adds them up; full: barrier 1, empty: barrier 2.
  always_ends_with(R"(
.visible .entry k(.param .u64 out) {
  .shared .align 4 .b32 box[32];
  .reg .b32 %r<10>; .reg .b64 %rd<4>; .reg .pred %p, %q;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 31;
  mov.u32 %r3, box;
  mad.lo.u32 %r4, %r2, 4, %r3;
  mov.u32 %r5, 0;
  mov.u32 %r6, 0;
  setp.lt.u32 %p, %r1, 32;
LOOP:
  add.u32 %r5, %r5, 1;
  setp.eq.u32 %q, %r5, 4;
  @%q bra END;
  @!%p bra CONSUME;
  bar.sync 2, 64;
  st.shared.u32 [%r4], %r5;
  bar.arrive 1, 64;
  bra LOOP;
CONSUME:
  bar.arrive 2, 64;
  bar.sync 1, 64;
  ld.shared.u32 %r7, [%r4];
  add.u32 %r6, %r6, %r7;
  bra LOOP;
END:
  @%p exit;
  setp.ne.u32 %q, %r2, 5;
  @%q exit;
  st.global.u32 [%rd1], %r6;
  ret;
})",
                   launch_of(1, 64), {"6"});
}

TEST_CASE("the last CTA adds up what all have written") {
  always_ends_with(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<10>; .reg .b64 %rd<4>; .reg .pred %p;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  mad.wide.u32 %rd2, %r1, 4, %rd1;
  add.u32 %r2, %r1, 1;
  st.global.u32 [%rd2+8], %r2;
  atom.acq_rel.gpu.global.inc.u32 %r3, [%rd1], 2;
  setp.ne.u32 %p, %r3, 2;
  @%p exit;
  ld.global.u32 %r4, [%rd1+8];
  ld.global.u32 %r5, [%rd1+12];
  ld.global.u32 %r6, [%rd1+16];
  add.u32 %r7, %r4, %r5;
  add.u32 %r8, %r7, %r6;
  st.global.u32 [%rd1+4], %r8;
  ret;
})",
                   launch_of(3, 1), {"0", "6", "1", "2", "3"});
}
