// Memory of unfolded launches: where addresses lead, and which accesses make events.
#include <doctest/doctest.h>

#include <algorithm>

#include "semantics/language/diagnostic.hpp"
#include "tests/src/kernel/unfolded_kernel.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

TEST_CASE("each CTA has its own shared memory, which holds unknown values") {
  const Unfolding both(with_out(R"(
    mov.u32 %r0, 1;
    st.shared.u32 [s], %r0;
    ld.shared.u32 %r1, [s];)",
                                ".shared .u32 s;"),
                       launch_with({u32_buffer("out", {0})}, 1, 2));
  const auto first = both.events(0), second = both.events(1);
  REQUIRE(first.size() == 2);
  CHECK(first[0].location.to_u64() == first[1].location.to_u64());
  CHECK(first[0].location.to_u64() != second[0].location.to_u64());
  CHECK(first[0].access.space == StateSpace::shared_cta);
  const Event& initial = both.structure().events.front();
  CHECK(initial.kind == EventKind::initial_write);
  CHECK_FALSE(initial.value.is_constant());
}

TEST_CASE("a generic address of a shared variable leads to it") {
  const Unfolding one(with_out(R"(
    mov.u64 %rd1, s;
    cvta.shared.u64 %rd2, %rd1;
    st.u32 [%rd2], 1;
    ld.shared.u32 %r1, [s];)",
                               ".shared .u32 s;"),
                      launch_with({u32_buffer("out", {0})}));
  const auto events = one.events();
  REQUIRE(events.size() == 2);
  CHECK(identical(events[0].location, events[1].location));
  CHECK(one.endings(Ending::Kind::stray_access).empty());
}

TEST_CASE("a block of malloc is as large as inputs say") {
  Launch launch = launch_with({any_scalar("n")});
  const auto kernel = [](const std::string& access) {
    return R"(.extern .func (.param .b64 r) malloc(.param .b64 s);
      .visible .entry k(.param .u32 n) {
      .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;
      ld.param.u32 %r0, [n];
      mul.wide.u32 %rd0, %r0, 4;
      { .param .b64 s; .param .b64 r; st.param.b64 [s], %rd0; call.uni (r), malloc, (s); ld.param.b64 %rd1, [r]; }
      setp.eq.u64 %p0, %rd1, 0;
      @%p0 ret;
      add.u64 %rd2, %rd1, %rd0;
      )" + access +
           "; ret; }";
  };
  CHECK_THROWS_AS(Unfolding(kernel("st.u32 [%rd2+-4], 1"), launch), Unsupported);
  launch.assumption = "n > 0 && n <= 4";
  const auto strays = [&](const std::string& access) {
    const Unfolding one(kernel(access), launch);
    Bits some = Bits::boolean(false);
    for (const Ending& ending : one.endings(Ending::Kind::stray_access)) some = some | ending.condition;
    Substitution values;
    const auto variables = variables_of(some);
    for (const VariableId variable : variables)
      values.set(variable, Bits(some.term()->graph->variable_width(variable),
                                some.term()->graph->variable_width(variable) == 1 ? 0 : 3));
    return values.apply(some);
  };
  CHECK(strays("st.u32 [%rd2+-4], 1").is_false());
  CHECK(strays("st.u32 [%rd2], 1").is_true());
  CHECK(strays("st.u32 [%rd1+8], 1").is_false());
  CHECK(strays("st.u32 [%rd1+12], 1").is_true());
}

TEST_CASE("local memory makes no events, and dependencies go through it") {
  const Unfolding one(with_out(R"(
    .local .align 4 .b8 l[8];
    mov.u64 %rd1, l;
    cvta.local.u64 %rd2, %rd1;
    ld.global.u32 %r0, [%rd0];
    st.u32 [%rd2+4], %r0;
    ld.local.u32 %r1, [l+4];
    sub.u32 %r1, %r1, %r0;
    st.global.u32 [%rd0+4], %r1;)"),
                      launch_with({u32_buffer("out", {0, 0})}));
  const auto events = one.events();
  REQUIRE(events.size() == 2);
  CHECK(events[1].value.is_constant());
  CHECK(events[1].data_dependencies.size() == 1);
  CHECK(one.structure().violations.empty());
}

TEST_CASE("local memory that is read before it is written: uninitialised, where no path has written it") {
  const Unfolding one(R"(.visible .entry k(.param .u32 n) {
    .reg .b32 %r<3>; .reg .pred %p;
    .local .u32 l;
    ld.param.u32 %r0, [n];
    setp.eq.u32 %p, %r0, 5;
    @%p st.local.u32 [l], %r0;
    ld.local.u32 %r1, [l];
    ret; })",
                      launch_with({any_scalar("n")}));
  REQUIRE(one.structure().violations.size() == 1);
  const Violation& violation = one.structure().violations[0];
  CHECK(violation.kind == Violation::Kind::uninitialized);
  CHECK(violation.where.line == 10);
  CHECK(with_values(violation.condition, {5}).is_false());
  CHECK(with_values(violation.condition, {6}).is_true());
}

TEST_CASE("an access leaves its buffer at its bounds, also when another one follows") {
  const std::string text = R"(.visible .entry k(.param .u64 x, .param .u64 y, .param .u32 i) {
    .reg .b32 %r<2>; .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [x];
    ld.param.u32 %r0, [i];
    mul.wide.s32 %rd1, %r0, 4;
    add.s64 %rd2, %rd0, %rd1;
    ld.global.u32 %r1, [%rd2];
    ret; })";
  const Unfolding any(text, launch_with({u32_buffer("x", {1, 2}), u32_buffer("y", {3, 4}), any_scalar("i")}));
  const auto strays = any.endings(Ending::Kind::stray_access);
  REQUIRE(strays.size() == 1);
  CHECK(with_values(strays[0].condition, {1}).is_false());
  CHECK(with_values(strays[0].condition, {2}).is_true());
  CHECK(with_values(strays[0].condition, {0xffffffff}).is_true());
  const auto events = any.events();
  REQUIRE(events.size() == 1);
  CHECK(events[0].region_first == any.result->program.memory[0].location);
  CHECK(events[0].region_size == 8);
  // Of y nothing can be read.
  CHECK(any.structure().events.size() == 3);
}

