// Every declared form that has a rule runs with constants and with unknowns, and both agree.
#include <doctest/doctest.h>

#include <random>

#include "every_form.hpp"
#include "random_operands.hpp"
#include "run_instruction.hpp"

using namespace ptxmc;

namespace {

void check_form(const Form& form, std::mt19937_64& random) {
  TermGraph graph;
  std::vector<Bits> constants;
  std::vector<Bits> unknowns;
  Substitution substitution;
  for (const FormOperand& operand : form.operands) {
    if (operand.is_destination) continue;
    const unsigned width = operand.type.width == 0 ? 64 : operand.type.width;
    constants.emplace_back(width, test::random_operand(random, width));
    unknowns.push_back(graph.variable(width, "x"));
    substitution.set(static_cast<VariableId>(unknowns.size() - 1), constants.back());
  }
  NoEffects effects;
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
        if (!test::is_scalar_computation(*match.form, shapes)) return;
        try {
          for (int i = 0; i < 5; ++i) check_form(*match.form, random);
        } catch (const UnexpectedEffect&) {  // a barrier with a result: tested elsewhere
        }
      });
}
