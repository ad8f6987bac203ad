// Bit matrices against sets of pairs, on random relations of sizes around the width of a word.
#include "model/relations/bit_matrix.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

using namespace ptxmc;

namespace {

using Pair = std::pair<std::size_t, std::size_t>;
using PairSet = std::set<Pair>;
using Elements = std::set<std::size_t>;

std::mt19937 random_numbers(7);  // NOLINT: the same in every run

PairSet random_pairs(std::size_t size, double density) {
  std::bernoulli_distribution is_in(density);
  PairSet result;
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t b = 0; b < size; ++b)
      if (is_in(random_numbers)) result.insert({a, b});
  return result;
}

Elements random_elements(std::size_t size) {
  std::bernoulli_distribution is_in(0.4);
  Elements result;
  for (std::size_t a = 0; a < size; ++a)
    if (is_in(random_numbers)) result.insert(a);
  return result;
}

BitMatrix matrix(std::size_t size, const PairSet& pairs) {
  BitMatrix result(size);
  for (const auto& [a, b] : pairs) result.insert(a, b);
  return result;
}

BitSet bits(std::size_t size, const Elements& elements) {
  BitSet result(size);
  for (const std::size_t a : elements) result.insert(a);
  return result;
}

PairSet pairs(const BitMatrix& matrix) {
  const auto listed = matrix.pairs();
  CHECK(std::is_sorted(listed.begin(), listed.end()));
  CHECK(matrix.count() == listed.size());
  return {listed.begin(), listed.end()};
}

Elements elements(const BitSet& set) {
  Elements result;
  for (std::size_t i = 0; i < set.size(); ++i)
    if (set.contains(i)) result.insert(i);
  return result;
}

PairSet compose(const PairSet& r, const PairSet& s) {
  PairSet result;
  for (const auto& [a, b] : r)
    for (auto next = s.lower_bound({b, 0}); next != s.end() && next->first == b; ++next)
      result.insert({a, next->second});
  return result;
}

/// From each element, the elements that a walk along the pairs reaches.
PairSet closure(const PairSet& r) {
  PairSet result;
  for (const auto& [start, second] : r) {
    std::vector<std::size_t> open = {second};
    while (!open.empty()) {
      const std::size_t reached = open.back();
      open.pop_back();
      if (!result.insert({start, reached}).second) continue;
      for (auto next = r.lower_bound({reached, 0}); next != r.end() && next->first == reached; ++next)
        open.push_back(next->second);
    }
  }
  return result;
}

template <class Set>
Set without(const Set& a, const Set& b) {
  Set result;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(result, result.end()));
  return result;
}

PairSet everything(std::size_t size) {
  PairSet result;
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t b = 0; b < size; ++b) result.insert({a, b});
  return result;
}

constexpr std::size_t sizes[] = {0, 1, 2, 7, 63, 64, 65, 100, 128};

/// Few pairs make long paths, many make dense closures.
double density(std::size_t size, int round) { return round == 0 ? 1.2 / static_cast<double>(size + 1) : 0.2; }

}  // namespace

TEST_CASE("operations on bit matrices agree with those on sets of pairs") {
  for (const std::size_t size : sizes)
    for (int round = 0; round < 4; ++round) {  // in the last two an operand is empty
      CAPTURE(size);
      const PairSet r = random_pairs(size, round == 2 ? 0 : density(size, round)),
                    s = random_pairs(size, round == 3 ? 0 : density(size, round));
      // An empty relation with rows, then one without.
      const BitMatrix a = matrix(size, r), b = round == 3 ? BitMatrix::empty(size) : matrix(size, s);
      PairSet both, either = r, inverse, reflexive = r;
      std::set_intersection(r.begin(), r.end(), s.begin(), s.end(), std::inserter(both, both.end()));
      either.insert(s.begin(), s.end());
      Elements domain, range;
      for (const auto& [x, y] : r) {
        inverse.insert({y, x});
        domain.insert(x);
        range.insert(y);
      }
      for (std::size_t x = 0; x < size; ++x) reflexive.insert({x, x});
      CHECK(pairs(a) == r);
      CHECK(pairs(a | b) == either);
      CHECK(pairs(a & b) == both);
      CHECK(pairs(a - b) == without(r, s));
      CHECK(pairs(~a) == without(everything(size), r));
      CHECK(~~a == a);
      CHECK(pairs(a.inverse()) == inverse);
      CHECK(pairs(a.optional()) == reflexive);
      CHECK(pairs(a.compose(b)) == compose(r, s));
      CHECK(pairs(a.closure()) == closure(r));
      CHECK(elements(a.domain()) == domain);
      CHECK(elements(a.range()) == range);
      CHECK(a.is_empty() == r.empty());
      CHECK((a - a).is_empty());
      CHECK((a - a).is_acyclic());
      CHECK(a - a == BitMatrix(size));
      CHECK((a == b) == (r == s));
      CHECK(~(b & (a - a)) == matrix(size, everything(size)));
      CHECK(pairs((a - a).compose(b) | b) == s);
    }
}

