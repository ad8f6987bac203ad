#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "solver/engine/engine.hpp"
#include "src/generator/all_cycles.hpp"
#include "src/litmus/resolved_test.hpp"

namespace ptxmc::generator {

/// A test that may tell models apart.
struct SizedTest {
  std::string name;
  std::string cycle, placement;  ///< empty: the test was not made from a cycle
  unsigned threads = 0, instructions = 0;
  std::string text;
  std::shared_ptr<const LitmusTest> test;  ///< answers point into its program
};

/// The test of a cycle. Throws InputError if the instructions of the cycle do not exist.
SizedTest sized_test_of(const CycleTest&);
/// A test that was read from a text.
SizedTest sized_test_of(LitmusTest, std::string text);

/// A test with its answers under two models.
struct DecidedTest {
  SizedTest of;
  Answer first, second;

  /// Whether one model allows the condition and the other forbids it.
  bool differs() const;
  /// Whether exactly one model has no answer.
  bool is_decided_by_one() const;
};

/// Decides a test under two models. Throws what decide_with throws.
DecidedTest decide_under_both(SizedTest, const cat::Model& first, const cat::Model& second, Engine,
                              const DecideOptions&);

/// Calls `use` with the tests of exactly so many threads and instructions. Returns false if `use` did.
bool for_each_test_of_size(const CycleLimits&, unsigned threads, unsigned instructions,
                           const std::function<bool(const CycleTest&)>& use);

}  // namespace ptxmc::generator
