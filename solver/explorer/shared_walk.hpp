#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "solver/explorer/execution_walk.hpp"

namespace ptxmc {

/// A partial execution of a litmus test, and the walk through all its completions.
class Walker {
 public:
  /// The arguments must outlive it.
  Walker(const EventStructure&, const cat::Model&, const ExploredBarriers&, const CountedPhases&,
         ExplorationWatch&, std::span<const Bits> starts = {});

  ExecutionWalk& walk() { return walk_; }

 private:
  PartialExecution execution_;
  ExecutionWalk walk_;
};

/// Walks through the subtree of the place with this number, with a separate observer, and returns its result.
template <class Course>
using Look = std::function<Course(const std::function<ExecutionWalk::Course(ExecutionObserver&)>& walk,
                                  std::size_t place)>;

/// The result of a complete walk: first by one walker, and if that takes long, by several in separate
/// threads. The result does not depend on their number. `bystander` observes the part of the tree above the
/// places.
template <class Course>
Course walk_together(const std::function<std::unique_ptr<Walker>()>& another, const Look<Course>& look,
                     ExecutionObserver& bystander, ExplorationWatch& watch, const DecideOptions& options) {
  constexpr std::size_t fewest_places = 64;
  const StepLimit limit = ExecutionWalk::step_limit(options.max_steps);
  const bool is_small = limit.at_most > 0 && limit.anyway <= options.steps_alone;
  // Created in this thread, since several threads must not create terms at the same time.
  std::vector<std::unique_ptr<Walker>> walkers;
  walkers.push_back(another());
  Course alone = look(
      [&](ExecutionObserver& observer) {
        return walkers.front()->walk().run(observer, is_small ? limit : StepLimit::of(options.steps_alone));
      },
      0);
  if (is_small || alone.reason != StepLimit::reason) return alone;
  watch.begin_anew();
  const auto [places, before] = walkers.front()->walk().divide(fewest_places, bystander);
  Course result;
  result.ExecutionWalk::Course::add(before);
  if (result.stopped) return result;
  for (unsigned i = 1; i < options.jobs; ++i) walkers.push_back(another());
  std::vector<Explore<Course>> all;
  for (const auto& walker : walkers)
    all.emplace_back([&](const Place& place, std::size_t number, const AreTooMany& are_too_many) {
      return look(
          [&](ExecutionObserver& observer) { return walker->walk().run(observer, place.path, are_too_many); },
          number);
    });
  for (Course& behind : explore_places(places, limit, all, options)) result.add(std::move(behind));
  return result;
}

}  // namespace ptxmc
