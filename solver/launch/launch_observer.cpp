#include "solver/launch/launch_observer.hpp"

#include <algorithm>
#include <stdexcept>

#include "solver/encoding/witness.hpp"
#include "solver/explorer/explored_ends.hpp"
#include "solver/explorer/explored_model.hpp"
#include "solver/launch/property_table.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

namespace {

constexpr LaunchProperty at_end = LaunchProperty::assertion;  // the final condition belongs to it

/// The number of an event of the structure in the execution.
EventId number_in(const PartialExecution& execution, EventId id) {
  EventId number = 0;
  for (EventId before = 0; before < id; ++before)
    number += execution.state(before) == PartialExecution::State::present ? 1 : 0;
  return number;
}

}  // namespace

LaunchObserver::LaunchObserver(const LaunchQuestion& question, const EventStructure& structure,
                               const cat::Model& model, const ExploredBarriers& barriers, TermGraph& graph)
    : question_(question),
      structure_(structure),
      model_(model),
      barriers_(barriers),
      checks_mixed_race_(may_overlap_partially(structure) && model.find(mixed_size_race) != nullptr),
      has_mbarriers_(ptxmc::has_mbarriers(structure)),
      gives_no_value_(structure.events.size()),
      final_condition_(question, structure, graph) {
  for (const LaunchProperty property : question.properties) {
    for (Suspect& suspect : visible_suspects(structure, property))
      visible_.push_back({property, std::move(suspect)});
    const char* relation = relation_of(property, structure);
    if (const cat::Definition* defined = relation != nullptr ? model.find(relation) : nullptr)
      relations_.push_back({relation, shrinks_with_choices(model, defined->node)});
  }
  for (std::size_t i = 0; i < structure.events.size(); ++i)
    if (structure.events[i].is_write() && ptxmc::gives_no_value(structure, structure.events[i]))
      gives_no_value_.insert(i);
}

std::vector<std::string> LaunchObserver::relations() const {
  std::vector<std::string> result = {"co"};
  for (const Relation& relation : relations_) result.emplace_back(relation.name);
  if (checks_mixed_race_) result.emplace_back(mixed_size_race);
  if (has_mbarriers_)
    for (const char* name : {misuse_of_mbarrier, after_misuse})
      if (model_.find(name) != nullptr) result.emplace_back(name);
  return result;
}

std::vector<Bits> LaunchObserver::conditions() const {
  std::vector<Bits> result;
  for (const Visible& each : visible_) result.push_back(each.suspect.condition);
  return result;
}

LaunchObserver::Gaps LaunchObserver::gaps() const {
  Gaps result = gaps_;
  result.has_open_end = final_condition_.has_open_end();
  return result;
}

std::vector<LaunchFinding> LaunchObserver::take_findings() {
  std::ranges::stable_sort(found_.findings, {}, &LaunchFinding::property);
  return std::move(found_.findings);
}

bool LaunchObserver::may_show_something(const PartialExecution& execution) {
  gaps_.reads_open_content =
      gaps_.reads_open_content || std::ranges::any_of(execution.parts(), [&](const ReadPart& part) {
        return part.is_active && part.source >= 0 && gives_no_value_.contains(index(part.source));
      });
  return true;
}

bool LaunchObserver::begin(PartialExecution&) {
  counted_.coherences.clear();
  return true;
}

bool LaunchObserver::depends_on_orders(PartialExecution& execution) {
  return std::ranges::any_of(relations_, [&](const Relation& relation) {
    return !relation.shrinks || !execution.model.value(relation.name).is_empty();
  });
}

ExecutionObserver::Next LaunchObserver::look(PartialExecution& execution, bool) {
  current_.witness.reset();
  current_.defined_part.reset();
  ObservedExecution observed{structure_, execution, barriers_, gives_no_value_};
  if (checks_mixed_race_) {
    const std::vector<Suspect> races = observed.pairs(mixed_size_race, unordered_pair);
    if (!races.empty()) {
      gaps_.has_mixed_race = true;
      found_ = {};
      if (std::ranges::find(question_.properties, LaunchProperty::race) != question_.properties.end())
        for (const Suspect& race : races) note(LaunchProperty::race, race, observed);
      return Next::nothing;
    }
  }
  execution.model.copy_value(execution.model.find_step("co"), current_.coherence);
  observed.is_fair = repeats_fairly(structure_, execution, current_.coherence);
  const bool is_cut_off = some_ends(structure_, execution, Ending::Kind::bound_reached);
  gaps_.reaches_bound |= is_cut_off;
  has_complete_execution_ |= all_end(structure_, execution, {Ending::Kind::completed});
  if (!is_cut_off && observed.is_fair) count();
  look_at_properties(observed);
  look_at_end(observed);
  // A race between accesses that overlap partially, in another execution, would make findings void.
  const bool is_enough = !question_.all_findings && !found_.findings.empty() && !checks_mixed_race_;
  return is_enough ? Next::nothing : Next::all;
}

