#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>

#include "semantics/language/diagnostic.hpp"
#include "solver/encoding/final_state.hpp"
#include "solver/explorer/explorer.hpp"
#include "src/litmus/litmus_test.hpp"
#include "tests/campaign/random_litmus.hpp"

using namespace ptxmc;

// Threads that can change places are not told apart, unless the question shows their registers: then each
// execution is come to. There are as many as without.

namespace {

/// How many executions end in each state of the first terms.
using Counts = std::map<std::vector<std::int64_t>, std::uint64_t>;

struct Counted {
  Answer answer;
  Counts counts;
};

Counted counted(const LitmusTest& test, std::size_t terms, DecideOptions options) {
  Counted result;
  result.answer = explore(test.program, test.question, cat::load("ptx-8.7"), options);
  for (const FinalState& state : result.answer.states) {
    const std::vector<std::int64_t> first(state.values.begin(),
                                          state.values.begin() + static_cast<std::ptrdiff_t>(terms));
    result.counts[first] += state.executions.value_or(0);
  }
  return result;
}

}  // namespace

TEST_SUITE("alike threads") {
  TEST_CASE("threads that meet at barriers and can change places have as many executions as if told apart") {
    std::uint64_t compared = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      CAPTURE(seed);
      DecideOptions options;
      options.bound = 1;
      options.count_executions = true;
      options.max_steps = 20'000;
      try {
        const LitmusTest alike = parse_litmus(random_alike_threads(seed, false), "alike.litmus");
        const LitmusTest apart = parse_litmus(random_alike_threads(seed, true), "apart.litmus");
        const std::size_t terms = shown_terms(alike.question).size();
        const Counted told_apart = counted(apart, terms, options);
        const Counted changing = counted(alike, terms, options);
        if (!told_apart.answer.states_complete || !changing.answer.states_complete) continue;
        CHECK(told_apart.answer.executions == changing.answer.executions);
        CHECK(told_apart.counts == changing.counts);
        ++compared;
      } catch (const Unsupported&) {
      }
    }
    CHECK(compared > 200);
  }
}
