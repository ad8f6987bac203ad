#include "src/kernel/unfolding/assumed_zero.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

CheckedLaunch checked(const std::string& text, Launch launch, Engine engine) {
  launch.entries = {"k"};
  launch.module = written_file("zero.ptx", header + text);
  launch.file = "k.toml";
  return check(launch, all_launch_properties(), cat::load("ptx-8.7"), {}, engine);
}

/// The variables that are read as 0 by default, with spaces between; both engines name the same.
std::string assumed_zero_in(const std::string& text, const Launch& launch) {
  const auto solved = checked(text, launch, Engine::smt).assumed_zero;
  CHECK(checked(text, launch, Engine::automatic).assumed_zero == solved);
  return fmt::format("{}", fmt::join(solved, " "));
}

std::string assumed_zero_in_run(const std::string& text, const Launch& launch) {
  return fmt::format("{}", fmt::join(run(text, launch).result.assumed_zero, " "));
}

Launch with_variable(Launch launch, const std::string& name, std::vector<std::uint64_t> content) {
  Parameter variable = {name, buffer("u32", ".u32", std::move(content))};
  variable.role = Parameter::Role::variable;
  launch.parameters.push_back(std::move(variable));
  return launch;
}

const std::string variables = ".const .align 4 .u32 limit; .global .align 4 .u32 count;";

}  // namespace

TEST_CASE("variables without initial value that a launch reads are named") {
  const std::string text = kernel_with_out(
      "ld.const.u32 %r1, [limit]; atom.global.add.u32 %r2, [count], %r1; st.global.u32 [%rd0], %r2;",
      variables + ".global .align 4 .u32 unread; .global .align 4 .u32 said = 3; .const .u32 zero = 0;");
  CHECK(assumed_zero_in(text, out_of({9})) == "count limit");
  CHECK(assumed_zero_in_run(text, out_of({9})) == "count limit");
  const Launch with_both = with_variable(with_variable(out_of({9}), "count", {0}), "limit", {4});
  CHECK(assumed_zero_in(text, with_both) == "");
  CHECK(assumed_zero_in_run(text, with_both) == "");
}

TEST_CASE("an initial value counts as said where its list is shorter than the array") {
  const std::string text = kernel_with_out("ld.global.u32 %r1, [table+4]; st.global.u32 [%rd0], %r1;",
                                           ".global .align 4 .u32 table[2] = {1};");
  CHECK(assumed_zero_in(text, out_of({9})) == "");
  CHECK(assumed_zero_in_run(text, out_of({9})) == "");
}

TEST_CASE("what the kernel writes first is not assumed") {
  const std::string own = kernel_with_out(
      "st.global.u32 [count], 1; ld.global.u32 %r1, [count]; st.global.u32 [%rd0], %r1;", variables);
  CHECK(assumed_zero_in(own, out_of({9})) == "");
  CHECK(assumed_zero_in_run(own, out_of({9})) == "");
  // One thread writes, the others read behind a barrier.
  const auto after = [](const std::string& barrier) {
    return kernel_with_out(
        "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @!%p1 st.relaxed.gpu.global.u32 [count], 1;" +
            barrier + "ld.relaxed.gpu.global.u32 %r2, [count];",
        variables);
  };
  CHECK(assumed_zero_in(after("bar.sync 0;"), out_of({9}, 3)) == "");
  CHECK(assumed_zero_in(after(""), out_of({9}, 3)) == "count");
  // A part of it.
  const std::string part = kernel_with_out(
      "st.global.u16 [count], 1; ld.global.u32 %r1, [count]; st.global.u32 [%rd0], %r1;", variables);
  CHECK(assumed_zero_in(part, out_of({9})) == "count");
  CHECK(assumed_zero_in_run(part, out_of({9})) == "count");
}

TEST_CASE("a finding names the variables that its own execution reads") {
  const std::string text = kernel_with_out(
      R"(ld.global.u32 %r1, [%rd0];
setp.eq.u32 %p1, %r1, 5;
@%p1 bra FIVE;
ld.const.u32 %r2, [limit];
bra END;
FIVE: ld.global.u32 %r2, [count];
add.u32 %r2, %r2, 1;
END: setp.eq.u32 %p2, %r2, 0;
@%p2 trap;)",
      variables);
  Launch launch = out_of({5});
  CHECK(assumed_zero_in(text, launch) == "count");
  launch = out_of({6});
  CHECK(assumed_zero_in(text, launch) == "limit");
  std::get<BufferParameter>(launch.parameters[0].is).content = AnyValue{};
  const CheckedLaunch any = checked(text, launch, Engine::automatic);
  REQUIRE(any.answer.findings.size() == 1);
  CHECK(assumed_zero(any, any.answer.findings[0]) == std::vector<std::string>{"limit"});
}

TEST_CASE("of a launch of which something is unknown nothing is said") {
  const std::string loop = kernel_with_out(
      "AGAIN: ld.relaxed.sys.global.u32 %r1, [count]; atom.global.add.u32 %r2, [%rd0], 1;"
      "setp.lt.u32 %p1, %r2, 500; @%p1 bra AGAIN;",
      variables);
  const CheckedLaunch open = checked(loop, out_of({0}, 2), Engine::automatic);
  CHECK(open.unknown() != "");
  CHECK(open.assumed_zero.empty());
}
