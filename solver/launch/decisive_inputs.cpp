#include "solver/launch/decisive_inputs.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ptxmc {

namespace {

/// Of larger launches all inputs are said to matter.
constexpr std::size_t most_events = 20'000;

/// Collects the unknowns on which an execution depends, as far as it shows a finding.
class Decisive {
 public:
  Decisive(const EventStructure& structure, const Witness& witness)
      : structure_(structure), witness_(witness), of_structure_(witness.execution.events.size(), -1) {
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
      const Event& event = structure.events[index(id)];
      if (witness.numbers[index(id)] >= 0) of_structure_[index(witness.numbers[index(id)])] = id;
      if (event.is_read())
        for (const VariableId unknown : variables_of(event.value)) read_with_[unknown].push_back(id);
    }
  }

  void add(const Bits& term) {
    if (term.width() == 0 || term.is_constant()) return;
    for (const VariableId unknown : variables_of(term))
      if (unknowns_.insert(unknown).second) open_.push_back(unknown);
  }

  /// Whether and where an event happens.
  void add_place(const Event& event) {
    add(event.condition);
    add(event.location);
  }

  /// Adds what the values that were read depend on: the writes that the execution reads from.
  void close() {
    while (!open_.empty()) {
      const VariableId unknown = open_.back();
      open_.pop_back();
      const auto reads = read_with_.find(unknown);
      if (reads == read_with_.end()) continue;
      for (const EventId read : reads->second) add_sources(read);
    }
  }

  bool contains(VariableId unknown) const { return unknowns_.contains(unknown); }

 private:
  void add_sources(EventId read) {
    const EventId happened = witness_.numbers[index(read)];
    if (happened < 0) return;
    add_place(structure_.events[index(read)]);
    for (const ReadsFrom& source : witness_.execution.reads_from) {
      if (source.read != happened) continue;
      const Event& write = structure_.events[index(of_structure_[index(source.write)])];
      add_place(write);
      add(write.value);
    }
  }

  const EventStructure& structure_;
  const Witness& witness_;
  std::vector<EventId> of_structure_;  // by event of the execution
  std::map<VariableId, std::vector<EventId>> read_with_;
  std::set<VariableId> unknowns_;
  std::vector<VariableId> open_;
};

}  // namespace

bool may_synchronize(const Event& event) {
  if (event.kind == EventKind::fence || event.kind == EventKind::barrier || event.kind == EventKind::wait)
    return true;
  const Access& access = event.access;
  return event.kind != EventKind::initial_write &&
         (access.sem != Sem::weak || access.is_volatile || access.is_mmio);
}

void mark_decisive_inputs(LaunchFinding& finding, const Suspect& suspect, const Inputs& inputs,
                          const EventStructure& structure, const Witness& witness) {
  const auto is_open = [](const Input& input) {
    return input.value.width() != 0 && !input.value.is_constant();
  };
  const LaunchProperty property = finding.property;
  if (property == LaunchProperty::deadlock || suspect.site.thread == Event::no_thread ||
      structure.events.size() > most_events || std::ranges::none_of(inputs, is_open))
    return;
  Decisive decisive(structure, witness);
  const EventId site = suspect.site.event;
  if (site < 0) decisive.add(suspect.condition);
  for (const EventId id : {site, suspect.other ? suspect.other->event : -1})
    if (id >= 0) decisive.add_place(structure.events[index(id)]);
  for (const int thread : {suspect.site.thread, suspect.other ? suspect.other->thread : suspect.site.thread})
    for (const Ending& ending : structure.endings[static_cast<std::size_t>(thread)])
      if (ending.kind == Ending::Kind::trapped) decisive.add(ending.condition);
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = structure.events[index(id)];
    const bool may_initialize =
        property == LaunchProperty::uninitialized && event.kind == EventKind::write &&
        (site < 0 || witness.numbers[index(site)] < 0 ||
         event.may_touch(witness.execution.events[index(witness.numbers[index(site)])].location.to_u64(),
                         structure.events[index(site)].size));
    if (may_initialize || may_synchronize(event)) decisive.add_place(event);
  }
  decisive.close();
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (is_open(inputs[i]))
      finding.inputs[i].matters = std::ranges::any_of(
          variables_of(inputs[i].value), [&](VariableId unknown) { return decisive.contains(unknown); });
}

}  // namespace ptxmc
