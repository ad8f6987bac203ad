#include "solver/threads/counter_order.hpp"

namespace ptxmc {

namespace {

/// Whether a fence releases and acquires all memory.
bool is_fence_of_all(const Fence& fence) {
  return !fence.is_proxy_fence && (fence.sem == Sem::acq_rel || fence.sem == Sem::sc) &&
         fence.restriction == Fence::Restriction::none && fence.address.width() == 0;
}

}  // namespace

CounterOrder::CounterOrder(OpenQuestions& questions, FullCounter counter) : counter_(std::move(counter)) {
  const OpenThread& thread = questions.thread();
  const Scope least = thread.ctas > 1 ? Scope::gpu : Scope::cta;
  const Event& write = thread.structure.events[static_cast<std::size_t>(counter_.read->rmw)];
  const auto has = [](Sem sem, Sem one) { return sem == one || sem == Sem::acq_rel || sem == Sem::sc; };
  releases_ = has(write.access.sem, Sem::release);
  acquires_ = has(counter_.observing->access.sem, Sem::acquire);
  for (const Event& event : thread.structure.events)
    if (event.kind == EventKind::fence && is_fence_of_all(event.fence) && event.fence.scope >= least)
      fences_.push_back(&event);
  for (const Event& event : thread.structure.events) {
    if (event.kind != EventKind::barrier || event.barrier.group != Barrier::Group::cta) continue;
    if (is_before_all_additions(questions, event)) before_.emplace_back(event.step, event.condition);
    if (is_behind_some_thread_that_knows(thread, event)) after_.emplace_back(event.step, event.condition);
  }
}

/// Each CTA has a thread that adds, or else the counter is never full.
bool CounterOrder::is_before_all_additions(OpenQuestions& questions, const Event& barrier) const {
  if (barrier.step >= counter_.read->step) return false;
  return questions.never(adds() & ~(tells_itself(barrier.step) & barrier.condition));
}

bool CounterOrder::is_behind_some_thread_that_knows(const OpenThread& thread, const Event& barrier) const {
  const Bits knows = knows_itself(barrier.step) & barrier.condition;
  if (knows.is_false()) return false;
  for (std::uint64_t number = 0; number < thread.threads_of_cta; ++number)
    if (position_in_cta(thread, number).apply(knows).is_true()) return true;
  return false;
}

Bits CounterOrder::tells_itself(unsigned step) const {
  const unsigned at = counter_.read->step;
  if (step >= at) return Bits::boolean(false);
  Bits releases = Bits::boolean(releases_);
  for (const Event* fence : fences_)
    if (step < fence->step && fence->step < at) releases = releases | fence->condition;
  return adds() & releases;
}

Bits CounterOrder::knows_itself(unsigned step) const {
  const unsigned at = counter_.observing->step;
  if (step <= at) return Bits::boolean(false);
  Bits acquires = Bits::boolean(acquires_);
  for (const Event* fence : fences_)
    if (at < fence->step && fence->step < step) acquires = acquires | fence->condition;
  return counter_.observing->condition & counter_.is_full & acquires;
}

Bits CounterOrder::tells(unsigned step) const {
  Bits result = tells_itself(step);
  for (const auto& [barrier, condition] : before_)
    if (step < barrier) result = result | condition;
  return result;
}

Bits CounterOrder::knows_of_all(unsigned step) const {
  Bits result = knows_itself(step);
  for (const auto& [barrier, condition] : after_)
    if (barrier < step) result = result | condition;
  return result;
}

std::vector<CounterOrder> counter_orders(OpenQuestions& questions, const std::vector<FullCounter>& waits) {
  std::vector<CounterOrder> result;
  for (FullCounter& counter : counters_with_last_addition(questions.thread()))
    result.emplace_back(questions, std::move(counter));
  for (const FullCounter& counter : waits) result.emplace_back(questions, counter);
  return result;
}

}  // namespace ptxmc
