#include "src/generator/model_difference.hpp"

#include <utility>

#include "src/generator/cycle_events.hpp"
#include "src/generator/cycle_names.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc::generator {

SizedTest sized_test_of(const CycleTest& cycle) {
  SizedTest result;
  result.name = name_of(cycle);
  result.cycle = name_of(cycle.cycle);
  result.placement = name_of(cycle.places);
  result.threads = static_cast<unsigned>(cycle.places.size());
  result.instructions = instructions_of(cycle.cycle);
  result.text = text_of(cycle, result.name);
  result.test = std::make_shared<const LitmusTest>(parse_litmus(result.text, result.name));
  return result;
}

SizedTest sized_test_of(LitmusTest test, std::string text) {
  SizedTest result;
  result.name = test.name;
  result.threads = static_cast<unsigned>(test.program.threads.size());
  for (const Thread& thread : test.program.threads)
    result.instructions += static_cast<unsigned>(thread.code.size());
  result.text = std::move(text);
  result.test = std::make_shared<const LitmusTest>(std::move(test));
  return result;
}

bool DecidedTest::differs() const {
  return first.verdict != second.verdict && first.verdict != Verdict::unknown &&
         second.verdict != Verdict::unknown;
}

bool DecidedTest::is_decided_by_one() const {
  return (first.verdict == Verdict::unknown) != (second.verdict == Verdict::unknown);
}

DecidedTest decide_under_both(SizedTest test, const cat::Model& first, const cat::Model& second,
                              Engine engine, const DecideOptions& options) {
  DecidedTest result;
  result.of = std::move(test);
  const LitmusTest& asked = *result.of.test;
  result.first = decide_with(engine, asked.program, asked.question, first, options);
  result.second = decide_with(engine, asked.program, asked.question, second, options);
  return result;
}

/// The two edges of a read-modify-write are one instruction, so there are at most two edges for each
/// instruction.
bool for_each_test_of_size(const CycleLimits& limits, unsigned threads, unsigned instructions,
                           const std::function<bool(const CycleTest&)>& use) {
  CycleLimits exact = limits;
  exact.threads = threads;
  exact.instructions = instructions;
  for (unsigned edges = 2; edges <= 2 * instructions; ++edges)
    if (!for_each_cycle(exact, edges, [&](const Cycle& cycle) {
          return threads_of(cycle) != threads || instructions_of(cycle) != instructions ||
                 for_each_test_of(cycle, exact, use);
        }))
      return false;
  return true;
}

}  // namespace ptxmc::generator
