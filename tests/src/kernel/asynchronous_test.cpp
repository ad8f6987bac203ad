// Asynchronous copies in kernels: `run` and `check` have the same answer.
#include <doctest/doctest.h>

#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// A kernel of one thread whose shared memory `s` has 16 bytes, with an object `bar` for mbarriers.
std::string copying(const std::string& body) {
  return kernel_with_out(".shared .align 16 .b8 s[16];\n.shared .align 8 .b64 bar;\nmov.u32 %r1, s;\n" +
                         body);
}

const std::string copy = "cp.async.ca.shared.global [%r1], [%rd0], 4;\ncp.async.commit_group;\n";
const std::string add_one = "ld.shared.u32 %r2, [%r1];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%rd0], %r2;\n";

}  // namespace

// PTX ISA 8.7 § 9.7.9.25.3.3.
TEST_CASE("a copy is there after the wait for its group") {
  CHECK(found_by_all(copying(copy + "cp.async.wait_group 0;\n" + add_one), out_of({5}, 1)) == "safe");
  CHECK(found_by_all(copying(copy + add_one), out_of({5}, 1), true).find("race") != std::string::npos);
}

// § 9.7.9.25.4.1: the address must be a multiple of 16.
TEST_CASE("a copy to an address that is not aligned is out of bounds") {
  CHECK(found_by_all(copying("cp.async.cg.shared.global [%r1+4], [%rd0], 16;\ncp.async.wait_all;\n"),
                     out_of({5, 5, 5, 5, 5, 5, 5, 5}, 1)) == "out-of-bounds");
}

namespace {

/// One thread: a bulk copy, then an arrival that expects its bytes, and the wait for both.
std::string bulk_copy(const std::string& count, const std::string& arrival) {
  return copying(
      "mov.u32 %r3, bar;\nmbarrier.init.shared::cta.b64 [%r3], " + count +
      ";\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd0], 16, [%r3];\n" +
      arrival + "L: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3], 0;\n@!%p1 bra L;\n");
}

}  // namespace

// § 9.7.13.15.2: the bytes may be complete before they are expected.
TEST_CASE("a copy may be complete before or after a later instruction of its thread") {
  const std::string text = bulk_copy("1", "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 16;\n");
  CHECK(found_by_all(text, out_of({5, 5, 5, 5}, 1)) == "safe");
  Launch launch = out_of({5, 5, 5, 5}, 1);
  launch.entries = {"k"};
  launch.module = written_file("k.ptx", header + text);
  launch.file = "k.toml";
  const CheckedLaunch checked =
      check(launch, all_launch_properties(), cat::load("ptx-8.7"), {}, Engine::explorer);
  CHECK(checked.answer.executions == 2);
}

TEST_CASE("the signal of an asynchronous operation that the manual leaves undefined") {
  const std::string text = copying(
      "mov.u32 %r3, bar;\nmbarrier.init.shared::cta.b64 [%r3], 1;\n"
      "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r3];\n"
      "mbarrier.arrive.noComplete.shared::cta.b64 %rd1, [%r3], 1;\n");
  CHECK(found_by_all(text, out_of({5}, 1), true).find("undefined") != std::string::npos);
}

// § 9.7.9.13: zeros, in bytes that any access may read; the size is a multiple of 8.
TEST_CASE("st.bulk writes zeros") {
  const auto after_zeros = [](const std::string& size) {
    return copying(
        "mov.u64 %rd1, s;\nmov.u32 %r2, -1;\nst.shared.u32 [%r1], %r2;\n"
        "st.shared.u32 [%r1+4], %r2;\nst.shared.u32 [%r1+8], %r2;\n"
        "mov.u64 %rd2, " +
        size +
        ";\nst.bulk.weak.shared::cta [%rd1], %rd2, 0;\n"
        "ld.shared.u16 %h1, [%r1+6];\ncvt.u32.u16 %r3, %h1;\nst.global.u32 [%rd0], %r3;\n"
        "ld.shared.u32 %r3, [%r1+8];\nst.global.u32 [%rd0+4], %r3;\n");
  };
  Launch launch = out_of({5, 5});
  launch.final_condition = "out[0] == 0 && out[1] == 4294967295";
  CHECK(found_by_all(after_zeros("8"), launch) == "safe");
  launch.final_condition = "out[0] == 0 && out[1] == 0";
  CHECK(found_by_all(after_zeros("16"), launch) == "safe");
  CHECK(found_by_all(after_zeros("12"), launch) == "undefined");
  CHECK(found_by_all(after_zeros("24"), launch) == "out-of-bounds");
}

