#include "solver/meetings/divergence.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "model/program/misuses.hpp"
#include "model/program/program_order.hpp"
#include "solver/algebra/conjuncts.hpp"
#include "solver/algebra/simplify_under.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/barrier_phases.hpp"

namespace ptxmc {

namespace {

/// An aligned barrier, and the number of aligned barriers that the thread has executed before.
struct Step {
  EventId barrier;
  Bits before;  // under the condition of the barrier
  ObjectUse use;
};

/// Line and column of the instruction in the source.
using Place = std::pair<std::uint32_t, std::uint32_t>;

/// The aligned barriers of the threads of one warp.
class WarpSteps {
 public:
  WarpSteps(const EventStructure& structure, const std::vector<int>& threads,
            const std::vector<std::vector<EventId>>& barriers)
      : structure_(structure), threads_(threads) {
    std::size_t most = 0;
    for (const int thread : threads) most = std::max(most, barriers[thread].size());
    width_ = std::bit_width(most) + 1U;
    for (const int thread : threads) count_steps(barriers[thread]);
    for (const auto& steps : steps_)
      for (const Step& step : steps) {
        const bool is_known = step.before.is_constant();
        const std::size_t first = is_known ? step.before.to_u64() : 0, end = is_known ? first + 1 : most;
        for (std::size_t n = first; n < end; ++n) {
          const Place place = {step.use.where.line, step.use.where.column};
          Turn& turn = at_.try_emplace({n, place}, Turn{step.use, Bits::boolean(false)}).first->second;
          turn.is_there = turn.is_there | (event(step).condition & equal(step.before, Bits(width_, n)));
        }
      }
  }

  void append_to(std::vector<Divergence>& result) const {
    for (const auto& steps : steps_)
      for (const Step& step : steps)
        result.push_back(
            {step.barrier, event(step).condition & elsewhere(step), without(step), others(step)});
  }

 private:
  const Event& event(const Step& step) const { return structure_.events[step.barrier]; }

  void count_steps(const std::vector<EventId>& barriers) {
    Bits count(width_, 0);
    auto& steps = steps_.emplace_back();
    for (const EventId barrier : barriers) {
      const Event& own = structure_.events[barrier];
      const bool follows_latest =
          !steps.empty() && certainly_implies(own.condition, event(steps.back()).condition);
      const Bits before = follows_latest ? steps.back().before + Bits(width_, 1) : count;
      steps.push_back({barrier, before, use_of(own)});
      count = count + own.condition.zero_extend(width_);
    }
    counts_.push_back(count);
  }

  Bits elsewhere(const Step& step) const {
    Bits result = Bits::boolean(false);
    const bool is_known = step.before.is_constant();
    const auto first = is_known ? at_.lower_bound({step.before.to_u64(), Place()}) : at_.begin();
    const auto end = is_known ? at_.lower_bound({step.before.to_u64() + 1, Place()}) : at_.end();
    for (auto turn = first; turn != end; ++turn)
      if (misuse(UsePair::aligned_turn, step.use, &turn->second.use))
        result = result | (turn->second.is_there & equal(step.before, Bits(width_, turn->first.first)));
    return result;
  }

  std::vector<Divergence::Other> others(const Step& own) const {
    std::vector<Divergence::Other> result;
    if ((event(own).condition & elsewhere(own)).is_false()) return result;
    for (const auto& steps : steps_)
      for (const Step& step : steps)
        if (const Bits when = event(step).condition & equal(step.before, own.before);
            !when.is_false() && misuse(UsePair::aligned_turn, own.use, &step.use))
          result.push_back({step.barrier, when});
    return result;
  }

  Bits without(const Step& step) const {
    Bits result = Bits::boolean(false);
    if (!misuse(UsePair::aligned_turn, step.use, nullptr)) return result;
    for (std::size_t i = 0; i < threads_.size(); ++i)
      for (const Ending& ending : structure_.endings[threads_[i]])
        if (ending.kind == Ending::Kind::completed)
          result = result | (ending.condition & less_equal_unsigned(counts_[i], step.before));
    return event(step).condition & result;
  }

