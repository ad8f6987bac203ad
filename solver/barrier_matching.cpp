#include "solver/barrier_matching.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "model/program_order.hpp"
#include "semantics/barrier_phase.hpp"

namespace ptxmc {

namespace {

std::uint64_t count_of(const Event& event) { return event.barrier.count->resize_unsigned(32).to_u64(); }

/// The ways to fill the phases of one barrier with a count, one phase after the other.
class PhaseSequences {
 public:
  PhaseSequences(std::span<const Event> events, std::vector<EventId> members)
      : events_(events), members_(std::move(members)), phase_(members_.size(), -1) {
    fill(0);
  }

  const std::vector<EventId>& members() const { return members_; }
  /// By member.
  const std::vector<std::vector<int>>& found() const { return found_; }

 private:
  const Event& event(std::size_t i) const { return events_[static_cast<std::size_t>(members_[i])]; }

  void fill(int next) {
    if (may_be_left()) found_.push_back(phase_);
    choose(0, next, 0, 0);
  }

  /// Those that fill no phase are fewer than each of them needs.
  bool may_be_left() const {
    const auto left = static_cast<std::uint64_t>(std::count(phase_.begin(), phase_.end(), -1));
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (phase_[i] < 0 && left >= count_of(event(i))) return false;
    return true;
  }

  /// Puts members from `first` on into the phase, which has `size` arrivals of the `needed` ones.
  void choose(std::size_t first, int phase, std::uint64_t size, std::uint64_t needed) {
    if (size > 0 && size == needed) {
      fill(phase + 1);
      return;
    }
    for (std::size_t i = first; i < members_.size(); ++i) {
      const std::uint64_t count = count_of(event(i));
      if (phase_[i] >= 0 || (size > 0 && count != needed) || !can_be_next(i, phase)) continue;
      phase_[i] = phase;
      choose(i + 1, phase, size + 1, count);
      phase_[i] = -1;
    }
  }

  /// What the thread did at this barrier before is in an earlier phase, or in this one and did not wait.
  bool can_be_next(std::size_t i, int phase) const {
    for (std::size_t j = 0; j < members_.size(); ++j) {
      if (!is_earlier_instruction(event(j), event(i))) continue;
      if (phase_[j] < 0 || (phase_[j] == phase && waits_at_barrier(event(j)))) return false;
    }
    return true;
  }

