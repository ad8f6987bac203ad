#include "src/kernel/machine/run.hpp"

#include <doctest/doctest.h>

#include "tests/src/kernel/kernel_run.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

namespace {

const std::string store_tid = R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<3>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r1;
  ret;
})";

}  // namespace

TEST_CASE("every thread has its own number; buffers are shown typed") {
  const auto outcome = run(store_tid, launch_with({{"out", buffer("s32", ".s32", {9, 9, 9})}}, 3));
  CHECK(outcome.kinds() == "");
  CHECK(outcome.values() == std::vector<std::string>{"0", "1", "2"});
  CHECK(outcome.result.instructions == 18);
}

TEST_CASE("beyond a buffer, with place and thread") {
  const auto outcome = run(store_tid, launch_with({{"out", buffer("s32", ".s32", {9, 9})}}, 3));
  REQUIRE(outcome.kinds() == "out-of-bounds ");
  CHECK(outcome.result.findings[0].thread == "thread (2, 0, 0) of CTA (0, 0, 0)");
  CHECK(outcome.result.findings[0].calls.at(0).where.line == 11);
}

TEST_CASE("recursion: parameters and results of each call are its own") {
  const auto outcome = run(R"(
.func (.param .b32 result) factorial(.param .b32 n) {
  .reg .pred %p; .reg .b32 %r<6>;
  ld.param.b32 %r1, [n];
  setp.le.s32 %p, %r1, 1;
  mov.u32 %r2, 1;
  @%p bra DONE;
  sub.s32 %r3, %r1, 1;
  { .param .b32 argument; .param .b32 value;
    st.param.b32 [argument], %r3;
    call.uni (value), factorial, (argument);
    ld.param.b32 %r4, [value]; }
  mul.lo.s32 %r2, %r1, %r4;
DONE:
  st.param.b32 [result], %r2;
  ret;
}
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<3>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  { .param .b32 argument; .param .b32 value;
    st.param.b32 [argument], 6;
    call.uni (value), factorial, (argument);
    ld.param.b32 %r1, [value]; }
  st.global.u32 [%rd1], %r1;
  ret;
})",
                           launch_with({{"out", buffer("u32", ".u32", {0})}}));
  CHECK(outcome.values() == std::vector<std::string>{"720"});
}

TEST_CASE("what alloca allocates outlives the calls that its function makes, not the function itself") {
  const std::string text = R"(
.func (.param .b64 result) other() {
  .local .align 8 .b64 own;
  .reg .b64 %rd<3>;
  alloca.u64 %rd1, 16, 8;
  st.local.u64 [own], 7;
  st.local.u64 [%rd1], 7;
  st.param.b64 [result], %rd1;
  ret;
}
.visible .entry k(.param .u64 out) {
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out];
  alloca.u64 %rd2, 16, 8;
  st.local.u64 [%rd2+8], 42;
  { .param .b64 value;
    call.uni (value), other;
    ld.param.b64 %rd3, [value]; }
  ld.local.u64 %rd4, [ADDRESS];
  st.global.u64 [%rd1], %rd4;
  ret;
})";
  const auto reading = [&](const std::string& address) {
    std::string changed = text;
    changed.replace(changed.find("ADDRESS"), 7, address);
    return run(changed, launch_with({{"out", buffer("u64", ".u64", {0})}}));
  };
  CHECK(reading("%rd2+8").values() == std::vector<std::string>{"42"});
  CHECK(reading("%rd3").kinds() == "out-of-bounds ");
}

TEST_CASE("a barrier separates phases for every seed; one that is never complete is a deadlock") {
  const std::string reverse = R"(
.visible .entry k(.param .u64 out) {
  .shared .align 4 .b32 buffer[64];
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, buffer;
  shl.b32 %r3, %r1, 2;
  add.u32 %r4, %r2, %r3;
  st.shared.u32 [%r4], %r1;
  BARRIER
  xor.b32 %r5, %r3, 252;
  add.u32 %r4, %r2, %r5;
  ld.shared.u32 %r6, [%r4];
  cvt.u64.u32 %rd2, %r3;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r6;
  ret;
})";
  const auto with = [&](const std::string& barrier, RunOptions options) {
    std::string text = reverse;
    text.replace(text.find("BARRIER"), 7, barrier);
    return run(text, launch_with({{"out", buffer("u32", ".u32", std::vector<std::uint64_t>(64))}}, 64),
               options);
  };
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto outcome = with("bar.sync 0;", {seed});
    CHECK(outcome.kinds() == "");
    CHECK(outcome.values()[0] == "63");
    CHECK(outcome.values()[63] == "0");
  }
  CHECK(with("", {1}).kinds().starts_with("uninitialized "));
  CHECK(with("setp.lt.u32 %p, %r1, 32; @%p bar.sync 0;", {}).kinds() == "");
  CHECK(with("setp.lt.u32 %p, %r1, 32; @%p bar.sync 0, 64;", {}).kinds().find("deadlock") !=
        std::string::npos);
}

