// Names, declarations, functions and operands: PTX ISA 8.7 chapters 5 to 7, § 9.4 and chapter 11.
#include "src/ptx/check.hpp"

#include <doctest/doctest.h>

#include "tests/src/ptx/parse_test.hpp"

using namespace ptxmc::syntax;

namespace {

/// Declarations that most bodies need, all in line 4.
const std::string declarations =
    ".global .u32 gv; .global .align 8 .b8 bytes[16]; .const .u32 cv; .shared .u32 sv; .global .u32 "
    "table[4]; .func (.param .b32 r) callee(.param .b32 n, .param .align 8 .b8 s[12]) { ret; } "
    ".func open(.param .u32 n, .param .align 4 .b8 rest[]) { ret; }\n";

/// Of the statements of an entry, the first in line 8.
std::string body_errors(const std::string& body) {
  return errors(head + declarations + ".entry k(.param .u64 pointer, .param .u32 n)\n{\n" +
                ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<4>; .reg .f32 %f<4>; .reg .f64 %d<4>; "
                ".reg .u32 u; .reg .s32 s; .reg .u16 h; .reg .b16 bh; .reg .b128 big; .reg .v4 .f32 V; "
                ".reg .v2 .u32 W; .reg .f16 half; .local .u32 lv; .param .b32 p32; "
                ".param .align 8 .b8 p12[12];\n" +
                body + "\n}\n");
}

/// A body without a mistake.
bool accepts(const std::string& body) {
  const std::string found = body_errors(body);
  CAPTURE(body);
  CHECK(found == "");
  return found.empty();
}

}  // namespace

TEST_CASE("a module with everything is right") { CHECK(errors(read_test_module("language.ptx")) == ""); }

TEST_CASE("versions and targets") {
  CHECK(errors(".version 8.7\n.target sm_95\n") == "2:9: found 'sm_95', expected a target such as sm_90\n");
  CHECK(errors(".version 8.7\n.target gtx\n") == "2:9: found 'gtx', expected a target such as sm_90\n");
  CHECK(errors(".version 7.8\n.target sm_90a\n") == "2:9: 'sm_90a' needs PTX ISA 8.0, the module says 7.8\n");
  CHECK(errors(".version 8.7\n.target debug\n") ==
        "2:1: found no architecture, expected one such as sm_90\n");
  CHECK(errors(".version 6.0\n.target compute_70, texmode_independent\n") == "");
  CHECK(errors(".version 9.1\n.target sm_103f\n") ==
        "1:10: PTX ISA 9.1 is newer than 9.0, by which the module is judged\n");
}

TEST_CASE("a later target allows more from there on") {
  const std::string entry = ".entry f() .explicitcluster { ret; }\n";
  CHECK(errors(".version 8.7\n.target sm_80\n" + entry) ==
        "3:12: '.explicitcluster' needs sm_90, the module says sm_80\n");
  CHECK(errors(".version 8.7\n.target sm_80\n.target sm_90\n" + entry) == "");
}

TEST_CASE("names are declared once in a scope, before they are used") {
  CHECK(module_errors(".global .u32 a;\n.global .f32 a;") ==
        "5:14: 'a' is declared twice, first in line 4\n");
  CHECK(module_errors(".global .u32 f;\n.func f() { ret; }") ==
        "5:7: 'f' is declared twice, first in line 4\n");
  CHECK(module_errors(".entry f(.param .u32 a, .param .u32 a) { ret; }") ==
        "4:37: 'a' is declared twice, first in line 4\n");
  CHECK(module_errors(".entry f(.param .u32 a) { .reg .u32 a; ret; }") ==
        "4:37: 'a' is declared twice, first in line 4\n");
  CHECK(body_errors("mov.u32 %r1, x; .reg .u32 x;") == "8:14: 'x' is not declared here\n");
  CHECK(body_errors("bra nowhere;") == "8:5: 'nowhere' is not declared here\n");
  CHECK(body_errors("mov.u32 %r1, %r9;") == "8:14: '%r9' is not declared here\n");
  CHECK(body_errors("mov.u32 %r1, %r01;") == "8:14: '%r01' is not declared here\n");
  CHECK(body_errors(".reg .u32 %r8;") == "8:11: '%r8' is declared twice, first in line 7\n");
  CHECK(body_errors(".reg .u32 %r9;") == "");
  CHECK(body_errors(".reg .u32 x1; .reg .u32 x<2>;") == "8:25: 'x' is declared twice, first in line 8\n");
  CHECK(body_errors(".reg .u32 x1<5>; .reg .u32 x<11>;") == "8:28: 'x' is declared twice, first in line 8\n");
  CHECK(body_errors(".reg .u32 x<11>; .reg .u32 x1<5>;") ==
        "8:28: 'x1' is declared twice, first in line 8\n");
  CHECK(body_errors("u: ret;") == "8:1: 'u' is declared twice, first in line 7\n");
  CHECK(module_errors(".global .u64 a = b;\n.global .u32 b;") == "4:18: 'b' is not declared here\n");
}

