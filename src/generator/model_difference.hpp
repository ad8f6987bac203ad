#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "solver/engine/engine.hpp"
#include "src/generator/all_cycles.hpp"
#include "src/litmus/resolved_test.hpp"

namespace ptxmc::generator {

/// A test with its answers under two models.
struct DecidedTest {
  CycleTest cycle;
  std::string text;
  std::shared_ptr<const LitmusTest> test;  ///< the answers point into its program
  Answer first, second;

  /// Whether one model allows the condition and the other forbids it.
  bool differs() const;
  /// Whether exactly one model has no answer.
  bool is_decided_by_one() const;
};

/// Decides the test of a cycle under two models. Throws InputError if the instructions of the cycle do not
/// exist, and what decide_with throws.
DecidedTest decide_under_both(const CycleTest&, const cat::Model& first, const cat::Model& second, Engine,
                              const DecideOptions&);

/// Calls `use` with the tests of exactly so many threads and instructions. Returns false if `use` did.
bool for_each_test_of_size(const CycleLimits&, unsigned threads, unsigned instructions,
                           const std::function<bool(const CycleTest&)>& use);

}  // namespace ptxmc::generator
