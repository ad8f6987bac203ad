// Barriers whose execution depends on inputs that the launch leaves open.
#include "solver/launch/launch_cases.hpp"

#include <algorithm>
#include <set>

#include "solver/meetings/barrier_schedules.hpp"
#include "src/kernel/unfolding/checked_launch.hpp"
#include "tests/src/kernel/unfolded_kernel.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

namespace {

/// Skips the barrier where the instruction gives a true %p1.
std::string kernel_that_skips(const std::string& instruction) {
  return ".entry k(.param .u32 x, .param .u64 out) {\n.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
         "ld.param.u32 %r1, [x];\nld.param.u64 %rd1, [out];\nmov.u32 %r2, %tid.x;\n" +
         instruction + "\n@%p1 bra L;\nbar.sync 0;\nL: ret;\n}\n";
}

UnfoldOptions for_checking() {
  UnfoldOptions options;
  options.may_wait_for_ever = true;
  return options;
}

Launch open_launch(std::uint32_t threads) {
  return launch_with(
      {{"x", ScalarParameter{{"u32", type_of(".u32")}, AnyValue{}}}, u32_buffer("out", {0, 0})}, threads);
}

std::vector<LaunchCase> cases_of(const std::string& instruction, std::uint32_t threads = 64) {
  const Unfolding unfolding(kernel_that_skips(instruction), open_launch(threads), for_checking());
  return barrier_cases(unfolding.structure());
}

}  // namespace

TEST_CASE("a branch on an input that all threads take alike gives two cases, each with known barriers") {
  const Unfolding unfolding(kernel_that_skips("setp.ne.u32 %p1, %r1, 0;"), open_launch(64), for_checking());
  CHECK_FALSE(barrier_schedules(unfolding.structure()));  // they depend on x
  const auto cases = barrier_cases(unfolding.structure());
  REQUIRE(cases.size() == 2);
  CHECK((cases[0].assumption ^ cases[1].assumption).is_true());
  std::set<std::size_t> passed;
  for (const LaunchCase& one : cases) {
    const auto schedules = barrier_schedules(one.structure);
    REQUIRE(schedules);
    REQUIRE(schedules->size() == 1);
    passed.insert(static_cast<std::size_t>(
        std::ranges::count_if(schedules->front(), [](int phase) { return phase >= 0; })));
  }
  CHECK(passed == std::set<std::size_t>{0, 64});
}

TEST_CASE("no cases where nothing is open, where reads decide, or each thread has a condition of its own") {
  CHECK(cases_of("setp.ne.u32 %p1, 1, 0;").empty());
  CHECK(cases_of("ld.global.u32 %r3, [%rd1]; setp.ne.u32 %p1, %r3, 0;").empty());
  CHECK(cases_of("setp.ge.u32 %p1, %r2, %r1;").empty());
}
