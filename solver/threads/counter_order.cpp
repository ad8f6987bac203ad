#include "solver/threads/counter_order.hpp"

#include <algorithm>

namespace ptxmc {

namespace {

/// Whether a fence releases and acquires all memory.
bool is_fence_of_all(const Fence& fence) {
  return !fence.is_proxy_fence && (fence.sem == Sem::acq_rel || fence.sem == Sem::sc) &&
         fence.restriction == Fence::Restriction::none && fence.address.width() == 0;
}

}  // namespace

CounterOrder::CounterOrder(Kind kind, OpenQuestions& questions, FullCounter counter,
                           const std::vector<Broadcast>& broadcasts)
    : kind_(kind), counter_(std::move(counter)) {
  const OpenThread& thread = questions.thread();
  find_fences(thread);
  for (const Event& event : thread.structure.events) {
    if (event.kind != EventKind::barrier || event.barrier.group != Barrier::Group::cta) continue;
    add_before(questions, event);
    add_after(questions, event, broadcasts);
  }
}

void CounterOrder::find_fences(const OpenThread& thread) {
  for (const Event& event : thread.structure.events)
    if (event.kind == EventKind::fence && is_fence_of_all(event.fence) &&
        event.fence.scope >= scope_of_all(thread) &&
        (kind_ == Kind::synchronization || event.fence.sem == Sem::sc))
      fences_.push_back(&event);
  if (kind_ != Kind::synchronization) return;
  const Event& write = thread.structure.events[static_cast<std::size_t>(counter_.read->rmw)];
  const auto has = [](Sem sem, Sem one) { return sem == one || sem == Sem::acq_rel || sem == Sem::sc; };
  releases_ = has(write.access.sem, Sem::release);
  acquires_ = has(counter_.observing->access.sem, Sem::acquire);
}

/// The condition that the thread executes a fence between two steps.
Bits CounterOrder::fences_between(unsigned first, unsigned second) const {
  Bits result = Bits::boolean(false);
  for (const Event* fence : fences_)
    if (first < fence->step && fence->step < second) result = result | fence->condition;
  return result;
}

/// Each CTA has a thread that adds, or else the counter is never full.
void CounterOrder::add_before(OpenQuestions& questions, const Event& barrier) {
  if (barrier.step >= counter_.read->step) return;
  const auto do_all = [&](const Bits& condition) { return questions.never(adds() & ~condition); };
  if (do_all(tells_itself(barrier.step) & barrier.condition))
    before_.push_back({barrier.step, barrier.condition, false});
  else if (kind_ == Kind::fences_sc && do_all(barrier.condition))
    before_.push_back({barrier.step, barrier.condition, true});
}

void CounterOrder::add_after(OpenQuestions& questions, const Event& barrier,
                             const std::vector<Broadcast>& broadcasts) {
  if (add_after(questions, barrier, broadcasts, knows_itself(barrier.step), false)) return;
  if (kind_ == Kind::fences_sc) add_after(questions, barrier, broadcasts, finds(barrier.step), true);
}

/// Adds a barrier if a thread of each CTA, or one that broadcasts it, knows before that all have added.
bool CounterOrder::add_after(OpenQuestions& questions, const Event& barrier,
                             const std::vector<Broadcast>& broadcasts, const Bits& knows, bool needs_fence) {
  const Bits knows_before = knows & barrier.condition;
  if (knows_before.is_false()) return false;
  const OpenThread& thread = questions.thread();
  for (std::uint64_t number = 0; number < thread.threads_of_cta; ++number)
    if (position_in_cta(thread, number).apply(knows_before).is_true()) {
      after_.push_back({barrier.step, barrier.condition, needs_fence});
      return true;
    }
  bool is_added = false;
  for (const Broadcast& broadcast : broadcasts)
    if (barrier.step > broadcast.write->step)
      if (const Bits says_so = says(questions, broadcast, knows_before); !says_so.is_false()) {
        after_.push_back({barrier.step, barrier.condition & says_so, needs_fence});
        is_added = true;
      }
  return is_added;
}

Bits CounterOrder::tells_itself(unsigned step) const {
  const unsigned at = counter_.read->step;
  if (step >= at) return Bits::boolean(false);
  return adds() & (Bits::boolean(releases_) | fences_between(step, at));
}

/// The condition that the thread has found before a step that all have added.
Bits CounterOrder::finds(unsigned step) const {
  if (step <= counter_.observing->step) return Bits::boolean(false);
  return counter_.observing->condition & counter_.is_full;
}

Bits CounterOrder::knows_itself(unsigned step) const {
  return finds(step) & (Bits::boolean(acquires_) | fences_between(counter_.observing->step, step));
}

/// The condition that the thread executes a barrier, and, if it is needed, a fence between two steps.
Bits CounterOrder::passes(const CtaBarrier& barrier, unsigned first, unsigned second) const {
  return barrier.needs_fence ? barrier.condition & fences_between(first, second) : barrier.condition;
}

Bits CounterOrder::tells(unsigned step) const {
  Bits result = tells_itself(step);
  for (const CtaBarrier& barrier : before_)
    if (step < barrier.step) result = result | passes(barrier, step, barrier.step);
  return result;
}

Bits CounterOrder::knows_of_all(unsigned step) const {
  Bits result = knows_itself(step);
  for (const CtaBarrier& barrier : after_)
    if (barrier.step < step) result = result | passes(barrier, barrier.step, step);
  return result;
}

bool CounterOrder::resets(const Event& first, const Event& second) const {
  const auto is_addition = [&](const Event& event) {
    return event.step == counter_.read->step && identical(event.location, counter_.read->location);
  };
  const auto is_reset = [&](const Event& event) {
    return std::ranges::find(counter_.resets, &event) != counter_.resets.end();
  };
  return (is_addition(first) && is_reset(second)) || (is_reset(first) && is_addition(second));
}

std::vector<CounterOrder> counter_orders(OpenQuestions& questions, const std::vector<FullCounter>& counters,
                                         const std::vector<Broadcast>& broadcasts) {
  std::vector<CounterOrder> result;
  for (const FullCounter& counter : counters)
    for (const CounterOrder::Kind kind : {CounterOrder::Kind::synchronization, CounterOrder::Kind::fences_sc})
      result.emplace_back(kind, questions, counter, broadcasts);
  return result;
}

}  // namespace ptxmc
