// Clusters, cooperative launches, barriers of warps and clusters: PTX ISA 8.7 § 5.1.6, § 9.7.13.3, § 10.11 to
// § 10.17, § 10.27, § 11.7.
#include <doctest/doctest.h>

#include <set>

#include "semantics/language/diagnostic.hpp"
#include "tests/src/kernel/kernel_run.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

Launch clusters_of(Dimensions cluster, Dimensions grid, std::vector<Parameter> parameters,
                   std::uint32_t threads = 1) {
  Launch launch = launch_with(std::move(parameters), threads);
  launch.grid = grid;
  launch.cluster = cluster;
  return launch;
}

Parameter zeros(std::size_t count) {
  return {"out", buffer("u32", ".u32", std::vector<std::uint64_t>(count))};
}

/// Every CTA stores 10 + its rank in its own shared memory, and after BARRIER reads that of its neighbour.
std::string neighbours(const std::string& barrier, const std::string& before_exit = "") {
  return R"(
.visible .entry k(.param .u64 out) {
  .shared .align 4 .b32 word;
  .reg .b32 %r<10>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %cluster_ctarank;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %cluster_nctarank;
  add.u32 %r4, %r1, 10;
  st.shared.u32 [word], %r4;
  )" + barrier +
         R"(
  add.u32 %r5, %r1, 1;
  rem.u32 %r6, %r5, %r3;
  mov.u64 %rd2, word;
  cvta.shared.u64 %rd3, %rd2;
  mapa.u64 %rd4, %rd3, %r6;
  ld.u32 %r7, [%rd4];
  mad.wide.u32 %rd5, %r2, 4, %rd1;
  st.global.u32 [%rd5], %r7;
  )" + before_exit +
         R"(
  ret;
})";
}

const std::string cluster_sync = "barrier.cluster.arrive; barrier.cluster.wait;";

}  // namespace

TEST_CASE("shared memory of another CTA of the cluster, for every seed") {
  const Launch launch = clusters_of({2, 1, 1}, {4, 1, 1}, {zeros(4)});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto outcome = run(neighbours(cluster_sync, cluster_sync), launch, {seed});
    CHECK(outcome.kinds() == "");
    CHECK(outcome.values() == std::vector<std::string>{"11", "10", "11", "10"});
  }
  // Without a barrier before it the other CTA may not have written, without one behind it may have ended.
  std::string without_first, without_last;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    without_first += run(neighbours("", cluster_sync), launch, {seed}).kinds();
    without_last += run(neighbours(cluster_sync), launch, {seed}).kinds();
  }
  CHECK(without_first.find("uninitialized") != std::string::npos);
  CHECK(without_last.find("out-of-bounds") != std::string::npos);
}

TEST_CASE("cluster special registers") {
  const std::string text = R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<20>; .reg .b64 %rd<3>; .reg .pred %p, %q;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ctaid.y;
  setp.ne.u32 %p, %r1, 2;
  @%p exit;
  setp.ne.u32 %p, %r2, 1;
  @%p exit;
  mov.u32 %r3, %clusterid.x;
  mov.u32 %r4, %nclusterid.x;
  mov.u32 %r5, %cluster_ctaid.y;
  mov.u32 %r6, %cluster_nctaid.y;
  mov.u32 %r7, %cluster_ctarank;
  mov.u32 %r8, %cluster_nctarank;
  mov.pred %q, %is_explicit_cluster;
  selp.u32 %r9, 1, 0, %q;
  st.global.v4.u32 [%rd1], {%r3, %r4, %r5, %r6};
  st.global.v2.u32 [%rd1+16], {%r7, %r8};
  st.global.u32 [%rd1+24], %r9;
  ret;
})";
  const auto explicitly = run(text, clusters_of({2, 2, 1}, {4, 2, 1}, {zeros(8)}));
  CHECK(explicitly.values() == std::vector<std::string>{"1", "2", "1", "2", "2", "4", "1", "0"});
  Launch implicit = clusters_of({1, 1, 1}, {4, 2, 1}, {zeros(8)});
  implicit.cluster.reset();
  CHECK(run(text, implicit).values() == std::vector<std::string>{"2", "4", "0", "1", "0", "1", "0", "0"});
  std::string required = text;
  required.replace(required.find(") {"), 3, ") .reqnctapercluster 2, 2 {");
  CHECK(run(required, implicit).values() == explicitly.values());
  CHECK_THROWS_AS(run(required, clusters_of({2, 1, 1}, {4, 2, 1}, {zeros(8)})), InputError);
  CHECK_THROWS_AS(run(text, clusters_of({3, 1, 1}, {4, 2, 1}, {zeros(8)})), InputError);
}

TEST_CASE("directives that a launch must follow") {
  const auto with = [](const std::string& directive, std::uint32_t threads) {
    return run(".visible .entry k() " + directive + " { ret; }", launch_with({}, threads)).kinds();
  };
  CHECK(with(".reqntid 8", 8) == "");
  CHECK_THROWS_AS(with(".reqntid 8", 9), InputError);
  CHECK(with(".maxntid 4, 2", 8) == "");
  CHECK_THROWS_AS(with(".maxntid 4, 2", 9), InputError);
  CHECK_THROWS_AS(with(".explicitcluster", 1), InputError);
}

