#include "src/kernel/unfolding/departing_code.hpp"

#include <utility>

#include "semantics/language/diagnostic.hpp"
#include "tests/src/kernel/unfolded_kernel.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

namespace {

using Edit = std::pair<std::string, std::string>;

/// Threads leave a group whose counter is at s + 16, and the last one invalidates the object at s. The
/// instructions are those that nvcc makes of the destructor of cuda::pipeline.
std::string departing(const std::vector<Edit>& edits = {}) {
  std::string text = R"(
    mov.u32 %r1, s;
    activemask.b32 %r2;
    cvt.u64.u32 %rd1, %r1;
    match.any.sync.b64 %r3, %rd1, %r2;
    brev.b32 %r4, %r3;
    bfind.shiftamt.u32 %r4, %r4;
    mov.u32 %r5, %laneid;
    setp.ne.s32 %p1, %r5, %r4;
    @%p1 bra END;
    popc.b32 %r6, %r3;
    neg.s32 %r7, %r6;
    fence.sc.cta;
    atom.add.acquire.cta.shared.u32 %r8, [%r1+16], %r7;
    setp.ne.s32 %p2, %r8, %r6;
    @%p2 bra END;
    mbarrier.inval.shared.b64 [%r1];
    END: st.global.u32 [%rd0], %r1;)";
  for (const auto& [from, to] : edits) {
    REQUIRE(text.find(from) != std::string::npos);
    text.replace(text.find(from), from.size(), to);
  }
  return with_out(text, ".shared .align 8 .b8 s[24];");
}

/// The departures that the threads of a launch have instead of the code.
std::vector<Departure> departures(const std::vector<Edit>& edits = {}, std::uint32_t threads = 3) {
  return Unfolding(departing(edits), launch_with({u32_buffer("out", {0})}, threads), {}, true)
      .result->departures;
}

void check_refused(const std::vector<Edit>& edits) {
  CAPTURE(edits.front().second);
  CHECK_THROWS_AS(departures(edits), Unsupported);
}

}  // namespace

