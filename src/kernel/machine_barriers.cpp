// PTX ISA 8.7 § 9.7.13.1, § 9.7.13.2.
#include <algorithm>

#include "src/kernel/machine.hpp"

namespace ptxmc::kernel {

/// A warp counts once all of its threads that have not ended are there; it counts as 32 threads.
bool Machine::is_complete(const BarrierState& barrier) const {
  const Cta& cta = *thread_->cta;
  std::uint64_t arrivals = 0;
  bool all = true;
  for (std::uint32_t first = 0; first < cta.threads.size(); first += 32) {
    bool warp_is_there = true, somebody = false;
    for (std::uint32_t t = first; t < std::min<std::size_t>(first + 32, cta.threads.size()); ++t) {
      const bool is_there = barrier.arrived.contains(t);
      somebody = somebody || is_there;
      if (!is_there && cta.threads[t]->state != Thread::State::ended) warp_is_there = false;
    }
    if (warp_is_there && somebody) arrivals += 32;
    if (!warp_is_there) all = false;
  }
  return barrier.count == 0 ? all : arrivals >= barrier.count;
}

void Machine::release(BarrierState& barrier) {
  const auto votes = static_cast<std::uint64_t>(
      std::ranges::count_if(barrier.arrived, [](const auto& arrival) { return arrival.second; }));
  for (const std::uint32_t number : barrier.waiting) {
    Thread& thread = *thread_->cta->threads[number];
    thread.state = Thread::State::running;
    thread.barrier_result = barrier.kind == Barrier::Kind::reduce_popc ? Bits(32, votes)
                            : barrier.kind == Barrier::Kind::reduce_and
                                ? Bits::boolean(votes == barrier.arrived.size())
                                : Bits::boolean(votes != 0);
  }
  barrier = {};
}

bool Machine::is_complete_warp(std::uint64_t key, const BarrierState& barrier) const {
  const std::uint64_t mask = key & 0xffffffff, warp = key >> 32;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint64_t number = warp * 32 + lane;
    if ((mask >> lane & 1) == 0 || number >= thread_->cta->threads.size()) continue;
    const bool has_ended = thread_->cta->threads[number]->state == Thread::State::ended;
    if (!has_ended && !barrier.arrived.contains(static_cast<std::uint32_t>(number))) return false;
  }
  return true;
}

void Machine::look_at_barriers(Cta& cta) {
  for (auto& [number, barrier] : cta.barriers)
    if (!barrier.arrived.empty() && is_complete(barrier)) release(barrier);
  for (auto& [key, barrier] : cta.warp_barriers)
    if (!barrier.arrived.empty() && is_complete_warp(key, barrier)) release(barrier);
}

Bits Machine::barrier(const Barrier& barrier) {
  if (thread_->barrier_result) {
    const Bits result = *thread_->barrier_result;
    thread_->barrier_result.reset();
    return result;
  }
  if (barrier.group == Barrier::Group::cluster) throw Unsupported("a barrier of a cluster", {});
  const bool is_warp = barrier.group == Barrier::Group::warp;
  auto& barriers = is_warp ? thread_->cta->warp_barriers : thread_->cta->barriers;
  const std::uint64_t number = barrier.id.width() == 0 ? 0 : barrier.id.to_u64();
  BarrierState& state = barriers[is_warp ? std::uint64_t{thread_->number / 32} << 32 | number : number];
  state.arrived[thread_->number] = barrier.predicate.width() != 0 && barrier.predicate.is_true();
  if (barrier.count) state.count = barrier.count->to_u64();
  const bool waits = barrier.kind != Barrier::Kind::arrive;
  if (waits) {
    state.kind = barrier.kind;
    state.waiting.insert(thread_->number);
    thread_->state = Thread::State::waiting;
  }
  look_at_barriers(*thread_->cta);
  if (waits) throw Blocked();
  return {};
}

}  // namespace ptxmc::kernel
