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
