#include "solver/explorer/shared_tree.hpp"

#include <algorithm>
#include <thread>

#include "solver/limits/memory_limit.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {

bool StepLimit::is_past(std::uint64_t steps, double done) const {
  if (at_most == 0 || steps <= anyway) return false;
  return steps > at_most || static_cast<double>(steps) > static_cast<double>(for_the_tree) * done;
}

std::vector<Place> divide(std::size_t at_least,
                          const std::function<std::vector<Place>(std::size_t depth)>& places_at) {
  constexpr std::size_t deepest = 16;
  std::vector<Place> places;
  for (std::size_t depth = 1; depth <= deepest && places.size() < at_least; ++depth) {
    std::vector<Place> deeper = places_at(depth);
    const bool is_all = depth > 1 && deeper.size() == places.size();
    places = std::move(deeper);
    if (is_all) break;
  }
  return places;
}

std::vector<Place> places_of(const TreePart& part, std::vector<Place> places) {
  std::vector<Place> result;
  for (std::size_t i = part.number - 1; i < places.size(); i += part.of)
    result.push_back(std::move(places[i]));
  return result;
}

SharedPlaces::SharedPlaces(const std::vector<Place>& places, StepLimit limit)
    : places_(places), limit_(limit), steps_(places.size()), failures_(places.size()), last_(places.size()) {}

std::optional<std::size_t> SharedPlaces::take() {
  const std::lock_guard lock(mutex_);
  if (next_ >= places_.size() || next_ > last_) return std::nullopt;
  return next_++;
}

bool SharedPlaces::are_too_many(std::size_t place, std::uint64_t steps) {
  const std::lock_guard lock(mutex_);
  if (place > last_) return true;
  steps_[place] = steps;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i <= place; ++i) all += steps_[i];
  return limit_.is_past(all, places_[place].done);
}

void SharedPlaces::leave(std::size_t place, const Course& course) {
  const std::lock_guard lock(mutex_);
  steps_[place] = course.steps;
  if (course.stopped) last_ = std::min(last_, place);
}

void SharedPlaces::fail(std::size_t place, std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  failures_[place] = std::move(failure);
  last_ = std::min(last_, place);
}

/// One thread that explores the places in order knows the steps of earlier places, and reaches the limit
/// before the failure.
bool SharedPlaces::ends(std::size_t place, Course& course) {
  if (failures_[place]) course.steps = steps_[place];
  steps_until_now_ += course.steps;
  if (limit_.is_past(steps_until_now_, places_[place].done))
    course.stop(StepLimit::reason);
  else if (failures_[place])
    std::rethrow_exception(failures_[place]);
  return course.stopped;
}

void run_together(const std::vector<std::function<void()>>& all, const DecideOptions& options) {
  const double seconds = TimeLimit::seconds_left();
  const auto run_within_limits = [&](const std::function<void()>& run) {
    const TimeLimit time(seconds, options.interrupted);
    const MemoryLimit memory(options.memory_bytes);
    run();
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < all.size(); ++i) threads.emplace_back([&, i] { run_within_limits(all[i]); });
  all.front()();
}

}  // namespace ptxmc
