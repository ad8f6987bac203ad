// PTX ISA 8.7 § 9.7.13.1 to § 9.7.13.3.
#include <fmt/format.h>

#include <algorithm>

#include "src/kernel/machine/machine.hpp"

namespace ptxmc::kernel {

namespace {

/// The instruction at which the threads of a warp meet.
std::string_view instruction_of(Barrier::Gathering gathering) {
  switch (gathering) {
    case Barrier::Gathering::none:
      break;
    case Barrier::Gathering::at_arrivals:
      return "barrier.arrive";
    case Barrier::Gathering::at_cluster_arrivals:
      return "barrier.cluster.arrive";
    case Barrier::Gathering::at_cluster_waits:
      return "barrier.cluster.wait";
  }
  return "bar.warp.sync";
}

}  // namespace

/// Threads of a CTA; those that have ended are not waited for.
Participants Machine::participants(std::span<const std::vector<int>> units, const Cta& cta) {
  return {.units = units, .has_left = [&cta](int thread) {
            return cta.threads[static_cast<std::size_t>(thread)]->state == Thread::State::ended;
          }};
}

/// The same for threads of a cluster, numbered through all CTAs.
Participants Machine::participants(std::span<const std::vector<int>> units, const Cluster& cluster) {
  return {.units = units, .has_left = [&cluster](int thread) {
            return cluster.threads[static_cast<std::size_t>(thread)]->state == Thread::State::ended;
          }};
}

/// Advances a barrier after a thread has arrived or ended.
void Machine::advance(BarrierPhase& barrier, Cta& cta) {
  const Participants all = participants(cta.warps, cta);
  for (;;) {
    const BarrierPhase::Step step = barrier.advance(all);
    if (step.kind == BarrierPhase::Step::Kind::none) return;
    if (step.kind == BarrierPhase::Step::Kind::complete) release(step.members, cta);
    if (step.kind == BarrierPhase::Step::Kind::misused)
      end_launch("undefined", std::string(sentence_of(Misuse::different_thread_counts)));
  }
}

/// Lets the waiting threads of a phase continue.
void Machine::release(const std::vector<Arrival>& members, Cta& cta) {
  std::vector<Contribution> contributions;
  for (const Arrival& arrival : members) {
    end_if_misused(UsePair::phase, arrival.use, &members.front().use);
    if (is_reduction(arrival.use.kind)) contributions.push_back({arrival.contribution});
  }
  for (const Arrival& arrival : members) {
    const Barrier::Kind kind = arrival.use.kind;
    if (kind == Barrier::Kind::arrive) continue;
    Thread& thread = *cta.threads[static_cast<std::size_t>(arrival.thread)];
    go_on(thread,
          [&] { return thread.after_barrier(is_reduction(kind) ? reduction(kind, contributions) : Bits()); });
  }
}

/// § 9.7.13.1: all threads of a warp execute the same aligned barrier. So the n-th aligned barrier of one
/// thread must be the n-th of the others.
void Machine::note_aligned_barrier(const ObjectUse& use) {
  AlignedBarriers& open = thread_->cta->aligned[thread_->number / lanes_per_warp];
  const std::uint64_t n = thread_->aligned_barriers++ - open.first;
  if (n == open.uses.size()) {
    open.uses.push_back(use);
  } else if (misuse(UsePair::aligned_turn, use, &open.uses[n])) {
    end_launch("divergence",
               fmt::format("an aligned barrier, while other threads of the warp are at that of line {}",
                           open.uses[n].where.line));
  }
  const std::uint32_t first = thread_->number / lanes_per_warp * lanes_per_warp;
  const auto& threads = thread_->cta->threads;
  std::uint64_t passed = thread_->aligned_barriers;
  for (std::uint32_t t = first; t < first + lanes_per_warp && t < threads.size(); ++t)
    if (threads[t]->state != Thread::State::ended) passed = std::min(passed, threads[t]->aligned_barriers);
  for (; open.first < passed; ++open.first) open.uses.pop_front();
}

/// § 9.7.13.1: a thread must not end without an aligned barrier that another thread of its warp is at or has
/// passed, since it had not exited when the other thread executed the barrier.
void Machine::note_end_without_barrier() {
  const AlignedBarriers& open = thread_->cta->aligned[thread_->number / lanes_per_warp];
  if (thread_->aligned_barriers >= open.first + open.uses.size()) return;
  const ObjectUse& missed = open.uses[thread_->aligned_barriers - open.first];
  if (misuse(UsePair::aligned_turn, missed, nullptr))
    end_launch("divergence", fmt::format("ends without the aligned barrier of line {}, which other threads "
                                         "of the warp have executed",
                                         missed.where.line));
}

/// Advances the barrier of a cluster after a thread has arrived or ended.
void Machine::advance_cluster_barrier(Cluster& cluster) {
  const Participants all = participants(cluster.groups.at(ThreadGroup::warp), cluster);
  BarrierPhase::Step step = cluster.barrier.advance(all);
  while (step.kind == BarrierPhase::Step::Kind::counted) step = cluster.barrier.advance(all);
  if (step.kind == BarrierPhase::Step::Kind::none) return;
  ++cluster.phase;
  for (Thread* thread : std::exchange(cluster.waiting, {})) {
    thread->cluster_arrival.reset();
    go_on(*thread, [&] { return thread->after_barrier({}); });
  }
}

void Machine::arrive_at_cluster_barrier() {
  Cluster& cluster = *thread_->cta->cluster;
  thread_->cluster_arrival = cluster.phase;
  cluster.barrier.arrive(thread_->place_in(ThreadGroup::warp).group, {.thread = thread_->number_in_cluster});
  advance_cluster_barrier(cluster);
}

Results Machine::cluster_barrier(const Barrier& barrier, std::function<Results(const Bits&)> after) {
  Cluster& cluster = *thread_->cta->cluster;
  if (barrier.kind == Barrier::Kind::arrive) {
    arrive_at_cluster_barrier();
    return after({});
  }
  if (cluster.phase != *thread_->cluster_arrival) {
    thread_->cluster_arrival.reset();
    return after({});
  }
  cluster.waiting.push_back(thread_);
  return wait_at_barrier(std::move(after));
}

void Machine::use(const ObjectUse& own) { end_if_misused(UsePair::one_thread, own, nullptr); }

Results Machine::wait_at_barrier(std::function<Results(const Bits&)> after) {
  thread_->state = Thread::State::waiting;
  note_change();
  thread_->after_barrier = std::move(after);
  return Results::pending();
}

Results Machine::await_barrier(const Barrier& barrier, std::function<Results(const Bits&)> after) {
  if (barrier.group == Barrier::Group::prerequisite) return wait_for_prerequisite(std::move(after));
  if (barrier.group == Barrier::Group::warp) {
    const auto mask = static_cast<std::uint32_t>(barrier.id.to_u64());
    const Results pending = wait_at_barrier(std::move(after));
    thread_->given.clear();
    meet({.instruction = instruction_of(barrier.gathering), .mask = mask});
    return pending;
  }
  ObjectUse use = use_of(barrier);
  use.where = frame().function->lowered.code[frame().next - 1].where;
  const ObjectUse cluster_arrival = {.object = ObjectUse::Object::cluster_barrier,
                                     .kind = Barrier::Kind::arrive};
  end_if_misused(UsePair::one_thread, use, thread_->cluster_arrival ? &cluster_arrival : nullptr);
  if (barrier.aligned) note_aligned_barrier(use);
  if (barrier.group == Barrier::Group::cluster) return cluster_barrier(barrier, std::move(after));
  BarrierPhase& state = thread_->cta->barriers[barrier.id.to_u64()];
  Arrival arrival = {
      .thread = static_cast<int>(thread_->number), .use = std::move(use), .contribution = barrier.predicate};
  if (barrier.count) arrival.count = barrier.count->to_u64();
  const Results results =
      barrier.kind == Barrier::Kind::arrive ? after({}) : wait_at_barrier(std::move(after));
  const std::uint32_t warp = thread_->number / lanes_per_warp;
  state.arrive(warp, std::move(arrival));
  for (const Arrival* other : state.beside_latest(warp))
    end_if_misused(UsePair::warp_arrival, state.gathered(warp).back().use, &other->use);
  advance(state, *thread_->cta);
  return results;
}

}  // namespace ptxmc::kernel