TEST_CASE("a block has its own names, labels included") {
  CHECK(accepts("{ .reg .u64 %r1; mov.u64 %r1, 3; } mov.u32 %r1, 3;"));
  CHECK(accepts("{ bra L; L: } { bra L; L: }"));
  CHECK(accepts("L: { bra L; L: } bra L;"));
  CHECK(accepts("{ bra L; } L: ret;"));
  CHECK(body_errors("bra L; { L: ret; }") == "8:5: 'L' is not declared here\n");
  CHECK(body_errors("{ .reg .u32 x; } mov.u32 x, 3;") == "8:26: 'x' is not declared here\n");
}

TEST_CASE("external variables are declared as often as one likes") {
  CHECK(module_errors(".extern .global .u32 a; .extern .global .u32 a; .visible .global .u32 a;") == "");
  CHECK(module_errors(".extern .shared .b8 a[]; .visible .shared .b8 a[4];") == "");
  CHECK(module_errors(".extern .global .u32 a;\n.visible .global .u64 a;") ==
        "5:23: 'a' is declared with another type in line 4\n");
  CHECK(module_errors(".extern .global .u32 a;\n.global .u32 a;") ==
        "5:14: found 'a' without linkage, expected '.visible': it is external in line 4\n");
}

TEST_CASE("state spaces of declarations") {
  CHECK(module_errors(".reg .u32 a;") ==
        "4:1: found .reg, expected it in a function: since PTX ISA 3.0 there is none at module scope\n");
  CHECK(module_errors(".param .u32 a;") ==
        "4:1: found .param, expected parameters in the header or the body of a function\n");
  CHECK(module_errors(".sreg .u32 a;") ==
        "4:1: found .sreg, expected no declaration: special registers are predefined\n");
  CHECK(module_errors(".entry f(.reg .u32 a) { ret; }") ==
        "4:10: found .reg, expected '.param' for the parameter of an entry\n");
  CHECK(module_errors(".func f(.global .u32 a) { ret; }") ==
        "4:9: found .global, expected '.param' or '.reg'\n");
  CHECK(body_errors(".tex .u32 t;") == "8:1: found .tex, expected textures at module scope\n");
  CHECK(module_errors(".tex .f32 t;") == "4:1: found .f32, expected '.u32' or '.u64'\n");
}

TEST_CASE("types of declarations") {
  CHECK(body_errors(".reg .bf16 x;") == "8:1: found .bf16, expected a fundamental type such as .b16\n");
  CHECK(body_errors(".reg .e4m3x2 x;") == "8:1: found .e4m3x2, expected a fundamental type such as .b16\n");
  CHECK(body_errors(".reg .b4 x;") == "8:1: found .b4, expected a fundamental type such as .b8\n");
  CHECK(module_errors(".global .pred p;") == "4:1: found .pred, expected it in '.reg'\n");
  CHECK(
      body_errors(".local .texref t;") ==
      "8:1: found .texref, expected opaque types in '.global' at module scope or as parameters of entries\n");
  CHECK(module_errors(".entry f(.param .texref t, .param .surfref s) { ret; }") == "");
  CHECK(errors(".version 8.0\n.target sm_90\n.func f() { .reg .b128 x; ret; }") ==
        "3:13: the type .b128 needs PTX ISA 8.3, the module says 8.0\n");
}

TEST_CASE("vectors, dimensions, alignment") {
  CHECK(module_errors(".global .v4 .f64 v;") ==
        "4:1: found .v4 .f64, expected a vector of at most 128 bits\n");
  CHECK(module_errors(".global .v8 .b8 v;") == "4:1: found .v8 .b8, expected a vector of 2 or 4 elements\n");
  CHECK(body_errors(".reg .v2 .pred v;") == "8:1: found .v2 .pred, expected a vector of numbers\n");
  CHECK(body_errors(".reg .b32 a[4];") == "8:11: found an array, expected registers one by one\n");
  CHECK(module_errors(".global .u32 a[0];") ==
        "4:14: found a dimension of 0, expected at least one element\n");
  CHECK(module_errors(".global .u32 a[];") ==
        "4:14: found an open dimension, expected its size: only the first dimension of what is external, "
        "initialized or the last parameter may be open\n");
  CHECK(module_errors(".global .u32 a[1 << 40][1 << 40];") ==
        "4:14: found an array of over a terabyte, expected one that fits\n");
  CHECK(module_errors(".global .align 3 .u32 a;") == "4:1: found alignment 3, expected a power of two\n");
  CHECK(module_errors(".global .u32 a<4>[2];") ==
        "4:14: found 'a<4>', expected numbered names for variables without dimensions and initial values "
        "only\n");
}

