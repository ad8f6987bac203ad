#include "solver/threads/counter_additions.hpp"

#include <algorithm>
#include <optional>

#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

/// The read of these bytes with one of these results; null if there is not just one.
const Event* read_with(const OpenThread& thread, const Event& write, const std::vector<VariableId>& results) {
  const Event* result = nullptr;
  for (const Event& event : thread.structure.events) {
    if (!event.is_read() || event.value.is_constant() || event.value.term()->op != Operator::variable ||
        event.size != write.size || !identical(event.location, write.location) ||
        !std::ranges::binary_search(results, event.value.term()->variable))
      continue;
    if (result != nullptr) return nullptr;
    result = &event;
  }
  return result;
}

/// Whether the halves of one operation read and write, seen by all threads.
bool is_atomic(const OpenThread& thread, const Event& read, const Event& write) {
  return write.rmw >= 0 && &thread.structure.events[static_cast<std::size_t>(write.rmw)] == &read &&
         write.combines == Combination::add && write.access.sem != Sem::weak &&
         write.access.scope >= scope_of_all(thread);
}

/// The group of whose mask the value is a function; null if there is none.
const OpenGroup* group_of(const OpenThread& thread, const Bits& value) {
  Substitution counted;
  for (const BitCount& count : thread.counts)
    counted.set(count.count.term()->variable, population_count(count.value).extract(0, 32));
  const auto unknowns = variables_of(counted.apply(value));
  for (const OpenGroup& group : thread.groups)
    if (unknowns == variables_of(group.mask)) return &group;
  return nullptr;
}

std::optional<Addition> addition(const OpenThread& thread, const Event& write) {
  if (!write.location.is_constant() || write.value.is_constant() || write.access.proxy != Proxy::generic)
    return std::nullopt;
  const Event* const read = read_with(thread, write, variables_of(write.value));
  if (read == nullptr || read->access.proxy != Proxy::generic) return std::nullopt;
  Substitution zero;
  zero.set(read->value.term()->variable, Bits(read->value.width(), 0));
  const Bits amount = zero.apply(write.value);
  if (!identical(write.value, read->value + amount)) return std::nullopt;
  return Addition{read, amount, is_atomic(thread, *read, write), group_of(thread, amount)};
}

bool is_global(const OpenThread& thread, std::uint64_t location) {
  for (const OpenMemory& memory : thread.memory)
    if (location - memory.first < memory.size) return !memory.is_shared;
  return false;
}

}  // namespace

std::map<std::uint64_t, Additions> additions_by_place(const OpenThread& thread) {
  std::map<std::uint64_t, Additions> result;
  for (const Event& event : thread.structure.events)
    if (event.is_write() && event.location.is_constant() && is_global(thread, event.location.to_u64()))
      if (const auto found = addition(thread, event)) result[event.location.to_u64()].push_back(*found);
  std::erase_if(result, [&](const auto& place) {
    const unsigned size = place.second.front().read->size;
    for (const Event& event : thread.structure.events) {
      if (!event.is_write() || event.condition.is_false() || !event.may_touch(place.first, size)) continue;
      const bool is_here = event.location.is_constant() && event.location.to_u64() == place.first;
      if (!is_here || event.size != size || is_repeated(thread, event.step) || !addition(thread, event))
        return true;
    }
    return false;
  });
  return result;
}

bool are_atomic(const Additions& additions) { return std::ranges::all_of(additions, &Addition::is_atomic); }

}  // namespace ptxmc
