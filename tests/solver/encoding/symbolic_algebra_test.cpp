// Each relation and set of a model, evaluated with unknowns, has in every execution the value that the judge
// computes for it.
#include "solver/encoding/symbolic_algebra.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "solver/encoding/witness.hpp"
#include "tests/campaign/random_litmus.hpp"
#include "tests/sanitized.hpp"
#include "tests/solver/all_executions.hpp"
#include "tests/solver/own_models.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

Pairs value_of(const cat::Value<SymbolicAlgebra>& value, Witness& witness) {
  Pairs result;
  const auto add = [&](std::size_t from, std::size_t to, const Bits& holds) {
    const Bits known = witness.values.apply(holds);
    REQUIRE(known.is_constant());
    if (known.is_true()) result.emplace_back(witness.numbers[from], witness.numbers[to]);
  };
  if (const auto* set = std::get_if<SymbolicSet>(&value)) {
    for (std::size_t i = 0; i < set->members.size(); ++i) add(i, i, set->members[i]);
  } else {
    const auto& rows = std::get<SymbolicRelation>(value).rows;
    for (std::size_t from = 0; from < rows.size(); ++from)
      for (const auto& [to, holds] : rows[from]) add(from, static_cast<std::size_t>(to), holds);
  }
  std::ranges::sort(result);
  return result;
}

/// Finds executions without the axioms, so that most are not accepted, and compares them with the judge.
void compare(const cat::Model& model, SmallProgram& program, std::mt19937& random) {
  SymbolicAlgebra algebra(program.structure, program.graph);
  const auto outcome = cat::evaluate(model, algebra, {.all_definitions = true, .nodes = {}});
  SmtSolver solver({});
  for (const Bits& constraint : algebra.constraints()) solver.add(constraint);
  WitnessReader reader(program.structure, algebra, program.graph);
  for (int round = 0; round < 4; ++round) {
    // A random source, so that the executions are not alike.
    std::vector<Bits> wanted;
    for (const auto& choice : algebra.reads_from().choices)
      if (random() % 3 == 0) wanted.push_back(choice.chosen);
    if (solver.check(wanted) != SmtSolver::Result::satisfiable &&
        solver.check() != SmtSolver::Result::satisfiable)
      return;
    Witness witness = reader.read(solver);
    const Judgement judgement = judge(model, witness.execution);
    for (const cat::Definition& definition : model.definitions) {
      CAPTURE(definition.name);
      Pairs expected = judgement.relations.at(definition.name);
      std::ranges::sort(expected);
      CHECK(value_of(*outcome.value(definition.name), witness) == expected);
    }
    for (std::size_t i = 0; i < model.flags.size(); ++i)
      CHECK(witness.values.apply(outcome.flags[i]).is_true() == judgement.flags[i]);
    for (const std::string& sentence : judgement.malformed) {
      CAPTURE(sentence);
      CHECK(sentence.find("relate") == std::string::npos);  // each pair is oriented once
    }
  }
}

void compare(const cat::Model& model, int count) {
  std::mt19937 random(1);
  for (std::uint64_t seed = 0; count > 0; ++seed) {
    CAPTURE(model.name);
    CAPTURE(seed);
    SmallProgram program(random_litmus(seed));
    if (program.structure.events.size() > 16) continue;
    compare(model, program, random);
    --count;
  }
}

}  // namespace

TEST_CASE("the values of the embedded models are those of the judge") {
  for (const char* name : {"ptx-8.7", "ptx-6.4", "sc"}) compare(cat::load(name), sampled(25));
}

TEST_CASE("so are those of models with recursion, negation and sets") {
  for (const std::string& text : own_models()) compare(cat::parse({"own", text}, {}), sampled(15));
}