TEST_CASE("atomics lose no update") {
  const std::string count = R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<3>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  atom.global.add.u32 %r1, [%rd1], 2;
  ret;
})";
  CHECK(run(count, launch_with({{"out", buffer("u32", ".u32", {0})}}, 100), {7}).values()[0] == "200");
}

TEST_CASE("printing, failed assertions, traps, division by zero, any values") {
  const auto printed = run(R"(
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 format[9] = {37, 100, 32, 37, 115, 33, 10, 0, 0};
.global .align 1 .b8 word[3] = {104, 105, 0};
.visible .entry k() {
  .local .align 8 .b8 depot[16];
  .reg .b64 %rd<6>; .reg .b32 %r<3>;
  mov.u64 %rd1, depot;
  mov.u32 %r1, -5;
  st.local.u32 [%rd1], %r1;
  mov.u64 %rd2, word;
  cvta.global.u64 %rd3, %rd2;
  st.local.u64 [%rd1+8], %rd3;
  cvta.local.u64 %rd4, %rd1;
  mov.u64 %rd5, format;
  { .param .b64 f; .param .b64 a; .param .b32 r;
    st.param.b64 [f], %rd5;
    st.param.b64 [a], %rd4;
    call.uni (r), vprintf, (f, a);
    ld.param.b32 %r2, [r]; }
  ret;
})",
                           launch_with({}));
  CHECK(printed.printed == "-5 hi!\n");
  CHECK(run(".visible .entry k() { trap; }", launch_with({})).kinds() == "assertion ");
  const std::string divide = R"(
.visible .entry k(.param .u32 n) {
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [n];
  div.u32 %r2, 7, %r1;
  ret;
})";
  const ElementType u32 = {"u32", type_of(".u32")};
  CHECK(run(divide, launch_with({{"n", ScalarParameter{u32, std::uint64_t{1}}}})).kinds() == "");
  CHECK(run(divide, launch_with({{"n", ScalarParameter{u32, AnyValue{}}}})).kinds() == "division-by-zero ");
  Launch positive = launch_with({{"n", ScalarParameter{u32, AnyValue{}}}});
  positive.assumption = "n > 0";
  CHECK(run(divide, positive).kinds() == "");
}

TEST_CASE(
    "two grids at the same time: parameters one after the other, numbers and shared memory of their own") {
  const std::string body = R"((.param .u64 p, .param .u32 n) {
    .reg .b64 %rd<3>; .reg .b32 %r<4>; .shared .u32 s;
    ld.param.u64 %rd0, [p];
    ld.param.u32 %r0, [n];
    mov.u32 %r1, %ctaid.x;
    st.shared.u32 [s], %r0;
    mad.wide.u32 %rd1, %r1, 4, %rd0;
    ld.shared.u32 %r2, [s];
    atom.global.add.u32 %r3, [%rd1], %r2;
    ret; })";
  const ElementType u32 = {"u32", type_of(".u32")};
  Launch launch = launch_with({{"x", buffer("u32", ".u32", {0, 0})},
                               {"n", ScalarParameter{u32, std::uint64_t{3}}},
                               {"y", SameValue{0}},
                               {"m", ScalarParameter{u32, std::uint64_t{4}}}});
  launch.grid = {2, 1, 1};
  const auto source = ".visible .entry k" + body + "\n.visible .entry l" + body;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto outcome = run(source, launch, {seed}, {"k", "l"});
    CHECK(outcome.kinds() == "");
    CHECK(outcome.values() == std::vector<std::string>{"7", "7"});
  }
  launch.grid = {3, 1, 1};
  CHECK(run(source, launch, {}, {"k", "l"}).result.findings.at(0).thread.ends_with(" of k"));
  launch.parameters.pop_back();
  CHECK_THROWS_WITH_AS(run(source, launch, {}, {"k", "l"}), "found 3 parameters, expected the 4 of 'k+l'",
                       InputError);
}

