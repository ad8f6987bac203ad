// Exchanges within warps, and clusters, in unfolded launches.
#include <algorithm>
#include <set>

#include "semantics/language/diagnostic.hpp"
#include "tests/src/kernel/unfolded_kernel.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

namespace {

Launch in_clusters(std::uint32_t ctas) {
  Launch launch = launch_with({u32_buffer("out", {0, 0})}, 1, ctas);
  launch.cluster = Dimensions{ctas, 1, 1};
  return launch;
}

/// A warp of so many lanes, and as many elements of any value.
Launch any_content(std::uint32_t lanes) {
  return launch_with({{"out", BufferParameter{{"u32", type_of(".u32")}, lanes, AnyValue{}}}}, lanes);
}

/// Reads the shared variable of the other CTA.
const std::string read_peer = R"(
    st.shared.u32 [s], 5;
    barrier.cluster.arrive; barrier.cluster.wait;
    mov.u32 %r0, %cluster_ctarank;
    xor.b32 %r1, %r0, 1;
    mov.u32 %r2, s;
    mapa.shared::cluster.u32 %r3, %r2, %r1;
    ld.shared::cluster.u32 %r4, [%r3];
)";

}  // namespace

TEST_CASE("lanes exchange numbers: a sum over a warp is a number") {
  const Unfolding warp(with_out(R"(
    mov.u32 %r0, %tid.x;
    shfl.sync.bfly.b32 %r1, %r0, 16, 31, -1; add.u32 %r0, %r0, %r1;
    shfl.sync.bfly.b32 %r1, %r0, 8, 31, -1;  add.u32 %r0, %r0, %r1;
    shfl.sync.bfly.b32 %r1, %r0, 4, 31, -1;  add.u32 %r0, %r0, %r1;
    shfl.sync.bfly.b32 %r1, %r0, 2, 31, -1;  add.u32 %r0, %r0, %r1;
    shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;  add.u32 %r0, %r0, %r1;
    st.global.u32 [%rd0], %r0;)"),
                       launch_with({u32_buffer("out", {0})}, 32));
  for (int thread = 0; thread < 32; ++thread) CHECK(warp.events(thread).at(0).value.to_u64() == 496);
}

TEST_CASE("what a lane has read reaches the others, with its dependencies") {
  const Unfolding warp(with_out(R"(
    mov.u32 %r0, %tid.x;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra JOIN;
    ld.global.u32 %r1, [%rd0];
    JOIN: shfl.sync.idx.b32 %r2, %r1, 0, 31, 3;
    st.global.u32 [%rd0+4], %r2;)"),
                       launch_with({u32_buffer("out", {0, 0})}, 2));
  const auto first = warp.events(0), second = warp.events(1);
  REQUIRE(second.size() == 1);
  CHECK(identical(second[0].value, first[0].value));
  const auto& dependencies = second[0].data_dependencies;
  REQUIRE(dependencies.size() == 1);
  CHECK(warp.structure().events[static_cast<std::size_t>(dependencies[0])].thread == 0);
}

TEST_CASE("the mask of an exchange may come from another one") {
  const Unfolding warp(with_out(R"(
    mov.u32 %r0, %tid.x;
    and.b32 %r1, %r0, 1;
    setp.eq.u32 %p0, %r1, 1;
    vote.sync.ballot.b32 %r2, %p0, 15;
    @!%p0 bra END;
    redux.sync.add.u32 %r3, %r0, %r2;
    st.global.u32 [%rd0], %r3;
    END:)"),
                       launch_with({u32_buffer("out", {0})}, 4));
  CHECK(warp.events(0).empty());
  CHECK(warp.events(1).at(0).value.to_u64() == 4);
}

TEST_CASE(
    "an exchange that waits for lanes at another place never ends; lanes that have ended are not waited "
    "for") {
  const std::string half = R"(
    mov.u32 %r0, %tid.x;
    setp.eq.u32 %p0, %r0, 0;
    @%p0 bra OTHER;
    shfl.sync.idx.b32 %r1, %r0, 1, 31, 3;
    OTHER: )";
  const Launch launch = launch_with({u32_buffer("out", {0})}, 2);
  const Unfolding stuck(with_out(half + "bar.warp.sync 3;"), launch);
  CHECK(stuck.endings(Ending::Kind::waiting, 1).size() == 1);
  CHECK(stuck.endings(Ending::Kind::completed, 1).empty());
  const Unfolding fine(with_out(half), launch);
  CHECK(fine.endings(Ending::Kind::waiting, 1).empty());
  CHECK(fine.endings(Ending::Kind::completed, 1).size() == 1);
}

