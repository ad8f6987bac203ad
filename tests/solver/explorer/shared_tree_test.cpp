// Several threads that share the places of a tree have the result of one thread that explores them in order.
#include "solver/explorer/shared_tree.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <random>
#include <stdexcept>
#include <thread>

using namespace ptxmc;

namespace {

/// What happens behind a place.
struct Behind {
  std::uint64_t steps = 0;
  bool finds = false;  // what is sought, after all of its steps
  bool fails = false;
};

struct Failure : std::runtime_error {
  std::size_t place;
  explicit Failure(std::size_t place) : runtime_error("failure"), place(place) {}
};

struct Tree {
  std::vector<Place> places;
  std::vector<Behind> behind;

  explicit Tree(std::mt19937& random) {
    const std::size_t count = 1 + random() % 12;
    for (std::size_t i = 0; i < count; ++i) {
      places.push_back(
          {{static_cast<std::uint32_t>(i)}, static_cast<double>(i + 1) / static_cast<double>(count)});
      behind.push_back(
          {.steps = 1 + random() % 100, .finds = random() % 8 == 0, .fails = random() % 16 == 0});
    }
  }
};

/// The result as the header states it: the places in order, up to the first that ends the search.
struct Expected {
  std::vector<std::uint64_t> steps;  // of the places that count, but for the last if a limit ends it
  std::string end;                   // "", "found", "limit", "failure"
};

Expected in_order(const Tree& tree, const StepLimit& limit) {
  Expected result;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < tree.places.size(); ++i) {
    // The limit is reached first: a failure or a find comes after all steps of its place.
    if (limit.is_past(all + tree.behind[i].steps, tree.places[i].done)) {
      result.end = "limit";
      return result;
    }
    if (tree.behind[i].fails) {
      result.end = "failure";
      return result;
    }
    all += tree.behind[i].steps;
    result.steps.push_back(tree.behind[i].steps);
    if (tree.behind[i].finds) {
      result.end = "found";
      return result;
    }
  }
  return result;
}

Course explore(const Tree& tree, const Place& place, std::size_t number, const AreTooMany& are_too_many,
               unsigned delay) {
  CHECK(place.path == tree.places[number].path);
  Course course;
  while (course.steps < tree.behind[number].steps) {
    ++course.steps;
    if (course.steps % 16 == delay) std::this_thread::sleep_for(std::chrono::microseconds(50));
    if (!are_too_many(course.steps)) continue;
    course.stop(StepLimit::reason);
    return course;
  }
  if (tree.behind[number].fails) throw Failure(number);
  if (tree.behind[number].finds) course.stop("");
  return course;
}

Expected together(const Tree& tree, const StepLimit& limit, unsigned threads) {
  Expected result;
  std::vector<Explore<Course>> all;
  for (unsigned thread = 0; thread < threads; ++thread)
    all.emplace_back([&tree, thread](const Place& place, std::size_t number, const AreTooMany& are_too_many) {
      return explore(tree, place, number, are_too_many, thread);
    });
  try {
    for (const Course& course : explore_places<Course>(tree.places, limit, all, {})) {
      if (course.stopped) result.end = course.reason.empty() ? "found" : "limit";
      if (result.end != "limit") result.steps.push_back(course.steps);
    }
  } catch (const Failure&) {
    result.end = "failure";
    result.steps.clear();
  }
  return result;
}

}  // namespace

TEST_CASE("the result does not depend on the number of threads") {
  std::mt19937 random(11);
  int ends[4] = {};
  for (int round = 0; round < 150; ++round) {
    CAPTURE(round);
    const Tree tree(random);
    const std::uint64_t most = random() % 3 == 0 ? 0 : 1 + random() % 500;
    const StepLimit limit = random() % 2 == 0
                                ? StepLimit::of(most)
                                : StepLimit{.anyway = most / 8, .at_most = most, .for_the_tree = 2 * most};
    Expected expected = in_order(tree, limit);
    ++ends[expected.end.empty() ? 0 : expected.end == "found" ? 1 : expected.end == "limit" ? 2 : 3];
    if (expected.end == "failure") expected.steps.clear();
    for (const unsigned threads : {1, 2, 4}) {
      CAPTURE(threads);
      const Expected found = together(tree, limit, threads);
      CHECK(found.end == expected.end);
      CHECK(found.steps == expected.steps);
    }
  }
  for (const int count : ends) CHECK(count > 5);
}

TEST_CASE("limits on steps: in any case, in all, and for the share of the tree that is done") {
  const StepLimit none;
  CHECK_FALSE(none.is_past(1'000'000, 0));
  const StepLimit exact = StepLimit::of(100);
  CHECK_FALSE(exact.is_past(100, 0.001));
  CHECK(exact.is_past(101, 1));
  const StepLimit estimated{.anyway = 10, .at_most = 100, .for_the_tree = 200};
  CHECK_FALSE(estimated.is_past(10, 0));
  CHECK(estimated.is_past(11, 0.05));       // 11 steps for a twentieth: 220 for the tree
  CHECK_FALSE(estimated.is_past(11, 0.1));  // 110 for the tree
  CHECK(estimated.is_past(101, 1));
}

TEST_CASE("a tree is divided at the smallest depth with as many places as are asked for") {
  // A binary tree of depth 3 whose last leaf is at depth 2.
  const auto places_at = [](std::size_t depth) {
    const std::size_t counts[] = {0, 2, 4, 7};
    return std::vector<Place>(counts[std::min<std::size_t>(depth, 3)]);
  };
  CHECK(divide(1, places_at).size() == 2);
  CHECK(divide(3, places_at).size() == 4);
  CHECK(divide(5, places_at).size() == 7);
  CHECK(divide(100, places_at).size() == 7);
}
