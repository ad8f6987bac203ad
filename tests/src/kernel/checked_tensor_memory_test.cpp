// Tensor memory in `check`: PTX ISA 8.7 § 9.7.16.
#include <fstream>
#include <iterator>

#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

const std::string wait = "tcgen05.wait::st.sync.aligned;\n";
const std::string before = "tcgen05.fence::before_thread_sync;\n",
                  after = "tcgen05.fence::after_thread_sync;\n";
const std::string meet = "bar.sync 0;\n";
const std::string own_lanes = "and.b32 %r3, %r0, 32;\nshl.b32 %r3, %r3, 16;\nadd.u32 %r3, %r3, %r2;\n";

/// The first warp allocates, then all warps execute the body; %r2 is the address, %p0 is false in the first
/// warp.
std::string allocating(const std::string& body, const std::string& behind_allocation = meet) {
  return ".visible .entry k() {\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n"
         ".shared .align 4 .b32 place; .shared .align 8 .b64 bar; .shared .align 128 .b8 tile[2560];\n"
         "mov.u32 %r0, %tid.x;\nsetp.gt.u32 %p0, %r0, 31;\n@%p0 bra allocated;\n"
         "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [place], 32;\nallocated:\n" +
         behind_allocation + "ld.shared.u32 %r2, [place];\n" + body + before + meet + after +
         "@%p0 bra done;\ntcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;\ndone:\nret;\n}\n";
}

Launch launch_of(const std::string& text, std::uint32_t threads) {
  Launch launch = launch_with({}, threads);
  launch.entries = {"k"};
  launch.module = written_file("k.ptx", ".version 8.7\n.target sm_100a\n.address_size 64\n" + text);
  launch.file = "k.toml";
  return launch;
}

std::string verdict_of(const std::string& text, std::uint32_t threads = 32) {
  return verdict(launch_of(text, threads), Engine::automatic);
}

const std::string stores = "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%r0};\n";
const std::string loads =
    "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r4}, [%r2];\ntcgen05.wait::ld.sync.aligned;\n";

}  // namespace

TEST_CASE("a load of tensor memory follows a store that was waited for") {
  CHECK(verdict_of(allocating(stores + wait + loads)) == "safe");
  CHECK(verdict_of(allocating(stores + loads + wait)).starts_with("race"));
}

// Thread t stores its second register in lane 8 + t/4 (PTX ISA 8.7 § 9.7.16.2.3.1, .16x128b): behind the
// store of that lane, which is of the same warp and for which it has waited.
TEST_CASE("a cell has a known value behind stores of several lanes") {
  std::string text =
      allocating("tcgen05.st.sync.aligned.32x32b.x4.b32 [%r2], {%r0, %r0, %r0, %r0};\n" + wait +
                 "add.u32 %r5, %r0, 100;\nadd.u32 %r6, %r0, 200;\n"
                 "tcgen05.st.sync.aligned.16x128b.x1.b32 [%r2], {%r5, %r6};\n" +
                 wait + loads +
                 "ld.param.u64 %rd0, [out];\nmul.wide.u32 %rd1, %r0, 4;\nadd.u64 %rd0, %rd0, %rd1;\n"
                 "st.global.u32 [%rd0], %r4;\n");
  text.replace(text.find("k()"), 3, "k(.param .u64 out)");
  Launch launch = launch_of(text, 32);
  launch.parameters = {{"out", buffer("u32", ".u32", std::vector<std::uint64_t>(32))}};
  launch.final_condition =
      "out[0] == 100 && out[1] == 104 && out[8] == 200 && out[9] == 204 && out[16] == 16";
  const CheckedLaunch checked =
      check(launch, all_launch_properties(), cat::load("ptx-8.7"), {}, Engine::automatic);
  CHECK(checked.violated().empty());
  CHECK(checked.unknown().empty());
  CHECK(checked.answer.engine == "barriers");  // without the solver
}

TEST_CASE("the order of tensor memory is one of the model's") {
  std::ifstream file(std::string(PTXMC_SOURCE_DIR) + "/model/ptx-8.7.cat");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string part = "  | tensor_memory_order\n";
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  text.erase(at, part.size());
  const cat::Model without = cat::parse({"m.cat", text}, {});
  const Launch launch = launch_of(allocating(stores + wait + loads), 32);
  CHECK(
      check(launch, {LaunchProperty::race}, cat::load("ptx-8.7"), {}, Engine::automatic).violated().empty());
  CHECK_FALSE(check(launch, {LaunchProperty::race}, without, {}, Engine::automatic).violated().empty());
}