/// Counts the execution if it differs from others in sources, coherence order or barriers. An execution that
/// stops in an iteration whose repetition would read other values is a prefix of other executions and is not
/// counted.
void LaunchObserver::count() {
  const std::size_t words = current_.coherence.size() * ((current_.coherence.size() + 63) / 64);
  if (counted_.coherences.emplace(current_.coherence.words(), current_.coherence.words() + words).second)
    ++counted_.executions;
}

void LaunchObserver::look_at_properties(const ObservedExecution& observed) {
  for (const Visible& each : visible_)
    if (observed.execution.values().is_true(each.suspect.condition))
      note(each.property, each.suspect, observed);
  for (const LaunchProperty property : question_.properties) {
    const PropertyDefinition& definition = definition_of(property);
    if (const char* relation = relation_of(property, structure_))
      for (const Suspect& violation : observed.pairs(relation, definition.of_pair))
        note(property, violation, observed);
    for (const Suspect& violation : definition.observed(observed)) note(property, violation, observed);
  }
}

void LaunchObserver::look_at_end(const ObservedExecution& observed) {
  const bool is_asked = std::ranges::find(question_.properties, at_end) != question_.properties.end();
  if (!is_asked || found_.lines.contains({at_end, lines_of({})})) return;
  const auto contents = final_condition_.violation(observed, current_.coherence);
  if (!contents) return;
  witness(observed.execution);
  set_final_memory(*current_.witness, *contents);
  note(at_end, {}, observed);
}

bool LaunchObserver::is_open(LaunchProperty property, const Suspect& suspect) const {
  return !is_ignored(question_, property, suspect) && !found_.lines.contains({property, lines_of(suspect)});
}

/// The part of the current execution before undefined uses.
const DefinedPart& LaunchObserver::defined_part(const ObservedExecution& observed) {
  if (current_.defined_part) return *current_.defined_part;
  const auto related = [&](const char* name) {
    return has_mbarriers_ && model_.find(name) != nullptr ? observed.related(name) : Pairs();
  };
  UndefinedUses uses{.misuses = related(misuse_of_mbarrier),
                     .after = related(after_misuse),
                     .phases = barriers_.misused_phases(observed.execution)};
  uses.phases.resize(structure_.events.size(), -1);
  int number = 0;
  for (const PartialExecution::Phase& phase : observed.execution.phases()) {
    for (const EventId id : phase.members) uses.phases[index(id)] = number;
    ++number;
  }
  for (const auto& endings : structure_.endings)
    for (const Ending& ending : endings)
      uses.has_end |=
          ending.kind == Ending::Kind::undefined && observed.execution.values().is_true(ending.condition);
  return current_.defined_part.emplace(*structure_.program, structure_.events, uses);
}

void LaunchObserver::note(LaunchProperty property, const Suspect& suspect,
                          const ObservedExecution& observed) {
  if (!is_open(property, suspect) || !defined_part(observed).contains(property, suspect, std::identity()))
    return;
  const auto finding = finding_of(
      property, suspect, structure_, witness(observed.execution),
      [&](EventId id) { return number_in(observed.execution, id); },
      [&](const Bits& condition) { return observed.execution.values().is_true(condition); });
  if (!finding) throw std::logic_error("an execution does not show the misuse found in it");
  found_.lines.insert({property, lines_of(suspect)});
  found_.findings.push_back(*finding);
}

const Execution& LaunchObserver::witness(PartialExecution& execution) {
  if (!current_.witness) {
    current_.witness = execution.execution();
    const std::vector<int> misused = barriers_.misused_phases(execution);
    for (EventId id = 0; id < static_cast<EventId>(misused.size()); ++id)
      if (misused[index(id)] <= last_misused_phase)
        current_.witness->barrier_phase[index(number_in(execution, id))] = misused[index(id)];
    set_final_memory(*current_.witness, {});
    check_witness(model_, *current_.witness);
  }
  return *current_.witness;
}

}  // namespace ptxmc