TEST_CASE("attributes, linkage and pointers") {
  CHECK(module_errors(".shared .attribute(.managed) .u32 a;") ==
        "4:20: found '.managed', expected it without numbers, for variables in '.global'\n");
  CHECK(module_errors(".global .attribute(.unified) .u32 a;") ==
        "4:20: found '.unified', expected it with two numbers, for functions and variables in '.global'\n");
  CHECK(module_errors(".global .attribute(.shiny) .u32 a;") ==
        "4:20: found '.shiny', expected '.managed' or '.unified'\n");
  CHECK(module_errors(".common .shared .u32 a;") ==
        "4:9: found '.common', expected it for variables in '.global' that are not opaque\n");
  CHECK(module_errors(".common .func f() { ret; }") == "4:15: found '.common', expected it for variables\n");
  CHECK(module_errors(".func f(.param .u64 .ptr a) { ret; }") ==
        "4:9: found '.ptr', expected it for the parameter of an entry\n");
  CHECK(module_errors(".entry f(.param .f32 .ptr a) { ret; }") ==
        "4:10: found .f32, expected an integer type for a pointer\n");
  CHECK(module_errors(".entry f(.param .u64 .ptr .param a) { ret; }") ==
        "4:10: found .param, expected '.const', '.global', '.local' or '.shared' after '.ptr'\n");
}

TEST_CASE("initial values") {
  CHECK(module_errors(".shared .u32 a = 3;") ==
        "4:14: found an initial value, expected it in '.global' and '.const' only\n");
  CHECK(module_errors(".extern .global .u32 a = 3;") ==
        "4:22: found an initial value, expected none for an external variable\n");
  CHECK(module_errors(".global .f16 a = 3.0;") == "4:14: found an initial value, expected none for .f16\n");
  CHECK(module_errors(".global .u32 a = 1.0;") ==
        "4:18: found a floating-point constant, expected an integer constant for .u32\n");
  CHECK(module_errors(".global .f32 a = {1};") == "4:18: found a list, expected one value\n");
  CHECK(module_errors(".global .f32 a = 1;") ==
        "4:18: found an integer, expected a floating-point constant for .f32\n");
  CHECK(module_errors(".global .b32 a = 1.0, b = 0f3f800000, c = -1; .global .s8 d = 200;") == "");
  CHECK(module_errors(".global .u32 a[2] = 1;") ==
        "4:21: found one value, expected a list in braces for each dimension\n");
  CHECK(module_errors(".global .u32 a[2][2] = {1, 2};") ==
        "4:24: found a list of numbers, expected a list in braces for each dimension\n");
  CHECK(module_errors(".global .u32 a[2] = {1, 2, 3};") ==
        "4:21: found 3 initial values, expected at most 2\n");
  CHECK(module_errors(".global .v2 .u32 a[2] = {{1, 2}, {3, 4}}; .global .v2 .u32 b = {1, 2};") == "");
  CHECK(module_errors(".shared .u32 s; .global .u64 a = s;") ==
        "4:34: found 's', expected a variable in '.global' or '.const' or a function\n");
  CHECK(module_errors(".global .u32 s; .global .f64 a = s;") ==
        "4:34: found .f64, expected .u32 or .u64 for an address, or .u8 for a byte of it\n");
  CHECK(module_errors(".global .u32 s; .global .u8 a = s;") ==
        "4:33: found .u8, expected .u32 or .u64 for an address, or .u8 for a byte of it\n");
  CHECK(module_errors(".func f() { ret; } .global .u64 a = generic(f);") ==
        "4:45: found 'f', expected the address of a function as it is\n");
  CHECK(errors(".version 7.0\n.target sm_70\n.global .u32 s; .global .u8 a = 0xff(s);") ==
        "3:38: a mask of an address needs PTX ISA 7.1, the module says 7.0\n");
  CHECK(module_errors(".global .texref t = 3;") ==
        "4:21: found a value, expected members such as { width = 64 }\n");
  CHECK(module_errors(".global .texref t = { width = 3, 4 };") ==
        "4:34: found a value, expected a member such as width = 64\n");
  CHECK(module_errors(".global .texref t = { weight = 3 };")
            .starts_with("4:23: found 'weight', expected one of width, "));
}