// § 9.7.9.25.3.1: the source must not be larger than the copy.
TEST_CASE("cp.async with a source that is larger than the copy is undefined") {
  const auto copy_of = [](const std::string& size) {
    return copying("mov.u32 %r4, " + size +
                   ";\ncp.async.ca.shared.global [%r1], [%rd0], 8, %r4;\ncp.async.wait_all;\n"
                   "ld.shared.u32 %r2, [%r1+4];\nst.global.u32 [%rd0], %r2;\n");
  };
  Launch launch = out_of({5, 6});
  launch.final_condition = "out[0] == 0";
  CHECK(found_by_all(copy_of("4"), launch) == "safe");
  CHECK(found_by_all(copy_of("9"), launch) == "undefined");
}

namespace {

/// The thread writes `first` to 16 bytes of shared memory, and copies or adds them to `out`.
std::string bulk_store(const std::string& first, const std::string& instruction) {
  return copying("mov.u32 %r2, " + first +
                 ";\nst.shared.u32 [%r1], %r2;\nst.shared.u32 [%r1+4], %r2;\n"
                 "st.shared.u32 [%r1+8], %r2;\nst.shared.u32 [%r1+12], %r2;\n"
                 "fence.proxy.async.shared::cta;\nmov.b16 %h1, 0x0103;\n" +
                 instruction + "\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n");
}

}  // namespace

// § 9.7.9.25.4.1: bit i of the mask is for byte i of each 16 bytes.
TEST_CASE("a bulk copy with a mask of bytes") {
  Launch launch = out_of({0x11111111, 0x22222222, 0x33333333, 0x44444444});
  launch.final_condition =
      "out[0] == 286370474 && out[1] == 572662306 && out[2] == 858993578 && out[3] == 1145324612";
  CHECK(found_by_all(bulk_store("0xaaaaaaaa",
                                "cp.async.bulk.global.shared::cta.bulk_group.cp_mask "
                                "[%rd0], [%r1], 16, %h1;"),
                     launch) == "safe");
}

