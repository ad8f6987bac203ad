#include "solver/launch/launch_suspects.hpp"

#include <algorithm>

#include "model/program/misuses.hpp"
#include "semantics/language/misuse.hpp"
#include "solver/meetings/divergence.hpp"

namespace ptxmc {

namespace {

using Kind = Ending::Kind;

LaunchSite site_of(int thread, const SourcePosition& where) { return {thread, where, -1}; }

void add_endings(const EventStructure& structure, Kind kind, std::vector<Suspect>& result) {
  for (std::size_t thread = 0; thread < structure.endings.size(); ++thread)
    for (const Ending& ending : structure.endings[thread]) {
      if (ending.kind != kind) continue;
      Suspect& suspect = result.emplace_back();
      suspect.condition = ending.condition;
      suspect.site = site_of(static_cast<int>(thread), ending.where);
      suspect.message = ending.message;
      if (kind == Kind::trapped) suspect.step = ending.first_step;
    }
}

void add_violations(const EventStructure& structure, Violation::Kind kind, std::vector<Suspect>& result) {
  for (const Violation& violation : structure.violations)
    if (violation.kind == kind)
      result.push_back({violation.condition,
                        site_of(violation.thread, violation.where),
                        {},
                        violation.message,
                        violation.step});
}

/// The flags about races. A user's model may use other names than `data_race`.
std::vector<Suspect> flags_of_races(const Encoding& encoding) {
  std::vector<Suspect> result;
  const auto& flags = encoding.outcome().model->flags;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (is_race_flag(flags[i].name))
      result.push_back({encoding.outcome().flags[i], {}, {}, flags[i].name, {}});
  return result;
}

std::vector<Suspect> uninitialized_reads(const Encoding& encoding) {
  std::vector<Suspect> result;
  const EventStructure& structure = encoding.structure();
  for (const auto& choice : encoding.algebra().reads_from().choices)
    if (gives_no_value(structure, structure.events[choice.write]))
      result.push_back({choice.chosen, site_of(structure, choice.read), {}, {}, {}});
  return result;
}

/// Suspects for mixed arrivals in one phase of a barrier.
std::vector<Suspect> mixed_reductions(const Encoding& encoding) {
  std::vector<Suspect> result;
  const EventStructure& structure = encoding.structure();
  const auto& rows = encoding.algebra().phases().meet.rows;
  for (EventId first = 0; first < static_cast<EventId>(rows.size()); ++first)
    for (const auto& [second, meets] : rows[static_cast<std::size_t>(first)])
      if (first < second && are_mixed(structure, first, second))
        result.push_back(mixed_reduction(structure, first, second, meets));
  return result;
}

/// The manual does not define how threads continue after a divergence, so it excludes a deadlock.
Suspect deadlock(const Encoding& encoding) {
  Bits diverges = Bits::boolean(false);
  for (const Divergence& divergence : divergences(encoding.structure()))
    diverges = diverges | divergence.elsewhere;
  return {is_stuck(encoding) & ~diverges, {}, {}, {}, {}};
}

}  // namespace

SuspectLines lines_of(const Suspect& suspect) {
  const std::uint32_t first = suspect.site.where.line;
  const std::uint32_t second = suspect.other ? suspect.other->where.line : 0;
  return {std::min(first, second), std::max(first, second), gist_of(suspect.message)};
}

std::string gist_of(std::string message) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!message.starts_with("assertion failed")) std::erase_if(message, is_digit);
  return message;
}

LaunchSite site_of(const EventStructure& structure, EventId id) {
  const Event& event = structure.events[static_cast<std::size_t>(id)];
  return {event.thread, event.instruction ? event.instruction->where : SourcePosition{}, id};
}

bool confirm_misuse(LaunchFinding& finding) {
  const Execution& execution = finding.witness;
  if (finding.property == LaunchProperty::undefined)
    return finding.other ? misuse_in_phase(execution, finding.site.event, finding.other->event).has_value()
                         : execution.undefined_uses.contains(finding.site.thread);
  if (finding.property != LaunchProperty::divergence) return true;
  const auto absentee = divergence_at(execution, finding.site.event);
  if (!absentee) return false;
  finding.other = site_of(absentee->thread, {});
  if (absentee->barrier < 0) return true;
  const Event& event = execution.events[static_cast<std::size_t>(absentee->barrier)];
  finding.other = LaunchSite{absentee->thread, event.instruction->where, absentee->barrier};
  return true;
}

