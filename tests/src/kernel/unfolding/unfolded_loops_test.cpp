// Loops of unfolded launches: which iterations are followed, and which wait.
#include <doctest/doctest.h>

#include "tests/src/kernel/unfolded_kernel.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

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
