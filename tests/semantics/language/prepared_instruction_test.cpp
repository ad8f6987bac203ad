// A prepared instruction does what `execute` does.
#include "semantics/language/prepared_instruction.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/no_effects.hpp"
#include "tests/semantics/every_form.hpp"
#include "tests/semantics/random_operands.hpp"
#include "tests/semantics/recorded_effects.hpp"

using namespace ptxmc;

namespace {

/// Registers of an instruction, some wider than its operands are.
struct Code {
  Instruction instruction;
  std::vector<Bits> registers;
  std::vector<unsigned> widths;

  RegisterId add(unsigned width, u128 value) {
    registers.emplace_back(width, value);
    widths.push_back(width);
    return static_cast<RegisterId>(registers.size() - 1);
  }
};

Code code_of(const Form& form, bool is_wider, std::mt19937_64& random) {
  Code code;
  code.instruction.form = &form;
  for (const FormOperand& operand : form.operands) {
    const unsigned type = operand.type.width == 0 ? 64 : operand.type.width;
    const unsigned width = is_wider && type > 1 && type < 64 ? 64 : type;
    const u128 value = test::random_operand(random, type);
    if (!operand.is_hidden && operand.pattern->is_constant)
      code.instruction.operands.push_back({Operand::Immediate{Bits(type, value)}});
    else
      code.instruction.operands.push_back({Operand::Register{code.add(width, value)}});
  }
  return code;
}

void check_same(const Code& code, Effects& effects, Effects& others) {
  std::vector<Bits> expected = code.registers, found = code.registers;
  const PreparedInstruction prepared(code.instruction, code.widths);
  execute(code.instruction, expected, effects);
  prepared.execute(found, others);
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(to_string(found[i]) == to_string(expected[i]));
}

}  // namespace

TEST_CASE("every scalar form, on registers of its types and on wider ones") {
  std::mt19937_64 random(5);
  for (const auto& entry : ptx().declarations())
    for (const SyntaxLine& line : entry->notation.lines)
      test::for_each_spelling(*entry, line, 6, [&](const std::string& spelling, const auto& shapes) {
        const Match match = ptx().match(spelling, shapes);
        REQUIRE(match);
        if (!test::is_scalar_computation(*match.form, shapes)) return;
        INFO(spelling);
        NoEffects effects;
        try {
          for (const bool is_wider : {false, true})
            check_same(code_of(*match.form, is_wider, random), effects, effects);
        } catch (const UnexpectedEffect&) {
        }
      });
}

TEST_CASE("addresses, negated predicates, sinks, vectors") {
  const auto check = [](const std::string& spelling, std::vector<Operand> operands) {
    std::vector<OperandShape> shapes;
    for (const Operand& operand : operands) shapes.push_back(shape_of(operand));
    const Match match = ptx().match(spelling, shapes);
    INFO(spelling << ": " << match.error);
    REQUIRE(match);
    Code code;
    code.add(64, 0x1000);
    code.add(32, 7);
    code.add(32, 8);
    code.add(1, 1);
    code.instruction.form = match.form;
    code.instruction.operands = std::move(operands);
    test::RecordedEffects effects, others;
    effects.memory = others.memory = Bits(128, 0x12345678);
    check_same(code, effects, others);
    REQUIRE(effects.accesses.size() == others.accesses.size());
    for (std::size_t i = 0; i < effects.accesses.size(); ++i) {
      CHECK(effects.accesses[i].address == others.accesses[i].address);
      CHECK(to_string(effects.accesses[i].value) == to_string(others.accesses[i].value));
    }
  };
  const Operand address = {Operand::Address{RegisterId{0}, Bits(64, 8)}}, r1 = {Operand::Register{1}},
                r2 = {Operand::Register{2}}, sink = {Operand::Sink{}}, negated = {Operand::Register{3, true}};
  check("ld.global.u32", {r1, address});
  check("ld.global.u32", {r1, {Operand::Address{std::nullopt, Bits(64, 0x2000)}}});
  check("ld.shared.u32", {r2, {Operand::Address{RegisterId{1}, Bits(64, 8)}}});
  check("st.global.u32", {address, r2});
  check("atom.global.add.u32", {sink, address, r2});
  check("atom.global.cas.b32", {r1, address, r1, r2});
  check("ld.global.v2.u32", {{Operand::Vector{{r1, r2}}}, address});
  check("selp.u32", {r1, r1, r2, {Operand::Register{3}}});
  check("not.pred", {{Operand::Register{3}}, {Operand::Register{3}}});
  check("bar.red.popc.u32", {r1, {Operand::Immediate{Bits(32, 1)}}, negated});
}

TEST_CASE("a form without a meaning is unsupported when it is executed") {
  const Operand address = {Operand::Address{RegisterId{0}, Bits(64, 0)}};
  const std::vector<OperandShape> shapes = {shape_of(address)};
  const Match match = ptx().match("tcgen05.shift.cta_group::1.down", shapes);
  REQUIRE(match);
  Instruction instruction;
  instruction.form = match.form;
  instruction.operands = {address};
  const std::vector<unsigned> widths(8, 64);
  const PreparedInstruction prepared(instruction, widths);
  std::vector<Bits> registers(8, Bits(64, 0));
  NoEffects effects;
  CHECK_THROWS_AS(prepared.execute(registers, effects), Unsupported);
}