TEST_CASE("headers of functions") {
  CHECK(module_errors(".func f() .maxntid 3 { ret; }") ==
        "4:11: found '.maxntid', expected it for entries\n");
  CHECK(module_errors(".entry f() .noreturn { ret; }") ==
        "4:12: found '.noreturn', expected it for functions\n");
  CHECK(module_errors(".entry f() .maxntid 0 { ret; }") == "4:12: found 0, expected a positive number\n");
  CHECK(module_errors(".entry f() .maxntid 3 .reqntid 3 { ret; }") ==
        "4:8: found '.maxntid' and '.reqntid', expected only one of them\n");
  CHECK(module_errors(".entry f() .reqnctapercluster 2 .maxclusterrank 2 { ret; }") ==
        "4:8: found '.reqnctapercluster' and '.maxclusterrank', expected only one of them\n");
  CHECK(errors(".version 7.5\n.target sm_80\n.entry f() .maxclusterrank 8 { ret; }") ==
        "3:12: '.maxclusterrank' needs PTX ISA 7.8, the module says 7.5\n");
  CHECK(module_errors(".func (.reg .u32 r) f() .noreturn { ret; }") ==
        "4:21: found '.noreturn', expected it for functions without return values\n");
  CHECK(module_errors(".func (.reg .u32 r, .reg .u32 s) f() { ret; }") == "");
  CHECK(module_errors(".func (.reg .u32 r, .param .u32 s) f() { ret; }") ==
        "4:36: found 2 return values, expected at most one, or registers only\n");
  CHECK(module_errors(".extern .func f() { ret; }") ==
        "4:15: found a body, expected none for an external function\n");
  CHECK(module_errors(".func f(.param .b8 a[], .param .u32 b) { ret; }") ==
        "4:9: found an open array, expected it as the last parameter only\n");
  CHECK(module_errors(".entry f(.param .b8 a[]) { ret; }") ==
        "4:21: found an open dimension, expected its size: only the first dimension of what is external, "
        "initialized or the last parameter may be open\n");
  CHECK(module_errors(".entry f(.param .b8 a[32765]) { ret; }") ==
        "4:8: found 32765 bytes of parameters, expected at most 32764\n");
  CHECK(errors(".version 8.0\n.target sm_70\n.entry f(.param .b8 a[4350], .param .u32 b) { ret; }") ==
        "3:8: found 4356 bytes of parameters, expected at most 4352\n");
}

TEST_CASE("functions are declared alike and defined once") {
  CHECK(module_errors(".func f(.reg .u32 a); .func f(.reg .u32 b); .func f(.reg .u32 c) { ret; }") == "");
  CHECK(module_errors(".func f(.reg .u32 a);\n.func f(.reg .u64 a) { ret; }") ==
        "5:7: 'f' is declared with other parameters in line 4\n");
  CHECK(module_errors(".func f() { ret; }\n.func f() { ret; }") ==
        "5:7: 'f' is defined twice, first in line 4\n");
  CHECK(module_errors(".func f();\n.entry f() { ret; }") ==
        "5:8: 'f' is declared with other parameters in line 4\n");
}

TEST_CASE("aliases") {
  const std::string f = ".func f() { ret; } ";
  CHECK(module_errors(f + ".visible .func g(); .alias g, f;") == "");
  CHECK(module_errors(f + ".alias g, f;") == "4:27: 'g' is not declared here\n");
  CHECK(module_errors(".entry k() { ret; } .func g(); .alias g, k;") ==
        "4:42: found 'k', expected a function declared with '.func'\n");
  CHECK(module_errors(f + ".func g() { ret; } .alias g, f;") ==
        "4:46: found 'g' with a body, expected a declaration only\n");
  CHECK(module_errors(".func f(); .func g(); .alias g, f;") ==
        "4:33: found 'f' without a body, expected a definition\n");
  CHECK(module_errors(".weak " + f + ".func g(); .alias g, f;") ==
        "4:47: found 'f' with '.weak', expected another linkage\n");
  CHECK(module_errors(f + ".func g(.reg .u32 a); .alias g, f;") ==
        "4:42: 'g' and 'f' have other parameters\n");
  CHECK(errors(".version 6.2\n.target sm_70\n" + f + ".func g(); .alias g, f;") ==
        "3:31: '.alias' needs PTX ISA 6.3, the module says 6.2\n");
}

TEST_CASE("files have indices of their own") {
  CHECK(module_errors(".file 1 \"a.cu\"\n.file 1 \"b.cu\"") ==
        "5:1: found file 1 again, expected another index\n");
}

