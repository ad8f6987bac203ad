// Calls as chapter 7 of the manual has them, for `run` and both engines of `check`.
#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

namespace {

/// What the kernel leaves in `out`, where nothing goes wrong.
std::vector<std::string> left_in_out(const std::string& text, std::size_t elements = 1) {
  const Launch launch = out_of(std::vector<std::uint64_t>(elements));
  CHECK(found_by_all(text, launch) == "safe");
  return run(text, launch).values();
}

/// The assertion fails unless %p1 holds: what `check` knows of values.
constexpr const char* trap_unless_p1 = "@!%p1 trap;\n";

}  // namespace

TEST_CASE("parameters and results are registers, variables and numbers, in every mix (7.1)") {
  const std::string inner[] = {".reg .u32 i) { add.u32 o, i, 1; ret; }",
                               ".param .u32 i) { .reg .u32 t; ld.param.u32 t, [i]; add.u32 o, t, 1; ret; }"};
  const std::string outer[] = {
      ".reg .u32 i) { .reg .u32 t; add.u32 t, i, 1; st.param.u32 [o], t; ret; }",
      ".param .u32 i) { .reg .u32 t; ld.param.u32 t, [i]; add.u32 t, t, 1; st.param.u32 [o], t; ret; }"};
  for (const bool is_result_in_memory : {false, true})
    for (const std::size_t in : {0, 1})
      for (const std::string argument : {"(7)", "(%r2)", "(x)"})
        for (const std::string result : {"(%r1)", "(y)", "(_)"}) {
          CAPTURE(argument + " " + result);
          const std::string function = is_result_in_memory ? ".func (.param .u32 o) f(" + outer[in]
                                                           : ".func (.reg .u32 o) f(" + inner[in];
          const std::string take = result == "(y)" ? "ld.param.u32 %r1, [y];" : "";
          const std::string wanted = result == "(_)" ? "0" : "8";
          CHECK(
              left_in_out(kernel_with_out("mov.u32 %r1, 0; mov.u32 %r2, 7;\n{ .param .u32 x; .param .u32 y;\n"
                                          "st.param.u32 [x], %r2; call " +
                                              result + ", f, " + argument + ";" + take +
                                              "}\nst.global.u32 [%rd0], %r1;\n"
                                              "setp.eq.u32 %p1, %r1, " +
                                              wanted + ";" + trap_unless_p1,
                                          function)) == std::vector<std::string>{wanted});
        }
}

TEST_CASE("predicates, halves, vectors and wide registers are passed whole") {
  CHECK(left_in_out(kernel_with_out("setp.eq.u32 %p2, 1, 1; call (%p1), f, (%p2); @%p1 trap;\n"
                                    "call (%p1), f, (%p1); @!%p1 trap; st.global.u32 [%rd0], 5;",
                                    ".func (.reg .pred o) f(.reg .pred i) { not.pred o, i; ret; }")) ==
        std::vector<std::string>{"5"});
  CHECK(left_in_out(kernel_with_out("mov.u16 %h1, 65535; call (%h2), f, (%h1); cvt.u32.u16 %r1, %h2;"
                                    "st.global.u32 [%rd0], %r1;",
                                    ".func (.reg .u16 o) f(.reg .u16 i) { add.u16 o, i, 3; ret; }")) ==
        std::vector<std::string>{"2"});
  CHECK(left_in_out(kernel_with_out(".reg .v4 .u32 v, w; mov.u32 v.x, 1; mov.u32 v.y, 2; mov.u32 v.z, 3;"
                                    "mov.u32 v.w, 4; call (w), f, (v); st.global.v4.u32 [%rd0], w;",
                                    ".func (.reg .v4 .u32 o) f(.reg .v4 .u32 i) { mov.u32 o.x, i.w;"
                                    "mov.u32 o.y, i.z; mov.u32 o.z, i.y; mov.u32 o.w, i.x; ret; }"),
                    4) == std::vector<std::string>{"4", "3", "2", "1"});
  CHECK(left_in_out(kernel_with_out(
            ".reg .b128 w, v; mov.b64 %rd1, 1; mov.b64 %rd2, 2; mov.b128 v, {%rd1, %rd2};"
            "call (w), f, (v); mov.b128 {%rd1, %rd2}, w; st.global.u32 [%rd0], %rd1;",
            ".func (.reg .b128 o) f(.reg .b128 i) { .reg .b64 a, b;"
            "mov.b128 {a, b}, i; mov.b128 o, {b, a}; ret; }")) == std::vector<std::string>{"2"});
}

