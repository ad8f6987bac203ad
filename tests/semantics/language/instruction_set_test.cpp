#include "semantics/language/instruction_set.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "semantics/language/notation_scanner.hpp"
#include "tests/semantics/every_form.hpp"

using namespace ptxmc;

namespace {

using Kind = OperandShape::Kind;

const std::vector<OperandShape> three_registers(3);

constexpr Definition example[] = {
    {"1", R"(
       add.type      d, a, b;
       add.sat.s32   d, a, b;
       .type = { .u32, .s32 };
       PTX 1.0;  PTX 8.0, sm_90: .sat;)"},
    {"2", R"(
       atom{.sem}{.scope}.op.type  d, [a], b{, c};
       .sem = { .relaxed, .release };  .scope = { .cta, .gpu };
       .op = { .add, .cas };  .type = { .u32, .b32 };
       except .cas.u32;)"},
    {"3", R"(
       cvt.dtype.atype  d, a;
       .dtype = { .u8, .u32 };  .atype = { .u8, .u32 };)"},
    {"4", "ld{.vec}.type d, [a]; .vec = { .v2, .v4 }; .type = { .u32 };"},
    {"5", "setp.eq.u32 p[|q], a, b; setp.eq.and.u32 p[|q], a, b, {!}c; a, b : .u32;"},
};

InstructionSet example_set() {
  InstructionSet isa;
  isa.define(example);
  return isa;
}

}  // namespace

TEST_CASE("a form knows its modifiers, roles, types and where it was declared") {
  const InstructionSet isa = example_set();
  const Match match = isa.match("add.s32", three_registers);
  REQUIRE(match);
  CHECK(match.form->definition == &example[0]);
  CHECK(match.form->line->text == "add.type d, a, b");
  CHECK(match.form->has(".s32"));
  CHECK_FALSE(match.form->has(".u32"));
  CHECK(match.form->is_signed());
  CHECK(match.form->width() == 32);
  CHECK((*match.form)[".type"] == Modifier(".s32"));
  CHECK(match.form->spelling == "add.s32");
  CHECK(match.form->introduced == 10);
  CHECK(match.form->targets.empty());

  const Match saturating = isa.match("add.sat.s32", three_registers);
  REQUIRE(saturating);
  CHECK(saturating.form->introduced == 80);
  CHECK(saturating.form->targets[0].sm == 90);
}

TEST_CASE("the same form is made once") {
  const InstructionSet isa = example_set();
  CHECK(isa.match("add.s32", three_registers).form == isa.match("add.s32", three_registers).form);
  const std::vector<OperandShape> with_immediate = {{}, {}, {Kind::immediate}};
  CHECK(isa.match("add.s32", with_immediate).form == isa.match("add.s32", three_registers).form);
}

TEST_CASE("modifiers may stand in another order, types may not") {
  const InstructionSet isa = example_set();
  const std::vector<OperandShape> operands = {{}, {Kind::address}, {}};
  const Match declared = isa.match("atom.release.gpu.add.u32", operands);
  REQUIRE(declared);
  CHECK(isa.match("atom.add.release.gpu.u32", operands).form == declared.form);
  CHECK_FALSE(isa.match("atom.add.release.relaxed.u32", operands));

  const std::vector<OperandShape> two(2);
  const Match narrowing = isa.match("cvt.u8.u32", two);
  REQUIRE(narrowing);
  CHECK(narrowing.form->type(".dtype").width == 8);
  CHECK(narrowing.form->type(".atype").width == 32);
}

TEST_CASE("optional operands") {
  const InstructionSet isa = example_set();
  const Match add = isa.match("atom.add.u32", std::vector<OperandShape>{{}, {Kind::address}, {}});
  REQUIRE(add);
  CHECK(add.form->operands.size() == 3);
  const Match cas = isa.match("atom.cas.b32", std::vector<OperandShape>{{}, {Kind::address}, {}, {}});
  REQUIRE(cas);
  CHECK(cas.form->operands.size() == 4);
  CHECK(cas.form->operands[3].name() == "c");
}

