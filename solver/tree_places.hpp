#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "solver/decide.hpp"

namespace ptxmc {

// A tree of choices, divided into places that several threads explore. What is found depends neither on how
// many threads there are nor on who comes first: how the tree is divided depends on the tree alone, what is
// behind a place is explored as if nothing else had been, and it counts as if one had gone through the places
// in their order, up to the first that ends the search.

/// Which choice is taken, from the root on.
struct Place {
  std::vector<std::uint32_t> path;
  double done = 1;  ///< of the tree, up to its end: each way of a choice has the same share
};

/// How many steps may be made.
struct StepLimit {
  static constexpr const char* reason = "step limit";
  /// A walk recurses once for each choice: no more choices than these follow each other.
  static constexpr std::size_t deepest = 3000;

  std::uint64_t anyway = 0;        ///< however little is done by then
  std::uint64_t at_most = 0;       ///< 0: no limit
  std::uint64_t for_the_tree = 0;  ///< after that, it must not seem to take more than this

  /// No more than so many.
  static StepLimit of(std::uint64_t steps) { return {steps, steps, steps}; }

  bool is_past(std::uint64_t steps, double done) const;
};

/// What is known of the way through a tree, or through what is behind a place.
struct Course {
  std::uint64_t steps = 0;
  bool stopped = false;  ///< before its end
  std::string reason;    ///< why, unless what is sought was found

  void stop(std::string why) {
    stopped = true;
    reason = std::move(why);
  }
};

/// Whether so many steps behind the place at hand are too many.
using AreTooMany = std::function<bool(std::uint64_t steps)>;

/// Divides a tree at the least depth that has so many places, if there is one. `places_at`: what is at a
/// depth, or ends before.
std::vector<Place> divide(std::size_t at_least,
                          const std::function<std::vector<Place>(std::size_t depth)>& places_at);

/// Who explores which place.
class SharedPlaces {
 public:
  /// The places outlive it.
  SharedPlaces(const std::vector<Place>&, StepLimit);

  /// One that nobody has taken, and that may count.
  std::optional<std::size_t> take();
  /// As far as it is known what was done before the place; then it does not count either.
  bool are_too_many(std::size_t place, std::uint64_t steps);
  void leave(std::size_t place, const Course&);
  void fail(std::size_t place, std::exception_ptr);
  /// When all are left: rethrows what failed, if it counts. Whether the search ends with this place, which is
  /// asked for each in their order.
  bool ends(std::size_t place, Course&);

 private:
  const std::vector<Place>& places_;
  const StepLimit limit_;
  std::mutex mutex_;
  std::vector<std::uint64_t> steps_;  // by place, as far as they are known
  std::vector<std::exception_ptr> failures_;
  std::size_t next_ = 0;
  std::size_t last_;  // that may count
  std::uint64_t steps_until_now_ = 0;
};

/// Calls each of the functions in a thread, within the limits of this one; the first in this one.
void run_together(const std::vector<std::function<void()>>&, const DecideOptions&);

/// Explores what is behind a place, whose number is given.
template <class Course>
using Explore = std::function<Course(const Place&, std::size_t number, const AreTooMany&)>;

/// The courses of all places that count, in their order. Each of those who explore does so in one thread.
template <class Course>
std::vector<Course> explore_places(const std::vector<Place>& places, const StepLimit& limit,
                                   const std::vector<Explore<Course>>& all, const DecideOptions& options) {
  SharedPlaces shared(places, limit);
  std::vector<Course> courses(places.size());
  const auto run = [&](const Explore<Course>& explore) {
    while (const auto place = shared.take()) try {
        const std::size_t i = *place;
        courses[i] =
            explore(places[i], i, [&, i](std::uint64_t steps) { return shared.are_too_many(i, steps); });
        shared.leave(i, courses[i]);
      } catch (...) {
        shared.fail(*place, std::current_exception());
      }
  };
  std::vector<std::function<void()>> together;
  for (const Explore<Course>& explore : all) together.push_back([&] { run(explore); });
  run_together(together, options);
  for (std::size_t i = 0; i < courses.size(); ++i)
    if (shared.ends(i, courses[i])) courses.resize(i + 1);
  return courses;
}

}  // namespace ptxmc
