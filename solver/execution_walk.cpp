#include "solver/execution_walk.hpp"

#include "semantics/diagnostic.hpp"
#include "solver/explored_model.hpp"
#include "solver/time_limit.hpp"

namespace ptxmc {

ExecutionWalk::ExecutionWalk(const EventStructure& structure, const cat::Model& model,
                             PartialExecution& execution, const ExploredBarriers& barriers,
                             const CountedPhases* counted, ExecutionObserver& observer,
                             const DecideOptions& options)
    : execution_(execution),
      barriers_(barriers),
      counted_(counted),
      observer_(observer),
      options_(options),
      orientations_(execution, model),
      next_(execution, structure, model),
      step_cost_(cost_of_step(structure.events.size())) {
  if (!execution_.model.forbids_thin_air() && may_read_from_thin_air(structure, execution_.parts()))
    throw Unsupported("the explorer under a model that allows values out of thin air", {});
}

void ExecutionWalk::run(double share) {
  share_ = share;
  try {
    extend();
  } catch (const OutOfTime& out) {
    reason_ = out.what();
  }
}

void ExecutionWalk::extend() {
  if (must_stop()) return;
  const std::size_t mark = execution_.mark();
  Fork fork;
  if (advance(fork) && observer_.may_show_something(execution_))
    branch(fork);
  else
    done_ += share_;
  execution_.undo_to(mark);
}

/// Takes what is no choice, up to the next choice. False: nothing is to be seen.
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

/// Lets those wait for ever who wait, if there are any. False: they could go on.
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
  if (fork.step.kind == Step::Kind::complete) return complete();
  was_blocked_ = true;
}

void ExecutionWalk::branch_over_sources(const Step& step) {
  const double share = share_;
  unsigned ways = step.later ? 1 : 0;
  for_each_event(step.options, [&](EventId) { ++ways; });
  share_ /= ways;
  for_each_event(step.options,
                 [&](EventId write) { follow([&] { execution_.choose_source(step.which, write); }); });
  if (step.later) follow([&] { execution_.exclude(step.which, step.options | step.refused); });
  share_ = share;
}

void ExecutionWalk::branch_over_phases(const CountedPhases::Choice& choice) {
  const double share = share_;
  share_ /= static_cast<double>(choice.phases.size() + 1);
  for (const auto& phase : choice.phases) follow([&] { CountedPhases::fill(execution_, phase); });
  const auto before = postponed_;
  postponed_[choice.arrival] = choice.arrived;
  extend();
  postponed_ = before;
  share_ = share;
}

template <class Choose>
void ExecutionWalk::follow(const Choose& choose) {
  const std::size_t mark = execution_.mark();
  choose();
  extend();
  execution_.undo_to(mark);
}

/// Events, sources and barriers are complete.
void ExecutionWalk::complete() {
  if (!execution_.is_all_known()) {
    lacked_values_ = true;
    return;
  }
  if ((counted_ && !counted_->come_about(execution_)) || !observer_.begin(execution_)) return;
  const auto must_leave = [this] { return must_stop(); };
  const auto look = [this] { is_over_ = !observer_.look(execution_); };
  if (orientations_.leave_coherence(coherence_) && !observer_.depends_on_orders(execution_))
    orientations_.for_one(coherence_, must_leave, look);
  else
    orientations_.for_each(must_leave, look);
}

bool ExecutionWalk::must_stop() {
  if (is_over_ || !reason_.empty()) return true;
  steps_ += step_cost_;
  if (options_.max_steps > 0 && (steps_ > options_.max_steps || is_hopeless())) reason_ = step_limit;
  if (steps_ / 64 != (steps_ - step_cost_) / 64) {
    TimeLimit::check();
    report();
  }
  return !reason_.empty();
}

/// Once a second, how many executions there seem to be: as densely as in the part of the tree that is done.
void ExecutionWalk::report() {
  if (!options_.on_progress || observer_.executions() == 0 || done_ == 0) return;
  const double now = std::chrono::duration<double>(Clock::now() - start_).count();
  if (now < reported_ + 1) return;
  reported_ = now;
  const auto found = static_cast<double>(observer_.executions());
  options_.on_progress({found / done_, observer_.executions(), now});
}

/// Far more steps than there may be, as far as the part of the tree that is done tells.
bool ExecutionWalk::is_hopeless() const {
  constexpr std::uint64_t part = 8;
  constexpr double doubt = 2;
  const auto limit = static_cast<double>(options_.max_steps);
  return steps_ > options_.max_steps / part && static_cast<double>(steps_) > doubt * limit * done_;
}

}  // namespace ptxmc
