#include "solver/meetings/mixed_counts.hpp"

#include <algorithm>

#include "model/program/barriers.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {

namespace {

Bits any_of(std::span<const Bits> conditions) {
  Bits result = Bits::boolean(false);
  for (const Bits& condition : conditions) result = result | condition;
  return result;
}

Bits use_one_count(const CountedArrival& a, const CountedArrival& b) {
  return equal(a.count, b.count) & ~a.has_several_counts & ~b.has_several_counts;
}

}  // namespace

MixedCounts::MixedCounts(const EventStructure& structure, TermGraph& graph, std::span<const EventId> meeting,
                         std::span<const std::vector<int>> warps, std::span<const CountedArrival> arrivals,
                         std::span<const Bits> arrived)
    : structure_(structure), meeting_(meeting), warps_(warps), arrivals_(arrivals) {
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    left_.push_back(arrived[i] & ~arrivals[i].complete);
    is_before_.push_back(graph.variable(1, "before misuse"));
    misuses_.push_back(graph.variable(1, "misuses"));
  }
}

void MixedCounts::constrain(BarrierPhases& phases) {
  for (std::size_t own = 0; own < arrivals_.size(); ++own) {
    TimeLimit::check();
    constrain_complete(own, phases);
  }
  choose_misuse(phases);
  constrain_left(phases);
}

// --- Complete phases --------------------------------------------------------------------------------------

MixedCounts::Part MixedCounts::part(std::span<const Bits> is_in) const {
  const Bits weight(count_width, lanes_per_warp), none(count_width, 0), no = Bits::boolean(false);
  Part result{none, no, no, std::vector<Bits>(warps_.size(), no)};
  for (std::size_t i = 0; i < arrivals_.size(); ++i) {
    const CountedArrival& arrival = arrivals_[i];
    result.threads = result.threads + ite(is_in[i], weight, none);
    result.names_all = result.names_all | (is_in[i] & arrival.names_all);
    result.names_count = result.names_count | (is_in[i] & arrival.names_count);
    result.is_here[arrival.unit] = result.is_here[arrival.unit] | is_in[i];
  }
  return result;
}

/// All threads of the warp have exited.
Bits MixedCounts::has_exited(std::size_t warp) const {
  Bits result = Bits::boolean(true);
  for (const int thread : warps_[warp]) result = result & ptxmc::has_exited(structure_, thread);
  return result;
}

/// Each warp has an arrival among these.
Bits MixedCounts::all_are_here(const Part& part) const {
  Bits result = Bits::boolean(true);
  for (std::size_t warp = 0; warp < warps_.size(); ++warp)
    if (!warps_[warp].empty()) result = result & part.is_here[warp];
  return result;
}

/// Each warp has an arrival among these, or has exited.
Bits MixedCounts::all_have_come(const Part& part) const {
  Bits result = Bits::boolean(true);
  for (std::size_t warp = 0; warp < warps_.size(); ++warp)
    if (!warps_[warp].empty()) result = result & (part.is_here[warp] | has_exited(warp));
  return result;
}

/// Whether arrivals with this count are a complete phase.
Bits MixedCounts::is_complete(const Part& part, const Bits& count) const {
  const Bits by_count = equal(part.threads, count);
  return ite(part.names_all, ite(part.names_count, all_are_here(part) & by_count, all_have_come(part)),
             by_count);
}

/// A warp that has exited, so that a phase is complete without it, has arrived in earlier phases only.
void MixedCounts::constrain_complete(std::size_t number, BarrierPhases& phases) const {
  const CountedArrival& own = arrivals_[number];
  std::vector<Bits> meets;
  for (const CountedArrival& other : arrivals_) {
    meets.push_back(own.complete & other.complete & equal(own.phase, other.phase));
    phases.constraints.push_back(implies(meets.back(), use_one_count(own, other)));
  }
  const Part phase = part(meets);
  phases.constraints.push_back(implies(own.complete, is_complete(phase, own.count)));
  const Bits awaits_all = own.complete & own.names_all & ~phase.names_count;
  for (std::size_t i = 0; i < arrivals_.size(); ++i) {
    const CountedArrival& other = arrivals_[i];
    const Bits is_later = left_[i] | (other.complete & less_unsigned(own.phase, other.phase));
    phases.constraints.push_back(implies(awaits_all & is_later, phase.is_here[other.unit]));
  }
  for (std::size_t warp = 0; warp < warps_.size(); ++warp)
    for (const int thread : warps_[warp])
      for (const auto& [place, holds, _] : own.members)
        if (warp != own.unit &&
            waits_at_barrier(structure_.events[static_cast<std::size_t>(meeting_[place])]))
          phases.exits.push_back({meeting_[place], thread, holds & awaits_all & ~phase.is_here[warp]});
}

