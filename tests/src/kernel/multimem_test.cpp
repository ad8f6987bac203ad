// Multimem addresses: PTX ISA 8.7 § 9.7.9.14.
#include <doctest/doctest.h>

#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// The kernel gets a multimem address of `x` and `y`, which come behind it.
Launch replicated(std::vector<std::uint64_t> x, std::vector<std::uint64_t> y, std::uint32_t threads = 1) {
  Launch launch = launch_with({{"m", MultimemParameter{{"x", "y"}}}}, threads);
  launch.parameters.push_back({"x", buffer("u32", ".u32", std::move(x))});
  launch.parameters.push_back({"y", buffer("u32", ".u32", std::move(y))});
  return launch;
}

std::string with_replicas(const std::string& body) {
  return ".visible .entry k(.param .u64 m, .param .u64 x, .param .u64 y) {\n"
         ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<9>;\n"
         "ld.param.u64 %rd0, [m];\nld.param.u64 %rd1, [x];\n" +
         body + "\nret;\n}\n";
}

}  // namespace

TEST_CASE("a reduction of all replicas") {
  Launch launch = replicated({5, 7}, {11, 0x80000000});
  launch.final_condition = "x[0] == 16 && x[1] == 2147483655";
  CHECK(found_by_all(with_replicas("multimem.ld_reduce.global.add.u32 %r1, [%rd0];\n"
                                   "multimem.ld_reduce.global.or.b32 %r2, [%rd0+4];\n"
                                   "st.global.u32 [%rd1], %r1;\nst.global.u32 [%rd1+4], %r2;\n"),
                     launch) == "safe");
  launch.final_condition = "x[0] == 5 && x[1] == 2147483648";
  CHECK(found_by_all(with_replicas("multimem.ld_reduce.global.min.s32 %r1, [%rd0];\n"
                                   "multimem.ld_reduce.global.min.s32 %r2, [%rd0+4];\n"
                                   "st.global.u32 [%rd1], %r1;\nst.global.u32 [%rd1+4], %r2;\n"),
                     launch) == "safe");
}

TEST_CASE("a sum of floating-point numbers, element by element") {
  Launch launch = replicated({0x3fc00000, 0x3c003e00}, {0x40000000, 0x40003e00});  // halves: 1, 1.5; 2, 1.5
  launch.final_condition = "x[0] == 1080033280 && x[1] == 1107313152";             // 3.5; halves 3, 3
  CHECK(found_by_all(with_replicas("multimem.ld_reduce.global.add.f32 %f1, [%rd0];\n"
                                   "multimem.ld_reduce.global.add.f16x2 %r2, [%rd0+4];\n"
                                   "st.global.f32 [%rd1], %f1;\nst.global.u32 [%rd1+4], %r2;\n"),
                     launch) == "safe");
}

