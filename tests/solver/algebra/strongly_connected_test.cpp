// Strongly connected components of random graphs, against the pairs of nodes that reach each other.
#include "solver/algebra/strongly_connected.hpp"

#include <doctest/doctest.h>

#include <random>

#include "model/relations/bit_matrix.hpp"

using namespace ptxmc;

TEST_CASE("two nodes are in one component if they reach each other, and edges lead to lower numbers") {
  constexpr std::size_t nodes = 8;
  std::mt19937 random(11);
  int together = 0, apart = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<int>> successors(nodes);
    BitMatrix edges(nodes);
    for (std::size_t a = 0; a < nodes; ++a)
      for (std::size_t b = 0; b < nodes; ++b)
        if (random() % 6 == 0) {
          successors[a].push_back(static_cast<int>(b));
          edges.insert(a, b);
        }
    const BitMatrix reaches = edges.closure();
    const std::vector<int> component = strong_components(successors);
    for (std::size_t a = 0; a < nodes; ++a)
      for (std::size_t b = 0; b < nodes; ++b) {
        const bool is_one = a == b || (reaches.contains(a, b) && reaches.contains(b, a));
        CHECK((component[a] == component[b]) == is_one);
        if (edges.contains(a, b)) CHECK(component[a] >= component[b]);
        ++(is_one ? together : apart);
      }
  }
  CHECK(together > 2000);
  CHECK(apart > 2000);
}
