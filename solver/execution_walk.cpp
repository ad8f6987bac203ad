#include "solver/execution_walk.hpp"

#include "semantics/diagnostic.hpp"
#include "solver/explored_model.hpp"
#include "solver/time_limit.hpp"

namespace ptxmc {

ExecutionWalk::ExecutionWalk(const EventStructure& structure, const cat::Model& model,
                             PartialExecution& execution, const ExploredBarriers& barriers,
                             const CountedPhases* counted, ExplorationWatch& watch,
                             std::span<const Bits> starts)
    : execution_(execution),
      barriers_(barriers),
      counted_(counted),
      watch_(watch),
      starts_(starts),
      orientations_(execution, model),
      next_(execution, structure, model),
      step_cost_(cost_of_step(structure.events.size())) {
  if (!execution_.model.forbids_thin_air() && may_read_from_thin_air(structure, execution_.parts()))
    throw Unsupported("the explorer under a model that allows values out of thin air", {});
}

StepLimit ExecutionWalk::step_limit(std::uint64_t max_steps) {
  constexpr std::uint64_t part = 8, doubt = 2;
  return {.anyway = max_steps / part, .at_most = max_steps, .for_the_tree = doubt * max_steps};
}

ExecutionWalk::Course ExecutionWalk::run(ExecutionObserver& observer, const StepLimit& limit) {
  limit_ = limit;
  return run(observer);
}

ExecutionWalk::Course ExecutionWalk::run(ExecutionObserver& observer, std::span<const std::uint32_t> path,
                                         const AreTooMany& are_too_many) {
  place_ = path;
  are_too_many_ = &are_too_many;
  Course course = run(observer);
  are_too_many_ = nullptr;
  place_ = {};
  return course;
}

ExecutionWalk::Course ExecutionWalk::run(ExecutionObserver& observer) {
  observer_ = &observer;
  course_ = {};
  path_.clear();
  postponed_.clear();
  depth_ = 0;
  share_ = 1;
  done_ = noted_done_ = 0;
  noted_ = observer.executions();
  const std::size_t mark = execution_.mark();
  try {
    extend();
  } catch (const OutOfTime& out) {
    course_.stop(out.what());
  }
  execution_.undo_to(mark);
  note();
  return std::exchange(course_, {});
}

std::pair<std::vector<Place>, ExecutionWalk::Course> ExecutionWalk::places_at(std::size_t depth,
                                                                              ExecutionObserver& observer) {
  std::vector<Place> places;
  places_ = &places;
  divided_at_ = depth;
  limit_ = {};
  Course course = run(observer);
  places_ = nullptr;
  return {std::move(places), std::move(course)};
}

void ExecutionWalk::extend() {
  if (must_stop()) return;
  if (places_ && depth_ == divided_at_) {
    done_ += share_;
    places_->push_back({path_, done_});
    return;
  }
  if (depth_ < starts_.size()) return branch_over_start(starts_[starts_.size() - 1 - depth_]);
  const std::size_t mark = execution_.mark();
  Fork fork;
  if (advance(fork) && observer_->may_show_something(execution_))
    branch(fork);
  else
    done_ += share_;
  execution_.undo_to(mark);
}

/// Performs the steps without alternatives, up to the next choice. Returns false if no execution of interest
/// remains.
bool ExecutionWalk::advance(Fork& fork) {
  Step& step = fork.step;
  for (;;) {
    do {
      if (!execution_.settle()) return false;
    } while (barriers_.settle(execution_));
    next_.find(step);
    if (step.kind == Step::Kind::forced) {
      next_.take(step);
      continue;
    }
    if (step.kind == Step::Kind::impossible || !execution_.model.may_become_consistent()) return false;
    if (step.kind != Step::Kind::source) {
      if (counted_) fork.phases = counted_->next(execution_, postponed_);
      bool any = false;
      if (fork.phases) return true;
      if (!give_up(any)) return false;
      if (any) continue;
      return true;
    }
    next_.refuse_sources(step);
    if (step.has_no_way()) return false;
    if (!step.is_forced()) return true;
    next_.take(step);
  }
}

/// Lets all waiting threads wait for ever, if there are any. Returns false if some of them could continue.
bool ExecutionWalk::give_up(bool& any) {
  any = barriers_.give_up(execution_);
  if (!counted_) return true;
  const auto more = counted_->give_up(execution_);
  any = any || more == true;
  return more.has_value();
}

void ExecutionWalk::branch(const Fork& fork) {
  if (fork.phases) return branch_over_phases(*fork.phases);
  if (fork.step.kind == Step::Kind::source) return branch_over_sources(fork.step);
  done_ += share_;
  if (places_) return places_->push_back({path_, done_});
  if (fork.step.kind == Step::Kind::complete) return complete();
  course_.was_blocked = true;
}

void ExecutionWalk::branch_over_start(const Bits& started) {
  const double share = share_;
  share_ /= 2;
  follow(0, [&] { execution_.assume(started, Bits::boolean(true)); });
  follow(1, [&] { execution_.assume(started, Bits::boolean(false)); });
  share_ = share;
}

void ExecutionWalk::branch_over_sources(const Step& step) {
  const double share = share_;
  share_ /= static_cast<double>(count(step.options) + (step.later ? 1 : 0));
  std::uint32_t number = 0;
  for_each_event(step.options, [&](EventId write) {
    follow(number++, [&] { execution_.choose_source(step.which, write); });
  });
  if (step.later) follow(number, [&] { execution_.exclude(step.which, step.options | step.refused); });
  share_ = share;
}

void ExecutionWalk::branch_over_phases(const CountedPhases::Choice& choice) {
  const double share = share_;
  share_ /= static_cast<double>(choice.phases.size() + 1);
  std::uint32_t number = 0;
  for (const auto& phase : choice.phases) follow(number++, [&] { CountedPhases::fill(execution_, phase); });
  const auto before = postponed_;
  follow(number, [&] { postponed_[choice.arrival] = choice.arrived; });
  postponed_ = before;
  share_ = share;
}

/// Takes one alternative of a choice, if it belongs to the part of the tree that is walked.
template <class Choose>
void ExecutionWalk::follow(std::uint32_t number, const Choose& choose) {
  if (depth_ < place_.size() && place_[depth_] != number) return;
  const std::size_t mark = execution_.mark();
  choose();
  ++depth_;
  if (places_) path_.push_back(number);
  extend();
  if (places_) path_.pop_back();
  --depth_;
  execution_.undo_to(mark);
}

/// Called when events, sources and barriers are complete.
void ExecutionWalk::complete() {
  if (!execution_.is_all_known()) {
    course_.lacked_values = true;
    return;
  }
  if ((counted_ && !counted_->come_about(execution_)) || !observer_->begin(execution_)) return;
  const auto must_leave = [this] { return must_stop(); };
  const auto look = [this] {
    if (!observer_->look(execution_)) course_.was_ended = course_.stopped = true;
  };
  if (orientations_.leave_coherence(coherence_) && !observer_->depends_on_orders(execution_))
    orientations_.for_one(coherence_, must_leave, look);
  else
    orientations_.for_each(must_leave, look);
}

bool ExecutionWalk::must_stop() {
  if (course_.stopped) return true;
  const std::uint64_t before = course_.steps / 64;
  course_.steps += step_cost_;
  if (!are_too_many_ && limit_.is_past(course_.steps, done_)) course_.stop(StepLimit::reason);
  if (depth_ > StepLimit::deepest) course_.stop(StepLimit::reason);
  if (course_.steps / 64 != before) {
    TimeLimit::check();
    if (are_too_many_ && (*are_too_many_)(course_.steps)) course_.stop(StepLimit::reason);
    note();
  }
  return course_.stopped;
}

void ExecutionWalk::note() {
  const std::uint64_t executions = observer_->executions();
  watch_.note(executions - noted_, done_ - noted_done_);
  noted_ = executions;
  noted_done_ = done_;
}

void ExecutionWalk::Course::add(const Course& next) {
  steps += next.steps;
  was_ended |= next.was_ended;
  was_blocked |= next.was_blocked;
  lacked_values |= next.lacked_values;
  stopped |= next.stopped;
  if (reason.empty()) reason = next.reason;
}

}  // namespace ptxmc
