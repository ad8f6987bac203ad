#include "solver/threads/open_counters.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace ptxmc {

namespace {

/// A write to a counter: of the value that the thread has read from it, plus a constant.
struct Addition {
  const Event* read = nullptr;
  std::uint64_t amount = 0;
  bool is_atomic = false;  ///< morally strong with all others of its kind
};

using Additions = std::vector<Addition>;

/// The read with this result; null if there is none.
const Event* read_of(const OpenThread& thread, VariableId result) {
  for (const Event& event : thread.structure.events)
    if (event.is_read() && !event.value.is_constant() && event.value.term()->op == Operator::variable &&
        event.value.term()->variable == result)
      return &event;
  return nullptr;
}

/// Whether the halves of one operation read and write, seen by all threads.
bool is_atomic(const OpenThread& thread, const Event& read, const Event& write) {
  const Scope least = thread.ctas == 1 ? Scope::cta : Scope::gpu;
  return write.rmw >= 0 && &thread.structure.events[static_cast<std::size_t>(write.rmw)] == &read &&
         write.combines == Combination::add && write.access.sem != Sem::weak && write.access.scope >= least;
}

/// The addition that a write performs, if it is one that can count.
std::optional<Addition> addition(const OpenThread& thread, const Event& write) {
  if (!write.location.is_constant() || write.value.is_constant() || write.access.proxy != Proxy::generic)
    return std::nullopt;
  const auto unknowns = variables_of(write.value);
  const Event* const read = unknowns.size() == 1 ? read_of(thread, *unknowns.begin()) : nullptr;
  if (read == nullptr || read->size != write.size || read->access.proxy != Proxy::generic ||
      !identical(read->location, write.location))
    return std::nullopt;
  Substitution zero;
  zero.set(*unknowns.begin(), Bits(read->value.width(), 0));
  const Bits amount = zero.apply(write.value);
  if (!amount.is_constant() || amount.width() > 64 || amount.to_s64() <= 0 ||
      !identical(write.value, read->value + amount))
    return std::nullopt;
  return Addition{read, amount.to_u64(), is_atomic(thread, *read, write)};
}

bool are_atomic(const Additions& additions) { return std::ranges::all_of(additions, &Addition::is_atomic); }

/// The counters, by location: no other write may touch them.
std::map<std::uint64_t, Additions> counters(const OpenThread& thread) {
  std::map<std::uint64_t, Additions> result;
  for (const Event& event : thread.structure.events)
    if (event.is_write())
      if (const auto found = addition(thread, event)) result[event.location.to_u64()].push_back(*found);
  std::erase_if(result, [&](const auto& counter) {
    const unsigned size = counter.second.front().read->size;
    for (const Event& event : thread.structure.events) {
      if (!event.is_write() || event.condition.is_false() || !event.may_touch(counter.first, size)) continue;
      const bool is_here = event.location.is_constant() && event.location.to_u64() == counter.first;
      if (!is_here || event.size != size || !addition(thread, event)) return true;
    }
    return false;
  });
  return result;
}

/// The sum of all additions by one thread, modulo 2^64.
std::uint64_t amount_of_thread(const Additions& additions) {
  std::uint64_t sum = 0;
  for (const Addition& one : additions) sum += one.amount;
  return sum;
}

/// The largest sum of all additions by all threads; empty if it may not fit into the counter.
std::optional<std::uint64_t> sum_of(const OpenThread& thread, const Additions& additions) {
  __extension__ using Wide = unsigned __int128;
  const unsigned width = additions.front().read->value.width();
  Wide sum = 0;
  for (const Addition& one : additions) sum += Wide{one.amount} * thread.most_threads;
  if (sum >> (width - 1) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(sum);
}

bool is_global(const OpenThread& thread, std::uint64_t location) {
  for (const OpenMemory& memory : thread.memory)
    if (location - memory.first < memory.size) return !memory.is_shared;
  return false;
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
    if (!sum || !is_global(thread, location)) continue;
    for (const auto& [read, amount, is_atomic] : additions) {
      const auto initial = thread.initial_values.find({location, read->size});
      if (initial == thread.initial_values.end()) continue;
      if (!are_atomic(additions) && !are_whole(initial->second, *sum - amount)) continue;
      const Bits most = (thread.all_threads * Bits(64, amount_of_thread(additions)) - Bits(64, amount))
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

std::vector<CountingAddition> counting_additions(const OpenThread& thread) {
  std::vector<CountingAddition> result;
  if (thread.has_open_block || thread.has_open_grid) return result;  // the last value is not a constant
  for (const auto& [location, additions] : counters(thread)) {
    if (additions.size() != 1 || !are_atomic(additions) || !sum_of(thread, additions) ||
        !is_global(thread, location))
      continue;
    const auto& [read, amount, is_atomic] = additions.front();
    const auto initial = thread.initial_values.find({location, read->size});
    if (initial == thread.initial_values.end()) continue;
    const std::uint64_t all = thread.ctas * threads_with(thread, read->condition);
    if (all == 0) continue;
    const Bits before(read->value.width(), amount * (all - 1));
    result.push_back({read, equal(read->value, initial->second + before)});
  }
  return result;
}

}  // namespace ptxmc
