#include "solver/explorer/execution_walk.hpp"

#include <algorithm>

#include "semantics/language/diagnostic.hpp"
#include "solver/explorer/explored_model.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/barrier_matching.hpp"

namespace ptxmc {

ExecutionWalk::ExecutionWalk(const EventStructure& structure, const cat::Model& model,
                             PartialExecution& execution, const ExploredBarriers& barriers,
                             const CountedPhases* counted, ProgressReport& report,
                             std::span<const Bits> starts)
    : execution_(execution),
      barriers_{barriers, counted},
      starts_(starts),
      may_lack_values_(execution.ends() == PartialExecution::Ends::any || has_barriers(structure)),
      chosen_orders_(execution, model),
      next_(execution, structure, model),
      budget_(report, cost_of_step(structure.events.size())) {
  if (!execution_.model.forbids_thin_air() && may_read_from_thin_air(structure, execution_.parts()))
    throw Unsupported("the explorer under a model that allows values out of thin air", {});
}

StepLimit ExecutionWalk::step_limit(std::uint64_t max_steps) {
  constexpr std::uint64_t part = 8, doubt = 2;
  return {.anyway = max_steps / part, .at_most = max_steps, .for_the_tree = doubt * max_steps};
}

ExecutionWalk::Course ExecutionWalk::run(ExecutionObserver& observer, const StepLimit& limit) {
  budget_.set_limit(limit);
  return run(observer);
}

ExecutionWalk::Course ExecutionWalk::run(ExecutionObserver& observer, std::span<const std::uint32_t> path,
                                         const AreTooMany& are_too_many) {
  position_.restrict_to(path);
  budget_.share_limit(&are_too_many);
  Course course = run(observer);
  budget_.share_limit(nullptr);
  position_.restrict_to({});
  return course;
}

/// Walks from the beginning; earlier walks have no influence.
ExecutionWalk::Course ExecutionWalk::run(ExecutionObserver& observer) {
  observer_ = &observer;
  chosen_orders_.forget_suspects();
  execution_.ignores_cut_off = false;
  course_ = {};
  barriers_.refused.clear();
  chosen_thread_ = -1;
  position_.begin();
  budget_.begin(observer.executions());
  const std::size_t mark = execution_.mark();
  try {
    if (execution_.settle() && execution_.model.may_become_consistent()) {
      if (!has_started_) rule_out_sources();
      has_started_ = true;
      if (budget_.shares_limit()) course_.steps = 0;  // counts the steps of the first explored place only
      extend();
    }
  } catch (const OutOfTime& out) {
    course_.stop(out.what());
  }
  execution_.undo_to(mark);
  budget_.report(position_, observer.executions());
  return std::exchange(course_, {});
}

std::pair<std::vector<Place>, ExecutionWalk::Course> ExecutionWalk::divide(std::size_t at_least,
                                                                           ExecutionObserver& observer) {
  Course course;
  const auto places_at = [&](std::size_t depth) {
    std::vector<Place> places;
    position_.collect(&places, depth);
    budget_.set_limit({});
    course = run(observer);
    position_.collect(nullptr);
    return places;
  };
  std::vector<Place> places = ptxmc::divide(at_least, places_at);
  return {std::move(places), std::move(course)};
}

/// Excludes the sources that the axioms refuse independently of other choices. Its steps do not count for the
/// place that is explored first.
void ExecutionWalk::rule_out_sources() {
  const AreTooMany* const are_too_many = budget_.share_limit(nullptr);
  for (std::size_t i = 0; i < execution_.parts().size(); ++i) {
    auto& part = execution_.parts()[i];
    if (!part.is_active) continue;
    for_each_event(part.candidates & execution_.model.inputs.present, [&](EventId write) {
      if (must_stop()) return;
      const std::size_t mark = execution_.mark();
      execution_.choose_source(i, write);
      const bool possible = execution_.model.may_become_consistent();
      execution_.undo_to(mark);
      if (!possible) part.candidates.erase(index(write));
    });
  }
  budget_.share_limit(are_too_many);
}

// --- Sources and barriers ---------------------------------------------------------------------------------

/// Extends the execution; the caller must undo it.
void ExecutionWalk::extend() {
  if (must_stop()) return;
  if (position_.is_to_be_collected()) {
    position_.finish();
    return position_.collect_place();
  }
  const std::size_t depth = position_.depth();
  if (depth < starts_.size()) return branch_over_start(starts_[starts_.size() - 1 - depth]);
  while (forks_.size() <= depth) forks_.emplace_back();
  Fork& fork = forks_[depth];
  if (advance(fork) && orient_updates_of_one_write() && observer_->may_show_something(execution_)) {
    if (can_orient_suspects()) return branch_once(fork);
    ++course_.blocked;
  }
  position_.finish();
}

/// Performs the steps without alternatives, up to the next choice. Returns false if no execution of interest
/// remains.
bool ExecutionWalk::advance(Fork& fork) {
  Step& step = fork.step;
  fork.phases.clear();
  for (;;) {
    do {
      if (execution_.settle()) continue;
      ++course_.blocked;
      return false;
    } while (barriers_.without_count.settle(execution_));
    next_.find(step);
    if (step.kind == Step::Kind::forced) {
      next_.take(step);
      continue;
    }
    if (!execution_.model.may_become_consistent()) return false;
    if (step.kind == Step::Kind::impossible) {
      ++course_.blocked;
      return false;
    }
    if (step.kind != Step::Kind::source) {
      if (barriers_.with_count != nullptr)
        fork.phases = barriers_.with_count->next(execution_, barriers_.refused);
      bool any = false;
      if (!fork.phases.empty()) return true;
      if (!give_up(any)) return false;
      if (any) continue;
      return true;
    }
    next_.refuse_sources(step);
    next_.refuse_unfounded(step);
    if (step.has_no_way()) return false;
    if (!step.is_forced()) return true;
    next_.take(step);
  }
}

/// Lets all waiting threads wait for ever, if there are any. Returns false if some of them could continue.
bool ExecutionWalk::give_up(bool& any) {
  any = barriers_.without_count.give_up(execution_);
  if (barriers_.with_count == nullptr) return true;
  const auto more = barriers_.with_count->give_up(execution_);
  any = any || more == true;
  return more.has_value();
}

/// Checks read-modify-writes that have read the same write, which most models forbid. This is done before
/// their writes are oriented; pairs with only one possible direction are oriented. Returns false if there is
/// no execution.
bool ExecutionWalk::orient_updates_of_one_write() {
  const auto& parts = execution_.parts();
  const auto& updates = execution_.update_parts();
  for (std::size_t x = 0; x < updates.size(); ++x) {
    const std::size_t i = updates[x];
    if (!is_update(parts[i])) continue;
    for (std::size_t y = x + 1; y < updates.size(); ++y) {
      const std::size_t j = updates[y];
      if (parts[j].source != parts[i].source || parts[j].atom != parts[i].atom || !is_update(parts[j]))
        continue;
      const auto a = index(execution_.events()[index(parts[i].read)].rmw);
      const auto b = index(execution_.events()[index(parts[j].read)].rmw);
      for (std::size_t choice = 0; choice < execution_.model.inputs.choices.size(); ++choice)
        if (execution_.model.inputs.choices[choice].is_fixed && execution_.model.is_open_pair(choice, a, b) &&
            !orient_if_forced(choice, a, b))
          return false;
    }
  }
  return true;
}

bool ExecutionWalk::is_update(const PartialExecution::Part& part) const {
  if (!part.is_active || part.source < 0) return false;
  const EventId write = execution_.events()[index(part.read)].rmw;
  return write >= 0 && execution_.state(write) == PartialExecution::State::present;
}

/// Returns false if neither direction of the pair is possible.
bool ExecutionWalk::orient_if_forced(std::size_t choice, std::size_t a, std::size_t b) {
  const bool forward = can_orient(choice, a, b), backward = can_orient(choice, b, a);
  if (!forward && !backward) return false;
  if (forward != backward) execution_.model.orient(choice, forward ? a : b, forward ? b : a);
  return execution_.model.may_become_consistent();
}

bool ExecutionWalk::can_orient(std::size_t choice, std::size_t from, std::size_t to) {
  const std::size_t mark = execution_.mark();
  execution_.model.orient(choice, from, to);
  const bool can = execution_.model.may_become_consistent();
  execution_.undo_to(mark);
  return can;
}

/// Checks pairs that were impossible to orient before, so that dead ends are found before the execution is
/// complete. It only checks pairs of the thread of the last choice and orients none, so the result does not
/// depend on the set of suspects.
bool ExecutionWalk::can_orient_suspects() {
  const auto is_concerned = [&](std::size_t event) {
    return execution_.events()[event].thread == chosen_thread_;
  };
  return std::ranges::all_of(chosen_orders_.suspects(), [&](const OpenPair& pair) {
    return (!is_concerned(pair.a) && !is_concerned(pair.b)) ||
           !execution_.model.is_open_pair(pair.choice, pair.a, pair.b) ||
           can_orient(pair.choice, pair.a, pair.b) || can_orient(pair.choice, pair.b, pair.a);
  });
}

/// Partial executions that differ only by a permutation of interchangeable threads end in the same states,
/// equally often. A tally on the way to a place has only the executions behind it, so it is not kept.
void ExecutionWalk::branch_once(const Fork& fork) {
  if (alike_ == nullptr || !fork.phases.empty() || fork.step.kind != Step::Kind::source) return branch(fork);
  next_.stop_excluding_refused();
  if (position_.is_above_place()) return branch(fork);
  const auto [place, is_new] = alike_->explored.try_emplace(alike_->renaming.key(execution_));
  Outcomes::Tally& tally = place->second;
  if (is_new) {
    alike_->outcomes.open_tally();
    branch(fork);
    tally = alike_->outcomes.close_tally();
  } else {
    position_.finish();
  }
  alike_->outcomes.add(tally, 1);
}

void ExecutionWalk::branch(const Fork& fork) {
  if (!fork.phases.empty()) return branch_over_phases(fork.phases);
  if (fork.step.kind == Step::Kind::source) return branch_over_sources(fork.step);
  position_.finish();
  if (fork.step.kind == Step::Kind::blocked) {
    course_.was_blocked = true;
    ++course_.blocked;
    return;
  }
  if (position_.is_collecting()) return position_.collect_place();
  complete();
}

void ExecutionWalk::branch_over_start(const Bits& started) {
  follow(0, 2, [&] { execution_.assume(started, Bits::boolean(true)); });
  follow(1, 2, [&] { execution_.assume(started, Bits::boolean(false)); });
}

void ExecutionWalk::branch_over_sources(const Step& step) {
  std::size_t later = step.later ? 1 : 0;
  std::size_t alternatives = 0;
  std::uint32_t number = 0;
  if (alike_ == nullptr) {
    alternatives = count(step.options) + later;
    for_each_event(step.options,
                   [&](EventId write) { follow(number++, alternatives, [&] { choose(step, write); }); });
  } else {
    auto representatives = alike_->renaming.representatives(execution_, step.which, step.options);
    // If one of the threads must read from a write, it may be this one, instead of each of the others.
    for (const auto& [write, times] : representatives) {
      const auto readers = alike_->renaming.readers_alike(execution_, step.which, write);
      if (readers.size() < 2 || !next_.one_must_take(readers, write)) continue;
      later = 0;
      representatives = {{write, readers.size()}};
      break;
    }
    alternatives = representatives.size() + later;
    for (const auto& [write, times] : representatives) {
      alike_->outcomes.open_tally();
      follow(number++, alternatives, [&, source = write] { choose(step, source); });
      alike_->outcomes.add(alike_->outcomes.close_tally(), times);
    }
  }
  if (later != 0)
    follow(number, alternatives, [&] { execution_.exclude(step.which, step.options | step.refused); });
}

void ExecutionWalk::choose(const Step& step, EventId source) {
  execution_.choose_source(step.which, source);
  chosen_thread_ = execution_.events()[index(execution_.parts()[step.which].read)].thread;
}

void ExecutionWalk::branch_over_phases(std::span<const CountedPhases::Arrivals> phases) {
  const std::size_t alternatives = phases.size() + 1;
  std::uint32_t number = 0;
  for (const auto& phase : phases)
    follow(number++, alternatives, [&] { CountedPhases::fill(execution_, phase); });
  const auto before = barriers_.refused;
  follow(number, alternatives, [&] { barriers_.refused.insert(phases.begin(), phases.end()); });
  barriers_.refused = before;
}

/// Takes one of the alternatives of a choice, if it belongs to the part of the tree that is walked.
template <class Choose>
void ExecutionWalk::follow(std::uint32_t number, std::size_t alternatives, const Choose& choose) {
  if (!position_.is_included(number)) return;
  const std::size_t mark = execution_.mark();
  choose();
  position_.visit(number, alternatives, [this] { extend(); });
  execution_.undo_to(mark);
}

// --- The orders that the model chooses --------------------------------------------------------------------

/// Called when events, sources and barriers are complete.
void ExecutionWalk::complete() {
  if (may_lack_values_ && !execution_.is_all_known()) {
    course_.lacked_values = true;
    return;
  }
  if (barriers_.with_count != nullptr && !barriers_.with_count->come_about(execution_)) {
    ++course_.blocked;
    return;
  }
  if (!observer_->begin(execution_)) return;
  bool any = false, is_left = false;
  BitMatrix coherence;
  const bool has_one_coherence = chosen_orders_.leave_coherence(coherence);
  const auto must_leave = [&] { return is_left || must_stop(); };
  const auto look = [&] {
    using Next = ExecutionObserver::Next;
    any = true;
    const Next next = observer_->look(execution_, has_one_coherence);
    is_left = next != Next::all;
    if (next == Next::nothing) course_.stopped = true;
  };
  if (has_one_coherence && !observer_->depends_on_orders(execution_))
    chosen_orders_.for_one(coherence, must_leave, look);
  else
    chosen_orders_.for_each(must_leave, look);
  if (!any) ++course_.blocked;
}

bool ExecutionWalk::must_stop() {
  return course_.stopped || budget_.step(course_, position_, observer_->executions());
}

void ExecutionWalk::Course::add(const Course& next) {
  steps += next.steps;
  was_blocked |= next.was_blocked;
  lacked_values |= next.lacked_values;
  blocked += next.blocked;
  stopped |= next.stopped;
  if (reason.empty()) reason = next.reason;
}

}  // namespace ptxmc
