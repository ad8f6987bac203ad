#include "solver/launch/launch_suspects.hpp"

#include <algorithm>

#include "solver/reads/note_copied_bytes.hpp"

namespace ptxmc {

SuspectLines lines_of(const Suspect& suspect) {
  const std::uint32_t first = suspect.site.where.line;
  const std::uint32_t second = suspect.other ? suspect.other->where.line : 0;
  return {std::min(first, second), std::max(first, second), gist_of(suspect.message)};
}

bool is_ignored(const LaunchQuestion& question, LaunchProperty property, const Suspect& suspect) {
  const auto is_racing = [&](const LaunchSite& site) {
    return question.racing_lines.contains(site.where.line);
  };
  if (property == LaunchProperty::race && suspect.other && is_racing(suspect.site) &&
      is_racing(*suspect.other))
    return true;
  if (!question.is_ignored) return false;
  return question.is_ignored(property, suspect.site.where) ||
         (suspect.other && question.is_ignored(property, suspect.other->where));
}

LaunchSite site_of(const EventStructure& structure, EventId id) {
  const Event& event = structure.events[static_cast<std::size_t>(id)];
  return {event.thread, event.instruction ? event.instruction->where : SourcePosition{}, id};
}

std::vector<Suspect> ending_suspects(const EventStructure& structure, Ending::Kind kind) {
  std::vector<Suspect> result;
  for (std::size_t thread = 0; thread < structure.endings.size(); ++thread)
    for (const Ending& ending : structure.endings[thread]) {
      if (ending.kind != kind) continue;
      Suspect& suspect = result.emplace_back();
      suspect.condition = ending.condition;
      suspect.site = {static_cast<int>(thread), ending.where, -1};
      suspect.message = ending.message;
      if (kind == Ending::Kind::trapped) suspect.step = ending.first_step - 1;  // of the trap itself
    }
  return result;
}

std::vector<Suspect> violation_suspects(const EventStructure& structure, Violation::Kind kind) {
  std::vector<Suspect> result;
  for (const Violation& violation : structure.violations)
    if (violation.kind == kind)
      result.push_back({violation.condition,
                        {violation.thread, violation.where, -1},
                        {},
                        violation.message,
                        violation.step});
  return result;
}

bool gives_no_value(const EventStructure& structure, const Event& write) {
  if (write.kind != EventKind::initial_write) return write.access.is_indeterminate;
  return has_unknown_content(structure, write);
}

}  // namespace ptxmc
