// Calls, recursion and indirect branches in unfolded launches.
#include <doctest/doctest.h>

#include "tests/src/kernel/unfolded_kernel.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

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
