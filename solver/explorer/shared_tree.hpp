#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

// A tree of choices, divided into places that several threads explore. The result does not depend on the
// number of threads or on their timing. The division depends only on the tree; the subtree of a place is
// explored independently of the others; and the result is as if the places were explored in order, up to the
// first that ends the search.

/// The index of the choice taken at each level, from the root on.
struct Place {
  std::vector<std::uint32_t> path;
  double done = 1;  ///< share of the tree up to its end; alternatives of a choice have equal shares
};

/// One of several parts of a tree, from 1: every so many of its places. A process may explore one part alone,
/// and other processes the others.
struct TreePart {
  std::uint64_t number = 1, of = 1;
  bool is_first() const { return number == 1; }
};

/// A limit on the number of steps.
struct StepLimit {
  static constexpr const char* reason = "step limit";
  /// The maximum depth of a walk, which recurses once for each choice.
  static constexpr std::size_t deepest = 3000;

  std::uint64_t anyway = 0;        ///< steps that are allowed in any case
  std::uint64_t at_most = 0;       ///< 0: no limit
  std::uint64_t for_the_tree = 0;  ///< beyond `anyway`, the walk ends if its estimated total exceeds this

  /// A limit of exactly this many steps.
  static StepLimit of(std::uint64_t steps) { return {steps, steps, steps}; }

  bool is_past(std::uint64_t steps, double done) const;
};

/// The result of a walk through a tree, or through the subtree of a place.
struct Course {
  std::uint64_t steps = 0;
  bool stopped = false;  ///< before its end
  std::string reason;    ///< why it stopped; empty if it found what is sought

  void stop(std::string why) {
    stopped = true;
    reason = std::move(why);
  }
};

/// Whether this number of steps in the subtree of the current place exceeds the limit.
using AreTooMany = std::function<bool(std::uint64_t steps)>;

/// Divides a tree at the smallest depth with at least this many places, if there is one. `places_at` returns
/// the places at a depth, including leaves above it.
std::vector<Place> divide(std::size_t at_least,
                          const std::function<std::vector<Place>(std::size_t depth)>& places_at);

/// The places of a part. Neighbours are in different parts, since their subtrees are often alike in size.
std::vector<Place> places_of(const TreePart&, std::vector<Place>);

/// Assigns places to threads.
class SharedPlaces {
 public:
  /// The places must outlive it.
  SharedPlaces(const std::vector<Place>&, StepLimit);

  /// Takes a place that is not taken yet and that may count for the result.
  std::optional<std::size_t> take();
  /// Whether the steps of a place and of earlier places exceed the limit, as far as these are known. If so,
  /// the place does not count.
  bool are_too_many(std::size_t place, std::uint64_t steps);
  void leave(std::size_t place, const Course&);
  void fail(std::size_t place, std::exception_ptr);
  /// Call it for each place in order, after all threads have finished. Rethrows the exception of the place if
  /// it counts. Returns whether the search ends with this place.
  bool ends(std::size_t place, Course&);

 private:
  const std::vector<Place>& places_;
  const StepLimit limit_;
  std::mutex mutex_;
  std::vector<std::uint64_t> steps_;  // by place, as far as known
  std::vector<std::exception_ptr> failures_;
  std::size_t next_ = 0;
  std::size_t last_;  // the last place that may count
  std::uint64_t steps_until_now_ = 0;
};

/// Calls each function in a separate thread with the limits of this thread; the first function runs in this
/// thread.
void run_together(const std::vector<std::function<void()>>&, const DecideOptions&);

/// Explores the subtree of the place with this number.
template <class Course>
using Explore = std::function<Course(const Place&, std::size_t number, const AreTooMany&)>;

/// The results of all places that count, in order. Each explorer is used by one thread.
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