  const EventStructure& structure_;
  const std::vector<int>& threads_;
  unsigned width_ = 1;
  std::vector<std::vector<Step>> steps_;  // by thread of the warp
  std::vector<Bits> counts_;  // by thread of the warp: the number of aligned barriers that it executes
  struct Turn {
    ObjectUse use;
    Bits is_there;  // width 1: some thread executes this instruction as its n-th aligned barrier
  };
  std::map<std::pair<std::size_t, Place>, Turn> at_;  // by n and instruction
};

/// The barriers of the CTA that the threads of one warp execute, and the pairs of them that must not be one
/// arrival of the warp.
class MixedArrivals {
 public:
  MixedArrivals(const EventStructure& structure, std::vector<EventId> barriers)
      : structure_(structure), barriers_(std::move(barriers)) {
    for (const EventId barrier : barriers_) form_of_.push_back(form_of(use_of(structure.events[barrier])));
    for (const ObjectUse& own : forms_)
      for (const ObjectUse& other : forms_)
        is_misuse_.push_back(misuse(UsePair::warp_arrival, own, &other).has_value());
    if (!are_possible()) return;
    for (const EventId barrier : barriers_) numbers_.push_back(number_of(barrier));
  }

  /// Whether there are two barriers of such forms.
  bool are_possible() const { return std::ranges::find(is_misuse_, true) != is_misuse_.end(); }

  /// The events with which other threads take part in the same arrival of the warp as with the i-th barrier,
  /// and must not.
  std::vector<Divergence::Other> others(std::size_t i) const {
    std::vector<Divergence::Other> result;
    for (std::size_t k = 0; k < barriers_.size(); ++k) {
      if (event(k).thread == event(i).thread || !is_misuse_[form_of_[i] * forms_.size() + form_of_[k]])
        continue;
      const Bits are_together =
          equal(event(k).barrier.id, event(i).barrier.id) & equal(numbers_[k], numbers_[i]);
      if (!are_together.is_false()) result.push_back({barriers_[k], event(k).condition & are_together});
    }
    return result;
  }

 private:
  const Event& event(std::size_t i) const { return structure_.events[barriers_[i]]; }

  /// The index of the form of instruction in `forms_`.
  std::size_t form_of(const ObjectUse& use) {
    const auto found = std::ranges::find_if(forms_, [&](const ObjectUse& form) {
      return form.kind == use.kind && form.is_aligned == use.is_aligned && form.has_count == use.has_count;
    });
    const auto number = static_cast<std::size_t>(found - forms_.begin());
    if (found == forms_.end()) forms_.push_back(use);
    return number;
  }

  /// The number of earlier arrivals of the thread at this barrier, under the condition of the event.
  Bits number_of(EventId barrier) const {
    const Event& own = structure_.events[barrier];
    Bits number(32, 0);
    for (const EventId other : barriers_) {
      const Event& before = structure_.events[other];
      if (is_earlier_instruction(before, own))
        number = number +
                 (simplify_under(own.condition, before.condition) & equal(before.barrier.id, own.barrier.id))
                     .zero_extend(32);
    }
    return number;
  }