TEST_CASE("a vector is aligned to its whole size") {
  const Unfolding one(with_out("ld.global.v2.u32 {%r0, %r1}, [%rd0+4];"),
                      launch_with({u32_buffer("out", {0, 0, 0, 0})}));
  CHECK(one.events().empty());
  const auto strays = one.endings(Ending::Kind::stray_access);
  REQUIRE(strays.size() == 1);
  CHECK(strays[0].message == "misaligned: 4 bytes");
}

TEST_CASE("malloc gives null or a fresh block; what is freed is out of bounds") {
  const std::string runtime = R"(
    .extern .func (.param .b64 r) malloc(.param .b64 n);
    .extern .func free(.param .b64 p);
  )";
  const std::string get = R"(
    { .param .b64 a; .param .b64 r; st.param.b64 [a], 8;
      call.uni (r), malloc, (a); ld.param.b64 %rd1, [r]; }
    setp.eq.u64 %p0, %rd1, 0;
    @%p0 ret;
    st.u32 [%rd1+4], 1;)";
  const std::string free = "{ .param .b64 a; st.param.b64 [a], %rd1; call.uni free, (a); }\n";
  const Unfolding fine(with_out(get + free, runtime), launch_with({u32_buffer("out", {0})}, 2));
  REQUIRE(fine.events(0).size() == 1);
  CHECK(fine.events(0)[0].region_first != fine.events(1)[0].region_first);
  for (const Ending& stray : fine.endings(Ending::Kind::stray_access))
    for (const std::uint64_t fails : {0, 1}) CHECK(with_values(stray.condition, {fails}).is_false());
  const auto goes_wrong = [&](const std::string& after) {
    const Unfolding wrong(with_out(get + free + after, runtime), launch_with({u32_buffer("out", {0})}));
    return std::ranges::any_of(wrong.endings(Ending::Kind::stray_access), [&](const Ending& stray) {
      return with_values(stray.condition, {0}).is_true();
    });
  };
  CHECK(goes_wrong("ld.u32 %r0, [%rd1];"));
  CHECK(goes_wrong(free));
  CHECK_FALSE(goes_wrong(""));
}

TEST_CASE("a pointer in memory leads to what has been stored there, in other threads too") {
  const Unfolding two(R"(.visible .entry k(.param .u64 x, .param .u64 y, .param .u64 z) {
    .reg .b32 %r<2>; .reg .b64 %rd<4>; .reg .pred %p;
    ld.param.u64 %rd0, [x];
    ld.param.u64 %rd1, [y];
    mov.u32 %r0, %tid.x;
    setp.ne.u32 %p, %r0, 0;
    @%p bra READER;
    ld.global.u64 %rd2, [%rd0];
    st.u32 [%rd2], %r0;
    ret;
    READER: st.global.u64 [%rd0], %rd1;
    ret; })",
                      launch_with({u32_buffer("x", {0, 0}), u32_buffer("y", {0}), u32_buffer("z", {0})}, 2));
  const auto events = two.events(0);
  REQUIRE(events.size() == 2);
  CHECK(events[1].region_first == two.result->program.memory[1].location);
  CHECK(events[1].region_size == 4);
  CHECK(two.endings(Ending::Kind::stray_access).size() == 1);
}

TEST_CASE("memory without writes keeps its initial content") {
  const std::string text = R"(.visible .entry k(.param .u64 n, .param .u64 x) {
    .reg .b32 %r<3>; .reg .b64 %rd<2>; .reg .pred %p<1>;
    ld.param.u64 %rd0, [n]; ld.param.u64 %rd1, [x];
    ld.global.u32 %r0, [%rd0];
    mov.u32 %r1, 0;
    L: add.u32 %r1, %r1, 1;
    st.global.u32 [%rd1], %r1;
    setp.lt.u32 %p0, %r1, %r0;
    @%p0 bra L;
    ret; })";
  const Unfolding settled(text, launch_with({u32_buffer("n", {5}), u32_buffer("x", {0})}));
  CHECK(settled.events().size() == 6);
  CHECK(settled.events().back().value.to_u64() == 5);
  CHECK(settled.endings(Ending::Kind::bound_reached).empty());
  const Unfolding written(text, launch_with({u32_buffer("n", {5}), {"x", SameValue{0}}}));
  CHECK(written.endings(Ending::Kind::bound_reached).size() == 1);
}

TEST_CASE("constant memory with an open index, without events") {
  const Unfolding one(with_out(R"(
    ld.global.u32 %r0, [%rd0];
    and.b32 %r0, %r0, 3;
    mul.wide.u32 %rd1, %r0, 4;
    mov.u64 %rd2, table;
    add.u64 %rd2, %rd2, %rd1;
    ld.const.u32 %r1, [%rd2];
    st.global.u32 [%rd0+4], %r1;)",
                               ".const .u32 table[4] = {5, 6, 7, 8};"),
                      launch_with({u32_buffer("out", {0, 0})}));
  const auto events = one.events();
  REQUIRE(events.size() == 2);
  CHECK(with_values(events[1].value, {2}).to_u64() == 7);
  for (const Ending& stray : one.endings(Ending::Kind::stray_access))
    for (const std::uint64_t i : {0, 3}) CHECK(with_values(stray.condition, {i}).is_false());
}
