#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "solver/explorer/execution_walk.hpp"

namespace ptxmc {

// Explorers that share a tree. An Explorer has a type `Course`, the result of a part, with `add` for the
// result of a later part, and
// - `explore(StepLimit)` for the whole tree, `explore(Place, number, AreTooMany)` for the subtree of a place;
// - `split(at_least)`: places, and the result up to them;
// - `is_alone()`: whether several threads would do more work than one;
// - `share(others, places)`, before the places are explored; `end_place(number, course)`, in order, with the
//   result up to the end of a place; `merge(other)`, at the end.

/// Makes another explorer of the same tree.
template <class Explorer>
using MakeExplorer = std::function<std::unique_ptr<Explorer>()>;

/// Explores places in `jobs` threads, each with an explorer of its own. `course` is the result so far. The
/// result does not depend on the number of threads. Afterwards `explorer` has what all of them have found.
template <class Explorer>
typename Explorer::Course explore_places_together(Explorer& explorer, const MakeExplorer<Explorer>& another,
                                                  const std::vector<Place>& places,
                                                  typename Explorer::Course course, const StepLimit& limit,
                                                  unsigned jobs, const DecideOptions& options) {
  using Course = typename Explorer::Course;
  // Created in this thread, since several threads must not create terms at the same time.
  std::vector<std::unique_ptr<Explorer>> others;
  for (unsigned i = 1; i < jobs; ++i) others.push_back(another());
  explorer.share(others, places.size());
  std::vector<Explore<Course>> all;
  const auto add = [&](Explorer& own) {
    all.emplace_back([&own](const Place& place, std::size_t number, const AreTooMany& are_too_many) {
      return own.explore(place, number, are_too_many);
    });
  };
  add(explorer);
  for (const auto& other : others) add(*other);
  auto courses = explore_places(places, limit, all, options);
  for (std::size_t i = 0; i < courses.size() && !course.stopped; ++i) {
    course.add(std::move(courses[i]));
    explorer.end_place(i, course);
  }
  for (const auto& other : others) explorer.merge(*other);
  return course;
}

/// The fewest places into which a tree is divided, for each of its parts.
inline constexpr std::size_t fewest_places = 64;

/// Explores a whole tree: in one thread at first, and if that takes long, in `options.jobs` threads. The
/// result does not depend on their number. Afterwards `explorer` has what all of them have found.
template <class Explorer>
typename Explorer::Course explore_together(std::unique_ptr<Explorer>& explorer,
                                           const MakeExplorer<Explorer>& another, const StepLimit& limit,
                                           ProgressReport& report, const DecideOptions& options) {
  using Course = typename Explorer::Course;
  const bool is_small = limit.at_most > 0 && limit.anyway <= options.steps_alone;
  if (is_small || explorer->is_alone()) return explorer->explore(limit);
  Course alone = explorer->explore(StepLimit::of(options.steps_alone));
  if (alone.reason != StepLimit::reason) return alone;
  report.begin_anew();
  explorer = another();
  auto [places, course] = explorer->split(fewest_places);
  if (course.stopped) return course;
  return explore_places_together(*explorer, another, places, std::move(course), limit, options.jobs, options);
}

/// Explores one part of a tree. What is found on the way to its places belongs to the first part.
template <class Explorer>
typename Explorer::Course explore_part(Explorer& explorer, const MakeExplorer<Explorer>& another,
                                       const TreePart& part, const DecideOptions& options) {
  using Course = typename Explorer::Course;
  auto [places, course] = explorer.split(fewest_places * part.of);
  if (course.stopped) return course;
  if (!part.is_first()) course = Course();
  const unsigned jobs = explorer.is_alone() ? 1 : options.jobs;
  return explore_places_together(explorer, another, places_of(part, std::move(places)), std::move(course),
                                 StepLimit(), jobs, options);
}

}  // namespace ptxmc
