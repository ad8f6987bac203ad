#include "src/kernel/unfolding/launch_by_threads.hpp"

#include <doctest/doctest.h>

#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

namespace {

constexpr std::uint32_t many_ctas = 64, many_threads = 256;

/// What is excluded for the kernel `k` with the parameter `out`, a buffer of 4 bytes for each thread of a
/// grid of 64 CTAs of 256 threads: "all", or the names of the properties.
std::string excluded(const std::string& body, const std::string& before = "", std::uint32_t ctas = many_ctas,
                     const std::string& final_condition = "") {
  Launch launch = out_of(std::vector<std::uint64_t>(many_ctas * many_threads, 0), many_threads);
  launch.grid = {ctas, 1, 1};
  launch.entries = {"k"};
  launch.final_condition = final_condition;
  launch.module = written_file("k.ptx", header + kernel_with_out(body, before));
  launch.file = "k.toml";
  const OpenedLaunch opened = open_launch(launch);
  const auto all = all_launch_properties();
  const auto found = check_by_threads(*opened.loaded, launch, all, cat::load("ptx-8.7"), {}).excluded;
  if (found.size() == all.size()) return "all";
  std::string text;
  for (const LaunchProperty property : found)
    text += (text.empty() ? "" : " ") + std::string(property_name(property));
  return text;
}

const std::string own_place = R"(
  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;
  mad.wide.u32 %rd1, %r3, 4, %rd0;)";

const std::string shared = ".shared .align 4 .b32 s[256];";
const std::string own_shared = own_place + "mov.u32 %r4, s; mad.lo.u32 %r5, %r0, 4, %r4;";

}  // namespace

TEST_CASE("each thread has a place of its own in memory") {
  CHECK(excluded(own_place + "st.global.u32 [%rd1], %r0;") == "all");
  CHECK(excluded(own_place + "ld.global.u32 %r5, [%rd1]; st.global.u32 [%rd1], %r5;") == "all");
  // The places of neighbours overlap.
  CHECK(excluded("mov.u32 %r3, %tid.x; mad.wide.u32 %rd1, %r3, 2, %rd0; st.global.u16 [%rd1], %h0;", "", 1) ==
        "all");
  CHECK(excluded("mov.u32 %r3, %tid.x; shr.u32 %r3, %r3, 1; mad.wide.u32 %rd1, %r3, 4, %rd0;"
                 "st.global.u32 [%rd1], %r3;",
                 "", 1) == "");
  // CTAs write to one place.
  CHECK(excluded("mov.u32 %r3, %tid.x; mad.wide.u32 %rd1, %r3, 4, %rd0; st.global.u32 [%rd1], %r3;") == "");
  // The thread behind the last one of the buffer.
  CHECK(excluded(own_place + "st.global.u32 [%rd1+4], %r0;") ==
        "assertion race uninitialized divergence undefined deadlock");
}

TEST_CASE("barriers separate the accesses of a CTA, not those of several") {
  const std::string reversed = "mov.u32 %r6, 255; sub.u32 %r6, %r6, %r0; mad.lo.u32 %r7, %r6, 4, %r4;";
  CHECK(excluded(own_shared + "st.shared.u32 [%r5], %r0; bar.sync 0;" + reversed +
                     "ld.shared.u32 %r8, [%r7]; st.global.u32 [%rd1], %r8;",
                 shared) == "all");
  CHECK(excluded(own_shared + "st.shared.u32 [%r5], %r0;" + reversed + "ld.shared.u32 %r8, [%r7];", shared) ==
        "");
  CHECK(excluded("mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @!%p0 st.global.u32 [%rd0], 1; bar.sync 0;"
                 "ld.global.u32 %r1, [%rd0];",
                 "", 1) == "all");
  CHECK(excluded("mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @!%p0 st.global.u32 [%rd0], 1; bar.sync 0;"
                 "ld.global.u32 %r1, [%rd0];",
                 "", 2) == "");
}