TEST_CASE("the destructor of cuda::pipeline becomes one event for each thread") {
  const Unfolding launch(departing(), launch_with({u32_buffer("out", {0})}, 34), {}, true);
  REQUIRE(launch.result->departures.size() == 34);
  CHECK_FALSE(launch.result->are_meetings_chosen);
  const Departure& first = launch.result->departures.front();
  CHECK(first.name + 16 == (first.counter & 0xffff'ffff));
  REQUIRE(first.objects.size() == 1);
  CHECK(first.objects[0] + 16 == first.counter);
  for (int thread = 0; thread < 34; ++thread) {
    const auto events = launch.events(thread);
    REQUIRE(events.size() == 2);
    CHECK(events[0].kind == EventKind::wait);
    CHECK(events[1].is_write());
    CHECK(launch.structure()
              .events[static_cast<std::size_t>(
                  launch.result->departures[static_cast<std::size_t>(thread)].event)]
              .thread == thread);
  }
}

TEST_CASE("it does not matter in which way the code finds the lowest lane and the size") {
  CHECK(departures({{"brev.b32 %r4, %r3;", "neg.s32 %r4, %r3; and.b32 %r4, %r4, %r3;"},
                    {"bfind.shiftamt.u32 %r4, %r4;", "bfind.u32 %r4, %r4;"}})
            .size() == 3);
  CHECK(departures({{"mov.u32 %r5, %laneid;", "mov.u32 %r5, %tid.x;"}}).size() == 3);
  CHECK(departures({{"setp.ne.s32 %p2, %r8, %r6;", "add.u32 %r8, %r8, %r7; setp.ne.s32 %p2, %r8, 0;"}})
            .size() == 3);
  CHECK(departures({{"@%p2 bra END;\n    mbarrier.inval", "@!%p2 mbarrier.inval"}}).size() == 3);
  CHECK(departures({{"fence.sc.cta;", ""}, {"atom.add.acquire.cta", "atom.add.acq_rel.cta"}}).size() == 3);
}

TEST_CASE("code that counts in another way is not departing code") {
  check_refused({{"%p1, %r5, %r4;", "%p1, %r5, 0;"}});                // lane 0 may be elsewhere
  check_refused({{"brev.b32 %r4, %r3;", "mov.b32 %r4, %r3;"}});       // not the lowest lane
  check_refused({{"brev.b32 %r4, %r3;", "brev.b32 %r4, %r2;"}});      // the lowest active lane
  check_refused({{"popc.b32 %r6, %r3;", "popc.b32 %r6, %r2;"}});      // of all active lanes
  check_refused({{"popc.b32 %r6, %r3;", "mov.b32 %r6, 1;"}});         // one for all
  check_refused({{"neg.s32 %r7, %r6;", "mov.s32 %r7, %r6;"}});        // adds
  check_refused({{"@%p2 bra END;", ""}});                             // invalidates too early
  check_refused({{"%p2, %r8, %r6;", "%p2, %r8, 1;"}});                // … where one is left
  check_refused({{"fence.sc.cta;", ""}});                             // releases nothing
  check_refused({{"fence.sc.cta;", "fence.proxy.async;"}});           // … nor does a proxy fence
  check_refused({{"atom.add.acquire.cta", "atom.add.relaxed.cta"}});  // acquires nothing
  check_refused({{"mbarrier.inval.shared.b64 [%r1];", "st.shared.u32 [%r1], 0;"}});
  check_refused({{"match.any.sync.b64 %r3, %rd1, %r2;", "match.any.sync.b64 %r3, %rd1, -1;"}});
  check_refused({{"st.global.u32 [%rd0], %r1;", "st.global.u32 [%rd0], %r2;"}});  // uses the mask behind
}

TEST_CASE("a counter in global memory is refused") {
  check_refused({{"atom.add.acquire.cta.shared.u32 %r8, [%r1+16], %r7;",
                  "atom.add.acquire.cta.global.u32 %r8, [%rd0], %r7;"}});
}

namespace {

/// Threads join a group whose counter is at s + 16, as those with a role of cuda::make_pipeline do.
std::string joining(const Edit& edit) {
  return departing({{R"(neg.s32 %r7, %r6;
    fence.sc.cta;
    atom.add.acquire.cta.shared.u32 %r8, [%r1+16], %r7;
    setp.ne.s32 %p2, %r8, %r6;
    @%p2 bra END;
    mbarrier.inval.shared.b64 [%r1];
)",
                     "atom.add.relaxed.cta.shared.u32 %r8, [%r1+16], %r6;\n"},
                    edit});
}

Unfolding unfolded_joining(const Edit& edit = {"", ""}) {
  return Unfolding(joining(edit), launch_with({u32_buffer("out", {0})}, 34), {}, true);
}

}  // namespace

TEST_CASE("where threads join a group each one adds itself") {
  const Unfolding launch = unfolded_joining();
  REQUIRE(launch.result->departures.size() == 34);
  CHECK_FALSE(launch.result->are_meetings_chosen);
  for (int thread = 0; thread < 34; ++thread) {
    const Departure& joins = launch.result->departures[static_cast<std::size_t>(thread)];
    const Event& read = launch.structure().events[static_cast<std::size_t>(joins.event)];
    CHECK(joins.joins);
    CHECK(joins.objects.empty());
    CHECK(read.thread == thread);
    REQUIRE(read.rmw == joins.event + 1);
    const Event& write = launch.structure().events[static_cast<std::size_t>(read.rmw)];
    CHECK(write.location.to_u64() == joins.counter);
    CHECK(identical(write.value, read.value + Bits(32, 1)));
    CHECK(write.combines == Combination::add);
    CHECK(write.access.sem == Sem::relaxed);
  }
}

TEST_CASE("code that does more than to join is not joining code") {
  const Edit edits[] = {
      {"popc.b32 %r6, %r3;", "mov.b32 %r6, 1;"},                        // one for all
      {"popc.b32 %r6, %r3;", "popc.b32 %r6, %r2;"},                     // of all active lanes
      {"%p1, %r5, %r4;", "%p1, %r5, 0;"},                               // lane 0 may be elsewhere
      {"popc.b32 %r6, %r3;", "popc.b32 %r6, %r3; fence.acq_rel.cta;"},  // orders what precedes
      {"END: st", "fence.acq_rel.cta; END: st"},                        // … what follows
      {"atom.add.relaxed", "atom.add.acquire"},
      {"atom.add.relaxed", "atom.add.release"},
      {"END: st", "mbarrier.inval.shared.b64 [%r1]; END: st"},
      {"st.global.u32 [%rd0], %r1;", "st.global.u32 [%rd0], %r8;"},  // uses the old number
  };
  for (const Edit& edit : edits) {
    CAPTURE(edit.second);
    CHECK_THROWS_AS(unfolded_joining(edit), Unsupported);
  }
}
