#include "solver/threads/group_facts.hpp"

#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

Bits lane_of(const OpenThread& thread) { return thread.number & Bits(32, lanes_per_warp - 1); }

Bits has_lane(const Bits& mask, const Bits& lane) { return shift_right_unsigned(mask, lane).bit(0); }

Bits are_in_group(const OpenGroup& group, ThreadPair& pair) {
  return group.condition & pair.other(group.condition) & equal(group.mask, pair.other(group.mask)) &
         has_lane(group.mask, pair.other(lane_of(pair.thread())));
}

namespace {

/// The lanes of the warp of the thread: the last warp of a CTA may have fewer than 32.
Bits lanes_of_warp(const OpenThread& thread) {
  const Bits first = (thread.number & ~Bits(32, lanes_per_warp - 1)).zero_extend(64),
             count = thread.threads_in_cta - first, most(64, lanes_per_warp);
  return ite(less_equal_unsigned(most, count), Bits(lanes_per_warp, all_lanes),
             low_ones(count.extract(0, lanes_per_warp)));
}

}  // namespace

void assume_groups(OpenQuestions& questions) {
  const OpenThread& thread = questions.thread();
  const Bits lane = lane_of(thread);
  for (const OpenGroup& group : thread.groups) {
    const Bits is_mask = has_lane(group.mask, lane) & is_zero(group.mask & ~lanes_of_warp(thread));
    questions.assume(implies(group.condition, is_mask));
    ThreadPair* const pair = questions.pair(Neighbours::in_warp);
    if (pair == nullptr) continue;
    const Bits mask = group.mask, other = pair->other(mask), condition = pair->other(group.condition);
    const Bits has_other = has_lane(mask, pair->other(lane)), has_own = has_lane(other, lane);
    questions.assume(Neighbours::in_warp,
                     implies(group.condition & has_other, condition & equal(mask, other)) &
                         implies(condition & has_own, group.condition & equal(mask, other)) &
                         implies(group.condition & condition & ~has_other, is_zero(mask & other)));
  }
}

Bits definition(const OpenThread& thread, const GroupExchange& exchange) {
  Bits result = Bits::boolean(true);
  for (std::size_t i = 0; i < exchange.results.size(); ++i)
    result = result & equal(exchange.results[i], exchange.rules[i]);
  const Bits lane = lane_of(thread);
  for (unsigned i = 0; i < lanes_per_warp; ++i)
    result = result & implies(equal(lane, Bits(32, i)), equal(exchange.of_lane[i], exchange.given));
  return implies(exchange.condition, result);
}

Bits definition(const OpenThread& thread, const GroupExchange& exchange, ThreadPair& pair) {
  Bits result = Bits::boolean(true);
  for (const Bits& value : exchange.of_lane) result = result & equal(value, pair.other(value));
  const Bits both = exchange.condition & pair.other(exchange.condition);
  const Bits own = definition(thread, exchange);
  return own & pair.other(own) & implies(both & are_in_group(thread.groups[exchange.group], pair), result);
}

}  // namespace ptxmc
