#include "src/kernel/unfolding/unfolded_launch.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "semantics/language/diagnostic.hpp"
#include "tests/src/kernel/unfolded_kernel.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

namespace {

Parameter any_scalar(const std::string& name) {
  return {name, ScalarParameter{{"u32", type_of(".u32")}, AnyValue{}}};
}

/// The value with numbers for all of its unknowns, in the order of their creation.
Bits with_values(const Bits& value, const std::vector<std::uint64_t>& numbers) {
  Substitution substitution;
  const auto variables = variables_of(value);
  REQUIRE(variables.size() == numbers.size());
  for (std::size_t i = 0; i < variables.size(); ++i)
    substitution.set(variables[i], Bits(value.term()->graph->variable_width(variables[i]), numbers[i]));
  return substitution.apply(value);
}

}  // namespace

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

TEST_CASE("a loop that nothing leaves goes on for ever") {
  UnfoldOptions options;
  options.may_wait_for_ever = true;
  const Unfolding same(with_out("LOOP: st.global.u32 [%rd0], 1; bra LOOP;"),
                       launch_with({u32_buffer("out", {0})}), options);
  CHECK(same.endings(Ending::Kind::spinning).size() == 1);
  CHECK(same.endings(Ending::Kind::bound_reached).empty());
  const Unfolding counting(
      with_out("mov.u32 %r0, 0; LOOP: st.global.u32 [%rd0], %r0; add.u32 %r0, %r0, 1; bra LOOP;"),
      launch_with({u32_buffer("out", {0})}), options);
  CHECK(counting.endings(Ending::Kind::spinning).size() == 1);
  CHECK(counting.endings(Ending::Kind::bound_reached).size() == 1);
}

TEST_CASE("what is assumed of inputs bounds loops and recursion") {
  Launch launch = launch_with({any_scalar("n")});
  launch.assumption = "n < 6";
  const Unfolding loop(R"(.visible .entry k(.param .u32 n) {
      .reg .b32 %r<9>; .reg .pred %p<9>;
      ld.param.u32 %r0, [n];
      mov.u32 %r1, 0;
      LOOP: setp.ge.u32 %p0, %r1, %r0;
      @%p0 ret;
      add.u32 %r1, %r1, 1;
      bra LOOP; })",
                       launch);
  CHECK(loop.endings(Ending::Kind::bound_reached).empty());
  const Unfolding recursion(R"(
    .func f(.param .u32 x) {
      .reg .b32 %r<9>; .reg .pred %p<9>; .param .u32 y;
      ld.param.u32 %r0, [x];
      setp.eq.u32 %p0, %r0, 0;
      @%p0 ret;
      sub.u32 %r0, %r0, 1;
      st.param.u32 [y], %r0;
      call f, (y);
      ret; }
    .visible .entry k(.param .u32 n) {
      .reg .b32 %r<9>; .param .u32 y;
      ld.param.u32 %r0, [n];
      st.param.u32 [y], %r0;
      call f, (y);
      ret; })",
                            launch);
  CHECK(recursion.endings(Ending::Kind::bound_reached).empty());
}

TEST_CASE("a loop over memory without writes is bounded by inputs, not by reads") {
  Launch launch = launch_with({{"out", BufferParameter{{"u32", type_of(".u32")}, 1, AnyValue{}}}});
  launch.assumption = "out[0] < 6";
  const Unfolding loop(with_out(R"(
    ld.global.u32 %r0, [%rd0];
    mov.u32 %r1, 0;
    LOOP: setp.ge.u32 %p0, %r1, %r0;
    @%p0 ret;
    add.u32 %r1, %r1, 1;
    bra LOOP;)"),
                       launch);
  CHECK(loop.endings(Ending::Kind::bound_reached).empty());
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

TEST_CASE("calls pass and return values; recursion has a frame for each call") {
  const Unfolding one(with_out(R"(
    { .param .b32 a; .param .b32 r;
      st.param.b32 [a], 5;
      call.uni (r), factorial, (a);
      ld.param.b32 %r0, [r]; }
    st.global.u32 [%rd0], %r0;)",
                               R"(.func (.param .b32 r) factorial(.param .b32 n) {
    .reg .b32 %r<4>; .reg .pred %p;
    ld.param.b32 %r0, [n];
    mov.u32 %r1, 1;
    setp.le.u32 %p, %r0, 1;
    @%p bra DONE;
    sub.u32 %r2, %r0, 1;
    { .param .b32 a; .param .b32 b;
      st.param.b32 [a], %r2;
      call.uni (b), factorial, (a);
      ld.param.b32 %r1, [b]; }
    mul.lo.u32 %r1, %r1, %r0;
    DONE: st.param.b32 [r], %r1;
    ret; }
    )"),
                      launch_with({u32_buffer("out", {0})}));
  REQUIRE(one.events().size() == 1);
  CHECK(one.events()[0].value.to_u64() == 120);
  CHECK(one.endings(Ending::Kind::completed).size() == 1);
}

