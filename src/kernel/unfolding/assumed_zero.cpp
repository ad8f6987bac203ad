#include "src/kernel/unfolding/assumed_zero.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "solver/meetings/ordered_accesses.hpp"

namespace ptxmc::kernel {

namespace {

/// Events by thread and step. Events of an unfolding and of its executions with the same thread and step
/// belong to one instruction.
using EventsByInstruction = std::map<std::pair<int, unsigned>, std::vector<const Event*>>;

/// The reads and barriers, whose values are unknowns of the unfolding.
EventsByInstruction reads_and_barriers(const std::vector<Event>& events) {
  EventsByInstruction result;
  for (const Event& event : events)
    if (event.is_read() || event.kind == EventKind::barrier)
      result[{event.thread, event.step}].push_back(&event);
  return result;
}

/// The values of the unknowns of an unfolding in the execution behind a finding.
Substitution values_in(const Launch& launch, const UnfoldedLaunch& unfolded, const LaunchFinding& finding) {
  Substitution values;
  const auto set = [&](const Bits& unknown, const Bits& value) {
    if (unknown.width() != 0 && !unknown.is_constant()) values.replace(unknown, value);
  };
  const EventsByInstruction happened = reads_and_barriers(finding.witness.events);
  for (const auto& [instruction, events] : reads_and_barriers(unfolded.structure.events)) {
    const auto found = happened.find(instruction);
    if (found == happened.end() || found->second.size() != events.size()) continue;
    for (std::size_t i = 0; i < events.size(); ++i) {
      set(events[i]->value, found->second[i]->value);
      set(events[i]->goes_on, found->second[i]->goes_on);
    }
  }
  const Inputs inputs = open_inputs(launch, unfolded);
  for (std::size_t i = 0; i < std::min(inputs.size(), finding.inputs.size()); ++i)
    set(inputs[i].value, finding.inputs[i].value);
  return values;
}

bool reads_initial_content(const Execution& execution, const ZeroVariable& variable) {
  return std::ranges::any_of(execution.reads_from, [&](const ReadsFrom& source) {
    return execution.events[static_cast<std::size_t>(source.write)].kind == EventKind::initial_write &&
           source.first - variable.location < variable.size;
  });
}

/// Whether a read may take the initial content, under this schedule of the barriers.
bool may_read_initial_content(const EventStructure& structure, const BarrierOrder& order,
                              const ZeroVariable& variable) {
  const OrderedAccesses accesses(structure, order);
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = structure.events[static_cast<std::size_t>(id)];
    if (!event.is_read() || event.condition.is_false() || !event.may_touch(variable.location, variable.size))
      continue;
    if (!event.location.is_constant()) return true;
    if (!(event.condition & ~accesses.is_written_before(id)).is_false()) return true;
  }
  return false;
}

bool may_read_initial_content(const EventStructure& structure, const ZeroVariable& variable) {
  const auto schedules = barrier_schedules(structure);
  if (!schedules) return may_read_initial_content(structure, BarrierOrder(structure), variable);
  return std::ranges::any_of(*schedules, [&](const BarrierSchedule& schedule) {
    const EventStructure scheduled = under_schedule(structure, schedule);
    return may_read_initial_content(scheduled, BarrierOrder(scheduled, schedule), variable);
  });
}

/// The names in alphabetical order.
std::vector<std::string> names_of(const std::vector<ZeroVariable>& variables,
                                  const std::function<bool(const ZeroVariable&)>& is_read) {
  std::set<std::string> names;
  for (const ZeroVariable& variable : variables)
    if (is_read(variable)) names.insert(variable.name);
  return {names.begin(), names.end()};
}

bool is_constant(const ZeroVariable& variable) { return variable.is_read.width() != 0; }

}  // namespace

std::vector<std::string> assumed_zero(const Launch& launch, const UnfoldedLaunch& unfolded,
                                      const LaunchFinding& finding) {
  if (unfolded.zero_variables.empty()) return {};
  Substitution values = values_in(launch, unfolded, finding);
  return names_of(unfolded.zero_variables, [&](const ZeroVariable& variable) {
    return is_constant(variable) ? !values.apply(variable.is_read).is_false()
                                 : reads_initial_content(finding.witness, variable);
  });
}

std::vector<std::string> assumed_zero(const UnfoldedLaunch& unfolded) {
  return names_of(unfolded.zero_variables, [&](const ZeroVariable& variable) {
    return is_constant(variable) ? !variable.is_read.is_false()
                                 : may_read_initial_content(unfolded.structure, variable);
  });
}

}  // namespace ptxmc::kernel