TEST_CASE("instructions have forms") {
  CHECK(body_errors("frobnicate.u32 %r1, %r2;") == "8:1: found `frobnicate`, expected an instruction\n");
  CHECK(body_errors("add.u31 %r1, %r2, %r3;").starts_with("8:4: found `.u31`, expected one of .u16, .u32"));
  CHECK(body_errors("add.u32 %r1, %r2;") == "8:1: found 2 operands, expected 3: d, a, b\n");
  CHECK(body_errors("add.u32 3, %r1, %r2;") == "8:9: found an immediate, expected a register for `d`\n");
  CHECK(errors(".version 7.5\n.target sm_80\n.func f() {\n  barrier.cluster.arrive;\n}") ==
        "4:3: 'barrier.cluster.arrive' needs PTX ISA 7.8, the module says 7.5\n");
  CHECK(errors(".version 7.8\n.target sm_80\n.func f() {\n  barrier.cluster.arrive;\n}") ==
        "4:3: 'barrier.cluster.arrive' needs sm_90, the module says sm_80\n");
}

TEST_CASE("registers agree with instruction types: Table 25") {
  CHECK(accepts("add.s32 s, u, %r1;"));
  CHECK(accepts("and.b32 %r1, u, s; and.b32 u, %r1, s;"));
  CHECK(accepts("setp.lt.s32 %p1, %r1, u; selp.b32 %r1, %r2, 3, %p1; and.pred %p1, %p2, 1;"));
  CHECK(accepts("mov.f32 %f1, %r1; mov.b32 %r1, %f1;"));
  CHECK(body_errors("add.u32 u, %f1, u;") == "8:12: found '%f1' of type .f32, expected .u32 for `a`\n");
  CHECK(body_errors("add.u32 u, u, %rd1;") == "8:15: found '%rd1' of type .b64, expected .u32 for `b`\n");
  CHECK(body_errors("add.u32 h, u, u;") == "8:9: found 'h' of type .u16, expected .u32 for `d`\n");
  CHECK(body_errors("mov.f32 %f1, u;") == "8:14: found 'u' of type .u32, expected .f32 for `a`\n");
  CHECK(body_errors("mov.f32 %f1, %d1;") == "8:14: found '%d1' of type .f64, expected .f32 for `a`\n");
  CHECK(body_errors("mov.u32 u, %p1;") == "8:12: found '%p1' of type .pred, expected .u32 for `a`\n");
  CHECK(body_errors("selp.u32 u, u, u, %r1;") == "8:19: found '%r1' of type .b32, expected .pred for `c`\n");
  CHECK(body_errors("shl.b64 %rd1, %rd2, %rd3;") ==
        "8:21: found '%rd3' of type .b64, expected .u32 for `b`\n");
  CHECK(body_errors("mul.wide.u32 %r1, u, u;") == "8:14: found '%r1' of type .b32, expected .u64 for `d`\n");
}

TEST_CASE("operands of ld, st and cvt may be wider: Tables 26 and 27") {
  CHECK(accepts("ld.global.u8 %r1, [%rd1]; ld.global.s16 %rd1, [%rd1]; ld.global.b32 %d1, [%rd1];"));
  CHECK(accepts("st.global.u8 [%rd1], %rd2; st.global.b16 [%rd1], %f1; cvt.u8.u32 %rd1, u;"));
  CHECK(accepts("ld.global.f32 %rd1, [%rd1];"));
  CHECK(body_errors("ld.global.u32 h, [%rd1];") == "8:15: found 'h' of type .u16, expected .u32 for `d`\n");
  CHECK(body_errors("ld.global.u32 %d1, [%rd1];") ==
        "8:15: found '%d1' of type .f64, expected .u32 for `d`\n");
  CHECK(body_errors("ld.global.f32 %d1, [%rd1];") ==
        "8:15: found '%d1' of type .f64, expected .f32 for `d`\n");
  CHECK(body_errors("ld.global.f32 u, [%rd1];") == "8:15: found 'u' of type .u32, expected .f32 for `d`\n");
  CHECK(body_errors("atom.global.add.u32 %rd2, [%rd1], u;") ==
        "8:21: found '%rd2' of type .b64, expected .u32 for `d`\n");
}

