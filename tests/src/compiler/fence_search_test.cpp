#include "src/compiler/fence_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

using namespace ptxmc;

namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t count) { return random() % count; }

/// A chain, a product of chains as orders and scopes form it, or a diamond with a tail.
LevelOrder random_levels(Random& random) {
  const std::size_t width = 1 + below(random, 3), height = 1 + below(random, 3);
  return LevelOrder(width * height + 1, [&](std::size_t a, std::size_t b) {
    if (a == 0 || b == 0) return a == 0;
    return (a - 1) % width <= (b - 1) % width && (a - 1) / width <= (b - 1) / width;
  });
}

Assignment random_assignment(const StrengthLattice& lattice, Random& random) {
  Assignment result;
  for (const LevelOrder& levels : lattice)
    result.push_back(static_cast<std::uint8_t>(below(random, levels.size())));
  return result;
}

std::vector<Assignment> all_assignments(const StrengthLattice& lattice) {
  std::vector<Assignment> all = {weakest(lattice)};
  for (std::size_t i = 0; i < lattice.size(); ++i) {
    const std::vector<Assignment> shorter = all;
    for (std::size_t level = 1; level < lattice[i].size(); ++level)
      for (Assignment one : shorter) {
        one[i] = static_cast<std::uint8_t>(level);
        all.push_back(std::move(one));
      }
  }
  return all;
}

/// The minimal elements of a set.
std::vector<Assignment> minima(const StrengthLattice& lattice, const std::vector<Assignment>& set) {
  std::vector<Assignment> result;
  for (const Assignment& one : set)
    if (std::ranges::none_of(set, [&](const Assignment& other) {
          return other != one && is_weaker_or_equal(lattice, other, one);
        }))
      result.push_back(one);
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<Assignment> sorted(std::vector<Assignment> set) {
  std::ranges::sort(set);
  return set;
}

}  // namespace

TEST_CASE("random monotone properties: the minimal assignments of an enumeration, with fewer runs") {
  Random random(20);
  std::size_t runs = 0, assignments = 0;
  for (int round = 0; round < 400; ++round) {
    StrengthLattice lattice;
    for (std::size_t i = 1 + below(random, 5); i > 0; --i) lattice.push_back(random_levels(random));
    std::vector<Assignment> generators;
    for (std::size_t i = below(random, 6); i > 0; --i)
      generators.push_back(random_assignment(lattice, random));
    const auto keeps = [&](const Assignment& at) {
      return std::ranges::any_of(generators,
                                 [&](const Assignment& one) { return is_weaker_or_equal(lattice, one, at); });
    };
    std::set<Assignment> tried;
    FenceSearchLimits limits;
    for (std::size_t i = below(random, 3); i > 0; --i)
      limits.first.push_back(random_assignment(lattice, random));
    const auto decide = [&](const Assignment& at) {
      CHECK(tried.insert(at).second);  // no assignment is tried twice
      return keeps(at) ? Kept::yes : Kept::no;
    };
    const MinimalAssignments found = find_minimal(lattice, decide, limits);
    const std::vector<Assignment> all = all_assignments(lattice);
    std::vector<Assignment> kept;
    std::ranges::copy_if(all, std::back_inserter(kept), keeps);
    CHECK(found.is_complete);
    CHECK(found.runs == tried.size());
    CHECK(sorted(found.minimal) == minima(lattice, kept));
    runs += found.runs;
    assignments += all.size();
  }
  CHECK(runs * 10 < assignments);
}

TEST_CASE("undecided assignments: what is found is right, and the result is not complete") {
  Random random(7);
  int incomplete = 0;
  for (int round = 0; round < 200; ++round) {
    StrengthLattice lattice;
    for (std::size_t i = 1 + below(random, 4); i > 0; --i) lattice.push_back(random_levels(random));
    const Assignment generator = random_assignment(lattice, random);
    const Assignment undecided = random_assignment(lattice, random);
    const auto decide = [&](const Assignment& at) {
      if (at == undecided) return Kept::unknown;
      return is_weaker_or_equal(lattice, generator, at) ? Kept::yes : Kept::no;
    };
    const MinimalAssignments found = find_minimal(lattice, decide);
    for (const Assignment& one : found.minimal) CHECK(decide(one) == Kept::yes);
    if (found.is_complete)
      CHECK(found.minimal == std::vector<Assignment>{generator});
    else
      ++incomplete;
  }
  CHECK(incomplete > 0);
}

TEST_CASE("limits") {
  const LevelOrder chain(8, [](std::size_t a, std::size_t b) { return a <= b; });
  const StrengthLattice lattice(6, chain);
  const Assignment needed = {3, 1, 4, 1, 5, 2};
  const auto decide = [&](const Assignment& at) {
    return is_weaker_or_equal(lattice, needed, at) ? Kept::yes : Kept::no;
  };
  const MinimalAssignments few = find_minimal(lattice, decide, {.most_runs = 4});
  CHECK(few.runs == 4);
  CHECK_FALSE(few.is_complete);
  CHECK(few.reason == "too many combinations");
  CHECK(std::ranges::all_of(few.minimal, [&](const Assignment& one) { return decide(one) == Kept::yes; }));
  const MinimalAssignments stopped =
      find_minimal(lattice, decide, {.reason_to_stop = [] { return std::string("timeout"); }});
  CHECK(stopped.reason == "timeout");
  CHECK(stopped.runs == 0);
  CHECK(find_minimal(lattice, decide).minimal == std::vector<Assignment>{needed});
}
