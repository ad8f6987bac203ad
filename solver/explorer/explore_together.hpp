#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "solver/explorer/execution_walk.hpp"

namespace ptxmc {

/// Explores a whole tree: in one thread at first, and if that takes long, in `options.jobs` threads, each
/// with an explorer of its own, made by `another`. The result does not depend on their number. Afterwards
/// `explorer` has what all of them have found.
///
/// An Explorer has a type `Course`, the result of a part, with `add` for the result of a later part, and
/// - `explore(StepLimit)` for the whole tree, `explore(Place, number, AreTooMany)` for the subtree of a
/// place;
/// - `split(at_least)`: places, and the result up to them;
/// - `is_alone()`: whether several threads would do more work than one;
/// - `share(others, places)`, before the places are explored; `end_place(number, course)`, in order, with the
///   result up to the end of a place; `merge(other)`, at the end.
template <class Explorer>
typename Explorer::Course explore_together(std::unique_ptr<Explorer>& explorer,
                                           const std::function<std::unique_ptr<Explorer>()>& another,
                                           const StepLimit& limit, ProgressReport& report,
                                           const DecideOptions& options) {
  using Course = typename Explorer::Course;
  constexpr std::size_t fewest_places = 64;
  const bool is_small = limit.at_most > 0 && limit.anyway <= options.steps_alone;
  if (is_small || explorer->is_alone()) return explorer->explore(limit);
  Course alone = explorer->explore(StepLimit::of(options.steps_alone));
  if (alone.reason != StepLimit::reason) return alone;
  report.begin_anew();
  explorer = another();
  auto [places, course] = explorer->split(fewest_places);
  if (course.stopped) return course;
  // Created in this thread, since several threads must not create terms at the same time.
  std::vector<std::unique_ptr<Explorer>> others;
  for (unsigned i = 1; i < options.jobs; ++i) others.push_back(another());
  explorer->share(others, places.size());
  std::vector<Explore<Course>> all;
  const auto add = [&](Explorer& own) {
    all.emplace_back([&own](const Place& place, std::size_t number, const AreTooMany& are_too_many) {
      return own.explore(place, number, are_too_many);
    });
  };
  add(*explorer);
  for (const auto& other : others) add(*other);
  auto courses = explore_places(places, limit, all, options);
  for (std::size_t i = 0; i < courses.size() && !course.stopped; ++i) {
    course.add(std::move(courses[i]));
    explorer->end_place(i, course);
  }
  for (const auto& other : others) explorer->merge(*other);
  return course;
}

}  // namespace ptxmc