// PTX ISA 8.7 § 9.7.9.17.
TEST_CASE("what is discarded has no value until it is written again") {
  const auto with = [](const std::string& body) {
    return run(
        ".visible .entry k(.param .u64 out) { .reg .b32 %r<3>; .reg .b64 %rd<2>; "
        "ld.param.u64 %rd1, [out]; " +
            body + " ret; }",
        launch_with({{"out", buffer("u32", ".u32", std::vector<std::uint64_t>(64, 7))}}));
  };
  const auto outcome = with(
      "discard.global.L2 [%rd1+128], 128; st.global.u32 [%rd1+128], 5; "
      "ld.global.u32 %r1, [%rd1+128]; ld.global.u32 %r1, [%rd1+124];");
  CHECK(outcome.kinds() == "");
  CHECK(outcome.values()[31] == "7");
  CHECK(outcome.values()[32] == "5");
  CHECK(outcome.values()[33] == "?");
  CHECK(outcome.values()[63] == "?");
  CHECK(with("discard.L2 [%rd1], 128; ld.global.u32 %r1, [%rd1+4];").kinds() == "uninitialized ");
  CHECK(with("discard.L2 [%rd1+64], 128;").kinds() == "out-of-bounds ");   // not aligned
  CHECK(with("discard.L2 [%rd1+256], 128;").kinds() == "out-of-bounds ");  // behind the buffer
}

TEST_CASE("endless loops, misaligned addresses, wrong launches") {
  CHECK(run(".visible .entry k() { LOOP: bra LOOP; }", launch_with({}), {{}, 1000}).kinds() == "step-limit ");
  const std::string misaligned = R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<2>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  ld.global.u32 %r1, [%rd1+2];
  ret;
})";
  const auto outcome = run(misaligned, launch_with({{"out", buffer("u32", ".u32", {0, 0})}}));
  CHECK(outcome.result.findings.at(0).message.starts_with("misaligned"));
  CHECK_THROWS_AS(run(misaligned, launch_with({})), InputError);
}

TEST_CASE("a final condition that is false is a failed assertion") {
  Launch launch = launch_with({{"out", buffer("s32", ".s32", {5, 5})}}, 2);
  launch.final_condition = "out[1] == 1 && out[0] == 0";
  CHECK(run(store_tid, launch).kinds() == "");
  launch.final_condition = "out[1] == 5";
  CHECK(run(store_tid, launch).kinds() == "assertion ");
}

namespace {

/// The line and the text of what is wrong with a launch of `k(.param .u64 out)`.
std::string error_of(Launch launch) {
  try {
    run(store_tid, std::move(launch));
    return "no error";
  } catch (const InputError& error) {
    return std::to_string(error.where.line) + ": " + error.what();
  }
}

}  // namespace

TEST_CASE("a launch that does not fit the kernel: what, and where in the launch file") {
  Parameter out = {"out", buffer("u32", ".u32", {0}), {"k.toml", {9, 1}}};
  Parameter more = {"more", buffer("u32", ".u32", {0}), {"k.toml", {13, 1}}};
  Parameter narrow = {"out", ScalarParameter{{"u32", type_of(".u32")}, std::uint64_t{0}}, {"k.toml", {9, 1}}};
  Launch none = launch_with({});
  none.entry_where.where = {2, 9};
  CHECK(error_of(none) == "2: found 0 parameters, expected the 1 of 'k'");
  CHECK(error_of(launch_with({out, more})) == "13: found 2 parameters, expected the 1 of 'k'");
  CHECK(error_of(launch_with({narrow})) == "9: found 4 bytes for parameter 'out', expected the 8 of 'out'");
  Launch condition = launch_with({out});
  condition.final_condition = "x[0] == 1";
  condition.final_where.where = {20, 10};
  CHECK(error_of(condition).starts_with("20: in the condition 'x[0] == 1': found 'x' at character 1"));
}

TEST_CASE("vectors lie at multiples of their whole size") {
  const auto with = [](const std::string& access) {
    return run(".visible .entry k(.param .u64 out) { .reg .b32 %r<5>; .reg .b64 %rd<2>; "
               "ld.param.u64 %rd1, [out]; " +
                   access + " ret; }",
               launch_with({{"out", buffer("u32", ".u32", std::vector<std::uint64_t>(8))}}))
        .kinds();
  };
  CHECK(with("ld.global.v2.u32 {%r1, %r2}, [%rd1+8];") == "");
  CHECK(with("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+8];") == "out-of-bounds ");
}

