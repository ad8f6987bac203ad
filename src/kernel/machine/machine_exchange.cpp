// Exchanges among the threads of a group: PTX ISA 8.7 § 9.7.9.6, § 9.7.13.8 to § 9.7.13.14.
#include <algorithm>

#include "src/kernel/machine/machine.hpp"

namespace ptxmc::kernel {

namespace {

bool is_at_same_place(const Thread& a, const Thread& b) {
  const auto place = [](const Frame& x, const Frame& y) {
    return x.function == y.function && x.next == y.next;
  };
  return std::ranges::equal(a.frames, b.frames, place);
}

bool guard_holds(const Thread& thread, const Instruction& instruction) {
  if (!instruction.guard) return true;
  const Bits& predicate = thread.frames.back().registers[instruction.guard->predicate];
  return predicate.is_true() != instruction.guard->negated;
}

}  // namespace

/// The lanes of an exchange without a membermask: the threads of the warp that are at the same instruction in
/// the same calls now and whose guard is true. The result is stored for each of them, so that all get the
/// same lanes at their turns.
std::uint32_t Machine::converged_lanes() {
  if (thread_->converged) return *thread_->converged;
  Frame& own = frame();
  const Instruction& instruction = own.function->lowered.code[--own.next];
  const std::uint32_t first = thread_->number / lanes_per_warp * lanes_per_warp;
  std::vector<Thread*> there;
  std::uint32_t mask = 0;
  for (std::uint32_t lane = 0; lane < lanes_per_warp && first + lane < thread_->cta->threads.size(); ++lane) {
    Thread& other = *thread_->cta->threads[first + lane];
    const bool is_there = other.state == Thread::State::running && is_at_same_place(*thread_, other) &&
                          guard_holds(other, instruction) && !other.converged;
    if (!is_there) continue;
    there.push_back(&other);
    mask |= std::uint32_t{1} << lane;
  }
  for (Thread* thread : there) thread->converged = mask;
  ++own.next;
  return mask;
}

/// The meeting of this name of the thread's group.
GroupMeeting& Machine::meeting_of(const MeetingName& name) {
  Cluster& cluster = *thread_->cta->cluster;
  const std::uint32_t number = thread_->place_in(name.group).group;
  const auto found = std::ranges::find_if(
      cluster.meetings, [&](const GroupMeeting& open) { return open.name == name && open.number == number; });
  if (found != cluster.meetings.end()) return *found;
  std::vector<int> awaited = cluster.groups.at(name.group)[number];
  if (name.group == ThreadGroup::warp)
    std::erase_if(awaited, [&](int thread) {
      const auto lane = cluster.threads[static_cast<std::size_t>(thread)]->place_in(name.group).rank;
      return (name.mask >> lane & 1) == 0;
    });
  cluster.meetings.push_back({name, number, {std::move(awaited)}, {}});
  return cluster.meetings.back();
}

/// Records the arrival of the thread at the meeting, where it waits.
void Machine::meet(const MeetingName& name) {
  if (name.group == ThreadGroup::warp)
    end_if_misused(UsePair::one_thread,
                   use_of_lanes(Bits(lanes_per_warp, name.mask), thread_->number % lanes_per_warp), nullptr);
  Cluster& cluster = *thread_->cta->cluster;
  GroupMeeting& meeting = meeting_of(name);
  meeting.phase.arrive(0, {.thread = thread_->number_in_cluster});
  const auto members = advance(meeting, cluster);
  if (!members) return;
  // A thread that goes on may meet others at once.
  cluster.meetings.erase(cluster.meetings.begin() + (&meeting - cluster.meetings.data()));
  release_group(name.group, *members, cluster);
}

/// Advances a meeting after one of its threads has arrived or ended. Returns its members if it is complete.
std::optional<std::vector<Arrival>> Machine::advance(GroupMeeting& meeting, const Cluster& cluster) {
  const Participants all = participants(meeting.awaited, cluster);
  BarrierPhase::Step step = meeting.phase.advance(all);
  if (step.kind == BarrierPhase::Step::Kind::counted) step = meeting.phase.advance(all);
  if (step.kind != BarrierPhase::Step::Kind::complete) return std::nullopt;
  return step.members;
}

/// Advances the meetings of the groups of a thread after it has ended.
void Machine::advance_meetings(Cluster& cluster, const Thread& thread) {
  std::vector<std::pair<ThreadGroup, std::vector<Arrival>>> complete;
  std::erase_if(cluster.meetings, [&](GroupMeeting& meeting) {
    if (meeting.number != thread.place_in(meeting.name.group).group) return false;
    const auto members = advance(meeting, cluster);
    if (members) complete.emplace_back(meeting.name.group, *members);
    return members.has_value();
  });
  for (const auto& [group, members] : complete) release_group(group, members, cluster);
}

void Machine::release_group(ThreadGroup group, const std::vector<Arrival>& members, const Cluster& cluster) {
  const auto thread_of = [&](const Arrival& arrival) -> Thread& {
    return *cluster.threads[static_cast<std::size_t>(arrival.thread)];
  };
  const auto threads_of_cta = static_cast<std::uint32_t>(cluster.ctas.front()->threads.size());
  ExchangedValues values(ranks_of(group, threads_of_cta), thread_of(members.front()).given.size());
  for (const Arrival& arrival : members)
    values.add(thread_of(arrival).place_in(group).rank, thread_of(arrival).given);
  for (const Arrival& arrival : members) {
    Thread& thread = thread_of(arrival);
    thread.converged.reset();
    values.own = Bits(32, thread.place_in(group).rank);
    go_on(thread, [&] {
      return thread.after_exchange ? std::exchange(thread.after_exchange, {})(values)
                                   : thread.after_barrier({});
    });
  }
}

Results Machine::await_exchange(const Exchange& exchange,
                                std::function<Results(const ExchangedValues&)> after) {
  std::uint32_t mask = 0;
  if (exchange.group == ThreadGroup::warp)
    mask = exchange.is_among_active() ? converged_lanes()
                                      : static_cast<std::uint32_t>(exchange.members->to_u64());
  thread_->state = Thread::State::waiting;
  note_change();
  thread_->after_exchange = std::move(after);
  thread_->given.assign(exchange.values.begin(), exchange.values.end());
  const Instruction& own = frame().function->lowered.code[frame().next - 1];
  meet({exchange.instruction, own.form->has(".aligned") ? &own : nullptr, exchange.group, mask});
  return Results::pending();
}

}  // namespace ptxmc::kernel
