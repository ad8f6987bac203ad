#include "src/kernel/unfolding/launch_by_threads.hpp"

#include <doctest/doctest.h>

#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

namespace {

constexpr std::uint32_t many_ctas = 64, many_threads = 256;

std::string names_of(const std::set<LaunchProperty>& properties) {
  std::string text;
  for (const LaunchProperty property : properties)
    text += (text.empty() ? "" : " ") + std::string(property_name(property));
  return text;
}

/// The answer for the kernel `k` with the parameter `out`, a buffer of 4 bytes for each thread of a grid of
/// 64 CTAs of 256 threads, or another one.
ByThreads answer(const std::string& body, const std::string& before = "", std::uint32_t ctas = many_ctas,
                 const std::string& final_condition = "", std::uint32_t threads = many_threads) {
  Launch launch = out_of(std::vector<std::uint64_t>(many_ctas * many_threads, 0), threads);
  launch.grid = {ctas, 1, 1};
  launch.entries = {"k"};
  launch.final_condition = final_condition;
  launch.module = written_file("k.ptx", header + kernel_with_out(body, before));
  launch.file = "k.toml";
  const OpenedLaunch opened = open_launch(launch);
  return check_by_threads(*opened.loaded, launch, all_launch_properties(), cat::load("ptx-8.7"), {},
                          *opened.graph);
}

/// What is excluded: "all", or the names of the properties.
std::string excluded(const std::string& body, const std::string& before = "", std::uint32_t ctas = many_ctas,
                     const std::string& final_condition = "") {
  const auto found = answer(body, before, ctas, final_condition).excluded;
  return found.size() == all_launch_properties().size() ? "all" : names_of(found);
}

/// The names of the properties with findings.
std::string shown(const std::string& body, const std::string& before = "", std::uint32_t ctas = many_ctas) {
  std::set<LaunchProperty> properties;
  for (const LaunchFinding& finding : answer(body, before, ctas).findings)
    properties.insert(finding.property);
  return names_of(properties);
}

constexpr const char* all_but_race = "assertion uninitialized out-of-bounds divergence undefined deadlock";

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
                 "", 1) == all_but_race);
  // CTAs write to one place.
  CHECK(excluded("mov.u32 %r3, %tid.x; mad.wide.u32 %rd1, %r3, 4, %rd0; st.global.u32 [%rd1], %r3;") ==
        all_but_race);
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
        "assertion out-of-bounds divergence undefined deadlock");
  CHECK(excluded("mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @!%p0 st.global.u32 [%rd0], 1; bar.sync 0;"
                 "ld.global.u32 %r1, [%rd0];",
                 "", 1) == "all");
  CHECK(excluded("mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @!%p0 st.global.u32 [%rd0], 1; bar.sync 0;"
                 "ld.global.u32 %r1, [%rd0];",
                 "", 2) == all_but_race);
}

TEST_CASE("bar.warp.sync separates the accesses of a warp") {
  const auto within = [&](const char* mask) {
    return own_shared + "st.shared.u32 [%r5], %r0; bar.sync 0; xor.b32 %r6, %r0, " + mask +
           "; mad.lo.u32 %r7, %r6, 4, %r4; ld.shared.u32 %r8, [%r7]; bar.warp.sync 0xffffffff;"
           "st.shared.u32 [%r5], %r8;";
  };
  CHECK(excluded(within("16"), shared) == "all");
  CHECK(excluded(within("32"), shared) == all_but_race);
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
                 shared) == all_but_race);
}

TEST_CASE("a barrier that is not aligned, and threads that wait for their warp") {
  const auto first_lane = [](const std::string& barrier) {
    return "mov.u32 %r0, %laneid; setp.ne.u32 %p0, %r0, 0; @%p0 bra L;" + barrier + "L:";
  };
  const std::string vote = "vote.sync.ballot.b32 %r1, 1, 0xffffffff;";
  CHECK(excluded(first_lane("barrier.sync 0;") + "ret;") == "all");
  CHECK(excluded("bar.warp.sync 0xffffffff;" + vote + first_lane("barrier.sync 0;")) == "all");
  // The other lanes wait for the first one, which waits for the end of the others.
  CHECK(excluded(first_lane("barrier.sync 0;") + "bar.warp.sync 0xffffffff;") == "");
  CHECK(excluded(first_lane("barrier.sync 0;") + vote) == "");
  CHECK(excluded("mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 64; @%p0 bra L; barrier.sync 0; L:" + vote) ==
        "all");
}

