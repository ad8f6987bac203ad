#include "tests/src/ptx/parse_test.hpp"

#include <doctest/doctest.h>

#include "src/ptx/print.hpp"

using namespace ptxmc::syntax;

namespace {

/// The printed operands of an instruction with these operands.
std::string operands_of(const std::string& operands) {
  Diagnostics diagnostics;
  const Module module = parse(source(head + ".func f() { x " + operands + "; }"), diagnostics);
  CHECK(listing(diagnostics) == "");
  const auto& function = std::get<Function>(module.statements.at(1).is);
  std::string text;
  for (const Operand& operand : std::get<Instruction>(function.body->statements.at(0).is).operands)
    text += (text.empty() ? "" : ", ") + print(operand);
  return text;
}

/// The errors in the body of a function; its first line is line 5.
std::string body_errors(const std::string& body) {
  return parse_errors(head + ".func f()\n{" + body + "}\n");
}

}  // namespace

TEST_CASE("a module with everything is read, and printed so that it reads back") {
  Diagnostics diagnostics;
  const Module module = parse(source(read_test_module("language.ptx")), diagnostics);
  CHECK(listing(diagnostics) == "");
  const std::string printed = print(module);
  const Module again = parse(source(printed), diagnostics);
  CHECK(listing(diagnostics) == "");
  CHECK(print(again) == printed);
  CHECK(again.statements.size() == module.statements.size());
}

TEST_CASE("printing keeps what was written") {
  Diagnostics diagnostics;
  const std::string printed = print(parse(source(read_test_module("language.ptx")), diagnostics));
  const auto prints = [&](std::string_view text) { return printed.find(text) != std::string::npos; };
  CHECK(prints(".target sm_90a, texmode_independent\n.address_size 64\n"));
  CHECK(prints(".file 1 \"language.cu\", 1339013327, 64118\n"));
  CHECK(prints(".global .s32 offset[][2] = {{-1, 0}, {0, -1}, {1}, {0, 1}};"));
  CHECK(prints("{8, 18446744073709551615U, 127U, 5, 32};"));
  CHECK(prints("= {generic(bg), generic(bg)+4, generic(bg)+-4, bg+8, step};"));
  CHECK(prints("= {0xFF(foo), 0xFF00(foo+4), 0xFF0000(generic(foo)+4), 0};"));
  CHECK(prints(".global .attribute(.managed, .unified(19U, 95U)) .f32 unified;"));
  CHECK(prints("filter_mode = nearest"));
  CHECK(prints(".param .u64 .ptr .global .align 16 data"));
  CHECK(prints("\t@!%p1 add.s32 %r1, %r2, -3;\n"));
  CHECK(prints("\t\tadd.s32 %r1, %r1, 31;\n"));
  CHECK(prints(".loc 1 9 3, function_name .debug_str+16, inlined_at 1 21 3\n"));
  CHECK(prints("targets: .branchtargets start, again, N<2>;\n"));
  CHECK(prints("prototype: .callprototype (.param .u32 _) _ (.param .f32 _, .param .b8 _[12]);\n"));
  CHECK(prints(".b8 95, 0x5a, -3\n"));
  CHECK(prints("@@DWARF .byte 0x2b, 0x00\n"));
}

TEST_CASE("operands") {
  CHECK(operands_of("%r1, a, $x, %tid.x, a.b0") == "%r1, a, $x, %tid.x, a.b0");
  CHECK(operands_of("!p, -c, p|q, _|q, {a, _}|p") == "!p, -c, p|q, _|q, {a, _}|p");
  CHECK(operands_of("1, -1, 0x10, 1.5, .5, 0f3f800000, !0, (1+2)*3, -(4), +5") ==
        "1, -1, 16, 0d3ff8000000000000, 0d3fe0000000000000, 0f3f800000, 1, 9, -4, 5");
  CHECK(operands_of("[a], [a+4], [a+-4], [a+4-8], [a+2*8], [16], [a].unified") ==
        "[a], [a+4], [a+-4], [a+-4], [a+16], [16], [a].unified");
  CHECK(operands_of("a+-4, a[4], a[i], a[i+4], a[i-4]") == "a+-4, a[4], a[i], a[i+4], a[i+-4]");
  CHECK(operands_of("a+4, a+-1, a[1], a[%r1], a[%r1+4]") == "a+4, a+-1, a[1], a[%r1], a[%r1+4]");
  CHECK(operands_of("[t, {x, y}], [t, s, {x, 1}], [t, {x}].unified") ==
        "[t, {x, y}], [t, s, {x, 1}], [t, {x}].unified");
  CHECK(operands_of("{a, _, 3, {b, c}}, _") == "{a, _, 3, {b, c}}, _");
}

TEST_CASE("calls") {
  Diagnostics diagnostics;
  const Module module = parse(source(head + R"(.func f() {
    call.uni (r0), g, (a, 3);
    call g;
    call h, ();
    call (r0), %rd1, (a), prototype;
  })"),
                              diagnostics);
  CHECK(listing(diagnostics) == "");
  const std::string printed = print(module);
  CHECK(printed.find("\tcall.uni (r0), g, (a, 3);\n\tcall g;\n\tcall h, ();\n"
                     "\tcall (r0), %rd1, (a), prototype;\n") != std::string::npos);
}

