// Every declared form that has a rule runs with constants and with unknowns, and both agree.
#include <doctest/doctest.h>

#include <random>

#include "semantics/language/diagnostic.hpp"
#include "tests/semantics/every_form.hpp"
#include "tests/semantics/random_operands.hpp"
#include "tests/semantics/run_instruction.hpp"

using namespace ptxmc;

namespace {

void check_form(const Form& form, std::mt19937_64& random) {
  TermGraph graph;
  const test::Sources sources = test::random_sources(form, graph, random);
  const std::vector<Bits>& constants = sources.values;
  const std::vector<Bits>& unknowns = sources.unknowns;
  Substitution substitution;
  for (std::size_t i = 0; i < constants.size(); ++i)
    if (!unknowns[i].is_constant()) substitution.set(unknowns[i].term()->variable, constants[i]);
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

TEST_CASE("every rule that computes means the same with constants and with unknowns") {
  constexpr std::size_t all_spellings = 5000;
  std::mt19937_64 random(7);
  for (const auto& entry : ptx().declarations())
    for (const SyntaxLine& line : entry->notation.lines)
      test::for_each_spelling(
          *entry, line, all_spellings, [&](const std::string& spelling, const auto& shapes) {
            const Match match = ptx().match(spelling, shapes);
            INFO(spelling << ": " << match.error);
            REQUIRE(match);
            if (!test::is_computation(*match.form, shapes)) return;
            try {
              for (int i = 0; i < 3; ++i) check_form(*match.form, random);
            } catch (const UnexpectedEffect&) {  // a barrier with a result: tested elsewhere
            } catch (const Unsupported&) {       // selectors that the manual does not have
            }
          });
}