TEST_CASE("atomic operations of one kind and size do not race") {
  CHECK(excluded("red.relaxed.gpu.global.add.u32 [%rd0], 1;") == "all");
  CHECK(excluded("red.relaxed.cta.global.add.u32 [%rd0], 1;") == all_but_race);
  CHECK(excluded("red.relaxed.cta.global.add.u32 [%rd0], 1;", "", 1) == "all");
  CHECK(excluded("red.relaxed.gpu.global.add.u32 [%rd0], 1; red.relaxed.gpu.global.add.u64 [%rd0], 1;") ==
        "");
  CHECK(excluded("red.relaxed.gpu.global.add.u32 [%rd0], 1; ld.global.u32 %r0, [%rd0];") == all_but_race);
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
  CHECK(with("") == all_but_race);
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

TEST_CASE("exchanges of lanes that are active together need the mask of all of them") {
  const std::string some = "mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 5; @%p0 bra L; activemask.b32 %r2;";
  CHECK(excluded("activemask.b32 %r0;") == "all");
  CHECK(excluded(some + "shfl.sync.bfly.b32 %r1, %r0, 1, 0x1f, %r2; L:") == "all");
  CHECK(excluded(some + "setp.ge.u32 %p0, %r0, 3; @%p0 bra L; vote.sync.any.pred %p0, 1, %r2; L:") == "");
  CHECK(excluded(some + "and.b32 %r2, %r2, 7; vote.sync.any.pred %p0, 1, %r2; L:") == "");
  CHECK(excluded(some + "L: vote.sync.any.pred %p0, 1, %r2;") == "");
  // An earlier mask has lanes that have left since.
  CHECK(excluded(some + "setp.ge.u32 %p0, %r0, 3; @%p0 bra L; activemask.b32 %r3;"
                        "shfl.sync.bfly.b32 %r1, %r0, 1, 0x1f, %r2; L:") == "");
  // In a loop, lanes of different iterations may be together.
  CHECK(excluded("mov.u32 %r1, 0; L: activemask.b32 %r0; add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 2;"
                 "@%p0 bra L;") == "");
}

TEST_CASE("lanes that do not exist take no part in an exchange of constants") {
  constexpr const char* all_but_assertion = "race uninitialized out-of-bounds divergence undefined deadlock";
  const auto excluded_with = [](std::uint32_t threads, const std::string& body) {
    const auto found =
        answer("mov.u32 %r0, %tid.x; mov.u32 %r1, 1;" + body, "", many_ctas, "", threads).excluded;
    return found.size() == all_launch_properties().size() ? "all" : names_of(found);
  };
  const std::string ballot = "vote.sync.ballot.b32 %r2, 1, 0xffffffff;";
  const std::string trap_unless_all = ballot + "setp.ne.u32 %p0, %r2, 0xffffffff; @%p0 trap;";
  CHECK(excluded_with(64, trap_unless_all) == "all");
  CHECK(excluded_with(40, trap_unless_all) == all_but_assertion);
  CHECK(excluded_with(40, ballot + "setp.lt.u32 %p0, %r0, 32; @%p0 ret;"
                                   "setp.ne.u32 %p0, %r2, 0xff; @%p0 trap;") == "all");
  const std::string sum = "redux.sync.add.u32 %r2, %r1, 0xffffffff; setp.ne.u32 %p0, %r2, 32; @%p0 trap;";
  CHECK(excluded_with(64, sum) == "all");
  CHECK(excluded_with(40, sum) == all_but_assertion);
  const std::string last = "shfl.sync.idx.b32 %r2, %r1, 31, 0x1f, 0xffffffff;";
  CHECK(excluded_with(64, last + "setp.ne.u32 %p0, %r2, 1; @%p0 trap;") == "all");
  CHECK(excluded_with(40, last + "setp.ne.u32 %p0, %r2, 1; @%p0 trap;") == all_but_assertion);
  CHECK(excluded_with(40, "vote.sync.all.pred %p0, 1, 0xffffffff; @!%p0 trap;") == "all");
  CHECK(excluded_with(40, "elect.sync %r2|%p0, 0xffffffff; setp.ne.u32 %p0, %r2, 0; @%p0 trap;") == "all");
  CHECK(excluded_with(40, "redux.sync.add.u32 %r2, %r1, 0x0;") ==
        "assertion race uninitialized out-of-bounds divergence deadlock");
  // The only lane of the warp votes 1, and then executes an exchange without being in its membermask.
  CHECK(excluded_with(1,
                      "vote.sync.ballot.b32 %r2, 1, 0x7; setp.ne.u32 %p0, %r2, 1; @%p0 bra L;"
                      "match.any.sync.b32 %r3, %r2, 0x2; L:") ==
        "assertion race uninitialized out-of-bounds divergence deadlock");
}

TEST_CASE("what a thread cannot stand for") {
  CHECK(excluded("bar.arrive 0, 256; bar.sync 0, 256;") == "");
  CHECK(excluded("bar.sync 0, 256;") == "");
  CHECK(excluded("mov.u32 %r0, s; mbarrier.init.shared.b64 [%r0], 1;", ".shared .align 8 .b64 s;") == "");
  CHECK(excluded("", "", many_ctas, "out[0] == 0") ==
        "race uninitialized out-of-bounds divergence undefined deadlock");
}

TEST_CASE("two threads show a race, whatever the number of threads") {
  CHECK(shown("mov.u32 %r3, %tid.x; shr.u32 %r3, %r3, 1; mad.wide.u32 %rd1, %r3, 4, %rd0;"
              "st.global.u32 [%rd1], %r3;",
              "", 1) == "race");
  CHECK(shown("mov.u32 %r3, %tid.x; mad.wide.u32 %rd1, %r3, 4, %rd0; st.global.u32 [%rd1], %r3;") == "race");
  CHECK(shown(own_place + "st.global.u32 [%rd1], 1;") == "");
  // A race that needs values which no thread writes.
  CHECK(shown(own_place + "ld.relaxed.gpu.global.u32 %r5, [%rd0]; st.relaxed.gpu.global.u32 [%rd0], 0;"
                          "setp.eq.u32 %p0, %r5, 1; @%p0 st.global.u32 [%rd0+4], %r3;") == "");
  CHECK(shown(own_place + "ld.relaxed.gpu.global.u32 %r5, [%rd0]; st.relaxed.gpu.global.u32 [%rd0], 1;"
                          "setp.eq.u32 %p0, %r5, 0; @%p0 st.global.u32 [%rd0+4], %r3;") == "race");
}

TEST_CASE("a race behind barriers needs all threads of the CTA up to there") {
  const std::string swapped = own_shared + R"(
      st.shared.u32 [%r5], %r0; bar.sync 0; mov.u32 %r6, 255; sub.u32 %r6, %r6, %r0;
      mad.lo.u32 %r7, %r6, 4, %r4; ld.shared.u32 %r8, [%r7]; BARRIER st.shared.u32 [%r5], %r8;
      bar.sync 0; ld.shared.u32 %r8, [%r5];)";
  const auto with = [&](const std::string& barrier) {
    std::string text = swapped;
    return shown(text.replace(text.find("BARRIER"), 7, barrier), shared);
  };
  CHECK(with("") == "race");
  CHECK(with("bar.sync 0;") == "");
  // The threads of a warp exchange values before.
  CHECK(with("shfl.sync.bfly.b32 %r8, %r8, 1, 0x1f, 0xffffffff;") == "race");
}

