// Every declared form that has a rule runs with constants and with unknowns, and both agree.
#include <doctest/doctest.h>

#include <random>

#include "every_form.hpp"
#include "run_instruction.hpp"

using namespace ptxmc;

namespace {

bool is_scalar_computation(const Form& form, const std::vector<OperandShape>& shapes) {
  return form.definition->rule && form.definition->flow == Flow::next && !form.operands.empty() &&
         form.operands[0].is_destination &&
         std::all_of(shapes.begin(), shapes.end(), [](const OperandShape& s) {
           return s.kind == OperandShape::Kind::register_ || s.kind == OperandShape::Kind::immediate;
         });
}

u128 random_value(std::mt19937_64& random, unsigned width) {
  static const u128 edges[] = {0, 1, 2, 31, 32, 33, 63, 64, 255, ~u128{0}};
  if (random() % 3 != 0) return edges[random() % std::size(edges)];
  if (random() % 4 == 0) return u128{1} << (width - 1);
  return u128{random()} << 64 | random();
}

void check_form(const Form& form, std::mt19937_64& random) {
  TermGraph graph;
  std::vector<Bits> constants;
  std::vector<Bits> unknowns;
  Substitution substitution;
  for (const FormOperand& operand : form.operands) {
    if (operand.is_destination) continue;
    const unsigned width = operand.type.width == 0 ? 64 : operand.type.width;
    constants.emplace_back(width, random_value(random, width));
    unknowns.push_back(graph.variable(width, "x"));
    substitution.set(static_cast<VariableId>(unknowns.size() - 1), constants.back());
  }
  test::NoEffects effects;
  const auto computed = test::run(form, constants, effects);
  const auto terms = test::run(form, unknowns, effects);
  REQUIRE(computed.size() == terms.size());
  for (std::size_t i = 0; i < computed.size(); ++i) {
    INFO(form.spelling << " on " << to_string(constants[0]) << " " << to_string(constants.back()));
    REQUIRE(computed[i].is_constant());
    CHECK(computed[i].value() == substitution.apply(terms[i]).value());
  }
}

}  // namespace

TEST_CASE("every scalar rule means the same with constants and with unknowns") {
  std::mt19937_64 random(7);
  for (const auto& entry : ptx().entries())
    for (const SyntaxLine& line : entry->notation.lines)
      test::for_each_spelling(*entry, line, 30, [&](const std::string& spelling, const auto& shapes) {
        const Match match = ptx().match(spelling, shapes);
        INFO(spelling << ": " << match.error);
        REQUIRE(match);
        if (!is_scalar_computation(*match.form, shapes)) return;
        try {
          for (int i = 0; i < 5; ++i) check_form(*match.form, random);
        } catch (const test::UnexpectedEffect&) {  // a barrier with a result: tested elsewhere
        }
      });
}