  const EventStructure& structure_;
  const std::vector<EventId> barriers_;
  std::vector<ObjectUse> forms_;
  std::vector<std::size_t> form_of_;  // by barrier
  std::vector<bool> is_misuse_;       // by pair of forms
  std::vector<Bits> numbers_;         // by barrier
};

/// Adds the case that a warp arrives at a barrier with threads at instructions that exclude each other.
void add_mixed_arrivals(const EventStructure& structure, std::vector<EventId> barriers,
                        std::vector<Divergence>& result) {
  const MixedArrivals arrivals(structure, barriers);
  if (!arrivals.are_possible()) return;
  for (std::size_t i = 0; i < barriers.size(); ++i) {
    const std::vector<Divergence::Other> others = arrivals.others(i);
    Bits elsewhere = Bits::boolean(false);
    for (const Divergence::Other& other : others) elsewhere = elsewhere | other.when;
    elsewhere = structure.events[barriers[i]].condition & elsewhere;
    if (elsewhere.is_false()) continue;
    auto found = std::ranges::find(result, barriers[i], &Divergence::barrier);
    if (found == result.end())
      found = result.insert(found, {barriers[i], Bits::boolean(false), Bits::boolean(false), {}});
    found->elsewhere = found->elsewhere | elsewhere;
    std::ranges::copy(others, std::back_inserter(found->others));
  }
}

bool is_barrier_of_cta(const Event& event) {
  return event.kind == EventKind::barrier && event.barrier.group == Barrier::Group::cta;
}

}  // namespace

std::vector<Divergence> divergences(const EventStructure& structure) {
  std::vector<Divergence> result;
  std::vector<std::vector<EventId>> aligned(structure.program->threads.size()), of_cta(aligned.size());
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = structure.events[id];
    if (is_aligned_barrier(event)) aligned[event.thread].push_back(id);
    if (is_barrier_of_cta(event)) of_cta[event.thread].push_back(id);
  }
  for (const auto& threads : threads_of_warps(*structure.program)) {
    WarpSteps(structure, threads, aligned).append_to(result);
    std::vector<EventId> of_warp;
    for (const int thread : threads)
      of_warp.insert(of_warp.end(), of_cta[thread].begin(), of_cta[thread].end());
    add_mixed_arrivals(structure, std::move(of_warp), result);
  }
  return result;
}

DivergentBarriers divergent_barriers_by_event(const EventStructure& structure) {
  DivergentBarriers result;
  if (structure.program->arrivals == Arrivals::by_thread) return result;
  result.resize(structure.events.size());
  for (Divergence& divergence : divergences(structure))
    result[static_cast<std::size_t>(divergence.barrier)] = std::move(divergence.others);
  return result;
}

PhaseDivergence::PhaseDivergence(const EventStructure& structure, std::span<const PhaseMember> members)
    : structure_(structure) {
  for (const PhaseMember& member : members)
    members_[structure.events[member.arrival].thread].push_back(member);
  for (auto& of_thread : members_) exclude_later_arrivals(of_thread.second);
}

/// A thread that waits for the end of the phase does not arrive again before.
void PhaseDivergence::exclude_later_arrivals(std::vector<PhaseMember>& of_thread) const {
  const auto event = [&](const PhaseMember& member) -> const Event& {
    return structure_.events[static_cast<std::size_t>(member.arrival)];
  };
  std::ranges::sort(of_thread, {}, [&](const PhaseMember& member) { return event(member).step; });
  Bits waits = Bits::boolean(false);
  for (PhaseMember& member : of_thread) {
    const Bits holds = member.holds;
    member.holds = holds & ~waits;
    if (waits_at_barrier(event(member))) waits = waits | holds;
  }
}

Bits PhaseDivergence::of(std::span<const Divergence::Other> others) {
  Bits result = Bits::boolean(false);
  for (const auto& [barrier, when] : others) {
    TimeLimit::check();
    const auto [known, is_new] = stops_.try_emplace(barrier);
    if (is_new) known->second = stops(barrier);
    result = result | (when & known->second);
  }
  return result;
}

Bits PhaseDivergence::stops(EventId barrier) const {
  const Event& other = structure_.events[barrier];
  Bits arrives = Bits::boolean(false), arrives_after = Bits::boolean(false);
  if (const auto own = members_.find(other.thread); own != members_.end())
    for (const auto& [arrival, holds] : own->second) {
      arrives = arrives | holds;
      if (arrival == barrier || is_earlier_instruction(other, structure_.events[arrival]))
        arrives_after = arrives_after | holds;
    }
  return arrives_after | (~arrives & has_exited(structure_, other.thread));
}

}  // namespace ptxmc