TEST_CASE("numbers are passed in the type of the parameter (4.5)") {
  const std::string function =
      ".func (.reg .f32 o) f(.reg .f32 i, .param .f32 j) { .reg .f32 t;"
      "ld.param.f32 t, [j]; add.f32 o, i, t; ret; }";
  CHECK(left_in_out(kernel_with_out("call (%f1), f, (1.5, 0f3F000000); mov.b32 %r1, %f1;"
                                    "st.global.u32 [%rd0], %r1;",
                                    function)) == std::vector<std::string>{std::to_string(0x40000000)});
  CHECK(
      left_in_out(kernel_with_out("call (%rd1), f, (-1); shr.u64 %rd2, %rd1, 40; st.global.u32 [%rd0], %rd2;",
                                  ".func (.reg .s64 o) f(.reg .s64 i) { mov.b64 o, i; ret; }")) ==
      std::vector<std::string>{std::to_string(0xffffff)});
}

TEST_CASE("each call of a recursion has registers of its own") {
  CHECK(left_in_out(
            kernel_with_out("call (%r1), f, (6); st.global.u32 [%rd0], %r1; setp.eq.u32 %p1, %r1, 720;" +
                                std::string(trap_unless_p1),
                            ".func (.reg .u32 o) f(.reg .u32 n) { .reg .pred p; .reg .u32 m;\n"
                            "mov.u32 o, 1; setp.le.u32 p, n, 1; @p ret;\n"
                            "sub.u32 m, n, 1; call (o), f, (m); mul.lo.u32 o, o, n; ret; }")) ==
        std::vector<std::string>{"720"});
}

TEST_CASE("several results in registers") {
  CHECK(left_in_out(kernel_with_out("call (%r1, %r2), f, (9); st.global.v2.u32 [%rd0], {%r1, %r2};",
                                    ".func (.reg .u32 q, .reg .u32 r) f(.reg .u32 n) {"
                                    "div.u32 q, n, 4; rem.u32 r, n, 4; ret; }"),
                    2) == std::vector<std::string>{"2", "1"});
}

TEST_CASE("a result that a loop has made is not what the loop began with") {
  // Were the result not live where the function returns, each iteration would seem to wait only.
  CHECK(left_in_out(kernel_with_out("call (%r1), f, (); st.global.u32 [%rd0], %r1;",
                                    ".func (.reg .u32 o) f() { .reg .pred p; .reg .u32 c; mov.u32 o, 0;"
                                    "mov.u32 c, 0;\nL: add.u32 o, o, 5; add.u32 c, c, 1; setp.lt.u32 p, c, 3;"
                                    "@p bra L; ret; }")) == std::vector<std::string>{"15"});
}

TEST_CASE("a pointer leads to a function, with a prototype or a list of targets") {
  const std::string functions =
      ".func (.reg .u32 o) f(.reg .u32 i) { add.u32 o, i, 1; ret; }\n"
      ".func (.reg .u32 o) g(.reg .u32 i) { add.u32 o, i, 2; ret; }\n"
      ".global .u64 table[2] = {f, g};\n";
  for (const std::string list : {"P: .callprototype (.reg .u32 _) _ (.reg .u32 _);", "P: .calltargets f, g;"})
    CHECK(left_in_out(kernel_with_out(list + "\nld.global.u64 %rd1, [table+8]; call (%r1), %rd1, (5), P;\n"
                                             "st.global.u32 [%rd0], %r1;",
                                      functions)) == std::vector<std::string>{"7"});
  CHECK(found_by_all(kernel_with_out("P: .callprototype (.reg .u32 _) _ (.reg .u32 _);\n"
                                     "mov.u64 %rd1, h; call (%r1), %rd1, (%r2), P;",
                                     ".func (.reg .u32 o) h(.reg .u64 i) { cvt.u32.u64 o, i; ret; }"),
                     out_of({0})) == "out-of-bounds");
  CHECK(found_by_all(kernel_with_out("P: .callprototype (.reg .u32 _) _ (.reg .u32 _);\n"
                                     "mov.u64 %rd1, 12345; call (%r1), %rd1, (5), P;"),
                     out_of({0})) == "out-of-bounds");
}

TEST_CASE("an alias calls the function that it stands for (11.2.3)") {
  CHECK(left_in_out(kernel_with_out("call (%r1), g, (4); st.global.u32 [%rd0], %r1;",
                                    ".visible .func (.reg .u32 o) f(.reg .u32 i) { add.u32 o, i, 1; ret; }\n"
                                    ".visible .func (.reg .u32 o) g(.reg .u32 i);\n.alias g, f;")) ==
        std::vector<std::string>{"5"});
}

TEST_CASE("an array without a size takes what is passed, or nothing") {
  const std::string function =
      ".func (.reg .u32 o) f(.reg .u32 n, .param .align 4 .b8 rest[]) {"
      ".reg .pred p; mov.u32 o, 0; setp.eq.u32 p, n, 0; @p ret;"
      "ld.param.u32 o, [rest+4]; ret; }";
  CHECK(left_in_out(kernel_with_out("{ .param .align 4 .b8 a[8]; st.param.u32 [a], 1; st.param.u32 [a+4], 2;"
                                    "call (%r1), f, (1, a); } st.global.u32 [%rd0], %r1;",
                                    function)) == std::vector<std::string>{"2"});
  CHECK(left_in_out(kernel_with_out("call (%r1), f, (0); st.global.u32 [%rd0], %r1;", function)) ==
        std::vector<std::string>{"0"});
}

