// PTX ISA 8.7 § 9.7.13.1 to § 9.7.13.3.
#include <fmt/format.h>

#include <algorithm>

#include "src/kernel/machine.hpp"

namespace ptxmc::kernel {

/// A warp arrives once all of its threads that have not ended are there.
bool Machine::count_warp(BarrierState& barrier, std::uint32_t warp) {
  const auto& threads = thread_->cta->threads;
  auto& pending = barrier.pending[warp];
  std::vector<BarrierState::Arrival> arriving;
  for (std::uint32_t t = warp * lanes_per_warp; t < (warp + 1) * lanes_per_warp && t < threads.size(); ++t) {
    const auto arrival = std::ranges::find(pending, t, &BarrierState::Arrival::thread);
    if (arrival != pending.end()) {
      arriving.push_back(*arrival);
    } else if (threads[t]->state != Thread::State::ended) {
      return false;
    }
  }
  if (arriving.empty()) return false;
  const auto is_other = [&](const BarrierState::Arrival& arrival) {
    return arrival.is_aligned != arriving.front().is_aligned;
  };
  if (std::ranges::any_of(arriving, is_other))
    end_launch("divergence", "an aligned barrier, while other threads of the warp are at one that is not");
  for (const BarrierState::Arrival& arrival : arriving)
    pending.erase(std::ranges::find(pending, arrival.thread, &BarrierState::Arrival::thread));
  barrier.counted.insert(barrier.counted.end(), arriving.begin(), arriving.end());
  barrier.arrivals += lanes_per_warp;
  return true;
}

/// Without a count: every warp with threads that have not ended has arrived.
bool Machine::is_complete(const BarrierState& barrier, const Cta& cta) const {
  if (barrier.counted.empty()) return false;
  if (barrier.count != 0) return barrier.arrivals >= barrier.count;
  std::set<std::uint32_t> arrived;
  for (const BarrierState::Arrival& arrival : barrier.counted)
    arrived.insert(arrival.thread / lanes_per_warp);
  return std::ranges::all_of(cta.threads, [&](const auto& thread) {
    return thread->state == Thread::State::ended || arrived.contains(thread->number / lanes_per_warp);
  });
}

void Machine::release(BarrierState& barrier, Cta& cta) {
  for (const BarrierState::Arrival& arrival : barrier.counted)
    end_if_misused(Bits::boolean(are_mixed(arrival.kind, barrier.counted.front().kind)),
                   Misuse::reduction_beside_others);
  const auto votes = static_cast<std::uint64_t>(
      std::ranges::count_if(barrier.counted, [](const auto& arrival) { return arrival.predicate; }));
  for (const BarrierState::Arrival& arrival : barrier.counted) {
    if (arrival.kind == Barrier::Kind::arrive) continue;
    Thread& thread = *cta.threads[arrival.thread];
    thread.state = Thread::State::running;
    thread.barrier_result = arrival.kind == Barrier::Kind::reduce_popc ? Bits(32, votes)
                            : arrival.kind == Barrier::Kind::reduce_and
                                ? Bits::boolean(votes == barrier.counted.size())
                                : Bits::boolean(votes != 0);
  }
  barrier.counted.clear();
  barrier.arrivals = 0;
}

/// After a thread of the warp has arrived at one of them, or has ended.
void Machine::look_at_barriers(Cta& cta, std::uint32_t warp) {
  for (auto& [number, barrier] : cta.barriers) {
    while (count_warp(barrier, warp))
      if (is_complete(barrier, cta)) release(barrier, cta);
    if (is_complete(barrier, cta)) release(barrier, cta);  // the last that was missing has ended
  }
}

/// § 9.7.13.1: all threads of a warp execute the same aligned barrier. So the n-th that one of them executes
/// is the n-th of the others.
void Machine::note_aligned_barrier() {
  AlignedBarriers& open = thread_->cta->aligned[thread_->number / lanes_per_warp];
  const AlignedBarriers::Place place = {frame().function, frame().next - 1};
  const std::uint64_t n = thread_->aligned_barriers++ - open.first;
  if (n == open.places.size()) {
    open.places.push_back(place);
  } else if (open.places[n] != place) {
    const Instruction& other = open.places[n].function->lowered.code[open.places[n].at];
    end_launch("divergence",
               fmt::format("an aligned barrier, while other threads of the warp are at that of line {}",
                           other.where.line));
  }
  const std::uint32_t first = thread_->number / lanes_per_warp * lanes_per_warp;
  const auto& threads = thread_->cta->threads;
  std::uint64_t passed = thread_->aligned_barriers;
  for (std::uint32_t t = first; t < first + lanes_per_warp && t < threads.size(); ++t)
    if (threads[t]->state != Thread::State::ended) passed = std::min(passed, threads[t]->aligned_barriers);
  for (; open.first < passed; ++open.first) open.places.pop_front();
}

/// § 9.7.13.1: a thread that ends without an aligned barrier that another thread of its warp is at, or has
/// passed, was there when that one executed it.
void Machine::note_end_without_barrier() {
  const AlignedBarriers& open = thread_->cta->aligned[thread_->number / lanes_per_warp];
  if (thread_->aligned_barriers >= open.first + open.places.size()) return;
  const AlignedBarriers::Place& missed = open.places[thread_->aligned_barriers - open.first];
  const Instruction& barrier = missed.function->lowered.code[missed.at];
  end_launch("divergence",
             fmt::format("ends without the aligned barrier of line {}, which other threads of the "
                         "warp have executed",
                         barrier.where.line));
}

/// Complete when all threads of the cluster that have not ended have arrived.
void Machine::look_at_cluster_barrier(Cluster& cluster) {
  if (cluster.arrived.empty()) return;
  for (const Cta* cta : cluster.ctas)
    for (const auto& thread : cta->threads)
      if (thread->state != Thread::State::ended && !cluster.arrived.contains(thread.get())) return;
  cluster.arrived.clear();
  ++cluster.phase;
  for (const Cta* cta : cluster.ctas)
    for (const auto& thread : cta->threads)
      if (thread->waits_for_cluster) thread->state = Thread::State::running;
}

void Machine::cluster_barrier(const Barrier& barrier) {
  Cluster& cluster = *thread_->cta->cluster;
  const ClusterMisuse misuse =
      misuse_of_cluster_barrier(barrier.kind, Bits::boolean(thread_->cluster_arrival.has_value()));
  end_if_misused(misuse.condition, misuse.misuse);
  if (barrier.kind == Barrier::Kind::arrive) {
    thread_->cluster_arrival = cluster.phase;
    cluster.arrived.insert(thread_);
    look_at_cluster_barrier(cluster);
    return;
  }
  if (cluster.phase == *thread_->cluster_arrival) {
    thread_->state = Thread::State::waiting;
    thread_->waits_for_cluster = true;
    throw Blocked();
  }
  thread_->cluster_arrival.reset();
}

Bits Machine::barrier(const Barrier& barrier) {
  if (barrier.group == Barrier::Group::warp) {
    exchange({"bar.warp.sync", barrier.id, Bits::boolean(true)});
    return {};
  }
  if (thread_->barrier_result) return *std::exchange(thread_->barrier_result, std::nullopt);
  if (std::exchange(thread_->waits_for_cluster, false)) {
    thread_->cluster_arrival.reset();
    return {};
  }
  if (barrier.aligned) note_aligned_barrier();
  if (barrier.group == Barrier::Group::cluster) {
    cluster_barrier(barrier);
    return {};
  }
  BarrierState& state = thread_->cta->barriers[barrier.id.to_u64()];
  const bool predicate = barrier.predicate.width() != 0 && barrier.predicate.is_true();
  const std::uint32_t warp = thread_->number / lanes_per_warp;
  state.pending[warp].push_back({thread_->number, predicate, barrier.kind, barrier.aligned});
  if (barrier.count) state.count = barrier.count->to_u64();
  const bool waits = barrier.kind != Barrier::Kind::arrive;
  if (waits) thread_->state = Thread::State::waiting;
  look_at_barriers(*thread_->cta, warp);
  if (waits) throw Blocked();
  return {};
}

}  // namespace ptxmc::kernel