TEST_CASE("a newer version is judged by 9.0, with one note") {
  Diagnostics diagnostics;
  parse(source(".version 9.1\n.target sm_100a\n"), diagnostics);
  CHECK_FALSE(diagnostics.has_errors());
  CHECK(listing(diagnostics) == "1:10: PTX ISA 9.1 is newer than 9.0, by which the module is judged\n");
}

TEST_CASE("the head of a module") {
  CHECK(parse_errors("") == "1:1: found end of file, expected '.version', with which every module begins\n");
  CHECK(parse_errors(".target sm_90\n") ==
        "1:1: found '.target', expected '.version', with which every module begins\n");
  CHECK(parse_errors(".version 8\n.target sm_90\n") == "1:10: found '8', expected a version, such as 8.7\n");
  CHECK(parse_errors(".version 8.70\n.target sm_90\n") ==
        "1:10: found '8.70', expected a version, such as 8.7\n");
  CHECK(parse_errors(".version 8.7\n.entry f { }\n") ==
        "2:1: found '.entry', expected '.target', which follows '.version'\n");
  CHECK(parse_errors(".version 8.7\n.target 90\n") == "2:9: found '90', expected a target, such as sm_90\n");
  CHECK(parse_errors(".version 8.7\n.target sm_90\n.address_size 48\n") ==
        "3:15: found '48', expected 32 or 64\n");
}

TEST_CASE("statements of a module that are wrong") {
  CHECK(parse_errors(head + ".globl .u32 x;") ==
        "4:1: found '.globl', expected a directive such as '.entry', '.func' or '.global'\n");
  CHECK(parse_errors(head + "add.u32 a, b, c;") ==
        "4:1: found 'add.u32', expected a directive such as '.entry', '.func' or '.global'\n");
  CHECK(parse_errors(head + ".global x;") == "4:9: found 'x', expected a type\n");
  CHECK(parse_errors(head + ".global .u31 x;") == "4:9: found '.u31', expected a type\n");
  CHECK(parse_errors(head + ".global .u32 .f32 x;") ==
        "4:14: found '.f32', expected the name of a variable\n");
  CHECK(parse_errors(head + ".visible .u32 x;") == "4:10: found '.u32', expected a state space\n");
  CHECK(parse_errors(head + ".global .u32 x") == "4:15: found end of file, expected ';'\n");
  CHECK(parse_errors(head + ".global .u32 x[1.5];") == "4:16: found '1.5', expected an integer size\n");
  CHECK(parse_errors(head + ".reg .b32 %r<x>;") == "4:14: found 'x', expected how many there are\n");
  CHECK(parse_errors(head + ".global .u32 x = ;") == "4:18: found ';', expected an initial value\n");
  CHECK(parse_errors(head + ".global .u32 x = 1 / 0;") == "4:18: division by zero\n");
  CHECK(parse_errors(head + ".global .u32 x = 18446744073709551616;") ==
        "4:18: the integer constant does not fit in 64 bits\n");
  CHECK(parse_errors(head + ".global .u32 x = {1, 2;") == "4:23: found ';', expected '}'\n");
  CHECK(parse_errors(head + ".global .u32 x = y + 1.5;") == "4:20: found '+', expected an integer offset\n");
  CHECK(parse_errors(head + ".global .u8 x = 0x1FF(y);") ==
        "4:17: found '0x1FF', expected a mask of one whole byte, such as 0xFF00\n");
  CHECK(parse_errors(head + ".global .u8 x = 0xFF(1.5);") ==
        "4:22: found '1.5', expected an integer or an address\n");
  CHECK(parse_errors(head + ".global .texref t = { width = };") ==
        "4:31: found '}', expected a value of the member\n");
  CHECK(parse_errors(head + ".global .align big .u32 x;") ==
        "4:16: found 'big', expected an alignment in bytes\n");
  CHECK(parse_errors(head + ".global .attribute(managed) .u32 x;") ==
        "4:20: found 'managed', expected an attribute\n");
  CHECK(parse_errors(head + ".alias a;") == "4:9: found ';', expected ','\n");
  CHECK(parse_errors(head + ".pragma nounroll;") == "4:9: found 'nounroll', expected a string\n");
  CHECK(parse_errors(head + ".file 1 a.cu") ==
        "4:9: found 'a.cu', expected the name of the file in quotes\n");
  CHECK(parse_errors(head + ".section .debug_str { .b8 256 }") ==
        "4:27: found '256', expected an integer of 8 bits\n");
  CHECK(parse_errors(head + ".section .debug_str { .b8 label }") ==
        "4:27: found 'label', expected an integer\n");
  CHECK(parse_errors(head + ".section .debug_str { .b128 1 }") ==
        "4:23: found '.b128', expected '.b8', '.b16', '.b32', '.b64' or a label\n");
}

