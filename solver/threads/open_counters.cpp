#include "solver/threads/open_counters.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "solver/threads/counter_additions.hpp"

namespace ptxmc {

namespace {

/// The amounts of the additions; empty if they are not positive constants of at most 64 bits.
std::vector<std::uint64_t> positive_amounts(const Additions& additions) {
  std::vector<std::uint64_t> result;
  for (const Addition& one : additions) {
    if (!one.amount.is_constant() || one.amount.width() > 64 || one.amount.to_s64() <= 0) return {};
    result.push_back(one.amount.to_u64());
  }
  return result;
}

/// The places to which threads add positive constants.
std::map<std::uint64_t, Additions> counters(const OpenThread& thread) {
  std::map<std::uint64_t, Additions> result = additions_by_place(thread);
  std::erase_if(result, [](const auto& place) { return positive_amounts(place.second).empty(); });
  return result;
}

/// The sum of all additions by one thread, modulo 2^64.
std::uint64_t amount_of_thread(const Additions& additions) {
  std::uint64_t sum = 0;
  for (const std::uint64_t amount : positive_amounts(additions)) sum += amount;
  return sum;
}

/// The largest sum of all additions by all threads; empty if it may not fit into the counter.
std::optional<std::uint64_t> sum_of(const OpenThread& thread, const Additions& additions) {
  __extension__ using Wide = unsigned __int128;
  const unsigned width = additions.front().read->value.width();
  Wide sum = 0;
  for (const std::uint64_t amount : positive_amounts(additions)) sum += Wide{amount} * thread.most_threads;
  if (sum >> (width - 1) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(sum);
}

/// Whether values from this one on differ in their lowest bytes alone. PTX ISA 8.7 § 8.10.3 says nothing
/// about weak accesses, so their bytes may come from several writes.
bool are_whole(const Bits& first, std::uint64_t most) {
  return first.is_constant() && most <= 0xff - (first.to_u64() & 0xff);
}

void assume_different(OpenQuestions& questions, Neighbours relation, const Additions& additions) {
  ThreadPair* const pair = questions.pair(relation);
  if (pair == nullptr) return;
  for (const Addition& own : additions)
    for (const Addition& other : additions)
      questions.assume(relation, implies(own.read->condition & pair->other(other.read->condition),
                                         ~equal(own.read->value, pair->other(other.read->value))));
}

}  // namespace

void assume_counters(OpenQuestions& questions) {
  const OpenThread& thread = questions.thread();
  using enum Neighbours;
  for (const auto& [location, additions] : counters(thread)) {
    const auto sum = sum_of(thread, additions);
    if (!sum) continue;
    for (const auto& [read, amount, is_atomic] : additions) {
      const auto initial = thread.initial_values.find({location, read->size});
      if (initial == thread.initial_values.end()) continue;
      if (!are_atomic(additions) && !are_whole(initial->second, *sum - amount.to_u64())) continue;
      const Bits most =
          (thread.all_threads * Bits(64, amount_of_thread(additions)) - Bits(64, amount.to_u64()))
              .resize_unsigned(read->value.width());
      questions.assume(implies(read->condition, less_equal_unsigned(read->value - initial->second, most)));
    }
    if (!are_atomic(additions)) continue;
    for (const Neighbours relation : {in_warp, across_warps, in_cta, across_ctas})
      assume_different(questions, relation, additions);
  }
}

namespace {

/// The number of threads of a CTA that may satisfy a condition, whatever its other unknowns are.
std::uint64_t threads_with(const OpenThread& thread, const Bits& condition) {
  std::uint64_t count = 0;
  for (std::uint64_t number = 0; number < thread.threads_of_cta; ++number)
    if (!position_in_cta(thread, number).apply(condition).is_false()) ++count;
  return count;
}

}  // namespace

std::vector<FullCounter> counters_with_last_addition(const OpenThread& thread) {
  std::vector<FullCounter> result;
  if (thread.has_open_block || thread.has_open_grid) return result;  // the last value is not a constant
  for (const auto& [location, additions] : counters(thread)) {
    if (additions.size() != 1 || !are_atomic(additions) || !sum_of(thread, additions)) continue;
    const auto& [read, amount, is_atomic] = additions.front();
    const auto initial = thread.initial_values.find({location, read->size});
    if (initial == thread.initial_values.end()) continue;
    const std::uint64_t all = thread.ctas * threads_with(thread, read->condition);
    if (all == 0) continue;
    const Bits before(read->value.width(), amount.to_u64() * (all - 1));
    result.push_back({read, read, equal(read->value, initial->second + before)});
  }
  return result;
}

}  // namespace ptxmc
