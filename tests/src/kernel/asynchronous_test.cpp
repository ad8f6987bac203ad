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
const std::string add = "ld.shared.u32 %r2, [%r1];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%rd0], %r2;\n";

}  // namespace

// PTX ISA 8.7 § 9.7.9.25.3.3.
TEST_CASE("a copy is there after the wait for its group") {
  CHECK(found_by_all(copying(copy + "cp.async.wait_group 0;\n" + add), out_of({5}, 1)) == "safe");
  CHECK(found_by_all(copying(copy + add), out_of({5}, 1), true).find("race") != std::string::npos);
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