TEST_CASE("findings that a launch file expects and accepts") {
  Launch launch = launch_with({{"out", buffer("s32", ".s32", {9, 9})}}, 3);
  const RunResult result = run(store_tid, launch).result;
  using Kinds = std::vector<std::string>;
  CHECK(compare_with_expected(launch, result).contradicted == Kinds{});
  launch.expected = {"safe"};
  CHECK(compare_with_expected(launch, result).contradicted == Kinds{"out-of-bounds"});
  launch.expected = {"out-of-bounds"};
  CHECK(compare_with_expected(launch, result).contradicted == Kinds{});
  launch.expected = {"assertion", "out-of-bounds"};
  CHECK(compare_with_expected(launch, result).open == Kinds{"assertion"});
  launch.ignored = {{"out-of-bounds", 11}};
  CHECK(run(store_tid, launch).kinds() == "");
  CHECK(run(store_tid, launch).result.ignored == 1);
  launch.ignored = {{"out-of-bounds", 12}};
  CHECK(run(store_tid, launch).kinds() == "out-of-bounds ");
}

namespace {

/// Threads that wait in a loop until `test`, which sets %p1, is true.
std::string waiting_loop(const std::string& before, const std::string& test) {
  return ".visible .entry k(.param .u64 out) {\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n"
         ".shared .align 8 .b64 bar;\nld.param.u64 %rd0, [out];\nmov.u32 %r1, %tid.x;\n" +
         before + "\nL: " + test + "\n@!%p1 bra L;\nret;\n}\n";
}

}  // namespace

TEST_CASE("threads that repeat a loop while no thread changes memory are a deadlock") {
  const auto launch = [](std::uint32_t threads) {
    return launch_with({{"out", buffer("u32", ".u32", {0})}}, threads);
  };
  const std::string flag = "ld.relaxed.gpu.u32 %r2, [%rd0]; setp.ne.u32 %p1, %r2, 0;";
  const std::string bar =
      "setp.ne.u32 %p2, %r1, 0;\n@!%p2 mbarrier.init.shared::cta.b64 [bar], 400;\nbar.sync 0;\n"
      "mbarrier.arrive.shared::cta.b64 _, [bar];";
  for (const std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>(), {3}}) {
    CHECK(run(waiting_loop("", flag), launch(1), {seed}).kinds() == "deadlock ");
    CHECK(run(waiting_loop("", flag), launch(3), {seed}).kinds() == "deadlock ");
    CHECK(run(waiting_loop(bar, "mbarrier.test_wait.parity.shared::cta.b64 %p1, [bar], 0;"), launch(256),
              {seed})
              .kinds() == "deadlock ");
    // A thread waits at a barrier for one that waits for a flag.
    CHECK(run(waiting_loop("setp.eq.u32 %p3, %r1, 0;\n@%p3 bra L;\nbar.sync 0;", flag), launch(2), {seed})
              .kinds() == "deadlock ");
  }
  const Outcome at_object =
      run(waiting_loop(bar, "mbarrier.test_wait.parity.shared::cta.b64 %p1, [bar], 0;"), launch(256), {3});
  CHECK(
      at_object.result.findings.front().message ==
      "repeats a loop for ever, as 255 more threads do; it reads bar, whose phase 0 waits for 144 arrivals");
  const Outcome outcome = run(waiting_loop("", flag), launch(3), {1});
  CHECK(outcome.result.findings.front().message.find("repeats a loop for ever, as 2 more threads do") !=
        std::string::npos);
}

TEST_CASE("a loop that counts or looks at a clock ends some time") {
  const auto launch = launch_with({{"out", buffer("u32", ".u32", {0})}}, 1);
  CHECK(
      run(waiting_loop("mov.u32 %r2, 0;", "add.u32 %r2, %r2, 1; setp.gt.u32 %p1, %r2, 2000000;"), launch, {1})
          .kinds() == "");
  CHECK(
      run(waiting_loop("", "mov.u64 %rd1, %clock64; setp.gt.u64 %p1, %rd1, 3000000;"), launch, {1}).kinds() ==
      "");
}