TEST_CASE("the lanes of an exchange may depend on reads: absent lanes must have ended") {
  const Unfolding warp(with_out(R"(
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %rd1, %r0, 4;
    add.u64 %rd1, %rd0, %rd1;
    ld.global.u32 %r0, [%rd1];
    setp.eq.u32 %p0, %r0, 0;
    @%p0 exit;
    shfl.sync.bfly.b32 %r1, %r0, 1, 31, 3;
    st.global.u32 [%rd1], %r1;)"),
                       any_content(2));
  CHECK(warp.endings(Ending::Kind::waiting).empty());
  const auto first = warp.events(0), second = warp.events(1);
  REQUIRE(first.size() == 2);
  REQUIRE(second.size() == 2);
  CHECK(identical(first[1].condition, ~equal(first[0].value, Bits(32, 0))));
  // Both have read something else than zero: the values change places.
  Substitution both;
  both.set(first[0].value.term()->variable, Bits(32, 3));
  both.set(second[0].value.term()->variable, Bits(32, 5));
  CHECK(both.apply(first[1].value).to_u64() == 5);
  CHECK(both.apply(second[1].value).to_u64() == 3);
  CHECK(first[1].data_dependencies.size() == 2);
  // What decides whether the other one comes decides what follows.
  CHECK(first[1].control_dependencies.size() == 2);
}

TEST_CASE("lanes that wait for each other at different exchanges never go on") {
  const Unfolding warp(with_out(R"(
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %rd1, %r0, 4;
    add.u64 %rd1, %rd0, %rd1;
    ld.global.u32 %r0, [%rd1];
    setp.eq.u32 %p0, %r0, 0;
    @%p0 bra OTHER;
    shfl.sync.bfly.b32 %r1, %r0, 1, 31, 3;
    bra END;
    OTHER: vote.sync.any.pred %p1, %p0, 3;
    END: st.global.u32 [%rd1], 1;)"),
                       any_content(2));
  const auto first = warp.events(0), second = warp.events(1);
  Substitution differ;
  differ.set(first[0].value.term()->variable, Bits(32, 0));
  differ.set(second[0].value.term()->variable, Bits(32, 1));
  for (std::size_t thread = 0; thread < 2; ++thread) {
    Bits waits = Bits::boolean(false);
    for (const Ending& ending : warp.endings(Ending::Kind::waiting, thread)) waits = waits | ending.condition;
    CHECK(differ.apply(waits).is_true());
    Substitution agree;
    agree.set(first[0].value.term()->variable, Bits(32, 7));
    agree.set(second[0].value.term()->variable, Bits(32, 1));
    CHECK(agree.apply(waits).is_false());
  }
}

TEST_CASE("a membermask may be what lanes have read") {
  const Unfolding warp(with_out(R"(
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %rd1, %r0, 4;
    add.u64 %rd1, %rd0, %rd1;
    ld.global.u32 %r0, [%rd1];
    setp.ne.u32 %p0, %r0, 0;
    vote.sync.ballot.b32 %r1, %p0, 7;
    @!%p0 exit;
    redux.sync.add.u32 %r2, %r0, %r1;
    st.global.u32 [%rd1], %r2;)"),
                       any_content(3));
  Substitution some;
  for (const int thread : {0, 1, 2})
    some.set(warp.events(thread).at(0).value.term()->variable, Bits(32, thread == 1 ? 0 : 4));
  CHECK(some.apply(warp.events(0).at(1).condition).is_true());
  CHECK(some.apply(warp.events(0).at(1).value).to_u64() == 8);
  CHECK(some.apply(warp.events(1).at(1).condition).is_false());
}

TEST_CASE("the turn of an exchange may depend on what was read") {
  const Unfolding warp(with_out(R"(
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %rd1, %r0, 4;
    add.u64 %rd1, %rd0, %rd1;
    ld.global.u32 %r0, [%rd1];
    setp.gt.u32 %p0, %r0, 4;
    @%p0 shfl.sync.bfly.b32 %r1, %r0, 1, 31, 3;
    shfl.sync.bfly.b32 %r2, %r0, 1, 31, 3;
    st.global.u32 [%rd1], %r1;)"),
                       any_content(2));
  const auto first = warp.events(0), second = warp.events(1);
  const auto stored = [&](const Event& event, std::uint64_t of_first, std::uint64_t of_second) {
    Substitution read;
    read.set(first[0].value.term()->variable, Bits(32, of_first));
    read.set(second[0].value.term()->variable, Bits(32, of_second));
    return read.apply(event.value).to_u64();
  };
  CHECK(stored(first[1], 5, 7) == 7);
  CHECK(stored(second[1], 5, 7) == 5);
  CHECK(stored(first[1], 5, 3) == 3);  // the first time of one meets the first of the other
  // The exchanges give the dependencies on lanes; the events do not, since they would depend on all lanes.
  CHECK(first[1].data_dependencies.empty());
  CHECK(warp.result->are_meetings_chosen);
  const WarpExchange& taken = warp.result->exchanges.at(0);
  CHECK(taken.brought.size() == 1);
  REQUIRE(taken.dependents.size() == 1);
  CHECK(warp.structure().events[static_cast<std::size_t>(taken.dependents[0])].is_write());
}