TEST_CASE("constants agree with instruction types") {
  CHECK(accepts(
      "mov.f32 %f1, 1.5; mov.f32 %f1, 0f3f800000; mov.f64 %d1, 0f3f800000; mov.b32 %r1, 0f3f800000;"));
  CHECK(accepts("add.u16 h, h, 70000; add.u32 u, u, -1;"));
  CHECK(body_errors("mov.f32 %f1, 1;") == "8:14: found '1', expected a constant of type .f32 for `a`\n");
  CHECK(body_errors("add.u32 u, u, 1.0;") == "8:15: found '1.0', expected a constant of type .u32 for `b`\n");
  CHECK(body_errors("and.b32 %r1, %r1, 1.0;") ==
        "8:19: found '1.0', expected a constant of type .b32 for `b`\n");
  CHECK(body_errors("mov.u32 u, 0f3f800000;") ==
        "8:12: found '0f3f800000', expected a constant of type .u32 for `a`\n");
}

TEST_CASE("special registers") {
  CHECK(
      accepts("mov.u32 u, %tid.x; cvt.u64.u32 %rd1, %ntid.y; mov.u64 %rd1, %clock64; mov.b32 u, %envreg31;"));
  CHECK(accepts("mov.u16 h, %tid.x; mov.u32 u, %gridid;"));
  CHECK(body_errors("mov.u32 %tid.x, 3;") == "8:9: found '%tid', expected a register that can be written\n");
  CHECK(body_errors("add.u32 u, %tid.x, 1;") ==
        "8:12: found '%tid', expected special registers in 'mov' and 'cvt' only\n");
  CHECK(body_errors("mov.u32 u, %envreg32;") == "8:12: '%envreg32' is not declared here\n");
  CHECK(body_errors("mov.u32 u, %clock64;") ==
        "8:12: found '%clock64' of type .u64, expected .u32 for `a`\n");
  CHECK(errors(".version 7.0\n.target sm_80\n.func f() {\n.reg .u32 u; mov.u32 u, %cluster_ctarank;\n}") ==
        "4:25: '%cluster_ctarank' needs PTX ISA 7.8, the module says 7.0\n");
}

TEST_CASE("vectors as operands") {
  accepts(".reg .b64 f; sust.b.2d.b32.trap [f, {%r1, %r2}], {%r3}; suld.b.1d.b32.zero {%r1}, [f, {%r2}];");
  accepts(".reg .b64 f; sust.b.1d.v2.b32.trap [f, {%r1}], {%r3, %r4}; sust.b.1d.b8.trap [f, {%r1}], h;");
  CHECK(accepts(
      "ld.global.v4.f32 V, [%rd1]; ld.global.v2.u32 {%r1, _}, [%rd1]; st.global.v2.u32 [%rd1], {1, u};"));
  CHECK(accepts("mov.f32 V.x, V.w; mov.f32 V.r, V.a; mov.u32 W.y, u;"));
  CHECK(accepts("mov.b64 %rd1, {%r1, u}; mov.b64 {%f1, _}, %rd1; mov.b32 %r1, {h, half};"));
  CHECK(body_errors("mov.u32 W.z, u;") == "8:9: found '.z', expected one of 2 elements\n");
  CHECK(body_errors("mov.f32 %f1.x, 1.0;") == "8:9: found `.x`, expected `d` as it is\n");
  CHECK(body_errors("ld.global.v2.u32 {%r1, %rd1}, [%rd1];") ==
        "8:18: found registers of several sizes, expected one size\n");
  CHECK(body_errors("ld.global.v2.u32 {%r1, h}, [%rd1];") ==
        "8:24: found 'h' of type .u16, expected .u32 for `d`\n");
  CHECK(body_errors("ld.global.v2.u32 {%r1, %r2, %r3}, [%rd1];") ==
        "8:18: found a vector in braces, expected a vector of 2 in braces for `d`\n");
  CHECK(body_errors("st.global.v2.u32 [%rd1], {_, %r1};") == "8:27: found '_', expected a value\n");
  CHECK(body_errors("ld.global.v2.u32 {1, %r1}, [%rd1];") ==
        "8:19: found '1', expected a register to be written\n");
  CHECK(body_errors("mov.b64 %rd1, {%r1, h};") == "8:21: found 'h' of type .u16, expected .b32 for `x`\n");
  CHECK(body_errors("mov.b64 %r1, {%r1, %r2};") == "8:9: found '%r1' of type .b32, expected .b64 for `d`\n");
}

// NCCL has `ld.relaxed.gpu.u64 {%rd1}, [%rd2];` in its assembly; ptxas reads it, and refuses the others here.
TEST_CASE("a load or a store takes a vector of one for its element") {
  CHECK(accepts("ld.relaxed.gpu.u64 {%rd1}, [%rd1]; st.u32 [%rd1], {%r1}; st.u32 [%rd1], {1};"));
  CHECK(body_errors("ld.u32 {_}, [%rd1];") == "8:8: found a vector in braces, expected a register for `d`\n");
  CHECK(body_errors("add.u32 {%r1}, %r1, %r1;") ==
        "8:9: found a vector in braces, expected a register for `d`\n");
}