// An execution in which the second warp takes another address has a race, or takes what is not initialized.
TEST_CASE("the address that tcgen05.alloc writes is read behind a barrier") {
  const std::string use = own_lanes + "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r3], {%r0};\n" + wait;
  CHECK(verdict_of(allocating(use), 64) == "safe");
  const std::string found = verdict_of(allocating(use, ""), 64);
  CHECK(found.find("race") != std::string::npos);
  CHECK(found.find("uninitialized") != std::string::npos);
  // Another write of the place: the threads do not read the address, or before this write.
  const std::string other = "setp.eq.u32 %p1, %r0, 0;\n@%p1 st.shared.u32 [place], 7;\n";
  CHECK(verdict_of(allocating(use, meet + other + meet)).starts_with("unknown"));
  CHECK(verdict_of(allocating(meet + other)) == "safe");
}

namespace {

/// Copies 512 bytes of shared memory to 32 lanes and multiplies 64 x 16 zeros with 16 x 8 zeros; %r2 is the
/// accumulator. The first thread starts both, and the phase of the mbarrier ends when they are complete.
const std::string prepare =
    "setp.ne.u32 %p1, %r0, 0;\n@%p1 bra prepared;\nmbarrier.init.shared::cta.b64 [bar], 1;\nprepared:\n"
    "mov.u32 %r5, tile;\nmad.lo.u32 %r6, %r0, 80, %r5;\nmov.u32 %r7, 0;\nfill:\nst.shared.u32 [%r6], 0;\n"
    "add.u32 %r6, %r6, 4;\nadd.u32 %r7, %r7, 1;\nsetp.lt.u32 %p2, %r7, 20;\n@%p2 bra fill;\n"
    "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
    "shr.u32 %r5, %r5, 4;\ncvt.u64.u32 %rd1, %r5;\nor.b64 %rd1, %rd1, 0x401000080000;\nadd.s64 %rd2, %rd1, "
    "128;\n"
    "setp.ne.u32 %p3, 0, 0;\nsetp.ne.u32 %p4, 1, 0;\n@%p1 bra issued;\n";
const std::string see = after;
const std::string multiply = "tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, 0x4020010, %p3;\n",
                  add = "tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, 0x4020010, %p4;\n",
                  other_multiply = "tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, 0x4040010, %p3;\n",
                  copy_tile = "tcgen05.cp.cta_group::1.32x128b.warpx4 [%r2], %rd1;\n",
                  commit = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];\n",
                  await =
                      "issued:\nwaiting:\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0;\n"
                      "@!%p2 bra waiting;\n";

}  // namespace

TEST_CASE("an operation of tensor cores is complete when the mbarrier of its commit is") {
  const auto verdict_after = [](const std::string& operations) {
    return verdict_of(allocating(prepare + operations));
  };
  const std::string load =
      "tcgen05.ld.sync.aligned.16x256b.x1.b32 {%r3, %r4, %r6, %r7}, [%r2];\n"
      "tcgen05.wait::ld.sync.aligned;\n";
  const std::string load_copied =
      "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r3, %r4, %r6, %r7}, [%r2];\n"
      "tcgen05.wait::ld.sync.aligned;\n";
  CHECK(verdict_after(multiply + commit + await + see + load) == "safe");
  CHECK(verdict_after(multiply + commit + await + load).starts_with("race"));
  CHECK(verdict_after(multiply + commit + "issued:\n" + see + load).starts_with("race"));
  CHECK(verdict_after(copy_tile + commit + await + see + load_copied) == "safe");
  CHECK(verdict_after(copy_tile + commit + await + load_copied).starts_with("race"));
  // Pairs that are performed in order, without a wait.
  CHECK(verdict_after(multiply + add + commit + await + see + load) == "safe");
  CHECK(verdict_after(copy_tile + multiply + commit + await + see + load) == "safe");
  CHECK(verdict_after(multiply + copy_tile + commit + await).starts_with("race"));
  CHECK(verdict_after(multiply + other_multiply + commit + await).starts_with("race"));
}

TEST_CASE("operations that are not unfolded are refused by name") {
  const auto is_refused = [](const std::string& instruction) {
    CAPTURE(instruction);
    CHECK_THROWS_AS(verdict_of(allocating("mov.b64 %rd1, 0;\nsetp.eq.u32 %p1, %r0, 0;\n" + instruction)),
                    Unsupported);
  };
  is_refused("tcgen05.shift.cta_group::1.down [%r2];\n");
}

// § 9.7.16.4: one .cta_group in a function.
TEST_CASE("an instruction for a pair of CTAs behind one for a CTA is undefined") {
  for (const std::string instruction :
       {"tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [place], 32;\n",
        "tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r2, 32;\n",
        "tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;\n"}) {
    CAPTURE(instruction);
    CHECK(verdict_of(allocating(instruction)) == "undefined");
  }
}