TEST_CASE("threads stop before a reduction at a barrier, or behind one") {
  const std::string reduce = "setp.ne.u32 %p0, %r0, 9; bar.red.and.pred %p1, 0, %p0;";
  CHECK(shown(own_place + "setp.eq.u32 %p2, %r3, 9; @%p2 trap;" + reduce + "selp.u32 %r5, 1, 0, %p1;") ==
        "assertion");
  CHECK(shown(own_place + reduce + "@%p1 trap; bar.red.popc.u32 %r5, 0, %p0;") == "");
  CHECK(shown(own_place + reduce + "@!%p1 trap; bar.red.popc.u32 %r5, 0, %p0;") == "assertion");
}

TEST_CASE("one thread shows a trap, a stray access, a read of unwritten memory") {
  CHECK(shown(own_place + "setp.eq.u32 %p0, %r3, 777; @%p0 trap;") == "assertion");
  CHECK(shown(own_place + "bar.sync 0; setp.eq.u32 %p0, %r3, 777; @%p0 trap;") == "assertion");
  CHECK(shown(own_place + "st.global.u32 [%rd1+4], %r0;") == "out-of-bounds");
  CHECK(shown(own_shared + "ld.shared.u32 %r8, [%r5];", shared) == "uninitialized");
  CHECK(shown(own_shared + "setp.lt.u32 %p0, %r0, 255; @%p0 st.shared.u32 [%r5], 1; bar.sync 0;"
                           "ld.shared.u32 %r8, [%r4+1020];",
              shared) == "uninitialized");
  CHECK(shown("mov.u32 %r0, %laneid; shfl.sync.bfly.b32 %r1, %r0, 1, 0x1f, 0xf;") == "undefined");
}

