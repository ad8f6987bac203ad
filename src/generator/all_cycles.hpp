#pragma once

#include <functional>
#include <string>
#include <vector>

#include "src/generator/cycle_test.hpp"

namespace ptxmc::generator {

/// What the cycles of a set of tests are made of.
struct CycleLimits {
  std::vector<Edge> edges;
  std::vector<Access> accesses = {{}};        ///< for each access of a cycle, if it may be spelt so
  std::vector<std::string> scopes = {"gpu"};  ///< of places_apart, or "all": every way to place the threads
  unsigned smallest = 2, largest = 4;         ///< edges of a cycle
  unsigned threads = 4;                       ///< at most
  unsigned instructions = 1'000;              ///< at most
};

/// Calls `use` with a test for each cycle, each way to spell its accesses and each placement, up to symmetry:
/// of tests that differ in the names of threads and locations there is one. Left out are cycles whose
/// execution no final state shows (is_observable), and cycles in which two edges of a thread follow each
/// other, apart from Rmw. Ends early if `use` returns false.
void for_each_test(const CycleLimits&, const std::function<bool(const CycleTest&)>& use);

/// Calls `use` with the cycles of exactly this number of edges, with default accesses. Returns false if `use`
/// did.
bool for_each_cycle(const CycleLimits&, unsigned edges, const std::function<bool(const Cycle&)>& use);

/// The tests of one cycle of `for_each_cycle`. Returns false if `use` did.
bool for_each_test_of(const Cycle&, const CycleLimits&, const std::function<bool(const CycleTest&)>& use);

/// The placements of the threads of a cycle for these scopes; of those that a rotation of the cycle
/// exchanges, one.
std::vector<ThreadPlaces> placements_of(const Cycle&, const std::vector<std::string>& scopes);

}  // namespace ptxmc::generator