bool is_ignored(const LaunchQuestion& question, LaunchProperty property, const Suspect& suspect) {
  if (!question.is_ignored) return false;
  return question.is_ignored(property, suspect.site.where) ||
         (suspect.other && question.is_ignored(property, suspect.other->where));
}

std::vector<Suspect> visible_suspects(const EventStructure& structure, LaunchProperty property) {
  std::vector<Suspect> result;
  if (property == LaunchProperty::assertion) add_endings(structure, Kind::trapped, result);
  if (property == LaunchProperty::uninitialized)
    add_violations(structure, Violation::Kind::uninitialized, result);
  if (property == LaunchProperty::out_of_bounds) {
    add_endings(structure, Kind::stray_access, result);
    add_violations(structure, Violation::Kind::out_of_bounds, result);
  }
  if (property == LaunchProperty::undefined) add_endings(structure, Kind::undefined, result);
  if (property == LaunchProperty::divergence)
    for (const Divergence& divergence : divergences(structure))
      if (is_aligned_barrier(structure.events[static_cast<std::size_t>(divergence.barrier)]))
        result.push_back(
            {divergence.elsewhere | divergence.without, site_of(structure, divergence.barrier), {}, {}, {}});
  return result;
}

bool has_visible_suspect(const EventStructure& structure, LaunchProperty property) {
  return std::ranges::any_of(visible_suspects(structure, property),
                             [](const Suspect& suspect) { return !suspect.condition.is_false(); });
}

bool may_be_undefined(const EventStructure& structure) {
  return has_visible_suspect(structure, LaunchProperty::undefined) ||
         std::ranges::any_of(structure.events, [](const Event& event) {
           return event.kind == EventKind::barrier && is_reduction(event.barrier.kind);
         });
}

Suspect mixed_reduction(const EventStructure& structure, EventId a, EventId b, const Bits& meets) {
  return {meets,
          site_of(structure, a),
          site_of(structure, b),
          std::string(sentence_of(Misuse::reduction_beside_others)),
          {}};
}

bool are_mixed(const EventStructure& structure, EventId a, EventId b) {
  const auto use = [&](EventId id) { return use_of(structure.events[static_cast<std::size_t>(id)]); };
  const ObjectUse other = use(b);
  return misuse(UsePair::phase, use(a), &other).has_value();
}

bool has_unknown_content(const EventStructure& structure, const Event& initial) {
  const std::uint64_t place = initial.location.to_u64();
  for (const Variable& variable : structure.program->memory)
    if (place - variable.location < variable.size())
      return variable.initial[(place - variable.location) / variable.element_size].width() == 0;
  return false;
}

bool gives_no_value(const EventStructure& structure, const Event& write) {
  if (write.kind != EventKind::initial_write) return write.access.is_indeterminate;
  return has_unknown_content(structure, write);
}

bool is_race_flag(const std::string& name) { return name.find("race") != std::string::npos; }

std::vector<Suspect> suspects(const Encoding& encoding, LaunchProperty property, const Bits& wrong_end) {
  std::vector<Suspect> result = visible_suspects(encoding.structure(), property);
  const auto add = [&](std::vector<Suspect> more) {
    for (Suspect& suspect : more) result.push_back(std::move(suspect));
  };
  if (property == LaunchProperty::assertion) add({{wrong_end, {}, {}, {}, {}}});
  if (property == LaunchProperty::race)
    add(encoding.outcome().relation("data_race") ? race_suspects(encoding, "data_race")
                                                 : flags_of_races(encoding));
  if (property == LaunchProperty::uninitialized) add(uninitialized_reads(encoding));
  if (property == LaunchProperty::undefined) add(mixed_reductions(encoding));
  if (property == LaunchProperty::deadlock) add({deadlock(encoding)});
  return result;
}

/// One suspect for each pair of lines would suffice to decide, but reports name threads.
std::vector<Suspect> race_suspects(const Encoding& encoding, const char* name) {
  std::vector<Suspect> result;
  const SymbolicRelation* relation = encoding.outcome().relation(name);
  if (relation == nullptr) return result;
  for (EventId first = 0; first < static_cast<EventId>(relation->rows.size()); ++first)
    for (const auto& [second, holds] : relation->rows[first])
      if (first < second)
        result.push_back(
            {holds, site_of(encoding.structure(), first), site_of(encoding.structure(), second), {}, {}});
  return result;
}

}  // namespace ptxmc