// A thread that traps has not exited, so that the others wait for it.
TEST_CASE("nothing is shown behind an exchange with a thread that has trapped") {
  const std::string trap = "mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 1; @!%p0 bra L; trap;";
  const std::string exchange =
      "setp.ge.u32 %p0, %r0, 3; @%p0 bra M; shfl.sync.bfly.b32 %r1, %r0, 0, 0x1f, 0x7;";
  const std::string misuse = "shfl.sync.bfly.b32 %r1, %r0, 0, 0x1f, 0x1;";
  CHECK(shown(trap + "bra M; L:" + exchange + misuse + "M:") == "assertion");
  CHECK(shown(trap + "L:" + exchange + misuse + "M:") == "assertion");
  CHECK(shown(trap + "L:" + exchange + "st.global.u32 [%rd0+65536], %r0; M:") == "assertion");
  // Behind one with other threads.
  CHECK(shown(trap +
              "L: setp.lt.u32 %p0, %r0, 4; @%p0 bra M; setp.ge.u32 %p0, %r0, 6; @%p0 bra M;"
              "shfl.sync.bfly.b32 %r1, %r0, 0, 0x1f, 0x30;" +
              misuse + "M:") == "assertion undefined");
}

namespace {

/// A counter `[%rd3]`, which is zero at the beginning.
const std::string counter = ".global .align 8 .b32 c[2] = {0, 0};";
const std::string counter_address = "mov.u64 %rd3, c;";

/// What is excluded for a kernel that counts, and writes to the place with the number in `%r5`, of 16384.
std::string excluded_counted(const std::string& count, std::uint32_t ctas) {
  return excluded(counter_address + count + "mad.wide.u32 %rd1, %r5, 4, %rd0; st.global.u32 [%rd1], %r5;",
                  counter, ctas);
}

constexpr const char* all_but_race_and_strays = "assertion uninitialized divergence undefined deadlock";

}  // namespace