// --- Arrivals without a complete phase --------------------------------------------------------------------

/// Chooses a misuse by an arrival: the arrivals before it have one count and do not fill a phase. It has
/// another count, or fills a phase of arrivals with and without a count from which a warp is missing.
void MixedCounts::choose_misuse(BarrierPhases& phases) {
  const auto add = [&](const Bits& condition) { phases.constraints.push_back(condition); };
  std::vector<Bits> is_in;
  for (std::size_t i = 0; i < arrivals_.size(); ++i) is_in.push_back(is_before_[i] | misuses_[i]);
  const Part before = part(is_before_), with_last = part(is_in);
  const Bits is_misused = any_of(misuses_), some_before = any_of(is_before_);
  const Bits lacks_warp = with_last.names_all & with_last.names_count & ~all_are_here(with_last);
  for (std::size_t i = 0; i < arrivals_.size(); ++i) {
    const CountedArrival& own = arrivals_[i];
    const Bits fills = lacks_warp & equal(with_last.threads, own.count);
    add(implies(is_before_[i], left_[i] & ~misuses_[i] & ~own.has_several_counts & is_misused &
                                   less_unsigned(before.threads, own.count)));
    add(implies(misuses_[i], left_[i] & (own.has_several_counts | some_before)));
    for (std::size_t k = 0; k < arrivals_.size(); ++k) {
      if (i == k) continue;
      TimeLimit::check();  // a pair of arrivals has a condition for each pair of its threads
      const Bits one_count = use_one_count(own, arrivals_[k]);
      add(implies(is_before_[i] & is_before_[k], one_count));
      add(implies(is_before_[i] & misuses_[k], ~one_count | fills));
      if (k > i) add(~(misuses_[i] & misuses_[k]));
      add_order(i, k, is_before_[i] & misuses_[k], phases);
      add_order(i, k, misuses_[i] & left_[k] & ~is_before_[k], phases);
    }
  }
}

/// Without such a misuse, the arrivals use one count and do not fill a phase. Arrivals with and without a
/// count misuse their phase if a warp exits instead of arriving.
void MixedCounts::constrain_left(BarrierPhases& phases) {
  const Part left = part(left_);
  const Bits some_await_all = left.names_all & ~left.names_count;
  Bits use_one = Bits::boolean(true), all_wait = Bits::boolean(true);
  for (std::size_t i = 0; i < arrivals_.size(); ++i) {
    const CountedArrival& own = arrivals_[i];
    TimeLimit::check();
    for (std::size_t k = 0; k <= i; ++k)
      use_one = use_one & implies(left_[i] & left_[k], use_one_count(own, arrivals_[k]));
    const Bits is_short = ite(some_await_all, ~all_have_come(left), less_unsigned(left.threads, own.count));
    all_wait = all_wait & implies(left_[i], is_short);
  }
  const Bits is_misused = any_of(misuses_);
  phases.constraints.push_back(is_misused | (use_one & all_wait));
  Bits lacks_warp = Bits::boolean(false);
  for (std::size_t warp = 0; warp < warps_.size(); ++warp)
    if (!warps_[warp].empty()) lacks_warp = lacks_warp | (has_exited(warp) & ~left.is_here[warp]);
  lacks_warp = lacks_warp & ~is_misused & left.names_all & left.names_count;
  std::vector<Bits> misused;
  for (std::size_t i = 0; i < arrivals_.size(); ++i)
    misused.push_back(is_before_[i] | misuses_[i] | (lacks_warp & left_[i]));
  add_misused(misused, phases);
}

void MixedCounts::add_misused(std::span<const Bits> is_misused, BarrierPhases& phases) const {
  for (std::size_t i = 0; i < arrivals_.size(); ++i)
    for (std::size_t k = i; k < arrivals_.size(); ++k) {
      TimeLimit::check();
      for (const auto& [own, holds, _] : arrivals_[i].members)
        for (const auto& [other, other_holds, __] : arrivals_[k].members)
          if (i != k || own < other)
            if (const Bits when = is_misused[i] & is_misused[k] & holds & other_holds; !when.is_false())
              phases.misused.push_back(
                  {std::min(meeting_[own], meeting_[other]), std::max(meeting_[own], meeting_[other]), when});
    }
}

/// The arrival of a warp happens with its last thread.
void MixedCounts::add_order(std::size_t from, std::size_t to, const Bits& when, BarrierPhases& phases) const {
  for (const auto& [first, holds, _] : arrivals_[from].members)
    for (const auto& [second, other_holds, comes_last] : arrivals_[to].members)
      if (const Bits order = when & holds & other_holds & comes_last; !order.is_false())
        phases.order.push_back({meeting_[first], meeting_[second], order});
}

}  // namespace ptxmc
