#include "solver/explorer/counted_phases.hpp"

#include <algorithm>
#include <set>

#include "solver/explorer/explored_arrivals.hpp"
#include "solver/meetings/barrier_matching.hpp"

namespace ptxmc {

namespace {

using State = PartialExecution::State;

std::uint64_t count_of(const PartialExecution& execution, EventId id) {
  return execution.events()[static_cast<std::size_t>(id)].barrier.count->resize_unsigned(32).to_u64();
}

bool contains(const std::vector<EventId>& events, EventId id) {
  return std::ranges::find(events, id) != events.end();
}

/// The number of the phase of an event; -1: none.
int phase_of(const PartialExecution& execution, EventId id) {
  const auto& phases = execution.phases();
  const auto own =
      std::ranges::find_if(phases, [&](const auto& phase) { return contains(phase.members, id); });
  return own == phases.end() ? -1 : static_cast<int>(own - phases.begin());
}

}  // namespace

CountedPhases::CountedPhases(const EventStructure& structure, const ExploredBarriers& barriers)
    : structure_(structure),
      barriers_(barriers),
      meetings_(barrier_meetings(structure)),
      reads_behind_(waiting_depends_on_reads(structure) ? std::optional<ReadsBehind>(structure)
                                                        : std::nullopt) {
  for (const auto& meeting : meetings_)
    for (const EventId id : meeting)
      if (event(id).barrier.count) counted_.push_back(id);
}

/// Whether an event has arrived and is in no phase.
bool CountedPhases::has_arrived(const PartialExecution& execution, EventId id) const {
  return execution.state(id) == State::present && phase_of(execution, id) < 0;
}

/// The arrivals at the barrier of an event that are in no phase, including the event.
CountedPhases::Arrivals CountedPhases::arrived_with(const PartialExecution& execution, EventId id) const {
  const auto meeting =
      std::ranges::find_if(meetings_, [&](const auto& events) { return contains(events, id); });
  const auto& events = execution.events();
  Arrivals result;
  for (const EventId other : *meeting)
    if (has_arrived(execution, other) &&
        are_at_one_barrier(events[static_cast<std::size_t>(id)], events[static_cast<std::size_t>(other)]))
      result.push_back(other);
  return result;
}

/// Whether an event can be in a phase: the earlier events of its thread at this barrier are known, and each
/// is in an earlier phase, or in this one without waiting.
bool CountedPhases::can_be_in(const PartialExecution& execution, EventId id, const Arrivals& phase) const {
  const auto& events = execution.events();
  return std::ranges::none_of(counted_, [&](EventId before) {
    if (event(before).thread != event(id).thread || event(before).step >= event(id).step) return false;
    if (execution.state(before) == State::open) return true;
    if (execution.state(before) == State::absent ||
        !are_at_one_barrier(events[static_cast<std::size_t>(before)], events[static_cast<std::size_t>(id)]))
      return false;
    return phase_of(execution, before) < 0 && (!contains(phase, before) || waits_at_barrier(event(before)));
  });
}

/// Adds each phase that these arrivals form together with some of the later ones.
void CountedPhases::choose(const PartialExecution& execution, const Refused& refused, const Arrivals& arrived,
                           std::size_t next, Arrivals& phase, std::vector<Arrivals>& phases) const {
  const EventId first = phase.front();
  const std::uint64_t needed = count_of(execution, first);
  if (phase.size() == needed) {
    Arrivals members = phase;
    std::ranges::sort(members);
    const auto can_be = [&](EventId id) { return can_be_in(execution, id, members); };
    if (!refused.contains(members) && std::ranges::all_of(members, can_be)) phases.push_back(members);
    return;
  }
  if (phase.size() + (arrived.size() - next) < needed) return;
  for (std::size_t i = next; i < arrived.size(); ++i) {
    if (arrived[i] == first || count_of(execution, arrived[i]) != needed) continue;
    phase.push_back(arrived[i]);
    choose(execution, refused, arrived, i + 1, phase, phases);
    phase.pop_back();
  }
}

std::vector<CountedPhases::Arrivals> CountedPhases::next(const PartialExecution& execution,
                                                         const Refused& refused) const {
  std::vector<Arrivals> phases;
  for (const EventId id : counted_) {
    if (!has_arrived(execution, id)) continue;
    Arrivals phase{id};
    choose(execution, refused, arrived_with(execution, id), 0, phase, phases);
    if (!phases.empty()) break;
  }
  return phases;
}

void CountedPhases::fill(PartialExecution& execution, const Arrivals& phase) {
  const std::size_t which = execution.phases().size();
  for (const EventId id : phase) execution.join(which, id);
}

std::optional<bool> CountedPhases::give_up(PartialExecution& execution) const {
  bool any = false;
  for (const EventId id : counted_)
    if (has_arrived(execution, id) && arrived_with(execution, id).size() >= count_of(execution, id))
      return std::nullopt;
  for (const EventId id : counted_) {
    const bool waits = has_arrived(execution, id) && waits_at_barrier(event(id));
    if (!waits || execution.values().find(event(id).goes_on) != nullptr) continue;
    execution.wait_for_ever(id);
    any = true;
  }
  return any;
}

// --- The order of arrivals --------------------------------------------------------------------------------

/// The complete phases of barriers with a count, by barrier.
std::vector<std::vector<int>> CountedPhases::filled(const PartialExecution& execution) const {
  std::map<std::pair<std::size_t, u128>, std::set<int>> phases;  // by meeting and id
  for (std::size_t i = 0; i < meetings_.size(); ++i)
    for (const EventId id : meetings_[i]) {
      if (!event(id).barrier.count || execution.state(id) != State::present) continue;
      if (const int phase = phase_of(execution, id); phase >= 0)
        phases[{i, execution.events()[static_cast<std::size_t>(id)].barrier.id.value()}].insert(phase);
    }
  std::vector<std::vector<int>> result;
  for (const auto& [barrier, numbers] : phases) result.emplace_back(numbers.begin(), numbers.end());
  return result;
}

/// The number of the phase of a barrier event; phases with a count are numbered by rank.
int CountedPhases::number_of(const PartialExecution& execution, EventId id,
                             const std::vector<int>& rank) const {
  const int phase = phase_of(execution, id);
  const bool is_complete = phase >= 0 || (!event(id).barrier.count && !waits_at_barrier(event(id)));
  if (!is_complete) return -1;
  return event(id).barrier.count ? rank[static_cast<std::size_t>(phase)]
                                 : static_cast<int>(*barriers_.number_of(execution, id));
}

bool CountedPhases::come_about(const PartialExecution& execution, const std::vector<int>& rank) const {
  std::vector<std::vector<EventId>> members(meetings_.size());
  std::vector<std::vector<int>> numbers(meetings_.size());
  std::vector<OrderedPhases> phases;
  for (std::size_t i = 0; i < meetings_.size(); ++i) {
    for (const EventId id : meetings_[i]) {
      if (execution.state(id) != State::present) continue;
      members[i].push_back(id);
      numbers[i].push_back(number_of(execution, id, rank));
    }
    phases.push_back({members[i], numbers[i], meetings_[i]});
  }
  return come_about_in_order(structure_, reads_behind_, execution, phases);
}

/// Tries the order in which phases were formed first, then all others. Where no waiting depends on reads and
/// each arrival has a phase, the first one is possible.
bool CountedPhases::come_about(const PartialExecution& execution) const {
  const auto is_left = [&](EventId id) { return has_arrived(execution, id); };
  if (!reads_behind_ && std::ranges::none_of(counted_, is_left)) return true;
  const std::vector<std::vector<int>> phases = filled(execution);
  std::vector<std::vector<int>> orders = phases;
  std::vector<int> rank(execution.phases().size(), -1);
  for (;;) {
    for (std::size_t barrier = 0; barrier < phases.size(); ++barrier)
      for (std::size_t i = 0; i < phases[barrier].size(); ++i)
        rank[static_cast<std::size_t>(phases[barrier][i])] = orders[barrier][i];
    if (come_about(execution, rank)) return true;
    std::size_t barrier = 0;
    while (barrier < orders.size() && !std::ranges::next_permutation(orders[barrier]).found) ++barrier;
    if (barrier == orders.size()) return false;
  }
}

}  // namespace ptxmc
