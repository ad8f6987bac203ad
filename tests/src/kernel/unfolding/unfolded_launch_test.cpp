// Threads, inputs and grids of unfolded launches, and what is refused.
#include "src/kernel/unfolding/unfolded_launch.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"
#include "tests/src/kernel/unfolded_kernel.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

TEST_CASE("threads have coordinates, warps and values of their special registers") {
  const Unfolding two(with_out(R"(
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, %ctaid.x;
    mad.lo.u32 %r2, %r1, 33, %r0;
    mul.wide.u32 %rd1, %r2, 4;
    add.s64 %rd1, %rd1, %rd0;
    st.global.u32 [%rd1], %r2;)"),
                      launch_with({u32_buffer("out", std::vector<std::uint64_t>(66))}, 33, 2));
  const Program& program = two.result->program;
  REQUIRE(program.threads.size() == 66);
  CHECK(program.threads[0].placement.cta == program.threads[32].placement.cta);
  CHECK(program.threads[0].placement.warp != program.threads[32].placement.warp);
  CHECK(program.threads[32].placement.cta != program.threads[33].placement.cta);
  CHECK(program.threads[32].placement.warp != program.threads[33].placement.warp);
  CHECK(two.result->places[40].cta == Dimensions{1, 0, 0});
  CHECK(two.result->places[40].thread == Dimensions{7, 0, 0});
  const auto events = two.events(40);
  REQUIRE(events.size() == 1);
  CHECK(events[0].value.to_u64() == 40);
  CHECK(events[0].location.to_u64() == program.memory[0].location + 160);
  CHECK(two.endings(Ending::Kind::completed, 40).size() == 1);
}

TEST_CASE("scalars of any value are unknowns; assume and [final] are conditions on them") {
  Launch launch = launch_with({u32_buffer("x", {7}), any_scalar("n")});
  launch.assumption = "n > 2 && n < 4";
  launch.final_condition = "x[0] == n + 1";
  const Unfolding any(R"(.visible .entry k(.param .u64 x, .param .u32 n) {
    .reg .b32 %r<2>; .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [x];
    ld.param.u32 %r0, [n];
    add.u32 %r1, %r0, 1;
    st.global.u32 [%rd0], %r1;
    ret; })",
                      launch);
  CHECK(with_values(any.result->assumption, {3}).is_true());
  CHECK(with_values(any.result->assumption, {4}).is_false());
  const Bits written = any.events().at(0).value;
  CHECK(with_values(written, {3}).to_u64() == 4);
  const Bits holds = final_condition(launch, *any.result, [&](int variable, std::size_t element) {
    CHECK(any.result->program.memory[static_cast<std::size_t>(variable)].name == "x");
    CHECK(element == 0);
    return Bits(32, 4);
  });
  CHECK(with_values(holds, {3}).is_true());
  CHECK(with_values(holds, {2}).is_false());
}

TEST_CASE("timers do not decrease; a division by zero and an unwritten register are unknown") {
  const Unfolding one(with_out(R"(
    mov.u64 %rd1, %clock64;
    mov.u64 %rd2, %clock64;
    setp.le.u64 %p0, %rd1, %rd2;
    selp.u32 %r0, 1, 0, %p0;
    st.global.u32 [%rd0], %r0;
    mov.u32 %r1, 0;
    div.u32 %r2, 7, %r1;
    st.global.u32 [%rd0], %r2;
    st.global.u32 [%rd0], %r8;)"),
                      launch_with({u32_buffer("out", {0})}));
  const auto events = one.events();
  REQUIRE(events.size() == 3);
  for (const std::uint64_t second : {1, 5, 9}) CHECK(with_values(events[0].value, {5, second}).to_u64() == 1);
  CHECK_FALSE(events[1].value.is_constant());
  CHECK_FALSE(events[2].value.is_constant());
}

TEST_CASE("two grids at the same time: parameters one after the other, shared memory of their own") {
  Launch launch = launch_with({u32_buffer("x", {0}), {"y", SameValue{0}}});
  launch.entries = {"a", "b"};
  const std::string body = R"((.param .u64 p) {
    .reg .b64 %rd<2>; .shared .u32 s;
    ld.param.u64 %rd0, [p];
    st.global.u32 [%rd0], 1;
    st.shared.u32 [s], 1;
    ret; })";
  const Unfolding both(".visible .entry a" + body + "\n.visible .entry b" + body, launch);
  const auto first = both.events(0), second = both.events(1);
  REQUIRE(second.size() == 2);
  CHECK(identical(first[0].location, second[0].location));
  CHECK_FALSE(identical(first[1].location, second[1].location));
}

TEST_CASE("what cannot be unfolded is refused by name, at once") {
  const Launch huge = launch_with({u32_buffer("out", {0})}, 1, 0x7fffffff);
  CHECK_THROWS_AS(Unfolding(with_out(""), huge), Unsupported);
  CHECK_THROWS_AS(Unfolding(with_out(""), launch_with({})), InputError);
  CHECK_THROWS_AS(Unfolding(with_out(""), launch_with({any_scalar("out")})), InputError);
  Launch other = launch_with({u32_buffer("out", {0})});
  other.entries = {"other"};
  CHECK_THROWS_AS(Unfolding(with_out(""), other), InputError);
  // An instruction without a rule matters only where a thread may execute it.
  const std::string waiting = "suq.width.b32 %r0, [%rd0];";
  CHECK_THROWS_AS(Unfolding(with_out(waiting), launch_with({u32_buffer("out", {0})})), Unsupported);
  CHECK_NOTHROW(
      Unfolding(with_out("bra END;\n" + waiting + "\nEND:"), launch_with({u32_buffer("out", {0})})));
}