TEST_CASE("barrier.cluster: a thread arrives twice, waits without arriving, or arrives alone") {
  const auto with = [](const std::string& body) {
    return run(".visible .entry k() { .reg .pred %p; .reg .b32 %r<3>; mov.u32 %r1, %cluster_ctarank; "
               "setp.eq.u32 %p, %r1, 0; " +
                   body + " ret; }",
               clusters_of({2, 1, 1}, {2, 1, 1}, {}))
        .kinds();
  };
  CHECK(with("barrier.cluster.arrive; barrier.cluster.wait;") == "");
  CHECK(with("barrier.cluster.arrive; barrier.cluster.arrive;") == "undefined ");
  CHECK(with("barrier.cluster.wait;") == "undefined ");
  // CTA 1 ends, and is not waited for; it spins, and is.
  CHECK(with("@!%p exit; barrier.cluster.arrive; barrier.cluster.wait;") == "");
  CHECK(with("barrier.cluster.arrive; @%p barrier.cluster.wait; @!%p bar.sync 0, 64;") == "deadlock ");
}

TEST_CASE("the grid workspace of a cooperative launch") {
  const std::string text = R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<5>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %envreg1;
  mov.u32 %r2, %envreg2;
  mov.b64 %rd2, {%r2, %r1};
  atom.add.u32 %r3, [%rd2+60], 1;
  mov.u32 %r4, %ctaid.x;
  mad.wide.u32 %rd3, %r4, 4, %rd1;
  st.global.u32 [%rd3], %r3;
  ret;
})";
  Launch launch = launch_with({zeros(2)});
  launch.grid = {2, 1, 1};
  launch.is_cooperative = true;
  const auto outcome = run(text, launch);
  CHECK(outcome.kinds() == "");
  CHECK(outcome.values() == std::vector<std::string>{"0", "1"});
  launch.is_cooperative = false;
  CHECK(run(text, launch).kinds() == "out-of-bounds ");
}

TEST_CASE("aligned barriers: threads of a warp at different ones are divergent") {
  const auto with = [](const std::string& body, std::uint32_t threads) {
    const std::string text =
        ".visible .entry k() { .reg .pred %p; .reg .b32 %r<3>; mov.u32 %r1, %tid.x; setp.lt.u32 %p, %r1, "
        "4; " +
        body + " ret; }";
    std::string kinds = run(text, launch_with({}, threads)).kinds();
    for (std::uint64_t seed = 0; seed < 10; ++seed)
      CHECK(run(text, launch_with({}, threads), {seed}).kinds() == kinds);
    return kinds;
  };
  CHECK(with("@%p bar.sync 0; @!%p bar.sync 0;", 8) == "divergence ");
  CHECK(with("@%p barrier.sync 0; @!%p barrier.sync 0;", 8) == "");
  CHECK(with("bar.sync 0; bar.sync 1; bar.sync 0;", 64) == "");
  CHECK(with("bar.arrive 0, 128; bar.sync 0, 128;", 64) == "");
  CHECK(with("@%p bar.arrive 0, 64; bar.sync 1;", 8) == "divergence ");
  CHECK(with("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;", 8) == "");
  // Lanes 1 and 2 are at one aligned and one unaligned barrier, also while lane 0 waits elsewhere.
  CHECK(with("setp.eq.u32 %p, %r1, 0; @%p barrier.cluster.arrive; @%p barrier.cluster.wait; @%p exit;"
             "setp.eq.u32 %p, %r1, 1; @%p bar.sync 0; @!%p barrier.sync 0;",
             3) == "divergence ");
}

// PTX ISA 8.7 § 9.7.13.1: all threads of a warp execute an aligned barrier, those that have exited apart.
TEST_CASE(
    "a thread that ends without an aligned barrier is divergent if it was there when others executed it") {
  const std::string text = R"(.visible .entry k() {
  .reg .pred %p; .reg .b32 %r<3>;
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p, %r1, 4;
  @%p bra LATE;
  bar.sync 0;
  bra END;
LATE:
  EARLIER
END:
  ret;
})";
  const auto kinds = [&](const std::string& earlier, RunOptions options) {
    std::string changed = text;
    changed.replace(changed.find("EARLIER"), 7, earlier);
    return run(changed, launch_with({}, 8), options).kinds();
  };
  CHECK(kinds("exit;", {}) == "");  // by turns, they end before the others are at the barrier
  CHECK(kinds("mov.u32 %r2, 1; mov.u32 %r2, 2; mov.u32 %r2, 3;", {}) == "divergence ");
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) seen.insert(kinds("exit;", {seed}));
  CHECK(seen == std::set<std::string>{"", "divergence "});
}

TEST_CASE("what lies behind a buffer is no other buffer") {
  const std::string text = R"(
.visible .entry k(.param .u64 a, .param .u64 b) {
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [a];
  st.global.u32 [%rd1+256], 1;
  ret;
})";
  const auto full = [](const char* name) {
    return Parameter{name, buffer("u32", ".u32", std::vector<std::uint64_t>(64))};
  };
  CHECK(run(text, launch_with({full("a"), full("b")})).kinds() == "out-of-bounds ");
  const auto empty =
      run(".visible .entry k(.param .u64 a) { ret; }", launch_with({{"a", buffer("u32", ".u32", {})}}));
  CHECK(empty.values().empty());
}