TEST_CASE("the results of additions to a counter are different places") {
  const std::string by_one = "atom.relaxed.gpu.global.add.u32 %r5, [%rd3], 1;";
  CHECK(excluded_counted(by_one, 64) == "all");
  // The last thread writes behind the buffer.
  CHECK(excluded_counted(by_one, 65) == "assertion race uninitialized divergence undefined deadlock");
  CHECK(excluded_counted("atom.relaxed.gpu.global.add.u32 %r5, [%rd3], 2;", 32) == "all");
  CHECK(excluded_counted(by_one + by_one, 32) == "all");
  // Scopes that do not reach the other threads: they also race at the counter.
  const std::string narrow = "atom.relaxed.cta.global.add.u32 %r5, [%rd3], 1;";
  CHECK(excluded_counted(narrow, 1) == "all");
  CHECK(excluded_counted(narrow, 2) == all_but_race_and_strays);
  // Other operations on the counter; a sum that wraps around; other amounts.
  for (const char* other :
       {"atom.relaxed.gpu.global.exch.b32 %r6, [%rd3], 0;", "atom.relaxed.gpu.global.dec.u32 %r6, [%rd3], 9;",
        "st.relaxed.gpu.global.u32 [%rd3], 0;", "st.global.u8 [%rd3+1], 0;"})
    CHECK(excluded_counted(by_one + other, 2).find("out-of-bounds") == std::string::npos);
  for (const char* amount : {"0", "-1", "0x40000000"})
    CHECK(excluded_counted("atom.relaxed.gpu.global.add.u32 %r5, [%rd3], " + std::string(amount) + ";", 2) ==
          all_but_race_and_strays);
  CHECK(excluded_counted("mov.u32 %r4, %tid.x; atom.relaxed.gpu.global.add.u32 %r5, [%rd3], %r4;", 2) ==
        all_but_race_and_strays);
  // Two counters give the same numbers.
  CHECK(excluded_counted("mov.u32 %r0, %tid.x; and.b32 %r0, %r0, 1; mad.wide.u32 %rd2, %r0, 4, %rd3;"
                         "atom.relaxed.gpu.global.add.u32 %r5, [%rd2], 1;",
                         2) == all_but_race_and_strays);
}

TEST_CASE("what threads add to what they have read is bounded, also without atomic operations") {
  const auto counted = [](const std::string& count, std::uint32_t ctas, const std::string& scale) {
    return excluded_counted(count + "mul.lo.u32 %r5, %r5, " + scale + ";", ctas);
  };
  const std::string add = "ld.global.u32 %r5, [%rd3]; add.u32 %r6, %r5, 1; st.global.u32 [%rd3], %r6;";
  CHECK(counted(add, 1, "64") == all_but_race);
  CHECK(counted(add, 1, "65") == all_but_race_and_strays);
  // The bytes of 256 and 255 give 511.
  CHECK(counted(add, 2, "1") == all_but_race_and_strays);
  // The value is that of another place.
  CHECK(counted("ld.global.u32 %r5, [%rd3+4]; add.u32 %r6, %r5, 1; st.global.u32 [%rd3], %r6;"
                "ld.global.u32 %r5, [%rd3];",
                1, "64") == all_but_race_and_strays);
  CHECK(counted("ld.global.u32 %r5, [%rd3]; shl.b32 %r6, %r5, 1; st.global.u32 [%rd3], %r6;", 1, "64") ==
        all_but_race_and_strays);
  // A thread that adds in each of two iterations.
  CHECK(counted(add + add, 1, "64") == all_but_race_and_strays);
}

namespace {

/// What is excluded for a kernel in which the CTA that is the last to add to a counter reads what all CTAs
/// have written.
std::string excluded_last_cta(const std::string& release, const std::string& acquire, const std::string& last,
                              std::uint32_t ctas, const std::string& after = "") {
  return excluded(counter_address +
                      "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; setp.ne.u32 %p0, %r0, 0; @%p0 ret;"
                      "mad.wide.u32 %rd1, %r1, 4, %rd0; st.global.u32 [%rd1+4], 7;" +
                      release + "atom.relaxed.gpu.global.add.u32 %r5, [%rd3], 1;" + acquire +
                      "setp.ne.u32 %p1, %r5, " + last +
                      "; @%p1 ret; ld.global.u32 %r6, [%rd0+4]; ld.global.u32 %r7, [%rd0+16];"
                      "st.global.u32 [%rd0+20000], %r6;" +
                      after,
                  counter, ctas);
}

}  // namespace

