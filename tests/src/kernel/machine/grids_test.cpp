// Programmatic dependents: PTX ISA 8.7 § 9.7.13.13.
#include <doctest/doctest.h>

#include <set>

#include "tests/src/kernel/kernel_run.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

namespace {

/// The first grid writes 1 to each element late; the second one adds 1 to what it reads, at once or after a
/// wait.
std::string two_grids(const std::string& before_write, const std::string& before_read) {
  const std::string registers = ".reg .b32 %r<4>; .reg .b64 %rd<2>; ld.param.u64 %rd0, [x];";
  return ".visible .entry a(.param .u64 x) {" + registers + before_write +
         "st.global.u32 [%rd0], 1; ret; }\n.visible .entry b(.param .u64 x) {" + registers + before_read +
         "ld.global.u32 %r1, [%rd0]; add.u32 %r1, %r1, 1; st.global.u32 [%rd0], %r1; ret; }";
}

/// The final values under this many seeds.
std::set<std::string> values_under_seeds(const std::string& text, unsigned seeds) {
  std::set<std::string> result;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    Launch launch = launch_with({{"x", buffer("s32", ".s32", {5})}});
    launch.parameters.push_back({"same", SameValue{0}});
    launch.is_dependent = true;
    const auto outcome = run(text, launch, {.seed = seed}, {"a", "b"});
    CHECK(outcome.kinds() == "");
    result.insert(outcome.values().front());
  }
  return result;
}

}  // namespace

TEST_CASE("griddepcontrol.wait waits for the end of the prerequisite grid") {
  const std::string text = two_grids("griddepcontrol.launch_dependents; nanosleep.u32 1; nanosleep.u32 1;",
                                     "griddepcontrol.wait;");
  CHECK(values_under_seeds(text, 40) == std::set<std::string>{"2"});
}

TEST_CASE("a dependent grid may start early, and need not") {
  const std::string text =
      two_grids("griddepcontrol.launch_dependents; nanosleep.u32 1; nanosleep.u32 1;", "");
  CHECK(values_under_seeds(text, 100) == std::set<std::string>{"1", "2", "6"});
}

TEST_CASE("a dependent grid starts when its prerequisite allows it or has ended") {
  CHECK(values_under_seeds(two_grids("", ""), 40) == std::set<std::string>{"2"});
}

TEST_CASE("a wait without a prerequisite has no effect") {
  const auto outcome =
      run(".visible .entry k(.param .u64 x) { .reg .b64 %rd<1>; ld.param.u64 %rd0, [x];"
          "griddepcontrol.wait; st.global.u32 [%rd0], 1; ret; }",
          launch_with({{"x", buffer("s32", ".s32", {5})}}));
  CHECK(outcome.kinds() == "");
  CHECK(outcome.values().front() == "1");
}