TEST_CASE("addresses") {
  CHECK(
      accepts("ld.global.u32 u, [gv]; ld.shared.u32 u, [sv]; ld.u32 u, [gv]; ld.const.u32 u, [cv]; "
              "ld.local.u32 u, [lv];"));
  CHECK(accepts("ld.param.u64 %rd1, [pointer]; st.param.b32 [p32+0], %r1; ld.global.u32 u, [bytes+4];"));
  CHECK(
      accepts("ld.shared.u32 u, [%r1+-4]; ld.global.u32 u, table[2]; mov.u64 %rd1, table[%r1]; ld.local.u32 "
              "u, [4];"));
  CHECK(body_errors("ld.global.u32 u, [sv];") ==
        "8:18: found 'sv' in .shared, expected a variable in .global\n");
  CHECK(body_errors("ld.u32 u, [cv];") ==
        "8:11: found 'cv' in .const, expected a variable in .global, .shared or .local\n");
  CHECK(body_errors("ld.global.u32 u, [%f1];") ==
        "8:18: found '[%f1]' of type .f32, expected an integer or bit-size type for the address\n");
  CHECK(body_errors("ld.global.u32 u, [big];") ==
        "8:18: found '[big]' of type .b128, expected an integer or bit-size type for the address\n");
  CHECK(body_errors("ld.global.u32 u, [callee];") ==
        "8:18: found 'callee', expected a register or a variable for the address\n");
  CHECK(body_errors("ld.global.u32 u, gv;") ==
        "8:18: found a label, expected an address in brackets for `a`\n");
  CHECK(body_errors("ld.global.u32 u, [%rd1+0x80000000];") ==
        "8:18: found '[%rd1+0x80000000]', expected a signed offset of 32 bits\n");
  CHECK(body_errors("ld.global.u32 u, [-4];") ==
        "8:18: found '[-4]', expected an unsigned address of 32 bits\n");
  CHECK(body_errors("ld.global.u32 u, gv[2];") == "8:18: found 'gv', expected an array before '['\n");
  CHECK(body_errors("ld.global.u32 u, table[1.5];") ==
        "8:24: found '1.5', expected a register or a constant as index\n");
  CHECK(body_errors("mov.u32 u, h[2];") == "8:12: found 'h', expected an array before '['\n");
  CHECK(body_errors("st.param.u32 [n], u;") ==
        "8:14: found 'n', expected no input parameter, which can only be read\n");
  CHECK(module_errors(".func (.param .u32 r) f() {\n.reg .u32 u; ld.param.u32 u, [r];\n}") ==
        "5:30: found 'r', expected no return value, which can only be written\n");
  CHECK(body_errors("@%p1 st.param.b32 [p32], %r1;") ==
        "8:19: found a guard, expected none where 'p32' of a call is passed\n");
}

TEST_CASE("addresses as values") {
  CHECK(accepts(
      "mov.u64 %rd1, gv; mov.u64 %rd1, gv+4; mov.u64 %rd1, callee; mov.u64 %rd1, k; mov.u64 %rd1, pointer;"));
  CHECK(body_errors("add.u64 %rd1, gv, 1;") == "8:15: found 'gv', expected a register or an immediate\n");
  CHECK(body_errors("mov.f64 %d1, gv;") == "8:14: found the address of 'gv', expected .f64 for `a`\n");
  CHECK(body_errors("mov.u16 h, gv;") == "8:12: found the address of 'gv', expected .u16 for `a`\n");
  CHECK(body_errors("L: mov.u64 %rd1, L;") == "8:18: found 'L', expected a register or an immediate\n");
  CHECK(body_errors("mov.u64 %rd1, p12;") ==
        "8:15: found 'p12', expected a variable whose address can be taken: parameters of calls have none\n");
}

TEST_CASE("guards are predicates") {
  CHECK(accepts("@%p1 mov.u32 u, 1; @!%p1 mov.u32 u, 1;"));
  CHECK(body_errors("@%r1 mov.u32 u, 1;") == "8:2: found '%r1', expected a predicate register\n");
  CHECK(body_errors("@%p9 mov.u32 u, 1;") == "8:2: '%p9' is not declared here\n");
  CHECK(body_errors("add.u32 u, !u, u;") == "8:12: found `!`, expected `a` as it is\n");
  CHECK(body_errors("add.u32 u, -u, u;") == "8:12: found `-`, expected `a` as it is\n");
}