TEST_CASE("bar.warp.sync separates the accesses of a warp") {
  const auto within = [&](const char* mask) {
    return own_shared + "st.shared.u32 [%r5], %r0; bar.sync 0; xor.b32 %r6, %r0, " + mask +
           "; mad.lo.u32 %r7, %r6, 4, %r4; ld.shared.u32 %r8, [%r7]; bar.warp.sync 0xffffffff;"
           "st.shared.u32 [%r5], %r8;";
  };
  CHECK(excluded(within("16"), shared) == "all");
  CHECK(excluded(within("32"), shared) == "");
}

TEST_CASE("a barrier that not all threads execute") {
  // A warp that has ended is not waited for.
  CHECK(excluded("mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 64; @%p0 ret; bar.sync 0;") == "all");
  CHECK(excluded("mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 65; @%p0 ret; bar.sync 0;") == "");
  // Other warps wait for ever at the second barrier, or are at another one.
  CHECK(excluded("mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 64; @%p0 bra L; bar.sync 0; L: bar.sync 0;") ==
        "");
  CHECK(excluded("mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 64; @%p0 bra L; bar.sync 0; bra M;"
                 "L: bar.sync 1; M:") == "");
  // An access after the end of the barriers is not ordered.
  CHECK(excluded(own_shared + "setp.ge.u32 %p0, %r0, 64; @%p0 bra L; st.shared.u32 [%r5+256], %r0;"
                              "bar.sync 0; ret; L: st.shared.u32 [%r5], %r0;",
                 shared) == "");
}

TEST_CASE("atomic operations of one kind and size do not race") {
  CHECK(excluded("red.relaxed.gpu.global.add.u32 [%rd0], 1;") == "all");
  CHECK(excluded("red.relaxed.cta.global.add.u32 [%rd0], 1;") == "");
  CHECK(excluded("red.relaxed.cta.global.add.u32 [%rd0], 1;", "", 1) == "all");
  CHECK(excluded("red.relaxed.gpu.global.add.u32 [%rd0], 1; red.relaxed.gpu.global.add.u64 [%rd0], 1;") ==
        "");
  CHECK(excluded("red.relaxed.gpu.global.add.u32 [%rd0], 1; ld.global.u32 %r0, [%rd0];") == "");
}

TEST_CASE("what a thread reads may be anything, the same where no thread writes") {
  // The read value decides about a barrier.
  const std::string guarded = "setp.eq.u32 %p0, %r5, 7; @%p0 bra L; bar.sync 0; L:";
  CHECK(excluded("ld.global.u32 %r5, [%rd0];" + guarded) == "all");
  CHECK(excluded(own_place + "ld.global.u32 %r5, [%rd1];" + guarded) == "");
  CHECK(excluded(own_place +
                 "ld.global.u32 %r5, [%rd0+4]; setp.ne.u32 %p1, %r3, 0; @!%p1 st.global.u32 [%rd0], 1;" +
                 guarded) == "");
  // … about an address, a trap.
  CHECK(excluded(own_place +
                 "ld.global.u32 %r5, [%rd1]; mad.wide.u32 %rd2, %r5, 4, %rd0; ld.global.u32 %r6, [%rd2];") ==
        "assertion race uninitialized divergence undefined deadlock");
  CHECK(excluded(own_place + "ld.global.u32 %r5, [%rd1]; setp.eq.u32 %p0, %r5, 7; @%p0 trap;"
                             "st.global.u32 [%rd1], 3;") ==
        "race uninitialized out-of-bounds divergence undefined deadlock");
}

TEST_CASE("the result of a reduction is the same in all threads of a CTA") {
  const std::string reduced =
      "setp.eq.u32 %p0, %r5, 7; bar.red.or.pred %p1, 0, %p0; @%p1 bra L; bar.sync 0; L:";
  CHECK(excluded(own_place + "ld.global.u32 %r5, [%rd1];" + reduced) == "all");
}