// § 9.7.9.25.4.1 to § 9.7.9.25.4.3: "if the value is not a multiple of 16, then the behavior is undefined".
TEST_CASE("the size of a bulk instruction is a multiple of 16") {
  const std::string to_shared = ".mbarrier::complete_tx::bytes [%r1], [%rd0], %r4, [%r3];";
  for (const std::string& instruction :
       {"cp.async.bulk.shared::cta.global" + to_shared, "cp.async.bulk.shared::cluster.global" + to_shared,
        std::string("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                    "[%r1], [%r1], %r4, [%r3];"),
        std::string("cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], %r4;"),
        std::string("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 "
                    "[%r1], [%r1], %r4, [%r3];"),
        std::string("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd0], [%r1], %r4;"),
        std::string("cp.async.bulk.prefetch.L2.global [%rd0], %r4;")}) {
    CAPTURE(instruction);
    for (const std::string size : {"8", "24"})
      CHECK(found_by_all(copying("mov.u32 %r3, bar;\nmbarrier.init.shared::cta.b64 [%r3], 1;\nmov.u32 %r4, " +
                                 size + ";\n" + instruction + "\n"),
                         out_of({0, 0, 0, 0, 0, 0, 0, 0})) == "undefined");
  }
  const std::string prefetch = "cp.async.bulk.prefetch.L2.global [%rd0], %r4;\n";
  CHECK(found_by_all(copying("mov.u32 %r4, 32;\n" + prefetch), out_of({0})) == "safe");
  CHECK(found_by_all(copying("ld.global.u32 %r4, [%rd0];\n" + prefetch), out_of({48})) == "safe");
  CHECK(found_by_all(copying("ld.global.u32 %r4, [%rd0];\n" + prefetch), out_of({40})) == "undefined");
}

namespace {

/// The answer for a cluster in which the CTA of rank 0 executes the instruction. %rd3 and %rd4 are generic
/// addresses of `bar` in the CTAs of rank 0 and of the last rank, %r5 to %r8 shared addresses of `bar` and
/// `s` there.
std::string in_cluster(std::uint32_t ctas, const std::string& instruction) {
  const std::string sync = "barrier.cluster.arrive; barrier.cluster.wait;\n";
  Launch launch = out_of({0});
  launch.grid = launch.cluster.emplace(Dimensions{ctas, 1, 1});
  return found_by_all(
      copying(
          "mbarrier.init.shared::cta.b64 [bar], 2;\nst.shared.u32 [%r1], 0;\n" + sync +
          "mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, %cluster_nctarank; sub.u32 %r3, %r3, 1;\n"
          "mov.u32 %r4, bar; mapa.shared::cluster.u32 %r5, %r4, 0; mapa.shared::cluster.u32 %r6, %r4, %r3;\n"
          "mapa.shared::cluster.u32 %r7, %r1, 0; mapa.shared::cluster.u32 %r8, %r1, %r3;\n"
          "mov.u64 %rd1, bar; cvta.shared.u64 %rd1, %rd1;\n"
          "mapa.u64 %rd3, %rd1, 0; mapa.u64 %rd4, %rd1, %r3;\n"
          "setp.eq.u32 %p1, %r2, 0;\n@%p1 " +
          instruction + "\n" + sync),
      launch, true);
}

}  // namespace

// § 9.7.13.15.9 to § 9.7.13.15.16: a generic address of these operations must be in shared::cta.
TEST_CASE("operations on an mbarrier of another CTA") {
  for (const std::string operation :
       {"mbarrier.test_wait.parity.b64 %p2, [%rdX], 0;", "mbarrier.try_wait.parity.b64 %p2, [%rdX], 0;",
        "mbarrier.arrive.b64 _, [%rdX];", "mbarrier.arrive.b64 %rd5, [%rdX];", "mbarrier.inval.b64 [%rdX];",
        "cp.async.mbarrier.arrive.b64 [%rdX];"}) {
    CAPTURE(operation);
    const auto at = [&](const std::string& address) {
      return in_cluster(2, std::string(operation).replace(operation.find("%rdX"), 4, address));
    };
    CHECK(at("%rd3").find("undefined") == std::string::npos);
    CHECK(at("%rd4").find("undefined") != std::string::npos);
  }
  for (const char* operation : {"mbarrier.arrive_drop.b64 _, [%rd4];",
                                "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r6];",
                                "mbarrier.expect_tx.relaxed.cluster.b64 [%rd4], 8;"})
    CHECK(in_cluster(2, operation).find("undefined") == std::string::npos);
}

// § 9.7.9.12: in one CTA of the cluster, which has more than one.
TEST_CASE("st.async: the CTAs of its destination and its mbarrier") {
  const auto store = [](std::uint32_t ctas, const std::string& places) {
    return in_cluster(ctas, "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 " + places + ";")
               .find("undefined") != std::string::npos;
  };
  CHECK_FALSE(store(2, "[%r8], 7, [%r6]"));
  CHECK_FALSE(store(2, "[%r7], 7, [%r5]"));
  CHECK(store(2, "[%r8], 7, [%r5]"));
  CHECK(store(2, "[%r7], 7, [%r6]"));
  CHECK(store(1, "[%r7], 7, [%r5]"));
}

// § 9.7.9.25.4.2: .add rounds to the nearest even number; .f32 flushes subnormal numbers, .f16 does not.
TEST_CASE("bulk reductions of floating-point numbers") {
  const auto sum = [](const std::string& first, const std::string& type, Launch launch) {
    return found_by_all(bulk_store(first, "cp.reduce.async.bulk.global.shared::cta.bulk_group.add" + type +
                                              " [%rd0], [%r1], 16;"),
                        std::move(launch));
  };
  Launch launch = out_of({0x40000000, 0, 0x00000001, 0x3f800001});  // 2, 0, 2^-149, 1 + 2^-23
  // Added to 1.5 (0x3fc00000): 3.5, 1.5, 1.5, and 2.5 + 2^-23, which is a tie and rounds to 2.5.
  launch.final_condition =
      "out[0] == 1080033280 && out[1] == 1069547520 && out[2] == 1069547520 && out[3] == 1075838976";
  CHECK(sum("0x3fc00000", ".f32", launch) == "safe");
  Launch subnormal = out_of({1, 0, 0, 0});
  subnormal.final_condition = "out[0] == 0 && out[1] == 0";
  CHECK(sum("0x00000001", ".f32", subnormal) == "safe");
  subnormal.final_condition = "out[0] == 2 && out[1] == 1";
  CHECK(sum("0x00000001", ".noftz.f16", subnormal) == "safe");
}

namespace {

/// A thread asks for a cluster that has not started, and writes what it gets.
const std::string cancelling = copying(
    "mov.u32 %r3, bar;\nmov.u32 %r9, %ctaid.x;\nmbarrier.init.shared::cta.b64 [%r3], 1;\n"
    "mul.wide.u32 %rd3, %r9, 4;\nadd.u64 %rd3, %rd0, %rd3;\nred.relaxed.gpu.global.add.u32 [%rd3], 1;\n"
    "setp.ne.u32 %p1, %r9, 0;\n@%p1 ret;\nmov.u32 %r8, 0;\n"
    "NEXT:\nfence.proxy.async.shared::cta;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 16;\n"
    "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r1], [%r3];\n"
    "L: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], %r8;\n@!%p2 bra L;\nxor.b32 %r8, %r8, 1;\n"
    ".reg .b128 %q;\nld.shared.b128 %q, [%r1];\n"
    "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p3, %q;\n@!%p3 ret;\n"
    "clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r4, %q;\n"
    "mul.wide.u32 %rd4, %r4, 4;\nadd.u64 %rd4, %rd0, %rd4;\nred.relaxed.gpu.global.add.u32 [%rd4], 16;\n"
    "bra NEXT;\n");

}  // namespace

// § 9.7.13.17: each cluster runs, or one request has its id.
TEST_CASE("clusters are cancelled once, or run") {
  std::set<std::vector<std::string>> results;
  for (unsigned seed = 0; seed < 40; ++seed) {
    Launch launch = out_of({0, 0, 0, 0});
    launch.grid = {4, 1, 1};
    const Outcome outcome = run(cancelling, launch, {.seed = seed});
    CHECK(outcome.kinds() == "");
    CHECK(outcome.values().at(0) == "1");
    for (std::size_t cluster = 1; cluster < 4; ++cluster) {
      const std::string& value = outcome.values().at(cluster);
      CHECK_MESSAGE((value == "1" || value == "16"), value);
    }
    results.insert(outcome.values());
  }
  CHECK(results.size() > 3);
  Launch launch = out_of({0, 0, 0, 0});
  launch.grid = {4, 1, 1};
  CHECK(run(cancelling, launch).values() == std::vector<std::string>{"1", "16", "16", "16"});
}

// § 9.7.13.18.
TEST_CASE("the CTA of a request that has failed is undefined") {
  const std::string text = copying(
      ".reg .b128 %q;\nmov.b64 %rd1, 0;\nmov.b128 %q, {%rd1, %rd1};\n"
      "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p3, %q;\nselp.u32 %r2, 1, 0, %p3;\n"
      "st.global.u32 [%rd0], %r2;\n");
  Launch launch = out_of({5});
  launch.final_condition = "out[0] == 0";
  CHECK(found_by_all(text, launch) == "safe");
  CHECK(found_by_all(text.substr(0, text.rfind("ret;")) +
                         "clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r3, %q;\nret;\n}\n",
                     out_of({5})) == "undefined");
}