TEST_CASE("a second predicate and a negated one") {
  const InstructionSet isa = example_set();
  const OperandShape piped{Kind::register_, OperandPattern::Link::pipe};
  const OperandShape negated{Kind::register_, OperandPattern::Link::comma, true};
  const Match pair = isa.match("setp.eq.u32", std::vector<OperandShape>{{}, piped, {}, {}});
  REQUIRE(pair);
  CHECK(pair.form->operands[1].is_destination);
  CHECK(pair.form->operands[2].name() == "a");
  CHECK(isa.match("setp.eq.and.u32", std::vector<OperandShape>{{}, {}, {}, negated}));
  CHECK_FALSE(isa.match("setp.eq.u32", std::vector<OperandShape>{{}, {}, negated}));
}

TEST_CASE("vectors have the length that the modifier says") {
  const InstructionSet isa = example_set();
  const OperandShape two{Kind::vector, OperandPattern::Link::comma, false, 2};
  const OperandShape address{Kind::address};
  const Match match = isa.match("ld.v2.u32", std::vector<OperandShape>{two, address});
  REQUIRE(match);
  CHECK(match.form->operands[0].elements == 2);
  CHECK_FALSE(isa.match("ld.v4.u32", std::vector<OperandShape>{two, address}));
  CHECK_FALSE(isa.match("ld.v2.u32", std::vector<OperandShape>{{}, address}));
  CHECK_FALSE(isa.match("ld.u32", std::vector<OperandShape>{two, address}));
}

TEST_CASE("errors say what was found and what the nearest form expects") {
  const InstructionSet isa = example_set();
  const auto error = [&](const char* spelling, std::vector<OperandShape> operands) {
    const Match match = isa.match(spelling, operands);
    CHECK(match.form == nullptr);
    return match.error;
  };
  CHECK(error("sub.u32", three_registers) == "found `sub`, expected an instruction");
  CHECK(error("add.u8", three_registers) ==
        "found `.u8`, expected one of .u32, .s32; nearest form: add.type d, a, b");
  CHECK(error("add.frob.u32", three_registers) ==
        "found `.frob`, expected one of .u32, .s32; nearest form: add.type d, a, b");
  CHECK(error("add", three_registers) ==
        "found no more modifiers, expected one of .u32, .s32; nearest form: add.type d, a, b");
  CHECK(error("add.sat.u32", three_registers) ==
        "found `.u32`, expected .s32; nearest form: add.sat.s32 d, a, b");
  CHECK(error("add.u32", std::vector<OperandShape>(2)) == "found 2 operands, expected 3: d, a, b");
  CHECK(error("add.u32", {{Kind::immediate}, {}, {}}) == "found an immediate, expected a register for `d`");
  CHECK(error("add.u32", {{}, {Kind::address}, {}}) ==
        "found an address in brackets, expected a register or an immediate for `a`");
  CHECK(error("atom.cas.u32", {{}, {Kind::address}, {}, {}}) ==
        "found `.cas.u32`, expected no such combination");
  CHECK(isa.match("add.u8", three_registers).spelling_offset == 3);
  CHECK(isa.match("add.u32", std::vector<OperandShape>{{}, {Kind::address}, {}}).operand == 1);
}

TEST_CASE("an opcode is known before anything of it was asked, and no other word is one") {
  CHECK(example_set().has_opcode("atom"));
  CHECK_FALSE(example_set().has_opcode("a"));
  CHECK(ptx().has_opcode("vmax4"));
  CHECK_FALSE(ptx().has_opcode("vop"));
  CHECK_FALSE(ptx().has_opcode("and2"));
  CHECK_FALSE(ptx().has_opcode("wide"));
  for (const auto& entry : ptx().declarations())
    for (const SyntaxLine& line : entry->notation.lines) CHECK(ptx().has_opcode(line.opcode));
}

TEST_CASE("every declared form is found again by its spelling") {
  const InstructionSet& isa = ptx();
  for (const auto& entry : isa.declarations())
    for (const SyntaxLine& line : entry->notation.lines)
      test::for_each_spelling(*entry, line, 100, [&](const std::string& spelling, const auto& shapes) {
        const Match match = isa.match(spelling, shapes);
        INFO(line.text << " as " << spelling << ": " << match.error);
        REQUIRE(match);
        CHECK(match.form->spelling == spelling);
      });
}
