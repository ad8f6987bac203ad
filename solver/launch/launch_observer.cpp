#include "solver/launch/launch_observer.hpp"

#include <algorithm>

#include "solver/encoding/witness.hpp"
#include "solver/explorer/explored_ends.hpp"
#include "solver/explorer/explored_model.hpp"
#include "solver/explorer/final_contents.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

namespace {

using Kind = Ending::Kind;

constexpr const char* races = "data_race";

std::size_t index(EventId id) { return static_cast<std::size_t>(id); }

}  // namespace

LaunchObserver::LaunchObserver(const LaunchQuestion& question, const EventStructure& structure,
                               const cat::Model& model, const ExploredBarriers& barriers, TermGraph& graph)
    : question_(question),
      structure_(structure),
      model_(model),
      barriers_(barriers),
      relations_({"co"}),
      gives_no_value_(structure.events.size()) {
  if (const cat::Definition* race = model.find(races)) {
    relations_.emplace_back(races);
    races_shrink_ = shrinks_with_choices(model, race->node);
  }
  if (may_overlap_partially(structure) && model.find(mixed_size_race) != nullptr)
    relations_.emplace_back(mixed_size_race);
  for (const LaunchProperty property : question.properties)
    for (Suspect& suspect : visible_suspects(structure, property))
      visible_.push_back({property, std::move(suspect)});
  for (std::size_t i = 0; i < structure.events.size(); ++i)
    if (structure.events[i].is_write() && ptxmc::gives_no_value(structure, structure.events[i]))
      gives_no_value_.insert(i);
  if (question.final_condition && asks(LaunchProperty::assertion)) find_final_condition(graph);
}

void LaunchObserver::find_final_condition(TermGraph& graph) {
  holds_at_end_ = question_.final_condition([&](int variable, std::size_t element) {
    for (const FinalElement& known : finals_)
      if (known.variable == variable && known.element == element) return known.unknown;
    const unsigned size = structure_.program->memory[index(variable)].element_size;
    finals_.push_back({variable, element, graph.variable(8 * size, "final"), {}});
    return finals_.back().unknown;
  });
}

std::vector<Bits> LaunchObserver::conditions() const {
  std::vector<Bits> result;
  for (const Visible& each : visible_) result.push_back(each.suspect.condition);
  return result;
}

bool LaunchObserver::asks(LaunchProperty property) const {
  return std::ranges::find(question_.properties, property) != question_.properties.end();
}

std::vector<LaunchFinding> LaunchObserver::take_findings() {
  std::ranges::stable_sort(findings_, {}, &LaunchFinding::property);
  return std::move(findings_);
}

bool LaunchObserver::may_show_something(const PartialExecution& execution) {
  reads_open_content_ =
      reads_open_content_ || std::ranges::any_of(execution.parts(), [&](const PartialExecution::Part& part) {
        return part.is_active && part.source >= 0 && gives_no_value_.contains(index(part.source));
      });
  return true;
}

bool LaunchObserver::begin(PartialExecution&) {
  coherences_.clear();
  return true;
}

bool LaunchObserver::depends_on_orders(PartialExecution& execution) {
  if (model_.find(races) == nullptr) return false;
  if (!races_shrink_) return true;
  execution.model.copy_value(execution.model.find_step(races), pairs_);
  return !pairs_.is_empty();
}

ExecutionObserver::Next LaunchObserver::look(PartialExecution& execution, bool) {
  execution_ = &execution;
  witness_.reset();
  if (relations_.back() == mixed_size_race) {
    execution.model.copy_value(execution.model.find_step(mixed_size_race), pairs_);
    if (!pairs_.is_empty()) {
      has_mixed_race_ = true;
      findings_.clear();
      noted_.clear();
      note_pairs(mixed_size_race);
      return Next::nothing;
    }
  }
  execution.model.copy_value(execution.model.find_step("co"), coherence_);
  const bool is_cut_off = some_ends(structure_, execution, Kind::bound_reached);
  const bool is_fair = repeats_fairly(structure_, execution, coherence_);
  reaches_bound_ |= is_cut_off;
  if (!is_cut_off && is_fair) count();
  for (const Visible& each : visible_)
    if (execution.values().is_true(each.suspect.condition)) note(each.property, each.suspect);
  if (model_.find(races) != nullptr) note_pairs(races);
  note_uninitialized();
  note_mixed_reductions();
  if (is_fair) note_deadlock();
  look_at_end();
  return Next::all;
}

/// Counts the execution if it differs from others in sources, coherence order or barriers. An execution that
/// stops in an iteration whose repetition would read other values is a prefix of other executions and is not
/// counted.
void LaunchObserver::count() {
  const std::size_t words = coherence_.size() * ((coherence_.size() + 63) / 64);
  if (coherences_.emplace(coherence_.words(), coherence_.words() + words).second) ++executions_;
}

// --- Findings ---------------------------------------------------------------------------------------------

void LaunchObserver::note(LaunchProperty property, const Suspect& suspect) {
  if (!asks(property) || is_ignored(question_, property, suspect)) return;
  if (!noted_.insert({property, lines_of(suspect)}).second) return;
  LaunchFinding finding;
  finding.property = property;
  finding.site = suspect.site;
  finding.other = suspect.other;
  finding.message = suspect.message;
  finding.witness = witness();
  for (LaunchSite* site : {&finding.site, finding.other ? &*finding.other : nullptr})
    if (site != nullptr && site->event >= 0) site->event = number_in_witness(site->event);
  if (!confirm_misuse(finding)) throw std::logic_error("an execution does not show the misuse found in it");
  if (property == LaunchProperty::deadlock)
    finding.stuck = stuck_threads(
        structure_, [&](const Bits& condition) { return execution_->values().is_true(condition); });
  findings_.push_back(std::move(finding));
}

