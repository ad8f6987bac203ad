#include "solver/meetings/counted_barriers.hpp"

#include <algorithm>
#include <map>

#include "model/program/program_order.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/mixed_counts.hpp"

namespace ptxmc {

namespace {

[[noreturn]] void refuse(const std::string& what, const Event& event) {
  throw Unsupported(what, event.instruction ? event.instruction->where : SourcePosition{});
}

/// The barriers of a launch with a thread count: the places of their events, by number.
std::vector<std::vector<std::size_t>> counted_barriers(const EventStructure& structure,
                                                       std::span<const EventId> meeting) {
  std::map<std::uint64_t, std::vector<std::size_t>> barriers;
  for (std::size_t place = 0; place < meeting.size(); ++place) {
    const Event& event = structure.events[static_cast<std::size_t>(meeting[place])];
    if (event.barrier.group == Barrier::Group::cluster || event.condition.is_false()) continue;
    const bool is_of_lanes = event.barrier.group == Barrier::Group::warp;
    if (!event.barrier.id.is_constant())
      refuse(
          is_of_lanes ? "bar.warp.sync of lanes that are not known" : "a barrier whose number is not known",
          event);
    if (!is_of_lanes) barriers[event.barrier.id.to_u64()].push_back(place);
  }
  std::vector<std::vector<std::size_t>> result;
  for (const auto& [number, places] : barriers) {
    const auto count_at = [&](std::size_t place) -> const std::optional<Bits>& {
      return structure.events[static_cast<std::size_t>(meeting[place])].barrier.count;
    };
    if (std::ranges::none_of(places, [&](std::size_t place) { return count_at(place).has_value(); }))
      continue;
    for (const std::size_t place : places) {
      const Event& event = structure.events[static_cast<std::size_t>(meeting[place])];
      const std::optional<Bits>& count = count_at(place);
      if (!count || !count->is_constant()) refuse("a thread count that is not known", event);
      if (count->to_u64() % lanes_per_warp != 0)
        refuse("a thread count that is no multiple of the warp size", event);
    }
    result.push_back(places);
  }
  return result;
}

/// The barriers with a count at which a thread may stay although later events of it have true conditions. (If
/// threads may wait for ever, the conditions of later events include that the thread goes on.)
std::vector<EventId> unconditional_waits(const EventStructure& structure) {
  std::vector<EventId> result;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = structure.events[static_cast<std::size_t>(id)];
    if (event.kind == EventKind::barrier && event.barrier.count && event.goes_on.width() == 0 &&
        waits_at_barrier(event))
      result.push_back(id);
  }
  return result;
}

/// Whether the thread reaches the event, since the phases of its earlier waits are complete; width 1.
Bits is_reached(const EventStructure& structure, const Event& event, std::span<const EventId> waits,
                const BarrierPhases& phases) {
  Bits result = event.condition;
  for (const EventId id : waits) {
    const Event& before = structure.events[static_cast<std::size_t>(id)];
    if (is_earlier_instruction(before, event))
      result = result & implies(before.condition, phases.complete[static_cast<std::size_t>(id)]);
  }
  return result;
}

/// Whether two arrivals are at the same barrier; width 1.
Bits are_at_one_barrier(const CountedArrival& a, const CountedArrival& b) {
  return a.arrived & b.arrived & equal(a.id, b.id);
}

}  // namespace

CountedBarriers::CountedBarriers(const EventStructure& structure, TermGraph& graph,
                                 std::span<const EventId> meeting, const std::set<EventId>& names_all,
                                 const DivergentBarriers& divergent)
    : structure_(structure), graph_(graph), meeting_(meeting), names_all_(names_all) {
  if (structure.program->arrivals == Arrivals::by_warp)
    add_arrivals_of_warps(divergent);
  else
    add_arrivals_of_threads();
}

// --- Units ------------------------------------------------------------------------------------------------

void CountedBarriers::add_arrivals_of_threads() {
  for (std::size_t place = 0; place < meeting_.size(); ++place) {
    const Event& own = event(place);
    if (!own.barrier.count) continue;
    CountedArrival& arrival = arrivals_.emplace_back();
    arrival.unit = static_cast<std::size_t>(own.thread);
    arrival.number = own.step;
    arrival.members = {{place, own.condition}};
    arrival.id = own.barrier.id;
    arrival.count = own.barrier.count->resize_unsigned(count_width);
    arrival.waits = Bits::boolean(waits_at_barrier(own));
    arrival.arrived = own.condition;
  }
}

void CountedBarriers::add_arrivals_of_warps(const DivergentBarriers& divergent) {
  const auto warps = threads_of_warps(*structure_.program);
  for (const std::vector<std::size_t>& barrier : counted_barriers(structure_, meeting_)) {
    const std::size_t first = arrivals_.size();
    for (std::size_t warp = 0; warp < warps.size(); ++warp)
      add_arrivals_of_warp(warp, warps[warp], barrier, divergent);
    const bool has_one_count = std::ranges::all_of(barrier, [&](std::size_t place) {
      return identical(*event(place).barrier.count, *event(barrier.front()).barrier.count) &&
             !names_all_.contains(meeting_[place]);
    });
    of_barriers_.push_back({first, arrivals_.size() - first, has_one_count});
  }
}