TEST_CASE("memory of unknown content is read only after it was written") {
  CHECK(excluded(own_shared + "ld.shared.u32 %r8, [%r5];", shared) ==
        "assertion race out-of-bounds divergence undefined deadlock");
  CHECK(excluded(own_shared + "st.shared.u32 [%r5], 1; ld.shared.u32 %r8, [%r5];", shared) == "all");
  CHECK(excluded(own_shared + "setp.lt.u32 %p0, %r0, 255; @%p0 st.shared.u32 [%r5], 1; bar.sync 0;"
                              "ld.shared.u32 %r8, [%r4+1020];",
                 shared) == "assertion race out-of-bounds divergence undefined deadlock");
  CHECK(excluded(own_shared + "setp.lt.u32 %p0, %r0, 255; @%p0 st.shared.u32 [%r5], 1; bar.sync 0;"
                              "ld.shared.u32 %r8, [%r4+1016];",
                 shared) == "all");
  // It is written on both ways.
  CHECK(excluded(own_shared + "ld.global.u32 %r6, [%rd1]; setp.eq.u32 %p0, %r6, 0; @%p0 bra L;"
                              "st.shared.u32 [%r5], 1; bra M; L: st.shared.u32 [%r5], 2; M: bar.sync 0;"
                              "ld.shared.u32 %r8, [%r4];",
                 shared) == "all");
}

TEST_CASE("loops whose number of iterations the launch gives") {
  const std::string halving = own_shared + R"(
      st.shared.u32 [%r5], %r0; bar.sync 0; shr.u32 %r6, %r2, 1;
      L: setp.ge.u32 %p0, %r0, %r6; @%p0 bra M; add.u32 %r7, %r0, %r6; mad.lo.u32 %r8, %r7, 4, %r4;
      ld.shared.u32 %r9, [%r8]; ld.shared.u32 %r10, [%r5]; add.u32 %r9, %r9, %r10; st.shared.u32 [%r5], %r9;
      M: BARRIER shr.u32 %r6, %r6, 1; setp.ne.u32 %p1, %r6, 0; @%p1 bra L;)";
  const auto with = [&](const std::string& barrier) {
    std::string text = halving;
    return excluded(text.replace(text.find("BARRIER"), 7, barrier), shared);
  };
  CHECK(with("bar.sync 0;") == "all");
  CHECK(with("") == "");
  // Other threads decide when the loop ends.
  CHECK(excluded("L: ld.relaxed.gpu.global.u32 %r0, [%rd0]; setp.eq.u32 %p0, %r0, 0; @%p0 bra L;") == "");
}

TEST_CASE("exchanges need all lanes of their membermask") {
  CHECK(excluded("mov.u32 %r0, %tid.x; shfl.sync.bfly.b32 %r1, %r0, 1, 0x1f, 0xffffffff;") == "all");
  CHECK(excluded("mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 5; @%p0 bra L;"
                 "shfl.sync.bfly.b32 %r1, %r0, 1, 0x1f, 0xffffffff; L:") == "");
  CHECK(excluded("mov.u32 %r0, %laneid; setp.ge.u32 %p0, %r0, 4; @%p0 bra L;"
                 "shfl.sync.bfly.b32 %r1, %r0, 1, 0x1f, 0xf; L:") == "all");
  // A lane outside of its own membermask.
  CHECK(excluded("mov.u32 %r0, %laneid; shfl.sync.bfly.b32 %r1, %r0, 1, 0x1f, 0xf;") ==
        "assertion race uninitialized out-of-bounds divergence deadlock");
  // One thread of each warp is elected.
  CHECK(excluded(own_shared +
                     "elect.sync _|%p0, 0xffffffff; shr.u32 %r6, %r0, 5; mad.lo.u32 %r7, %r6, 4, %r4;"
                     "@%p0 st.shared.u32 [%r7], 1;",
                 shared) == "all");
}

TEST_CASE("what a thread cannot stand for") {
  CHECK(excluded("bar.arrive 0, 256; bar.sync 0, 256;") == "");
  CHECK(excluded("bar.sync 0, 256;") == "");
  CHECK(excluded("activemask.b32 %r0;") == "");
  CHECK(excluded("mov.u32 %r0, s; mbarrier.init.shared.b64 [%r0], 1;", ".shared .align 8 .b64 s;") == "");
  CHECK(excluded("", "", many_ctas, "out[0] == 0") ==
        "race uninitialized out-of-bounds divergence undefined deadlock");
}