const Execution& LaunchObserver::witness() {
  if (!witness_) {
    witness_ = execution_->execution();
    witness_->final_memory.resize(structure_.program->memory.size());
    check_witness(model_, *witness_);
  }
  return *witness_;
}

EventId LaunchObserver::number_in_witness(EventId id) const {
  EventId number = 0;
  for (EventId before = 0; before < id; ++before)
    number += execution_->state(before) == PartialExecution::State::present ? 1 : 0;
  return number;
}

void LaunchObserver::note_pairs(const char* relation) {
  execution_->model.copy_value(execution_->model.find_step(relation), pairs_);
  for (std::size_t first = 0; first < pairs_.size(); ++first)
    pairs_.for_each_successor(first, [&](std::size_t second) {
      if (second <= first) return;
      Suspect race;
      race.site = site_of(structure_, static_cast<EventId>(first));
      race.other = site_of(structure_, static_cast<EventId>(second));
      note(LaunchProperty::race, race);
    });
}

void LaunchObserver::note_uninitialized() {
  for (const PartialExecution::Part& part : execution_->parts()) {
    if (!part.is_active || !gives_no_value_.contains(index(part.source))) continue;
    Suspect read;
    read.site = site_of(structure_, part.read);
    note(LaunchProperty::uninitialized, read);
  }
}

/// The manual does not define how threads continue after a divergence.
void LaunchObserver::note_mixed_reductions() {
  for (const PartialExecution::Phase& phase : execution_->phases())
    for (const EventId id : phase.members)
      if (are_mixed(structure_, phase.members.front(), id))
        note(LaunchProperty::undefined,
             mixed_reduction(structure_, phase.members.front(), id, Bits::boolean(true)));
}

void LaunchObserver::note_deadlock() {
  const bool is_stuck =
      some_ends(structure_, *execution_, Kind::spinning) || some_ends(structure_, *execution_, Kind::waiting);
  if (is_stuck && all_end(structure_, *execution_, {Kind::completed, Kind::spinning, Kind::waiting}) &&
      !barriers_.some_warp_diverges(*execution_))
    note(LaunchProperty::deadlock, {});
}

// --- Ends -------------------------------------------------------------------------------------------------

/// Called when all threads have ended, to check the final condition.
void LaunchObserver::look_at_end() {
  if (holds_at_end_.width() == 0 || !all_end(structure_, *execution_, {Kind::completed})) return;
  for (FinalElement& final : finals_) {
    final.contents = final_contents(*execution_, structure_.program->memory[index(final.variable)],
                                    final.element, &coherence_);
    if (final.contents.front().width() == 0 || may_be_left(final)) has_open_end_ = true;
    if (final.contents.front().width() == 0) return;
  }
  try_contents();
}

/// Whether the last write of some byte of the element may be one that leaves no value.
bool LaunchObserver::may_be_left(const FinalElement& final) const {
  const Variable& variable = structure_.program->memory[index(final.variable)];
  const std::uint64_t first = variable.location + final.element * variable.element_size;
  for (std::size_t atom = 0; atom < execution_->atoms().size(); ++atom) {
    const Atom& place = execution_->atoms()[atom];
    if (place.first + place.count <= first || first + variable.element_size <= place.first) continue;
    const BitSet open = execution_->writers(atom) & gives_no_value_;
    for (std::size_t write = 0; write < open.size(); ++write) {
      if (!open.contains(write)) continue;
      bool is_followed = false;
      coherence_.for_each_successor(write, [&](std::size_t later) {
        is_followed = is_followed || execution_->writers(atom).contains(later);
      });
      if (!is_followed) return true;
    }
  }
  return false;
}

/// Tries each combination of contents of the elements.
void LaunchObserver::try_contents() {
  std::vector<std::size_t> chosen(finals_.size());
  std::vector<Bits> contents(finals_.size());
  while (!noted_.contains({LaunchProperty::assertion, lines_of({})})) {
    TimeLimit::check();
    Substitution values;
    for (std::size_t i = 0; i < finals_.size(); ++i) {
      contents[i] = finals_[i].contents[chosen[i]];
      values.set(finals_[i].unknown.term()->variable, contents[i]);
    }
    if (values.apply(holds_at_end_).is_false()) {
      show_final_memory(contents);
      note(LaunchProperty::assertion, {});
    }
    std::size_t i = finals_.size();  // the last one changes first
    while (i > 0 && ++chosen[i - 1] == finals_[i - 1].contents.size()) chosen[--i] = 0;
    if (i == 0) return;
  }
}

void LaunchObserver::show_final_memory(const std::vector<Bits>& contents) {
  witness();
  for (std::size_t i = 0; i < finals_.size(); ++i) {
    auto& elements = witness_->final_memory[index(finals_[i].variable)];
    elements.resize(std::max(elements.size(), finals_[i].element + 1));
    elements[finals_[i].element] = contents[i];
  }
}

}  // namespace ptxmc
