#include <algorithm>

#include "model/program/barriers.hpp"
#include "semantics/language/misuse.hpp"
#include "solver/explorer/partial_execution.hpp"
#include "solver/meetings/barrier_matching.hpp"

// The phases of barriers.

namespace ptxmc {

bool PartialExecution::may_fill_phase() const {
  return std::ranges::any_of(barriers_.counted_waits, [&](EventId id) {
    return states_[index(id)] == State::present && !values_.find(original(id).goes_on);
  });
}

/// Sets the result of a reduction. All events of its phase have joined: they join one after the other, before
/// anything is concluded (ExploredBarriers::settle, CountedPhases).
void PartialExecution::settle_reductions() {
  for (const Phase& phase : barriers_.phases)
    for (const EventId id : phase.members) {
      if (!is_reduction(original(id).barrier.kind) || values_.find(original(id).value)) continue;
      bool is_known = true;
      for (const EventId member : phase.members) {
        Bits& predicate = events_[index(member)].barrier.predicate;
        if (predicate.width() == 0) continue;
        const Bits* value = values_.find(original(member).barrier.predicate);
        is_known = is_known && value;
        if (value) predicate = *value;
      }
      if (is_known)
        values_.assign(original(id).value.term()->variable, reduction_result(events_, id, phase.members));
    }
}

void PartialExecution::join(std::size_t which, EventId id) {
  if (which == barriers_.phases.size()) barriers_.phases.emplace_back();
  Phase& phase = barriers_.phases[which];
  for (const EventId other : phase.members) {
    model.inputs.syncbar.insert(index(id), index(other));
    model.inputs.syncbar.insert(index(other), index(id));
  }
  phase.members.push_back(id);
  model.note(CompiledModel::barriers);
  history_.steps.push_back({Undo::What::joined, which});
  const Bits& goes_on = original(id).goes_on;
  if (goes_on.width() != 0 && !goes_on.is_constant())
    values_.assign(goes_on.term()->variable, Bits::boolean(true));
}

void PartialExecution::wait_for_ever(EventId id) { leave_unread(id); }

bool PartialExecution::waits_for_ever(EventId id) const {
  const Bits& goes_on = original(id).goes_on;
  return state(id) == State::present && goes_on.width() != 0 && values_.is_false(goes_on);
}

void PartialExecution::leave_phase(std::size_t which) {
  Phase& phase = barriers_.phases[which];
  const EventId id = phase.members.back();
  phase.members.pop_back();
  for (const EventId other : phase.members) {
    model.inputs.syncbar.erase(index(id), index(other));
    model.inputs.syncbar.erase(index(other), index(id));
  }
  model.note(CompiledModel::barriers);
  if (phase.members.empty()) barriers_.phases.pop_back();
}

}  // namespace ptxmc
