#include "solver/threads/uniform_barriers.hpp"

#include <algorithm>
#include <vector>

#include "solver/threads/group_facts.hpp"

namespace ptxmc {

namespace {

/// Whether a pair of threads never satisfies the condition. The launches of any size in which a pair may do
/// so become candidates.
bool is_excluded(OpenQuestions& questions, OpenSuspects& suspects, Neighbours relation, const Bits& condition,
                 const SourcePosition& where) {
  if (questions.thread().open_sizes.empty()) return questions.never(relation, condition);
  return suspects.are_excluded(relation, {{LaunchProperty::divergence, condition, where.line}});
}

/// Whether each thread of the warp executes what another one does.
bool is_uniform_in_warp(OpenQuestions& questions, OpenSuspects& suspects, const Bits& condition,
                        const Bits& takes_part, const SourcePosition& where) {
  if (condition.is_true()) return true;
  ThreadPair* const pair = questions.pair(Neighbours::in_warp);
  return pair == nullptr || is_excluded(questions, suspects, Neighbours::in_warp,
                                        condition & pair->other(~condition & takes_part), where);
}

bool is_warp_barrier(const Event& event) {
  return event.kind == EventKind::barrier && event.barrier.group == Barrier::Group::warp;
}

bool is_member(std::uint32_t members, unsigned lane) { return (members >> lane & 1) != 0; }

/// Whether the lane of the thread is among the members, width 1.
Bits is_among(std::uint32_t members, const Bits& number) {
  const Bits lane = number & Bits(32, lanes_per_warp - 1);
  Bits result = Bits::boolean(false);
  for (unsigned i = 0; i < lanes_per_warp; ++i)
    if (is_member(members, i)) result = result | equal(lane, Bits(32, i));
  return members == 0xffff'ffff ? Bits::boolean(true) : result;
}

/// Whether a thread that does not execute a barrier of its CTA executes no later one.
bool are_first_ones(OpenQuestions& questions, OpenSuspects& suspects,
                    const std::vector<const Event*>& barriers) {
  ThreadPair* const pair = questions.pair(Neighbours::in_cta);
  if (pair == nullptr) return true;
  Bits later = Bits::boolean(false);
  for (auto barrier = barriers.rbegin(); barrier != barriers.rend(); ++barrier) {
    const Bits& condition = (*barrier)->condition;
    const Bits without = condition & pair->other(~condition & later);
    if (!is_excluded(questions, suspects, Neighbours::in_cta, without, (*barrier)->instruction->where))
      return false;
    later = later | condition;
  }
  return true;
}

/// Whether a thread that does not execute a barrier of its CTA, which another thread of its warp executes,
/// does not wait for the warp afterwards.
bool are_last_of_warp(OpenQuestions& questions, OpenSuspects& suspects,
                      const std::vector<const Event*>& barriers) {
  ThreadPair* const pair = questions.pair(Neighbours::in_warp);
  if (pair == nullptr) return true;
  for (const Event* barrier : barriers) {
    Bits waits = Bits::boolean(false);
    for (const Event& event : questions.thread().structure.events)
      if (is_warp_barrier(event) && event.step > barrier->step) waits = waits | event.condition;
    for (const OpenExchange& exchange : questions.thread().exchanges)
      if (exchange.step > barrier->step) waits = waits | exchange.condition;
    for (const GroupExchange& exchange : questions.thread().group_exchanges)
      if (exchange.step > barrier->step) waits = waits | exchange.condition;
    const Bits without = barrier->condition & pair->other(~barrier->condition & waits);
    if (!is_excluded(questions, suspects, Neighbours::in_warp, without, barrier->instruction->where))
      return false;
  }
  return true;
}

/// Whether each lane of a group executes the exchanges with the mask of the group that another lane executes.
bool are_groups_uniform(OpenQuestions& questions, OpenSuspects& suspects) {
  ThreadPair* const pair = questions.pair(Neighbours::in_warp);
  for (const GroupExchange& exchange : questions.thread().group_exchanges) {
    const OpenGroup& group = questions.thread().groups[exchange.group];
    if (!questions.never(exchange.condition & ~group.condition)) return false;
    if (pair == nullptr) continue;
    const Bits without = exchange.condition & are_in_group(group, *pair) & pair->other(~exchange.condition);
    if (!is_excluded(questions, suspects, Neighbours::in_warp, without, exchange.where)) return false;
  }
  return true;
}

/// Whether the threads of a CTA that enter a loop with barriers leave it in the same iteration.
bool are_in_lockstep(OpenQuestions& questions) {
  ThreadPair* const pair = questions.pair(Neighbours::in_cta);
  if (pair == nullptr) return true;
  return std::ranges::all_of(questions.thread().skipped, [&](const SkippedIterations& skipped) {
    return skipped.pass_barriers.is_false() ||
           questions.never(Neighbours::in_cta,
                           skipped.goes_on & pair->other(skipped.is_reached & ~skipped.goes_on));
  });
}

}  // namespace

bool are_meetings_uniform(OpenQuestions& questions, OpenSuspects& suspects) {
  const Bits all = Bits::boolean(true);
  std::vector<const Event*> of_cta, not_aligned;
  for (const Event& event : questions.thread().structure.events) {
    if (event.kind != EventKind::barrier || event.condition.is_false()) continue;
    const bool is_for_warp = event.barrier.aligned || is_warp_barrier(event);
    if (!is_warp_barrier(event)) of_cta.push_back(&event);
    if (!is_for_warp) not_aligned.push_back(&event);
    if (is_for_warp &&
        !is_uniform_in_warp(questions, suspects, event.condition, all, event.instruction->where))
      return false;
  }
  for (const OpenExchange& exchange : questions.thread().exchanges) {
    const Bits takes_part = is_among(exchange.members, questions.thread().number);
    if (!is_uniform_in_warp(questions, suspects, exchange.condition, takes_part, exchange.where))
      return false;
  }
  return are_groups_uniform(questions, suspects) && are_first_ones(questions, suspects, of_cta) &&
         are_last_of_warp(questions, suspects, not_aligned) && are_in_lockstep(questions);
}

}  // namespace ptxmc