TEST_CASE("activemask: any of those that come there may be active together") {
  const Unfolding warp(with_out(R"(
    mov.u32 %r0, %tid.x;
    setp.eq.u32 %p0, %r0, 2;
    @%p0 exit;
    activemask.b32 %r1;
    st.global.u32 [%rd0], %r1;)"),
                       launch_with({u32_buffer("out", {0})}, 3));
  const Bits first = warp.events(0).at(0).value, second = warp.events(1).at(0).value;
  std::set<std::pair<std::uint64_t, std::uint64_t>> masks;
  for (const unsigned number : {0, 1}) {
    Substitution together;
    for (const VariableId variable : variables_of(first & second)) together.set(variable, Bits(1, number));
    masks.emplace(together.apply(first).to_u64(), together.apply(second).to_u64());
  }
  CHECK(masks == std::set<std::pair<std::uint64_t, std::uint64_t>>{{1, 2}, {3, 3}});
}

TEST_CASE("activemask: an iteration of one lane may be another one of another lane") {
  const Unfolding warp(with_out(R"(
    mov.u32 %r0, %tid.x;
    LOOP: activemask.b32 %r1;
    st.global.u32 [%rd0], %r1;
    add.u32 %r0, %r0, 1;
    setp.lt.u32 %p0, %r0, 2;
    @%p0 bra LOOP;)"),
                       launch_with({u32_buffer("out", {0})}, 2));
  // Lane 0 is there twice, lane 1 once: together with the first time, the second one, or alone.
  REQUIRE(warp.events(0).size() == 2);
  std::set<std::pair<std::uint64_t, std::uint64_t>> masks;
  const Bits first = warp.events(0).at(0).value, again = warp.events(0).at(1).value;
  const auto variables = variables_of(concat(first, again));
  for (std::uint64_t of_lane_0 = 0; of_lane_0 < 64; ++of_lane_0)
    for (const unsigned of_lane_1 : {0, 1}) {
      Substitution together;
      together.set(variables.at(0), Bits(6, of_lane_0));
      together.set(variables.at(1), Bits(1, of_lane_1));
      if (!together.apply(warp.result->assumption).is_true()) continue;
      masks.emplace(together.apply(first).to_u64(), together.apply(again).to_u64());
    }
  CHECK(masks == std::set<std::pair<std::uint64_t, std::uint64_t>>{{1, 1}, {3, 1}, {1, 3}});
}

TEST_CASE("a CTA reaches the shared memory of another one in its cluster") {
  const Unfolding two(
      with_out(read_peer + "barrier.cluster.arrive; barrier.cluster.wait;", ".shared .u32 s;"),
      in_clusters(2));
  const auto first = two.events(0), second = two.events(1);
  const auto read_of = [](const std::vector<Event>& events) {
    return *std::ranges::find_if(events, [](const Event& event) { return event.is_read(); });
  };
  CHECK(identical(read_of(first).location, second.front().location));
  CHECK(identical(read_of(second).location, first.front().location));
  CHECK(two.result->program.threads[0].placement.cluster == two.result->program.threads[1].placement.cluster);
  CHECK(two.result->program.threads[0].placement.cta != two.result->program.threads[1].placement.cta);
  CHECK(two.endings(Ending::Kind::stray_access).empty());
}

TEST_CASE("accesses to shared memory of a CTA that may have ended, unless a barrier waits for them") {
  const std::string sync = "barrier.cluster.arrive; barrier.cluster.wait;";
  const auto may_come_late = [&](const std::string& before, const std::string& after) {
    const Unfolding two(with_out(before + read_peer + after, ".shared .u32 s;"), in_clusters(2));
    const auto events = two.events(0);
    return std::ranges::find_if(events, &Event::is_read)->may_outlive_cta;
  };
  CHECK(may_come_late("", ""));
  CHECK(may_come_late(sync, ""));
  CHECK_FALSE(may_come_late("", sync));
  CHECK(may_come_late("", "barrier.cluster.arrive;"));
}

TEST_CASE("a cooperative launch has a workspace of zeros") {
  Launch launch = launch_with({u32_buffer("out", {0})});
  launch.is_cooperative = true;
  const Unfolding one(with_out(R"(
    mov.u32 %r0, %envreg1;
    mov.u32 %r1, %envreg2;
    mov.b64 %rd1, {%r1, %r0};
    ld.u32 %r2, [%rd1+4];)"),
                      launch);
  REQUIRE(one.events().size() == 1);
  CHECK(one.structure().events.front().value.to_u64() == 0);
  CHECK(one.endings(Ending::Kind::stray_access).empty());
}
