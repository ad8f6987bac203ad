// Messages that the tests of parsing and checking by subject do not come to.
#include <doctest/doctest.h>

#include "tests/src/ptx/parse_test.hpp"

using namespace ptxmc::syntax;

namespace {

/// Of a statement in a body, in line 8.
std::string statement_errors(const std::string& statement) {
  return errors(head +
                ".entry k()\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f16 half; "
                ".reg .v4 .f32 V; .reg .pred p; .shared .u32 s;\n" +
                statement + "\n}\n");
}

}  // namespace

TEST_CASE("attributes of functions have a version") {
  CHECK(errors(".version 7.8\n.target sm_90\n.func .attribute(.unified(1, 2)) f;\n") ==
        "3:18: '.unified' needs PTX ISA 8.0, the module says 7.8\n");
}

TEST_CASE("modifiers") {
  CHECK(statement_errors("ld.shared.u32.unified %r1, [s];") ==
        "7:1: found '.unified' among the modifiers, expected it after the address\n");
  CHECK(statement_errors("st.shared.u32 [s].unified, %r1;") ==
        "7:1: found `.unified`, expected no such modifier; nearest form: st{.weak}.ss{.cop}{.vec}.type [a], "
        "b\n");
  CHECK(statement_errors("cp.async.ca.global.shared [s], [%rd1], 16;") ==
        "7:1: found modifiers in an order that leaves their roles unclear; nearest form: "
        "cp.async.ca.shared{::cta}.global{.level::cache_hint}{.level::prefetch_size} [dst], [src], cp-size{, "
        "src-size}{, cache-policy}\n");
  CHECK(
      errors(
          ".version 6.4\n.target sm_70\n.func f()\n{\n.reg .b32 %r<4>;\nshfl.up.b32 %r1, %r2, 1, 0;\n}\n") ==
      "6:1: found 'shfl.up.b32', which PTX ISA 6.4 has removed\n");
}

TEST_CASE("operands that instructions do not take") {
  CHECK(statement_errors("st.shared.v2.f32 [s], {V, V};") ==
        "7:24: found the vector 'V', expected one register\n7:27: found the vector 'V', expected one "
        "register\n");
  CHECK(statement_errors("mov.f32 %f1, V.b0;") == "7:14: found 'V.b0', expected .x, .y, .z or .w\n");
  CHECK(statement_errors("add.f16 half, half, 1.0;") ==
        "7:21: found '1.0', expected a register of type .f16 for `b`\n");
  CHECK(statement_errors("vadd.u32.u32.u32 %r1, %r2, %r3, %r4;") ==
        "7:18: found no selector, expected one of .b0, .b1, .b2, .b3, .h0, .h1\n");
  CHECK(statement_errors("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
                         "{%f1, %f2, %f3, %f4}, {%r1, %r2, %r3}, {%r1}, {%f1, %f2, %f3, %f4};") ==
        "7:72: found a vector of 3, expected 2 registers for `a`\n");
  CHECK(statement_errors(".reg .b64 t; suld.b.2d.b32.zero %r1, [t, {%r2}];") ==
        "7:42: found a vector of 1, expected 2 registers for `b`\n");
  CHECK(statement_errors(".reg .b64 t; tex.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%r1, %f2}];") ==
        "7:59: found a vector of 2, expected 4 registers for `c`\n");
  CHECK(statement_errors(
            "tcgen05.mma.cta_group::1.kind::f8f6f4 [%r1], %rd1, %rd2, %r3, {%r1, %r2, %r3, %r4}, p, 3;") ==
        "7:1: found `.kind::f8f6f4` with `scale-input-d`, expected no such combination\n");
  CHECK(statement_errors("call k, %r1;") ==
        "7:6: found 'k', expected a function or a register with its address\n");
  CHECK(statement_errors("5;") == "7:1: found '5', expected an instruction or directive\n");
}

TEST_CASE("constants and initial values") {
  CHECK(module_errors(".global .f64 x = 1.0e999;") == "4:18: the constant is out of the range of .f64\n");
  CHECK(module_errors(".global .u64 p = generic(5);") ==
        "4:26: found '5', expected a variable or function\n");
}

TEST_CASE("aliases and debugging directives") {
  CHECK(module_errors(".alias 5, f;") == "4:8: found '5', expected the alias of a function\n");
  CHECK(module_errors(".alias f, 5;") == "4:11: found '5', expected the name of a function\n");
  CHECK(module_errors(".loc x 1 1") == "4:6: found 'x', expected the index of a file\n");
  CHECK(module_errors(".loc 1 x 1") == "4:8: found 'x', expected a line number\n");
  CHECK(module_errors(".loc 1 1 x") == "4:10: found 'x', expected a column\n");
  CHECK(module_errors(".file x \"a.cu\"") == "4:7: found 'x', expected the index of the file\n");
  CHECK(module_errors(".file 1 \"a.cu\", x, 1") == "4:17: found 'x', expected the time of the last change\n");
  CHECK(module_errors(".file 1 \"a.cu\", 1, x") == "4:20: found 'x', expected the size of the file\n");
  CHECK(module_errors(".section 5 { }") == "4:10: found '5', expected the name of a section\n");
  CHECK(module_errors(".section .debug_info { .b32 a + ; }") == "4:33: found ';', expected a constant\n");
  CHECK(module_errors(".section .debug_info { .b32 (; }") == "4:30: found ';', expected a constant\n");
  CHECK(module_errors(".section .debug_info { .b32 a - (; }") ==
        "4:33: found '(', expected a label or a section\n");
}
