#include "solver/threads/counter_order.hpp"

namespace ptxmc {

namespace {

/// Whether a fence releases and acquires all memory.
bool is_fence_of_all(const Fence& fence) {
  return !fence.is_proxy_fence && (fence.sem == Sem::acq_rel || fence.sem == Sem::sc) &&
         fence.restriction == Fence::Restriction::none && fence.address.width() == 0;
}

}  // namespace

CounterOrder::CounterOrder(const OpenThread& thread, CountingAddition addition)
    : addition_(std::move(addition)) {
  const Scope least = thread.ctas > 1 ? Scope::gpu : Scope::cta;
  const Event& read = *addition_.read;
  const Event& write = thread.structure.events[static_cast<std::size_t>(read.rmw)];
  const auto has = [](Sem sem, Sem one) { return sem == one || sem == Sem::acq_rel || sem == Sem::sc; };
  releases_ = has(write.access.sem, Sem::release);
  acquires_ = has(read.access.sem, Sem::acquire);
  for (const Event& event : thread.structure.events)
    if (event.kind == EventKind::fence && is_fence_of_all(event.fence) && event.fence.scope >= least)
      fences_.push_back(&event);
}

Bits CounterOrder::tells(unsigned step) const {
  const unsigned at = addition_.read->step;
  if (step >= at) return Bits::boolean(false);
  Bits releases = Bits::boolean(releases_);
  for (const Event* fence : fences_)
    if (step < fence->step && fence->step < at) releases = releases | fence->condition;
  return adds() & releases;
}

Bits CounterOrder::knows_of_all(unsigned step) const {
  const unsigned at = addition_.read->step;
  if (step <= at) return Bits::boolean(false);
  Bits acquires = Bits::boolean(acquires_);
  for (const Event* fence : fences_)
    if (at < fence->step && fence->step < step) acquires = acquires | fence->condition;
  return adds() & addition_.is_last & acquires;
}

std::vector<CounterOrder> counter_orders(const OpenThread& thread) {
  std::vector<CounterOrder> result;
  for (CountingAddition& addition : counting_additions(thread))
    result.emplace_back(thread, std::move(addition));
  return result;
}

}  // namespace ptxmc
