// Exchanges within warps, executed: PTX ISA 8.7 § 9.7.9.6, § 9.7.13.8 to § 9.7.13.14.
#include <doctest/doctest.h>

#include "tests/src/kernel/kernel_run.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// What each thread has in %r3 after `body`; %r1 is its number, %p whether that is less than 4.
Outcome results(const std::string& body, std::uint32_t threads, RunOptions options = {}) {
  const std::string text = R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<6>; .reg .b64 %rd<3>; .reg .pred %p, %q;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p, %r1, 4;
  )" + body + R"(
  mad.wide.u32 %rd2, %r1, 4, %rd1;
  st.global.u32 [%rd2], %r3;
  ret;
})";
  return run(text,
             launch_with({{"out", buffer("u32", ".u32", std::vector<std::uint64_t>(threads))}}, threads),
             options);
}

using Elements = std::vector<std::string>;

}  // namespace

TEST_CASE("a reduction by shuffles, for every seed and in every warp") {
  const std::string sum = R"(
  shfl.sync.bfly.b32 %r2, %r1, 2, 0x1f, 0xffffffff;
  add.u32 %r4, %r1, %r2;
  shfl.sync.bfly.b32 %r2, %r4, 1, 0x1f, 0xffffffff;
  add.u32 %r3, %r4, %r2;)";
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto outcome = results(sum, 36, {seed});
    CHECK(outcome.kinds() == "");
    CHECK(outcome.values()[1] == "6");     // 0 + 1 + 2 + 3
    CHECK(outcome.values()[35] == "134");  // 32 + … + 35: a warp of 4 threads
  }
}

TEST_CASE("threads of a warp that take different ways meet by membermask") {
  const std::string split = R"(
  @%p bra FIRST;
  redux.sync.add.u32 %r3, %r1, 0xf0;
  bra JOIN;
FIRST:
  redux.sync.max.u32 %r3, %r1, 0x0f;
JOIN:)";
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    CHECK(results(split, 8, {seed}).values() == Elements{"3", "3", "3", "3", "22", "22", "22", "22"});
}

TEST_CASE("votes and matches") {
  CHECK(results("vote.sync.ballot.b32 %r3, %p, 0xffffffff;", 6).values()[5] == "15");
  CHECK(results("shr.u32 %r2, %r1, 1; match.any.sync.b32 %r3, %r2, 0xffffffff;", 4).values() ==
        Elements{"3", "3", "12", "12"});
  CHECK(results("elect.sync %r3|%q, 0x6; ", 1).kinds() == "undefined ");
  CHECK(results("elect.sync %r3|%q, 0x3; ", 2).values() == Elements{"0", "0"});
}

TEST_CASE("exited threads are not waited for; threads that never come are") {
  CHECK(results("@%p exit; vote.sync.ballot.b32 %r3, 1, 0xffffffff;", 6).values()[5] == "48");
  CHECK(results("@%p bra LAST; vote.sync.any.pred %q, %p, 0xffffffff; LAST: bar.sync 0; mov.u32 %r3, 0;", 6)
            .kinds() == "deadlock ");
}

TEST_CASE("activemask: threads of the warp that are at the instruction together") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    // What it gives may be used as a membermask.
    const auto outcome = results("activemask.b32 %r2; redux.sync.or.b32 %r3, %r2, %r2;", 8, {seed});
    CHECK(outcome.kinds() == "");
    for (unsigned i = 0; i < 8; ++i) CHECK((std::stoul(outcome.values()[i]) >> i & 1) == 1);
  }
}