void CountedBarriers::add_arrivals_of_warp(std::size_t warp, const std::vector<int>& threads,
                                           std::span<const std::size_t> barrier,
                                           const DivergentBarriers& divergent) {
  struct Turn {
    std::size_t place;
    Bits before;  // the number of earlier arrivals of the thread
  };
  std::map<int, std::vector<Turn>> turns;  // by thread
  std::size_t most = 0;
  for (const std::size_t place : barrier) {
    if (std::ranges::find(threads, event(place).thread) == threads.end()) continue;
    auto& own = turns[event(place).thread];
    Bits before(count_width, 0);
    if (!own.empty()) before = own.back().before + event(own.back().place).condition.zero_extend(count_width);
    own.push_back({place, before});
    most = std::max(most, own.size());
  }
  Bits has_diverged = Bits::boolean(false);
  for (std::size_t n = 0; n < most; ++n) {
    TimeLimit::check();
    CountedArrival arrival;
    arrival.unit = warp;
    arrival.number = n;
    arrival.id = event(barrier.front()).barrier.id;
    Bits any = Bits::boolean(false), all = Bits::boolean(true);
    for (const int thread : threads) {
      Bits there = Bits::boolean(false);
      for (const auto& [place, before] : turns[thread]) {
        const Bits holds = event(place).condition & equal(before, Bits(count_width, n));
        if (holds.is_false()) continue;
        arrival.members.push_back({place, holds});
        add_count(place, holds, arrival);
        there = there | holds;
        if (waits_at_barrier(event(place))) arrival.waits = arrival.waits | holds;
      }
      any = any | there;
      if (!there.is_true()) arrival.missing.push_back({thread, ~there});
      all = all & (there | has_exited(structure_, thread));
    }
    has_diverged = has_diverged | diverges(arrival, divergent);
    arrival.arrived = any & all & ~has_diverged;
    if (!arrival.arrived.is_false()) arrivals_.push_back(std::move(arrival));
  }
}

/// Adds the thread count of a member.
void CountedBarriers::add_count(std::size_t place, const Bits& holds, CountedArrival& arrival) const {
  const Bits count = event(place).barrier.count->resize_unsigned(count_width);
  for (const CountedArrival::Member& other : arrival.members)
    if (!identical(count, event(other.place).barrier.count->resize_unsigned(count_width)))
      arrival.has_several_counts = arrival.has_several_counts | (holds & other.holds);
  arrival.count = arrival.count.width() == 0 ? count : ite(holds, count, arrival.count);
  Bits& names = names_all_.contains(meeting_[place]) ? arrival.names_all : arrival.names_count;
  names = names | holds;
}

/// Whether a thread of the warp has diverged from an event of the arrival; width 1.
Bits CountedBarriers::diverges(const CountedArrival& arrival, const DivergentBarriers& divergent) const {
  std::vector<PhaseMember> members;
  for (const CountedArrival::Member& member : arrival.members)
    members.push_back({meeting_[member.place], member.holds});
  PhaseDivergence before_phase(structure_, members);
  Bits result = Bits::boolean(false);
  for (const PhaseMember& member : members)
    result = result | (member.holds & before_phase.of(divergent[static_cast<std::size_t>(member.arrival)]));
  return result;
}

// --- Phases -----------------------------------------------------------------------------------------------

void CountedBarriers::choose(std::vector<Bits>& phase, BarrierPhases& phases) {
  for (CountedArrival& arrival : arrivals_) {
    arrival.phase = graph_.variable(phase_width(), "phase");
    arrival.complete = graph_.variable(1, "phase complete");
    phases.constraints.push_back(implies(arrival.complete, arrival.arrived));
    phases.constraints.push_back(less_unsigned(arrival.phase, Bits(phase_width(), arrivals_.size())));
    if (arrivals_.size() == 1 || arrival.members.size() == 1) continue;
    Bits some = Bits::boolean(false);
    for (CountedArrival::Member& member : arrival.members) {
      member.comes_last = graph_.variable(1, "comes last");
      some = some | (member.holds & member.comes_last);
    }
    phases.constraints.push_back(implies(arrival.arrived, some));
  }
  for (std::size_t place = 0; place < meeting_.size(); ++place)
    if (event(place).barrier.count) assign(place, phase, phases);
}