TEST_CASE("recursion whose depth is open ends at the bound") {
  const Unfolding one(R"(.func f(.param .b32 n) {
    .reg .b32 %r<2>; .reg .pred %p;
    ld.param.b32 %r0, [n];
    setp.eq.u32 %p, %r0, 0;
    @%p ret;
    sub.u32 %r1, %r0, 1;
    { .param .b32 a; st.param.b32 [a], %r1; call.uni f, (a); }
    ret; }
  .visible .entry k(.param .u32 n) {
    .reg .b32 %r<2>;
    ld.param.u32 %r0, [n];
    { .param .b32 a; st.param.b32 [a], %r0; call.uni f, (a); }
    ret; })",
                      launch_with({any_scalar("n")}));
  const auto bounds = one.endings(Ending::Kind::bound_reached);
  REQUIRE(bounds.size() == 1);
  CHECK(with_values(bounds[0].condition, {10}).is_false());
  CHECK(with_values(bounds[0].condition, {100}).is_true());
}

TEST_CASE("an indirect call goes where its address leads") {
  const std::string functions = R"(
  .func (.param .b32 r) one() { st.param.b32 [r], 1; ret; }
  .func (.param .b32 r) two() { st.param.b32 [r], 2; ret; }
  .global .u64 table[2] = {one, two};
  )";
  const Unfolding one(with_out(R"(
    ld.global.u32 %r1, [%rd0];
    setp.eq.u32 %p0, %r1, 0;
    mov.u64 %rd1, one;
    mov.u64 %rd2, two;
    selp.b64 %rd3, %rd1, %rd2, %p0;
    { .param .b32 r;
      proto: .callprototype (.param .b32 _) _ ();
      call (r), %rd3, (), proto;
      ld.param.b32 %r0, [r]; }
    st.global.u32 [%rd0+4], %r0;)",
                               functions),
                      launch_with({u32_buffer("out", {0, 0})}));
  const auto events = one.events();
  REQUIRE(events.size() == 2);
  CHECK(with_values(events[1].value, {0}).to_u64() == 1);
  CHECK(with_values(events[1].value, {9}).to_u64() == 2);
  CHECK(one.endings(Ending::Kind::stray_access).empty());
}

// A pointer is unknown until it is known that no thread writes the table.
TEST_CASE("an indirect call through a table goes to no function that has no body or takes something else") {
  const std::string functions = R"(
  .extern .func missing(.param .b64 a);
  .func (.param .b32 r) one() { st.param.b32 [r], 1; ret; }
  .func (.param .b32 r) other(.param .b32 a) { st.param.b32 [r], 2; ret; }
  .global .u64 table[1] = {one};
  )";
  const Unfolding one(with_out(R"(
    ld.global.u64 %rd3, [table];
    { .param .b32 r;
      proto: .callprototype (.param .b32 _) _ ();
      call (r), %rd3, (), proto;
      ld.param.b32 %r0, [r]; }
    st.global.u32 [%rd0+4], %r0;)",
                               functions),
                      launch_with({u32_buffer("out", {0, 0})}));
  CHECK(one.endings(Ending::Kind::stray_access).empty());
  REQUIRE_FALSE(one.events().empty());
  CHECK(with_values(one.events().back().value, {}).to_u64() == 1);
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
  const Unfolding written(text, launch_with({u32_buffer("n", {5}), {"x", SameBuffer{0}}}));
  CHECK(written.endings(Ending::Kind::bound_reached).size() == 1);
}

TEST_CASE("a failed assertion says what was asserted") {
  const Unfolding one(with_out(R"(
    mov.u64 %rd1, text;
    { .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
      st.param.b64 [a], %rd1; st.param.b64 [b], %rd1; st.param.b32 [c], 12;
      st.param.b64 [d], %rd1; st.param.b64 [e], 1;
      call.uni __assertfail, (a, b, c, d, e); })",
                               R"(
  .extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
  .global .align 1 .b8 text[2] = {120, 0};
  )"),
                      launch_with({u32_buffer("out", {0})}));
  const auto trapped = one.endings(Ending::Kind::trapped);
  REQUIRE(trapped.size() == 1);
  CHECK(trapped[0].message == "assertion failed: x (x:12)");
  CHECK(one.endings(Ending::Kind::completed).empty());
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

