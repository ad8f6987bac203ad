// The orientations of a complete execution: exactly those that the judge accepts, each once.
#include "solver/explorer/chosen_orders.hpp"

#include <doctest/doctest.h>

#include <set>

#include "model/judge/judge.hpp"
#include "tests/solver/explorer/guided_execution.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

std::multiset<std::string> accepted_with(const EnumeratedProgram& program, const std::string& sources) {
  std::multiset<std::string> keys;
  for (const Execution& execution : program.all.accepted)
    if (key_of_sources(execution) == sources) keys.insert(key_of(execution));
  return keys;
}

BitMatrix coherence_of(const cat::Model& model, const Execution& execution) {
  BitMatrix result(execution.events.size());
  const Judgement judgement = judge(model, execution);
  for (const auto& [a, b] : judgement.relations.at("co"))
    result.insert(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
  return result;
}

}  // namespace

TEST_CASE("each set of orientations that the judge accepts is found once") {
  int several = 0, one_coherence = 0, several_coherences = 0;
  std::mt19937 random(5);
  for_each_execution({"ptx-8.7", "ptx-6.4", "sc"},
                     [&](const cat::Model& model, const EnumeratedProgram& program, const Execution& known) {
                       GuidedExecution guided(program.structure, model, known);
                       PartialExecution& execution = guided.execution;
                       REQUIRE(execution.settle());
                       guided.complete(random);
                       REQUIRE(execution.model.may_become_consistent());
                       ChosenOrders orientations(execution, model);
                       BitMatrix coherence;
                       const bool has_one_coherence = orientations.leave_coherence(coherence);
                       ++(has_one_coherence ? one_coherence : several_coherences);

                       const auto expected = accepted_with(program, key_of_sources(known));
                       std::multiset<std::string> found;
                       orientations.for_each([] { return false; },
                                             [&] {
                                               const Execution complete = execution.execution();
                                               found.insert(key_of(complete));
                                               if (!has_one_coherence) return;
                                               BitMatrix own = coherence_of(model, complete);
                                               std::size_t pairs = 0;
                                               const auto ids = ids_in(program.structure, complete);
                                               for (const auto& [a, b] : own.pairs())
                                                 pairs += coherence.contains(static_cast<std::size_t>(ids[a]),
                                                                             static_cast<std::size_t>(ids[b]))
                                                              ? 1
                                                              : 0;
                                               CHECK(pairs == own.pairs().size());
                                               CHECK(pairs == coherence.pairs().size());
                                             });
                       CHECK(found == expected);
                       several += expected.size() > 1 ? 1 : 0;

                       if (has_one_coherence) {
                         std::multiset<std::string> one;
                         orientations.for_one(
                             coherence, [] { return false; },
                             [&] { one.insert(key_of(execution.execution())); });
                         REQUIRE(one.size() == 1);
                         CHECK(expected.contains(*one.begin()));
                       }

                       // No more after the first if the caller has enough.
                       int seen = 0;
                       orientations.for_each([&] { return seen > 0; }, [&] { ++seen; });
                       CHECK(seen == 1);
                     });
  CHECK(several > 20);
  CHECK(one_coherence > 20);
  CHECK(several_coherences > 20);
}