/// Sets the phase of an event from the arrivals to which it may belong.
void CountedBarriers::assign(std::size_t place, std::vector<Bits>& phase, BarrierPhases& phases) const {
  Bits complete = Bits::boolean(false);
  phase[place] = Bits(phase_width(), 0);
  const EventId id = meeting_[place];
  const Event& own = event(place);
  for (const CountedArrival& arrival : arrivals_)
    for (const auto& [member, holds, _] : arrival.members) {
      if (member != place) continue;
      complete = complete | (holds & arrival.complete);
      phase[place] = ite(holds, arrival.phase, phase[place]);
    }
  phases.complete[static_cast<std::size_t>(id)] = complete;
  if (!waits_at_barrier(own)) return;
  for (const CountedArrival& arrival : arrivals_)
    for (const auto& [thread, when] : arrival.missing)
      if (identical(arrival.id, own.barrier.id))
        phases.exits.push_back(
            {id, thread, complete & arrival.complete & equal(phase[place], arrival.phase) & when});
  if (own.goes_on.width() == 0)
    phases.all_complete.push_back(implies(own.condition, complete));
  else
    phases.constraints.push_back(implies(own.condition, equal(own.goes_on, complete)));
}

Bits CountedBarriers::comes_last(std::size_t place) const {
  Bits result = Bits::boolean(false);
  for (const CountedArrival& arrival : arrivals_)
    for (const CountedArrival::Member& member : arrival.members)
      if (member.place == place) result = result | (member.holds & member.comes_last);
  return result;
}

void CountedBarriers::constrain(BarrierPhases& phases) const {
  const std::vector<EventId> waits = unconditional_waits(structure_);
  std::vector<Bits> arrived;  // by arrival, with the barriers before it
  for (const CountedArrival& arrival : arrivals_) {
    Bits& result = arrived.emplace_back(arrival.arrived);
    for (const auto& [place, holds, _] : arrival.members)
      result = result & implies(holds, is_reached(structure_, event(place), waits, phases));
  }
  for (const CountedArrival& arrival : arrivals_) {
    TimeLimit::check();
    constrain_order(arrival, phases);
    if (of_barriers_.empty()) constrain_count(arrival, arrived, phases);
  }
  const std::vector<std::vector<int>> warps = warps_of_cta();
  for (const auto& [first, size, has_one_count] : of_barriers_) {
    const auto arrivals = std::span(arrivals_).subspan(first, size);
    if (has_one_count)
      for (const CountedArrival& arrival : arrivals) constrain_count(arrival, arrived, phases);
    else
      MixedCounts(structure_, graph_, meeting_, warps, arrivals, std::span(arrived).subspan(first, size))
          .constrain(phases);
  }
}

/// The threads of each warp of the CTA of the meeting; empty for other warps.
std::vector<std::vector<int>> CountedBarriers::warps_of_cta() const {
  std::vector<std::vector<int>> warps = threads_of_warps(*structure_.program);
  const auto cta_of = [&](int thread) {
    return structure_.program->threads[static_cast<std::size_t>(thread)].placement.cta;
  };
  for (std::vector<int>& warp : warps)
    if (meeting_.empty() || cta_of(warp.front()) != cta_of(event(0).thread)) warp.clear();
  return warps;
}

/// The arrivals of a unit are in order, and an arrival after one that waits is in a later phase.
void CountedBarriers::constrain_order(const CountedArrival& own, BarrierPhases& phases) const {
  for (const CountedArrival& other : arrivals_) {
    if (other.unit != own.unit || other.number <= own.number) continue;
    const Bits order =
        ite(own.waits, less_unsigned(own.phase, other.phase), less_equal_unsigned(own.phase, other.phase));
    phases.constraints.push_back(
        implies(are_at_one_barrier(own, other) & other.complete, own.complete & order));
  }
}

/// A phase is complete with exactly the number of threads that its arrivals name; the arrivals without a
/// complete phase are fewer.
void CountedBarriers::constrain_count(const CountedArrival& own, std::span<const Bits> arrived,
                                      BarrierPhases& phases) const {
  const bool by_warp = structure_.program->arrivals == Arrivals::by_warp;
  const Bits weight(count_width, by_warp ? lanes_per_warp : 1), none(count_width, 0);
  Bits together = none, left = none;
  for (std::size_t i = 0; i < arrivals_.size(); ++i) {
    const CountedArrival& other = arrivals_[i];
    const Bits same = are_at_one_barrier(own, other);
    if (same.is_false()) continue;
    const Bits meets = same & own.complete & other.complete & equal(own.phase, other.phase);
    together = together + ite(meets, weight, none);
    left = left + ite(same & arrived[i] & ~other.complete, weight, none);
    phases.constraints.push_back(implies(meets, equal(own.count, other.count)));
  }
  const Bits& own_arrived = arrived[static_cast<std::size_t>(&own - arrivals_.data())];
  phases.constraints.push_back(implies(own.complete, equal(together, own.count)));
  phases.constraints.push_back(implies(own_arrived & ~own.complete, less_unsigned(left, own.count)));
}

}  // namespace ptxmc