TEST_CASE("the address of a function's parameter or result is one of local memory (5.1.6.4, 9.7.9.3)") {
  const std::string take[] = {
      "mov.b64 a, i; ld.local.b32 t, [a+4];",
      "mov.b64 a, i+4; ld.local.b32 t, [a];",
      "mov.b64 a, i; cvta.local.u64 a, a; ld.b32 t, [a+4];",
      "cvta.local.u64 a, i; ld.b32 t, [a+4];",
      "mov.b64 a, i; st.local.b32 [a+4], 6; ld.param.b32 t, [i+4];",
      "mov.b64 a, i; cvta.local.u64 a, a; isspacep.local p, a; @!p trap; isspacep.global p, a; @p trap;"
      "ld.b32 t, [a+4];",
      "mov.b64 a, i; ld.local.b32 t, [a]; shl.b32 t, t, 2; cvt.u64.u32 c, t; add.u64 a, a, c; ld.local.b32 "
      "t, [a];",
  };
  for (const std::string& way : take) {
    CAPTURE(way);
    const std::string function =
        ".func (.param .b32 o) f(.param .align 8 .b8 i[8]) { .reg .b64 a, c; .reg .b32 t;"
        ".reg .pred p;" +
        way + " mov.b64 a, o; st.local.b32 [a], t; ret; }";
    CHECK(left_in_out(kernel_with_out("{ .param .align 8 .b8 x[8]; .param .b32 y; st.param.b32 [x], 1;"
                                      "st.param.b32 [x+4], 6; call (y), f, (x); ld.param.b32 %r1, [y]; }"
                                      "st.global.u32 [%rd0], %r1; setp.eq.u32 %p1, %r1, 6;" +
                                          std::string(trap_unless_p1),
                                      function)) == std::vector<std::string>{"6"});
  }
  const std::string beyond =
      ".func f(.param .b32 i) { .reg .b64 a; .reg .b32 t; mov.b64 a, i;"
      "ld.local.b32 t, [a+4]; ret; }";
  CHECK(found_by_all(kernel_with_out("call f, (1);", beyond), out_of({0})) == "out-of-bounds");
}

TEST_CASE("the address of a parameter is valid in functions that it is passed to") {
  CHECK(left_in_out(kernel_with_out("{ .param .b32 x; .param .b32 y; st.param.b32 [x], 6; call (y), f, (x);"
                                    "ld.param.b32 %r1, [y]; } st.global.u32 [%rd0], %r1;",
                                    ".func g(.reg .b64 p) { .reg .b32 t; ld.b32 t, [p]; add.u32 t, t, 1;"
                                    "st.b32 [p], t; ret; }\n"
                                    ".func (.param .b32 o) f(.param .b32 i) { .reg .b64 a; .reg .b32 t;"
                                    "mov.b64 a, i; cvta.local.u64 a, a; call g, (a); ld.param.b32 t, [i];"
                                    "st.param.b32 [o], t; ret; }")) == std::vector<std::string>{"7"});
}

TEST_CASE("a function without a body returns anything where the launch says so") {
  const std::string functions =
      ".extern .func (.param .b32 o) f(.param .b32 i);\n.extern .func (.reg .b64 o, .reg .b32 p) g();\n";
  const auto with = [&](const std::string& body) { return kernel_with_out(body, functions); };
  const std::string call =
      "{ .param .b32 x; .param .b32 y; st.param.b32 [x], 6; call (y), f, (x); ld.param.b32 %r1, [y]; }";
  Launch launch = out_of({0});
  CHECK_THROWS_AS(run(with(call), launch), Unsupported);
  launch.externs_return_anything = true;
  CHECK(found_by_all(with(call + "st.global.u32 [%rd0], %r1;"), launch) == "safe");
  const std::string check_zero = "setp.eq.u32 %p1, %r1, 0;" + std::string(trap_unless_p1);
  CHECK(found_by_all(with(call + check_zero), launch) == "assertion");
  CHECK(found_by_all(with(call + "and.b32 %r1, %r1, 0;" + check_zero), launch) == "safe");
  // Two calls may differ, and so may the results of one call.
  CHECK(found_by_all(with(call + "mov.u32 %r2, %r1;" + call + "sub.u32 %r1, %r1, %r2;" + check_zero),
                     launch) == "assertion");
  CHECK(found_by_all(with("call (%rd1, %r2), g; cvt.u32.u64 %r1, %rd1; sub.u32 %r1, %r1, %r2;" + check_zero),
                     launch) == "assertion");
}
