// Accesses to the shared memory of a CTA that may have ended: PTX ISA 8.7 § 2.2.2. (litmus/clusters/cta-end-*
// has more shapes.)
#include <doctest/doctest.h>

#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// The answer of both engines for a kernel of one cluster. %r1 is the rank of the CTA, %r2 the thread; thread
/// 0 of each CTA initialises `bar` for one arrival. %r8 and %r9 are the addresses of `s` and of `bar` in the
/// next CTA.
std::string answer(const std::string& body, std::uint32_t ctas, std::uint32_t threads = 1,
                   const std::string& sync = "barrier.cluster.arrive; barrier.cluster.wait;\n") {
  const std::string text = kernel_with_out(
      ".shared .align 16 .b8 s[16]; .shared .align 8 .b64 bar;\n"
      "mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %tid.x; mov.u32 %r3, %cluster_nctarank;\n"
      "setp.ne.u32 %p1, %r1, 0; setp.ne.u32 %p2, %r2, 0;\n"
      "@!%p2 mbarrier.init.shared::cta.b64 [bar], 1;\n@!%p2 st.shared.v4.u32 [s], {0, 0, 0, 0};\n" +
      sync +
      "add.u32 %r4, %r1, 1; rem.u32 %r4, %r4, %r3;\n"
      "mov.u32 %r5, s; mapa.shared::cluster.u32 %r8, %r5, %r4;\n"
      "mov.u32 %r6, bar; mapa.shared::cluster.u32 %r9, %r6, %r4;\n" +
      body);
  Launch launch = out_of({0, 0, 0, 0}, threads);
  launch.grid = launch.cluster.emplace(Dimensions{ctas, 1, 1});
  launch.entries = {"k"};
  launch.module = written_file("k.ptx", header + text);
  launch.file = "k.toml";
  const std::string solved = verdict(launch, Engine::smt);
  CHECK(verdict(launch, Engine::automatic) == solved);
  const std::string explored = verdict(launch, Engine::explorer);
  if (explored.find("unknown") == std::string::npos) CHECK(explored == solved);
  std::set<std::string> of_runs;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    for (const Finding& finding : run(text, launch, {seed, 1'000'000}).result.findings) {
      CAPTURE(finding.message);
      CHECK(solved.find(finding.kind) != std::string::npos);
      of_runs.insert(finding.kind);
    }
  if (solved == "out-of-bounds") CHECK(of_runs.contains("out-of-bounds"));
  return solved;
}

const std::string arrival = "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r9];\n";
const std::string waiting =
    "W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [bar], 0;\n@!%p3 bra W;\n";

}  // namespace

TEST_CASE("each CTA waits until the one before has accessed its shared memory") {
  for (const std::string access :
       {"st.shared::cluster.u32 [%r8], 5;\n", "atom.shared::cluster.add.u32 %r7, [%r8], 1;\n"}) {
    CAPTURE(access);
    CHECK(answer(access + arrival + waiting, 3) == "safe");
    CHECK(answer(arrival + access + waiting, 3) == "out-of-bounds");
  }
  CHECK(answer("st.shared::cluster.u32 [%r8], 5;\n" + arrival + waiting, 4) == "safe");
  CHECK(answer(arrival, 2) == "out-of-bounds");
}

TEST_CASE("a CTA ends when all its threads have ended") {
  const std::string one_waits = arrival + waiting + "bra E;\nO: mov.u32 %r7, 1;\nE:\n";
  CHECK(answer("@%p2 bra O;\n" + one_waits, 2, 2) == "safe");
  // One thread waits for the arrival, another thread stores behind no arrival.
  CHECK(answer("@%p2 st.shared::cluster.u32 [%r8], 5;\n@%p2 bra O;\n" + one_waits, 2, 2) == "out-of-bounds");
}

TEST_CASE("asynchronous operations, of another CTA and of the own one") {
  const std::string store = "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r8], 7, [%r9];\n";
  const auto expect = [](const std::string& bytes) {
    return "mbarrier.arrive.expect_tx.relaxed.cluster.shared::cta.b64 _, [bar], " + bytes + ";\n";
  };
  CHECK(answer(expect("4") + store + waiting, 2) == "safe");
  const std::string bulk =
      "fence.proxy.async;\ncp.async.bulk.global.shared::cta.bulk_group [%rd0], [s], 16;\n"
      "cp.async.bulk.commit_group;\n";
  const std::string fill = "st.shared.v4.u32 [s], {1, 2, 3, 4};\n";
  CHECK(answer(fill + bulk + "cp.async.bulk.wait_group.read 0;\n", 1) == "safe");
  CHECK(answer(fill + bulk, 1) == "out-of-bounds");
}