TEST_CASE("a loop as long as an input says is followed further than one that waits for what is read") {
  const std::string loop = R"(
    mov.u32 %r1, 0;
    L: add.u32 %r1, %r1, 1;
    st.global.u32 [%rd0], %r1;
    setp.lt.u32 %p0, %r1, %r0;
    @%p0 bra L;)";
  Launch launch = launch_with({u32_buffer("out", {0}), any_scalar("n")});
  const Unfolding input(R"(.visible .entry k(.param .u64 out, .param .u32 n) {
    .reg .b32 %r<2>; .reg .b64 %rd<1>; .reg .pred %p<1>;
    ld.param.u64 %rd0, [out]; ld.param.u32 %r0, [n];)" +
                            loop + "ret; }",
                        launch);
  CHECK(input.events().size() == 65);
  const Unfolding read(with_out("ld.global.u32 %r0, [%rd0];" + loop), launch_with({u32_buffer("out", {0})}));
  CHECK(read.events().size() == 4);
}

TEST_CASE("whether a loop that waits for a time ends is not known") {
  const Unfolding one(with_out(R"(
    mov.u64 %rd1, %clock64;
    L: mov.u64 %rd2, %clock64;
    sub.u64 %rd3, %rd2, %rd1;
    setp.lt.u64 %p0, %rd3, 100;
    @%p0 bra L;)"),
                      launch_with({u32_buffer("out", {0})}));
  CHECK(one.endings(Ending::Kind::spinning).empty());
  CHECK(one.endings(Ending::Kind::bound_reached).size() == 1);
  CHECK(one.endings(Ending::Kind::completed).size() == 1);
}

TEST_CASE("brx.idx with an open index goes to each of its targets") {
  const Unfolding one(with_out(R"(
    ld.global.u32 %r0, [%rd0];
    T: .branchtargets A, B;
    brx.idx %r0, T;
    A: mov.u32 %r1, 10; bra.uni END;
    B: mov.u32 %r1, 20;
    END: st.global.u32 [%rd0+4], %r1;)"),
                      launch_with({u32_buffer("out", {0, 0})}));
  const auto events = one.events();
  REQUIRE(events.size() == 2);
  CHECK(with_values(events[1].value, {0}).to_u64() == 10);
  CHECK(with_values(events[1].value, {1}).to_u64() == 20);
  CHECK(events[1].control_dependencies.size() == 1);
  const auto strays = one.endings(Ending::Kind::stray_access);
  REQUIRE(strays.size() == 1);
  CHECK(with_values(strays[0].condition, {2}).is_true());
}

TEST_CASE("an iteration that only waits is left out, also where its state is in local memory") {
  const Unfolding one(with_out(R"(
    .local .u32 l;
    st.local.u32 [l], 0;
    L: ld.relaxed.gpu.global.u32 %r0, [%rd0];
    nanosleep.u32 %r2;
    shl.b32 %r2, %r2, 1;
    setp.eq.u32 %p0, %r0, 0;
    @%p0 bra L;)"),
                      launch_with({u32_buffer("out", {0})}));
  CHECK(one.events().size() == 1);
  CHECK(one.endings(Ending::Kind::spinning).size() == 1);
  CHECK(one.endings(Ending::Kind::bound_reached).empty());
  const Unfolding counting(with_out(R"(
    .local .u32 l;
    st.local.u32 [l], 0;
    L: ld.relaxed.gpu.global.u32 %r0, [%rd0];
    ld.local.u32 %r1, [l];
    add.u32 %r1, %r1, 1;
    st.local.u32 [l], %r1;
    setp.eq.u32 %p0, %r0, 0;
    @%p0 bra L;
    st.global.u32 [%rd0+4], %r1;)"),
                           launch_with({u32_buffer("out", {0, 0})}));
  CHECK(counting.endings(Ending::Kind::spinning).empty());
  CHECK(counting.endings(Ending::Kind::bound_reached).size() == 1);
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

TEST_CASE("two grids at the same time: parameters one after the other, shared memory of their own") {
  Launch launch = launch_with({u32_buffer("x", {0}), {"y", SameBuffer{0}}});
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
  const std::string copy = "cp.async.wait_all;";
  CHECK_THROWS_AS(Unfolding(with_out(copy), launch_with({u32_buffer("out", {0})})), Unsupported);
  CHECK_NOTHROW(Unfolding(with_out("bra END;\n" + copy + "\nEND:"), launch_with({u32_buffer("out", {0})})));
}