  std::span<const Event> events_;
  std::vector<EventId> members_;  // by thread, then step
  std::vector<int> phase_;
  std::vector<std::vector<int>> found_;
};

/// The phase numbers, first come, first numbered.
std::vector<int> in_order_of_appearance(const std::vector<int>& phase) {
  std::map<int, int> numbers;
  std::vector<int> result;
  for (const int number : phase)
    result.push_back(
        number < 0 ? -1 : numbers.try_emplace(number, static_cast<int>(numbers.size())).first->second);
  return result;
}

/// With a count: so many threads wait, each as often, that every phase needs all of them.
bool all_are_needed(std::span<const Event> events, const std::vector<EventId>& members) {
  std::map<int, std::size_t> waits;  // by thread
  const Event& first = events[static_cast<std::size_t>(members.front())];
  for (const EventId id : members) {
    const Event& event = events[static_cast<std::size_t>(id)];
    if (!arrives_at_barrier(event) || !waits_at_barrier(event) || count_of(event) != count_of(first))
      return false;
    ++waits[event.thread];
  }
  return waits.size() == count_of(first) && std::all_of(waits.begin(), waits.end(), [&](const auto& other) {
           return other.second == waits.begin()->second;
         });
}

/// Without counts, or where all are needed: the n-th arrivals of the threads, and their n-th waits, are of
/// the n-th phase.
std::vector<int> phases_by_index(std::span<const Event> events, const std::vector<EventId>& members) {
  std::vector<int> phase;
  const auto event = [&](EventId id) -> const Event& { return events[static_cast<std::size_t>(id)]; };
  for (const EventId id : members)
    phase.push_back(static_cast<int>(std::count_if(members.begin(), members.end(), [&](EventId before) {
      return is_earlier_instruction(event(before), event(id)) &&
             arrives_at_barrier(event(before)) == arrives_at_barrier(event(id));
    })));
  return phase;
}

struct OneBarrier {
  std::vector<EventId> members;
  std::map<std::vector<int>, std::vector<std::vector<int>>> sequences;  // by matching
};

OneBarrier match_one_barrier(std::span<const Event> events, std::vector<EventId> members) {
  OneBarrier result;
  if (!events[static_cast<std::size_t>(members.front())].barrier.count || all_are_needed(events, members)) {
    const auto phases = phases_by_index(events, members);
    result.sequences[in_order_of_appearance(phases)].push_back(phases);
    result.members = std::move(members);
    return result;
  }
  const PhaseSequences sequences(events, std::move(members));
  for (const auto& sequence : sequences.found())
    result.sequences[in_order_of_appearance(sequence)].push_back(sequence);
  result.members = sequences.members();
  return result;
}

/// Combines what is known of some barriers of a meeting with another one, whose phases get numbers of their
/// own.
std::vector<BarrierMatching> combine(const std::vector<BarrierMatching>& known, const OneBarrier& barrier,
                                     std::span<const EventId> meeting, int base) {
  const auto with = [&](std::vector<int> all, const std::vector<int>& phases) {
    for (std::size_t i = 0; i < phases.size(); ++i) {
      const auto place = std::find(meeting.begin(), meeting.end(), barrier.members[i]) - meeting.begin();
      all[static_cast<std::size_t>(place)] = phases[i] < 0 ? -1 : base + phases[i];
    }
    return all;
  };
  std::vector<BarrierMatching> result;
  for (const BarrierMatching& before : known)
    for (const auto& [matching, sequences] : barrier.sequences) {
      BarrierMatching& both = result.emplace_back();
      both.phase = with(before.phase, matching);
      for (const auto& order : before.orders)
        for (const auto& sequence : sequences) both.orders.push_back(with(order, sequence));
    }
  return result;
}

}  // namespace

bool are_at_one_barrier(const Event& a, const Event& b) {
  return a.barrier.count.has_value() == b.barrier.count.has_value() && identical(a.barrier.id, b.barrier.id);
}

bool has_barriers(const EventStructure& structure) {
  return std::ranges::any_of(structure.events, [](const Event& event) {
    return event.kind == EventKind::barrier && !event.condition.is_false();
  });
}

std::vector<std::vector<EventId>> barrier_meetings(const EventStructure& structure) {
  std::map<std::tuple<Barrier::Group, int, int>, std::vector<EventId>> meetings;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = structure.events[static_cast<std::size_t>(id)];
    if (event.kind != EventKind::barrier) continue;
    const int group = group_of(*structure.program, event.barrier.group, event.thread);
    meetings[{event.barrier.group, group, event.barrier.textual}].push_back(id);
  }
  std::vector<std::vector<EventId>> result;
  for (auto& [key, events] : meetings) result.push_back(std::move(events));
  return result;
}

bool may_wait_for(const Event& waiting, const Event& arrival) {
  return waiting.thread != arrival.thread && arrives_at_barrier(arrival) && !arrival.barrier.count &&
         !equal(waiting.barrier.id, arrival.barrier.id).is_false();
}

std::map<int, std::vector<EventId>> awaited_arrivals(const EventStructure& structure,
                                                     std::span<const EventId> meeting, EventId id) {
  const auto event = [&](EventId of) -> const Event& {
    return structure.events[static_cast<std::size_t>(of)];
  };
  std::map<int, std::vector<EventId>> result;
  for (const EventId other : meeting)
    if (may_wait_for(event(id), event(other))) result[event(other).thread].push_back(other);
  return result;
}

std::vector<BarrierMatching> match_barriers(std::span<const Event> events, std::span<const EventId> meeting) {
  std::vector<std::vector<EventId>> barriers;
  for (const EventId id : meeting) {
    const auto same = std::find_if(barriers.begin(), barriers.end(), [&](const auto& members) {
      return are_at_one_barrier(events[static_cast<std::size_t>(members.front())],
                                events[static_cast<std::size_t>(id)]);
    });
    (same == barriers.end() ? barriers.emplace_back() : *same).push_back(id);
  }
  const std::vector<int> none(meeting.size(), -1);
  std::vector<BarrierMatching> result{{none, {none}}};
  int base = 0;
  for (auto& members : barriers) {
    const auto size = static_cast<int>(members.size());
    result = combine(result, match_one_barrier(events, std::move(members)), meeting, base);
    base += size;
  }
  return result;
}

Bits reduction_result(std::span<const Event> events, EventId id, std::span<const EventId> met) {
  const auto event = [&](EventId of) -> const Event& { return events[static_cast<std::size_t>(of)]; };
  std::vector<Contribution> contributions{{event(id).barrier.predicate}};
  for (const EventId other : met)
    if (other != id && event(other).barrier.predicate.width() != 0)
      contributions.push_back({event(other).barrier.predicate});
  return reduction(event(id).barrier.kind, contributions);
}

}  // namespace ptxmc
