#include "solver/threads/open_counters.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "semantics/values/arithmetic.hpp"
#include "solver/threads/group_leader.hpp"
#include "solver/threads/thread_limits.hpp"

namespace ptxmc {

namespace {

/// The number of lanes of a group.
Bits size_of(const OpenThread& thread, const OpenGroup& group) {
  for (const BitCount& count : thread.counts)
    if (identical(count.value, group.mask)) return count.count;
  return population_count(group.mask);
}

/// Whether the amount is a positive constant of at most 64 bits, or perhaps one for a group of lanes.
bool may_count(const Addition& addition) {
  if (addition.amount.width() > 64) return false;
  return addition.amount.is_constant() ? addition.amount.to_s64() > 0
                                       : addition.group != nullptr && addition.is_atomic;
}

/// The places to which threads add such amounts.
std::map<std::uint64_t, Additions> counters(const OpenThread& thread) {
  std::map<std::uint64_t, Additions> result = additions_by_place(thread);
  std::erase_if(result, [](const auto& place) { return !std::ranges::all_of(place.second, may_count); });
  return result;
}

/// The most that all additions of all threads with one place in the code add for each thread of the launch: a
/// group adds at most the number of its lanes.
std::uint64_t most_for_thread(const Addition& addition) {
  return addition.group != nullptr ? 1 : addition.amount.to_u64();
}

/// A limit of the sum of all additions by all threads, which is at most sum_of.
Bits most_of(OpenQuestions& questions, const Additions& additions) {
  Bits result(64, 0);
  for (const Addition& one : additions) {
    const Bits& condition = one.group != nullptr ? one.group->condition : one.read->condition;
    result = result + most_threads_with(questions, condition) * Bits(64, most_for_thread(one));
  }
  return result;
}

/// The largest sum of all additions by all threads; empty if it may not fit into the counter.
std::optional<std::uint64_t> sum_of(const OpenThread& thread, const Additions& additions) {
  __extension__ using Wide = unsigned __int128;
  const unsigned width = additions.front().read->value.width();
  Wide sum = 0;
  for (const Addition& one : additions) sum += Wide{most_for_thread(one)} * thread.most_threads;
  if (sum >> (width - 1) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(sum);
}

/// Whether values from this one on differ in their lowest bytes alone. PTX ISA 8.7 § 8.10.3 says nothing
/// about weak accesses, so their bytes may come from several writes.
bool are_whole(const Bits& first, std::uint64_t most) {
  return first.is_constant() && most <= 0xff - (first.to_u64() & 0xff);
}

void assume_within(OpenQuestions& questions, const Counter& counter, const Addition& one) {
  questions.assume(implies(one.read->condition, is_within(counter, one.read->value, one.amount)));
}

void assume_apart(OpenQuestions& questions, Neighbours relation, const Additions& additions) {
  ThreadPair* const pair = questions.pair(relation);
  if (pair == nullptr) return;
  for (const Addition& own : additions)
    for (const Addition& other : additions)
      questions.assume(relation,
                       implies(own.read->condition & pair->other(other.read->condition),
                               are_apart(own.read->value, own.amount, pair->other(other.read->value),
                                         pair->other(other.amount))));
}

/// Whether one lane of the group at most adds, and no more than the number of lanes.
bool is_for_group(OpenQuestions& questions, const Addition& addition) {
  const Bits& adds = addition.read->condition;
  const Bits lanes = size_of(questions.thread(), *addition.group).resize_unsigned(addition.amount.width());
  return leader_of(questions, *addition.group, adds).has_value() &&
         questions.never(adds & (is_zero(addition.amount) | less_unsigned(lanes, addition.amount)));
}

bool are_for_groups(OpenQuestions& questions, const Additions& additions) {
  return std::ranges::all_of(additions, [&](const Addition& addition) {
    return addition.group == nullptr || is_for_group(questions, addition);
  });
}

bool has_groups(const Additions& additions) {
  return std::ranges::any_of(additions, [](const Addition& one) { return one.group != nullptr; });
}

}  // namespace

Bits is_within(const Counter& counter, const Bits& value, const Bits& amount) {
  if (counter.initial.width() == 0) return Bits::boolean(true);
  const Bits wide = amount.zero_extend(64);
  return less_equal_unsigned(wide, counter.most) &
         less_equal_unsigned(value - counter.initial, (counter.most - wide).resize_unsigned(value.width()));
}

Bits are_apart(const Bits& value, const Bits& amount, const Bits& other_value, const Bits& other_amount) {
  const auto is_one = [](const Bits& number) { return number.is_constant() && number.to_u64() == 1; };
  if (is_one(amount) && is_one(other_amount)) return ~equal(value, other_value);
  return less_equal_unsigned(amount, other_value - value) &
         less_equal_unsigned(other_amount, value - other_value);
}

void assume_values(OpenQuestions& questions, const Counter& counter) {
  using enum Neighbours;
  for (const Addition& one : counter.additions) assume_within(questions, counter, one);
  for (const Neighbours relation : {in_warp, across_warps, in_cta, across_ctas})
    assume_apart(questions, relation, counter.additions);
}

std::vector<Counter> assume_counters(OpenQuestions& questions) {
  const OpenThread& thread = questions.thread();
  std::vector<Counter> result;
  for (auto& [location, additions] : counters(thread)) {
    const auto sum = sum_of(thread, additions);
    const bool is_atomic = are_atomic(additions);
    if (!sum) continue;
    if (has_groups(additions) && (!is_atomic || !are_for_groups(questions, additions))) continue;
    Counter counter{additions, {}, most_of(questions, additions)};
    const auto initial = thread.initial_values.find({location, additions.front().read->size});
    if (initial != thread.initial_values.end()) counter.initial = initial->second;
    if (is_atomic) {
      assume_values(questions, counter);
      result.push_back(std::move(counter));
    } else if (counter.initial.width() != 0) {
      for (const Addition& one : additions)
        if (are_whole(counter.initial, *sum - one.amount.to_u64())) assume_within(questions, counter, one);
    }
  }
  return result;
}

}  // namespace ptxmc
