#include "solver/meetings/uncounted_barriers.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "model/program/barriers.hpp"
#include "model/program/program_order.hpp"
#include "solver/algebra/conjuncts.hpp"
#include "solver/meetings/barrier_matching.hpp"
#include "solver/meetings/barrier_phases.hpp"

namespace ptxmc {

namespace {

/// The events of one meeting.
class Meeting {
 public:
  Meeting(const EventStructure& structure, std::span<const EventId> events,
          const DivergentBarriers& divergent)
      : structure_(structure), events_(events), numbers_(events.size()) {
    for (std::size_t i = 0; i < events.size(); ++i)
      if (!event(i).barrier.count) numbers_[i] = number_of(i);
    if (divergent.empty()) return;
    diverges_.resize(events.size(), Bits::boolean(false));
    for (std::size_t i = 0; i < events.size(); ++i)
      if (const auto& others = divergent[static_cast<std::size_t>(events[i])];
          !others.empty() && !event(i).barrier.count)
        diverges_[i] = PhaseDivergence(structure, members_of_phase(i)).of(others);
  }

  std::vector<UncountedArrival> arrivals() const {
    std::vector<UncountedArrival> result;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (event(i).barrier.count) continue;
      UncountedArrival& arrival = result.emplace_back();
      arrival.event = events_[i];
      arrival.number = numbers_[i];
      if (!diverges_.empty()) arrival.diverges = diverges_[i];
      if (waits_at_barrier(event(i))) await_others(i, arrival);
    }
    return result;
  }

 private:
  const Event& event(std::size_t i) const { return structure_.events[static_cast<std::size_t>(events_[i])]; }
  bool awaits_whole_group(std::size_t i) const {
    return ptxmc::awaits_whole_group(*structure_.program, event(i));
  }

  /// The number of earlier arrivals (or waits) of the thread at the barrier, under the condition of the
  /// event. Only those behind the latest one that certainly happens are counted, since the number of that one
  /// is known.
  Bits number_of(std::size_t i) const {
    const unsigned width = static_cast<unsigned>(std::bit_width(events_.size())) + 1;
    Bits number(width, 0);
    for (std::size_t j = i; j-- > 0;) {
      if (!is_earlier_instruction(event(j), event(i)) ||
          arrives_at_barrier(event(j)) != arrives_at_barrier(event(i)))
        continue;
      const Bits together = are_at_one_barrier_together(event(j), event(i));
      if (together.is_false()) continue;
      if (certainly_implies(event(i).condition, together)) return number + numbers_[j] + Bits(width, 1);
      number = number + together.zero_extend(width);
    }
    return number;
  }

  Bits are_of_one_phase(std::size_t i, std::size_t j) const {
    const Bits same = are_at_one_barrier_together(event(i), event(j));
    return same.is_false() ? same : same & equal(numbers_[i], numbers_[j]);
  }

  /// The arrivals that may be in the phase of an event.
  std::vector<PhaseMember> members_of_phase(std::size_t i) const {
    std::vector<PhaseMember> result;
    for (std::size_t j = 0; j < events_.size(); ++j)
      if (arrives_at_barrier(event(j)))
        if (const Bits holds = are_of_one_phase(i, j); !holds.is_false())
          result.push_back({events_[j], holds});
    return result;
  }

  /// All threads of the group except the event's own.
  std::set<int> others_of_group(std::size_t i) const {
    const Program& program = *structure_.program;
    std::set<int> result;
    const Barrier& barrier = event(i).barrier;
    const int group = group_of(program, barrier.group, event(i).thread);
    unsigned lane = 0;
    for (int thread = 0; thread < static_cast<int>(program.threads.size()); ++thread) {
      if (!is_in_group(program, barrier.group, group, thread)) continue;
      if (barrier.group != Barrier::Group::warp || (barrier.id.to_u64() >> lane++ & 1) != 0)
        result.insert(thread);
    }
    result.erase(event(i).thread);
    return result;
  }

  /// For each awaited thread its possible arrivals.
  std::map<int, std::vector<std::size_t>> awaited(std::size_t i) const {
    std::map<int, std::vector<std::size_t>> result;
    const bool is_whole = awaits_whole_group(i);
    if (is_whole)
      for (const int thread : others_of_group(i)) result.try_emplace(thread);
    for (std::size_t j = 0; j < events_.size(); ++j)
      if (may_wait_for(event(i), event(j)) && (!is_whole || result.contains(event(j).thread)))
        result[event(j).thread].push_back(j);
    return result;
  }

  void await_others(std::size_t i, UncountedArrival& arrival) const {
    for (const auto& [thread, others] : awaited(i)) {
      Bits is_there = Bits::boolean(false);
      Bits is_elsewhere = Bits::boolean(!awaits_whole_group(i) && !others.empty());
      for (const std::size_t j : others) {
        const Bits meets = are_of_one_phase(i, j);
        is_there = is_there | meets;
        if (!diverges_.empty()) arrival.diverges = arrival.diverges | (meets & diverges_[j]);
        is_elsewhere = is_elsewhere & event(j).condition & ~equal(event(i).barrier.id, event(j).barrier.id);
      }
      const Bits exited = has_exited(structure_, thread);
      arrival.have_all_come = arrival.have_all_come & (is_there | is_elsewhere | exited);
      UncountedArrival::Absent& absent = arrival.absent.emplace_back();
      absent.thread = thread;
      absent.has_exited = ~is_there & ~is_elsewhere;
      absent.is_elsewhere = is_elsewhere;
      for (const std::size_t j : others) absent.elsewhere.push_back(events_[j]);
    }
  }

  const EventStructure& structure_;
  const std::span<const EventId> events_;
  std::vector<Bits> numbers_;
  std::vector<Bits> diverges_;  // PhaseDivergence::of; empty if no warps diverge
};

}  // namespace

Bits are_at_one_barrier_together(const Event& a, const Event& b) {
  if (a.barrier.count.has_value() != b.barrier.count.has_value()) return Bits::boolean(false);
  return a.condition & b.condition & equal(a.barrier.id, b.barrier.id);
}

std::vector<UncountedArrival> uncounted_arrivals(const EventStructure& structure,
                                                 std::span<const EventId> meeting,
                                                 const DivergentBarriers& divergent) {
  return Meeting(structure, meeting, divergent).arrivals();
}

}  // namespace ptxmc