TEST_CASE("operations on bit sets agree with those on sets") {
  for (const std::size_t size : sizes) {
    CAPTURE(size);
    const Elements s = random_elements(size), t = random_elements(size);
    const BitSet a = bits(size, s), b = bits(size, t);
    Elements both, either = s, all;
    std::set_intersection(s.begin(), s.end(), t.begin(), t.end(), std::inserter(both, both.end()));
    either.insert(t.begin(), t.end());
    for (std::size_t i = 0; i < size; ++i) all.insert(i);
    PairSet identity, product;
    for (const std::size_t x : s) {
      identity.insert({x, x});
      for (const std::size_t y : t) product.insert({x, y});
    }
    CHECK(elements(a | b) == either);
    CHECK(elements(a & b) == both);
    CHECK(elements(a - b) == without(s, t));
    CHECK(elements(~a) == without(all, s));
    CHECK(a.is_empty() == s.empty());
    CHECK((a & ~a).is_empty());
    CHECK(pairs(BitMatrix::identity(a)) == identity);
    CHECK(pairs(BitMatrix::product(a, b)) == product);
  }
}

TEST_CASE("cycles") {
  for (const std::size_t size : sizes)
    for (int round = 0; round < 20; ++round) {
      CAPTURE(size);
      const PairSet r = random_pairs(size, (0.2 + 0.1 * round) / static_cast<double>(size + 1));
      const BitMatrix a = matrix(size, r);
      const PairSet paths = closure(r);
      const auto on_diagonal = [](const PairSet& s) {
        return std::any_of(s.begin(), s.end(), [](const Pair& p) { return p.first == p.second; });
      };
      CHECK(a.is_irreflexive() == !on_diagonal(r));
      CHECK(a.is_acyclic() == !on_diagonal(paths));
      // The shortest cycle is as long as the first power of r with a loop.
      std::size_t length = 0;
      PairSet power = r;
      if (on_diagonal(paths))
        for (length = 1; !on_diagonal(power); ++length) power = compose(power, r);
      const auto cycle = a.shortest_cycle();
      CHECK(cycle.size() == length);
      for (std::size_t i = 0; i < cycle.size(); ++i)
        CHECK(a.contains(cycle[i], cycle[(i + 1) % cycle.size()]));
    }
}

TEST_CASE("single pairs") {
  BitMatrix r(70);
  r.insert(3, 69);
  r.insert(69, 3);
  r.insert(3, 0);
  CHECK(r.contains(3, 69));
  CHECK_FALSE(r.contains(0, 3));
  r.erase(3, 69);
  CHECK(pairs(r) == PairSet{{3, 0}, {69, 3}});
  BitMatrix grown = BitMatrix::empty(70);
  CHECK_FALSE(grown.contains(3, 69));
  grown.erase(3, 69);
  grown.insert(3, 69);
  CHECK(pairs(grown) == PairSet{{3, 69}});
}

TEST_CASE("operands of different sizes are refused") {
  CHECK_THROWS_AS(BitSet(3) | BitSet(4), std::logic_error);
  CHECK_THROWS_AS(BitSet(3) & BitSet(65), std::logic_error);
  CHECK_THROWS_AS(BitMatrix(3) | BitMatrix(4), std::logic_error);
  CHECK_THROWS_AS(BitMatrix(3).compose(BitMatrix(4)), std::logic_error);
  CHECK_THROWS_AS(BitMatrix::product(BitSet(3), BitSet(4)), std::logic_error);
}