TEST_CASE("the precision in which replicas are combined") {
  const auto with_three = [](std::vector<std::uint64_t> x, std::vector<std::uint64_t> y,
                             std::vector<std::uint64_t> z) {
    Launch launch = replicated(std::move(x), std::move(y));
    std::get<MultimemParameter>(launch.parameters[0].is).buffers.push_back("z");
    launch.parameters.push_back({"z", buffer("u32", ".u32", std::move(z))});
    launch.parameters.back().role = Parameter::Role::buffer;
    return launch;
  };
  // Halves: 2048 + 1 + 1. Each addition to 2048 is lost in f16; in f32 the sum is 2050.
  Launch halves = with_three({0x68006800}, {0x3c003c00}, {0x3c003c00});
  const std::string sums =
      "multimem.ld_reduce.global.add.acc::f32.f16x2 %r1, [%rd0];\n"
      "multimem.ld_reduce.global.add.f16x2 %r2, [%rd0];\n"
      "st.global.u32 [%rd1], %r1;\nld.param.u64 %rd2, [y];\nst.global.u32 [%rd2], %r2;\n";
  halves.final_condition = "x[0] == 1744922625 && y[0] == 1744857088";  // 0x68016801, 0x68006800
  CHECK(found_by_all(with_replicas(sums), halves) == "safe");
  // e4m3, which needs sm_100a: 16 + 1 + 1 with three digits after the first; in f16 the sum is 18 (0x59).
  const auto finds_nothing = [](const std::string& body, const Launch& launch) {
    const auto source = std::make_shared<const SourceText>(
        "k.ptx", ".version 8.7\n.target sm_100a\n.address_size 64\n" + with_replicas(body));
    syntax::Diagnostics diagnostics;
    const syntax::Module module = syntax::read_module(source, ptx(), diagnostics);
    REQUIRE(!diagnostics.has_errors());
    Launch own = launch;
    own.entries = {"k"};
    return run_launch(own, module, {}, [](const std::string&) {}).findings.empty();
  };
  Launch small = with_three({0x58585858}, {0x38383838}, {0x38383838});
  small.final_condition = "x[0] == 1499027801 && y[0] == 1482184792";  // 0x59595959, 0x58585858
  CHECK(
      finds_nothing("multimem.ld_reduce.global.add.acc::f16.e4m3x4 %r1, [%rd0];\n"
                    "multimem.ld_reduce.global.add.e4m3x4 %r2, [%rd0];\n"
                    "st.global.u32 [%rd1], %r1;\nld.param.u64 %rd2, [y];\nst.global.u32 [%rd2], %r2;\n",
                    small));
  small.final_condition = "x[0] == 943208504";  // 0x38383838
  CHECK(finds_nothing("multimem.ld_reduce.global.min.e4m3x4 %r1, [%rd0];\nst.global.u32 [%rd1], %r1;\n",
                      small));
}

TEST_CASE("a store and a reduction change all replicas") {
  Launch launch = replicated({5, 7}, {11, 13});
  launch.final_condition = "x[0] == 3 && y[0] == 3 && x[1] == 10 && y[1] == 16";
  CHECK(found_by_all(with_replicas("mov.u32 %r1, 3;\nmultimem.st.global.u32 [%rd0], %r1;\n"
                                   "multimem.red.global.add.u32 [%rd0+4], %r1;\n"),
                     launch) == "safe");
}

TEST_CASE("reductions of several threads are atomic, weak stores race") {
  const std::string value = "mov.u32 %r1, 3;\n";
  Launch launch = replicated({5}, {11}, 2);
  launch.final_condition = "x[0] == 11 && y[0] == 17";
  CHECK(found_by_all(with_replicas(value + "multimem.red.relaxed.gpu.global.add.u32 [%rd0], %r1;\n"),
                     launch) == "safe");
  CHECK(found_by_all(with_replicas(value + "multimem.st.global.u32 [%rd0], %r1;\n"),
                     replicated({5}, {11}, 2)) == "race");
}

TEST_CASE("only multimem operations may use a multimem address, and they need one") {
  CHECK(found_by_all(with_replicas("ld.global.u32 %r1, [%rd0];\n"), replicated({5}, {6})) == "out-of-bounds");
  CHECK(found_by_all(with_replicas("multimem.ld_reduce.global.add.u32 %r1, [%rd0+4];\n"),
                     replicated({5}, {6})) == "out-of-bounds");
  CHECK(found_by_all(with_replicas("multimem.ld_reduce.global.add.u32 %r1, [%rd1];\n"),
                     replicated({5}, {6})) == "undefined");
}

TEST_CASE("a multimem address has buffers of one size") {
  Launch launch = replicated({5}, {6, 7});
  CHECK_THROWS_WITH_AS(run(with_replicas(""), launch), "found 8 bytes in 'y', expected the 4 of 'x'",
                       InputError);
  launch = replicated({5}, {6});
  std::get<MultimemParameter>(launch.parameters.front().is).buffers.push_back("z");
  CHECK_THROWS_WITH_AS(run(with_replicas(""), launch), "found 'z' in 'm', expected the name of a buffer",
                       InputError);
}
