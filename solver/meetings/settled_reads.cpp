#include "solver/meetings/settled_reads.hpp"

#include <algorithm>

#include "solver/limits/time_limit.hpp"
#include "solver/meetings/mbarrier_waits.hpp"
#include "solver/meetings/ordered_accesses.hpp"
#include "solver/unfolding/substitution.hpp"

namespace ptxmc {

namespace {

/// Replaces the reads with known values. Returns whether there were any.
bool settle(EventStructure& structure, const BarrierOrder& order) {
  Substitution known;
  const OrderedAccesses accesses(structure, order);
  std::vector<EventId> reads;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = structure.events[static_cast<std::size_t>(id)];
    if (event.is_read() && !is_mbarrier_operation(event) && !event.value.is_constant() &&
        event.value.term()->op == Operator::variable)
      reads.push_back(id);
  }
  std::ranges::sort(reads, {}, [&](EventId read) { return order.position(read); });
  bool any = false;
  for (const EventId id : reads) {
    TimeLimit::check();
    const Event& read = structure.events[static_cast<std::size_t>(id)];
    const auto writes = accesses.writes_before(id);
    const auto value = writes ? accesses.value_after(*writes, read, known) : accesses.only_value(id);
    if (!value || identical(*value, read.value)) continue;  // the latter: settled before to an open input
    known.set(read.value.term()->variable, *value);
    any = true;
  }
  if (any) substitute(structure, known);
  return any;
}

}  // namespace

EventStructure with_settled_reads(EventStructure structure, const BarrierSchedule& schedule) {
  constexpr unsigned most_rounds = 64;
  // An address that depends on a read becomes known one round after the value of the read.
  for (unsigned round = 0; round < most_rounds; ++round)
    if (!settle(structure, BarrierOrder(structure, schedule))) break;
  return structure;
}

EventStructure with_settled_reads(EventStructure structure) {
  const BarrierSchedule none(structure.events.size(), -1);
  return with_settled_reads(std::move(structure), none);
}

}  // namespace ptxmc
