// Exchanges between the threads of a warp: PTX ISA 8.7 § 9.7.9.6, § 9.7.13.8 to § 9.7.13.14.
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

/// The meeting of lanes of the thread's warp with these qualifiers and this membermask.
LaneMeeting& Machine::meeting_of(std::string_view instruction, std::uint32_t mask) {
  auto& meetings = thread_->cta->meetings;
  const std::uint32_t warp = thread_->number / lanes_per_warp;
  const auto found = std::ranges::find_if(meetings, [&](const LaneMeeting& open) {
    return open.warp == warp && open.mask == mask && open.instruction == instruction;
  });
  if (found != meetings.end()) return *found;
  std::vector<int> lanes = warps_[warp];
  std::erase_if(lanes, [&](int thread) {
    return (mask >> static_cast<std::uint32_t>(thread) % lanes_per_warp & 1) == 0;
  });
  meetings.push_back({instruction, warp, mask, {std::move(lanes)}, {}});
  return meetings.back();
}

/// Records the arrival of the thread at the meeting, where it waits.
void Machine::meet_lanes(std::string_view instruction, std::uint32_t mask, const Bits& value) {
  const std::uint32_t lane = thread_->number % lanes_per_warp;
  end_if_misused(UsePair::one_thread, use_of_lanes(Bits(lanes_per_warp, mask), lane), nullptr);
  meeting_of(instruction, mask)
      .phase.arrive(0, {.thread = static_cast<int>(thread_->number), .contribution = value});
  advance_meetings(*thread_->cta, thread_->number / lanes_per_warp);
}

/// Advances the meetings of a warp after one of its threads has arrived or ended.
void Machine::advance_meetings(Cta& cta, std::uint32_t warp) {
  std::erase_if(cta.meetings, [&](LaneMeeting& meeting) {
    if (meeting.warp != warp) return false;
    const Participants lanes = participants(meeting.lanes, cta);
    BarrierPhase::Step step = meeting.phase.advance(lanes);
    if (step.kind == BarrierPhase::Step::Kind::counted) step = meeting.phase.advance(lanes);
    if (step.kind != BarrierPhase::Step::Kind::complete) return false;
    release_lanes(step.members, cta);
    return true;
  });
}

void Machine::release_lanes(const std::vector<Arrival>& members, Cta& cta) {
  Lanes lanes;
  const auto lane_of = [](const Arrival& arrival) {
    return static_cast<unsigned>(arrival.thread) % lanes_per_warp;
  };
  for (const Arrival& arrival : members)
    lanes.lanes[lane_of(arrival)] = {arrival.contribution, Bits::boolean(true)};
  for (const Arrival& arrival : members) {
    Thread& thread = *cta.threads[static_cast<std::size_t>(arrival.thread)];
    thread.converged.reset();
    lanes.own = Bits(32, lane_of(arrival));
    go_on(thread, [&] {
      return thread.after_exchange ? std::exchange(thread.after_exchange, {})(lanes)
                                   : thread.after_barrier({});
    });
  }
}

Results Machine::await_exchange(const Exchange& exchange, std::function<Results(const Lanes&)> after) {
  const auto mask =
      exchange.members ? static_cast<std::uint32_t>(exchange.members->to_u64()) : converged_lanes();
  thread_->state = Thread::State::waiting;
  thread_->after_exchange = std::move(after);
  meet_lanes(exchange.instruction, mask, exchange.value);
  return Results::pending();
}

}  // namespace ptxmc::kernel