TEST_CASE("the last addition to a counter follows what all others have done before theirs") {
  const std::string fence = "fence.acq_rel.gpu;", narrow = "fence.acq_rel.cta;";
  CHECK(excluded_last_cta(fence, fence, "3", 4) == "all");
  CHECK(excluded_last_cta("membar.gl;", "membar.gl;", "3", 4) == "all");
  CHECK(excluded_last_cta("", fence, "3", 4) == all_but_race);
  CHECK(excluded_last_cta(fence, "", "3", 4) == all_but_race);
  CHECK(excluded_last_cta(narrow, fence, "3", 4) == all_but_race);
  CHECK(excluded_last_cta(fence, narrow, "3", 4) == all_but_race);
  CHECK(excluded_last_cta(fence, fence, "2", 4) == all_but_race);
  CHECK(excluded_last_cta(fence, fence, "3", 5) == all_but_race);
  // A thread that adds twice. Behind the last addition this does not matter, nor does another write.
  const std::string again = "atom.relaxed.gpu.global.add.u32 %r8, [%rd3], 1;";
  CHECK(excluded_last_cta(fence + again, fence, "3", 4) == all_but_race);
  CHECK(excluded_last_cta(fence, again + fence, "3", 4) == all_but_race);
  CHECK(excluded_last_cta(fence, fence, "3", 4, again) == "all");
  CHECK(excluded_last_cta(fence, fence, "3", 4, "st.global.u32 [%rd3], 0;") == "all");
  CHECK(excluded_last_cta(fence, "st.global.u32 [%rd3], 0;" + fence, "3", 4) == all_but_race);
  // The addition itself releases or acquires.
  const auto excluded_with = [](const std::string& semantics) {
    return excluded(counter_address +
                        "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; setp.ne.u32 %p0, %r0, 0; @%p0 ret;"
                        "mad.wide.u32 %rd1, %r1, 4, %rd0; st.global.u32 [%rd1], 7; atom." +
                        semantics +
                        ".gpu.global.add.u32 %r5, [%rd3], 1; setp.ne.u32 %p1, %r5, 3; @%p1 ret;"
                        "ld.global.u32 %r6, [%rd0+4];",
                    counter, 4);
  };
  CHECK(excluded_with("acq_rel") == "all");
  CHECK(excluded_with("acquire") == all_but_race);
  CHECK(excluded_with("release") == all_but_race);
  // What a thread does after its addition is not before the last one.
  CHECK(excluded(counter_address +
                     "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; setp.ne.u32 %p0, %r0, 0; @%p0 ret;"
                     "fence.acq_rel.gpu; atom.relaxed.gpu.global.add.u32 %r5, [%rd3], 1; fence.acq_rel.gpu;"
                     "mad.wide.u32 %rd1, %r1, 4, %rd0; st.global.u32 [%rd1+4], 7;"
                     "setp.ne.u32 %p1, %r5, 3; @%p1 ret; ld.global.u32 %r6, [%rd0+4];",
                 counter, 4) == all_but_race);
}

TEST_CASE("a thread reads what it has written itself") {
  // Only the last CTA writes to out[5000]; a flag in shared memory says so.
  const auto flagged = [](const std::string& before_read) {
    return own_shared + counter_address +
           "setp.ne.u32 %p0, %r0, 0; @%p0 bra L; atom.relaxed.gpu.global.add.u32 %r5, [%rd3], 1;"
           "setp.eq.u32 %p1, %r5, 3; selp.u32 %r6, 1, 0, %p1; st.shared.u32 [%r4], %r6; L: bar.sync 0;" +
           before_read +
           "ld.shared.u32 %r7, [%r4]; setp.eq.u32 %p1, %r7, 0; @%p1 ret; @%p0 ret;"
           "st.global.u32 [%rd0+20000], %r0;";
  };
  CHECK(excluded(flagged(""), shared + counter, 4) == "all");
  // Another thread writes the flag too.
  const std::string neither = "assertion uninitialized out-of-bounds divergence undefined deadlock";
  CHECK(excluded(flagged("setp.ne.u32 %p2, %r0, 9; @!%p2 st.shared.u32 [%r4], 1; bar.sync 0;"),
                 shared + counter, 4) == neither);
}