TEST_CASE("functions that are wrong") {
  CHECK(parse_errors(head + ".entry { }") == "4:8: found '{', expected the name of a function\n");
  CHECK(parse_errors(head + ".entry f(.param .u32) { }") ==
        "4:21: found ')', expected the name of a variable\n");
  CHECK(parse_errors(head + ".entry f(u32 x) { ret; }\n.globl") ==
        "4:10: found 'u32', expected a state space\n"
        "5:1: found '.globl', expected a directive such as '.entry', '.func' or '.global'\n");
  CHECK(parse_errors(head + ".entry f() .maxthreads 3 { ret; }") ==
        "4:12: found '.maxthreads', expected a directive of the function, its body or ';'\n");
  CHECK(parse_errors(head + ".entry f() .maxntid x { ret; }") == "4:21: found 'x', expected an integer\n");
  CHECK(parse_errors(head + ".func f()\n.func g() { ret; }") ==
        "5:1: found '.func', expected a directive of the function, its body or ';'\n");
  CHECK(parse_errors(head + ".func f() { ret;\n.func g() { ret; }") == "5:1: found '.func', expected '}'\n");
  CHECK(parse_errors(head + ".func f() { ret;\n") == "5:1: found end of file, expected '}'\n");
}

TEST_CASE("statements of a body that are wrong") {
  CHECK(body_errors("add.u32 a, b, c ") == "5:18: found '}', expected ',' or ';'\n");
  CHECK(body_errors("add.u32 a, , c;") == "5:13: found ',', expected an operand\n");
  CHECK(body_errors("mov.u32 a, [b;") == "5:15: found ';', expected ']'\n");
  CHECK(body_errors("mov.v2.u32 {a, b;") == "5:18: found ';', expected '}'\n");
  CHECK(body_errors("mov.u32 a, 12u;") == "5:13: found '12u', expected a constant\n");
  CHECK(body_errors("mov.u32 a, b[;") == "5:15: found ';', expected a register or a constant as index\n");
  CHECK(body_errors("@ add.u32 a, b, c;") == "5:4: found 'add.u32', expected a predicate register\n");
  CHECK(body_errors("1: ret;") == "5:2: found '1', expected a label\n");
  CHECK(body_errors("t: .branchtargets;") == "5:19: found ';', expected a target\n");
  CHECK(body_errors("p: .callprototype f;") ==
        "5:20: found 'f', expected '_' in place of the function's name\n");
  CHECK(body_errors(".loc 1 2\n") == "6:1: found '}', expected a column\n");
  CHECK(body_errors(".loc 1 2 3, inlined_at 1 2 3\n") ==
        "5:14: found 'inlined_at', expected 'function_name'\n");
  CHECK(body_errors("ld.u32 a, [b] /* ;") == "5:16: found '/*', expected '*/' after it\n");
  CHECK(body_errors(".pragma \"x;\n") == "5:13: found end of line, expected '\"', the end of the string\n");
  CHECK(body_errors("mov.u32 a, `;") == "5:13: found '`', expected an operand\n");
  CHECK(body_errors("\n#define x 3\n") ==
        "6:1: found '#define', expected a module on which the C preprocessor has been run\n");
}

TEST_CASE("every wrong statement is reported, and the others are read") {
  Diagnostics diagnostics;
  const Module module =
      parse(source(head + ".global .u32;\n.global .u32 y;\n.func f() {\n  mov.u32 {a, ]}, b;\n"
                          "  ret;\n  add.u32 a b;\n}\n.global x;\n"),
            diagnostics);
  CHECK(listing(diagnostics) ==
        "4:13: found ';', expected the name of a variable\n"
        "7:15: found ']', expected an operand\n"
        "9:13: found 'b', expected ',' or ';'\n"
        "11:9: found 'x', expected a type\n");
  CHECK(module.statements.size() == 3);
  CHECK(std::get<Function>(module.statements[2].is).body->statements.size() == 1);
}

TEST_CASE("deep nesting is an error, not a crash") {
  CHECK(body_errors(std::string(2000, '{')).find("nested deeper than 256 levels") != std::string::npos);
  CHECK(body_errors("x " + std::string(2000, '{')).find("nested deeper than 256 levels") !=
        std::string::npos);
  CHECK(body_errors("x " + std::string(2000, '[')).find("nested deeper than 256 levels") !=
        std::string::npos);
  CHECK(parse_errors(head + ".global .u32 x = " + std::string(2000, '{'))
            .find("nested deeper than 256 levels") != std::string::npos);
}

TEST_CASE("a diagnostic shows file, place, line and caret") {
  const auto text = source(head + "\t.global x;\n");
  Diagnostics diagnostics;
  parse(text, diagnostics);
  CHECK(show(diagnostics.all().at(0), *text) ==
        "test.ptx:4:10: error: found 'x', expected a type\n  \t.global x;\n  \t        ^\n");
}

TEST_CASE("of many errors the first are kept") {
  std::string text = head;
  for (int i = 0; i < 200; ++i) text += ".global x;\n";
  Diagnostics diagnostics;
  parse(source(text), diagnostics);
  CHECK(diagnostics.errors() == 200);
  CHECK(diagnostics.all().size() == Diagnostics::most_errors);
}