TEST_CASE("branches name labels") {
  CHECK(accepts("L: bra L; t: .branchtargets L; brx.idx u, t;"));
  CHECK(body_errors("bra callee;") == "8:5: found 'callee', expected a label\n");
  CHECK(body_errors("L: brx.idx u, L;") == "8:15: found 'L', expected the label of '.branchtargets'\n");
  CHECK(body_errors("t: .branchtargets L;") == "8:19: 'L' is not declared here\n");
  CHECK(body_errors("t: .branchtargets callee;") == "8:19: found 'callee', expected a label\n");
  CHECK(body_errors("N0: t: .branchtargets N<2>;") == "8:23: label 'N1' is not declared here\n");
  CHECK(body_errors("L: t: .calltargets L;") == "8:20: found 'L', expected a function\n");
  CHECK(body_errors("t: .calltargets callee, open;") ==
        "8:25: found 'open', expected a function with the parameters of 'callee'\n");
}

TEST_CASE("calls agree with what they call") {
  CHECK(accepts("call (p32), callee, (p32, p12); call (%r1), callee, (u, p12); call (_), callee, (3, p12);"));
  CHECK(accepts("call open, (u); call (p32), callee, (%f1, p12);"));
  CHECK(
      accepts("p: .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[12]); "
              "call (p32), %rd1, (p32, p12), p;"));
  CHECK(accepts("t: .calltargets callee; call (p32), %rd1, (p32, p12), t;"));
  CHECK(body_errors("call (p32);") == "8:1: found no function, expected one to be called\n");
  CHECK(body_errors("call (p32), callee, (p32);") == "8:1: found 1 arguments, expected 2\n");
  CHECK(body_errors("call callee, (p32, p12);") == "8:1: found 0 return values, expected 1\n");
  CHECK(body_errors("call (p32), callee, (%rd1, p12);") ==
        "8:22: found '%rd1', expected a register or variable in .param of type .b32 for 'n'\n");
  CHECK(body_errors("call (p32), callee, (p32, u);") ==
        "8:27: found 'u', expected an array in .param of the same size and alignment for 's'\n");
  CHECK(body_errors("{ .param .align 4 .b8 q[12]; call (p32), callee, (p32, q); }") ==
        "8:56: found 'q', expected an array in .param of the same size and alignment for 's'\n");
  CHECK(module_errors(".func f(.param .u32 n) { ret; } .entry k(.param .u32 p) { call f, (p); }") ==
        "4:68: found 'p', expected a register or variable in .param of type .u32 for 'n'\n");
  CHECK(module_errors(".func f(.reg .pred p) { ret; } .entry k() { .reg .pred q; call f, (!q); }") ==
        "4:68: found '!q', expected a register or variable in .param of type .pred for 'p'\n");
  CHECK(module_errors(".func f(.reg .v2 .u32 v) { ret; } .entry k() { call f, (1); }") ==
        "4:57: found '1', expected a register or variable in .param of type .u32 for 'v'\n");
  CHECK(body_errors("call (p32), callee, (_, p12);") == "8:22: found '_', expected an argument\n");
  CHECK(body_errors("call open, (1.5);") ==
        "8:13: found '1.5', expected a register or variable in .param of type .u32 for 'n'\n");
  CHECK(body_errors("call k, ();") == "8:6: found 'k', expected a function or a register with its address\n");
  CHECK(body_errors("t: .calltargets callee; call (p32), %r1, (p32, p12), t;") ==
        "8:37: found '%r1' of type .b32, expected an integer or bit-size type of 64 bits\n");
  CHECK(body_errors("call (p32), %rd1, (p32, p12);") ==
        "8:13: found no prototype, expected '.callprototype' or '.calltargets' for an indirect call\n");
  CHECK(body_errors("L: call %rd1, (p32), L;") ==
        "8:22: found 'L', expected a label of '.callprototype' or '.calltargets'\n");
  CHECK(body_errors("t: .calltargets callee; call (p32), callee, (p32, p12), t;") ==
        "8:57: found a prototype, expected none for a direct call\n");
  CHECK(body_errors("p: .callprototype (.param .b32 _) _ .noreturn;") ==
        "8:1: found '.noreturn', expected it for prototypes without return values\n");
}

TEST_CASE("several mistakes are found in one run, in the order of the text") {
  CHECK(module_errors(".global .u32 a = b;\n.global .x c;\n.func f() {\n  .reg .u32 u;\n  add.u32 u, v, w;\n "
                      " mov.u32 u;\n}") ==
        "4:18: 'b' is not declared here\n"
        "5:9: found '.x', expected a type\n"
        "8:14: 'v' is not declared here\n"
        "8:17: 'w' is not declared here\n"
        "9:3: found 1 operand, expected 2: d, a\n");
}
