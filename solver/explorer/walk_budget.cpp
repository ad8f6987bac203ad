#include "solver/explorer/walk_budget.hpp"

#include <string>
#include <utility>

#include "solver/limits/time_limit.hpp"

namespace ptxmc {

const AreTooMany* WalkBudget::share_limit(const AreTooMany* are_too_many) {
  return std::exchange(are_too_many_, are_too_many);
}

void WalkBudget::begin(std::uint64_t executions) {
  reported_ = executions;
  reported_done_ = 0;
}

bool WalkBudget::step(Course& course, const TreePosition& position, std::uint64_t executions) {
  constexpr std::uint64_t rarely = 256;
  const std::uint64_t before = course.steps / rarely;
  course.steps += step_cost_;
  if (are_too_many_ == nullptr && limit_.is_past(course.steps, position.done()))
    course.stop(StepLimit::reason);
  if (position.depth() > StepLimit::deepest) course.stop(StepLimit::reason);
  if (course.steps / rarely == before) return course.stopped;
  TimeLimit::check();
  if (are_too_many_ != nullptr && (*are_too_many_)(course.steps)) course.stop(StepLimit::reason);
  if (const std::string reason = report_.reason_to_stop(); !reason.empty()) course.stop(reason);
  report(position, executions);
  return course.stopped;
}

void WalkBudget::report(const TreePosition& position, std::uint64_t executions) {
  report_.note(executions - reported_, position.done() - reported_done_);
  reported_ = executions;
  reported_done_ = position.done();
}

}  // namespace ptxmc
