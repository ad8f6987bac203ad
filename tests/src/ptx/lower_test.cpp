#include "src/ptx/lower.hpp"

#include <doctest/doctest.h>

#include "semantics/language/form.hpp"
#include "src/ptx/check.hpp"
#include "tests/src/ptx/parse_test.hpp"

using namespace ptxmc;

namespace {

struct Lowered {
  syntax::Module module;
  syntax::LoweredFunction function;
};

/// The body of a function; the variables `v1` and `v2` are at the addresses 1000 and 2000.
Lowered lower_body(const std::string& body) {
  syntax::Diagnostics diagnostics;
  Lowered lowered;
  lowered.module = syntax::read_module(
      syntax::source(syntax::head + ".shared .u32 v1; .global .b16 v2[8];\n.func f()\n{\n" + body + "\n}\n"),
      ptx(), diagnostics);
  REQUIRE(syntax::listing(diagnostics) == "");
  const auto address_of = [&](syntax::SymbolId symbol) -> std::uint64_t {
    return 1000 * static_cast<std::uint64_t>(lowered.module.symbols[symbol].name[1] - '0');
  };
  lowered.function = syntax::lower(
      lowered.module, std::get<syntax::Function>(lowered.module.statements.back().is), address_of);
  return lowered;
}

/// `r0`, `!r1`, `#5:32` (value and width), `[r0+4]`, `->3`, `{…}`, `_`.
std::string text_of(const Operand& operand) {
  if (const auto* r = std::get_if<Operand::Register>(&operand.is))
    return (r->negated ? "!r" : "r") + std::to_string(r->id);
  if (const auto* i = std::get_if<Operand::Immediate>(&operand.is))
    return "#" + std::to_string(i->value.to_u64()) + ":" + std::to_string(i->value.width());
  if (const auto* a = std::get_if<Operand::Address>(&operand.is))
    return "[" + (a->base ? "r" + std::to_string(*a->base) + "+" : "") + std::to_string(a->offset.to_s64()) +
           "]";
  if (const auto* l = std::get_if<Operand::Label>(&operand.is)) return "->" + std::to_string(l->target);
  const auto* vector = std::get_if<Operand::Vector>(&operand.is);
  if (vector == nullptr) return "_";
  std::string text;
  for (const Operand& element : vector->elements) text += (text.empty() ? "" : " ") + text_of(element);
  return "{" + text + "}";
}

/// The instructions of a body: guard, spelling, operands.
std::string code_of(const std::string& body) {
  std::string text;
  for (const Instruction& instruction : lower_body(body).function.code) {
    if (instruction.guard)
      text +=
          (instruction.guard->negated ? "@!r" : "@r") + std::to_string(instruction.guard->predicate) + " ";
    text += instruction.form->spelling;
    for (const Operand& operand : instruction.operands) text += " " + text_of(operand);
    text += "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("registers are numbered in the order of first use, each declaration its own") {
  const Lowered lowered = lower_body(
      ".reg .b32 %r<9>; .reg .pred p; mov.u32 %r7, %tid.y; { .reg .b64 %r7; mov.u64 %r7, 3; } @!p add.u32 "
      "%r1, %r7, 1;");
  std::string names;
  for (const auto& r : lowered.function.registers) names += r.name + ":" + std::to_string(r.width) + " ";
  CHECK(names == "%r7:32 %tid.y:32 %r7:64 p:1 %r1:32 ");
  CHECK(lowered.function.registers[1].special->name == "%tid");
  CHECK(lowered.function.registers[1].element == 1);
  CHECK(lowered.function.code.at(2).guard->negated);
  CHECK(lowered.function.code.at(2).guard->predicate == 3);
  CHECK(lowered.function.code.at(2).text == "add.u32 %r1, %r7, 1");
  CHECK(lowered.function.code.at(0).where.line == 7);
}

TEST_CASE("labels are the instructions that follow them") {
  CHECK(code_of(".reg .pred p;\nL: @p bra M; { bra L; L: ret; bra L; }\nM: ret; end: bra end;") ==
        "@r0 bra ->4\nbra ->2\nret\nbra ->2\nret\nbra ->5\n");
  CHECK(code_of("bra last; last:") == "bra ->1\n");
  CHECK(code_of(".reg .u32 i; t: .branchtargets B, N<2>, B; brx.idx i, t; N0: ret; N1: ret; B: ret;") ==
        "brx.idx r0 {->3 ->1 ->2 ->3}\nret\nret\nret\n");
}

TEST_CASE("immediates have the width and format of the instruction type") {
  CHECK(code_of(".reg .u16 h; .reg .u64 d; .reg .s32 s; add.u16 h, h, -1; add.u64 d, d, -1; add.s32 s, s, "
                "0x1ffffffff;") ==
        "add.u16 r0 r0 #65535:16\nadd.u64 r1 r1 #18446744073709551615:64\nadd.s32 r2 r2 #4294967295:32\n");
  CHECK(code_of(".reg .f32 f; .reg .f64 d; mov.f32 f, 1.5; mov.f32 f, 0f3fc00000; mov.f64 d, 0f3fc00000;") ==
        "mov.f32 r0 #1069547520:32\nmov.f32 r0 #1069547520:32\nmov.f64 r1 #4609434218613702656:64\n");
  CHECK(code_of(".reg .pred p; mov.pred p, 7; mov.pred p, 0;") == "mov.pred r0 #1:1\nmov.pred r0 #0:1\n");
  CHECK(code_of(".reg .b64 d; .reg .u32 u; shl.b64 d, d, 3;") == "shl.b64 r0 r0 #3:32\n");
}

TEST_CASE("addresses are a register or a known address, and an offset") {
  CHECK(
      code_of(
          ".reg .b64 d; .reg .u32 u; ld.global.u32 u, [d]; ld.global.u32 u, [d+-8]; ld.shared.u32 u, [v1+4]; "
          "ld.local.u32 u, [16]; ld.global.u16 u, v2[3];") ==
      "ld.global.u32 r0 [r1+0]\nld.global.u32 r0 [r1+-8]\nld.shared.u32 r0 [1004]\nld.local.u32 r0 [16]\n"
      "ld.global.u16 r0 [2006]\n");
  CHECK(
      code_of(".reg .b64 d; .reg .b32 u; mov.u64 d, v2; mov.u32 u, v1; mov.u64 d, v2+6; mov.u64 d, v2[3];") ==
      "mov.u64 r0 #2000:64\nmov.u32 r1 #1000:32\nmov.u64 r0 #2006:64\nmov.u64 r0 #2006:64\n");
  CHECK_THROWS_AS(lower_body(".reg .b64 d; .reg .u32 u; ld.global.u16 u, v2[d];"), Unsupported);
}

TEST_CASE("vectors, pairs and sinks") {
  CHECK(code_of(".reg .b64 d; .reg .v2 .u32 V; .reg .u32 a, b; ld.global.v2.u32 V, [d]; ld.global.v2.u32 {a, "
                "_}, [d]; mov.u32 a, V.y;") ==
        "ld.global.v2.u32 {r0 r1} [r2+0]\nld.global.v2.u32 {r3 _} [r2+0]\nmov.u32 r3 r1\n");
  CHECK(code_of(".reg .b64 d; .reg .u32 a; mov.b64 d, {a, 7}; mov.b64 {a, _}, d;") ==
        "mov.b64 r0 {r1 #7:32}\nmov.b64 {r1 _} r0\n");
  CHECK(code_of(".reg .pred p, q; .reg .u32 a; setp.lt.and.u32 p|q, a, 3, !p;") ==
        "setp.lt.and.u32 r0 r1 r2 #3:32 !r0\n");
}

TEST_CASE("the carry flag is a register that the text does not show") {
  const Lowered lowered = lower_body(".reg .u32 a; add.cc.u32 a, a, 1; addc.u32 a, a, 1;");
  CHECK(lowered.function.registers.at(1).name == "CC.CF");
  CHECK(lowered.function.registers.at(1).width == 1);
  CHECK(text_of(lowered.function.code.at(0).operands.back()) == "r1");
  CHECK(text_of(lowered.function.code.at(1).operands.back()) == "r1");
}

TEST_CASE("source lines follow .loc, calls are kept aside") {
  const Lowered lowered = lower_body("ret;\n.loc 1 20 3\nret; { .loc 2 30 0\ncall f; } ret;");
  REQUIRE(lowered.function.lines.size() == 4);
  CHECK(lowered.function.lines[0].file == 0);
  CHECK(lowered.function.lines[1].line == 20);
  CHECK(lowered.function.lines[2].file == 2);
  CHECK(lowered.function.lines[3].line == 30);
  REQUIRE(lowered.function.calls.size() == 1);
  CHECK(lowered.function.calls[0].at == 2);
  CHECK(lowered.function.calls[0].function != syntax::no_symbol);
}

TEST_CASE("an array indexed by a register is not lowered") {
  CHECK_THROWS_AS(lower_body(".reg .u32 a, i; .global .u32 t[4]; ld.global.u32 a, t[i];"), Unsupported);
}
