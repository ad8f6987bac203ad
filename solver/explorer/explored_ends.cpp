#include "solver/explorer/explored_ends.hpp"

#include <algorithm>

namespace ptxmc {

namespace {

using Kind = Ending::Kind;

/// Whether the event belongs to an iteration that is repeated for ever.
bool is_repeated(const EventStructure& structure, const PartialExecution& execution, EventId id) {
  const Event& event = structure.events[index(id)];
  if (event.thread == Event::no_thread) return false;
  const auto thread = static_cast<std::size_t>(event.thread);
  if (execution.ending(thread) != Kind::spinning) return false;
  return std::ranges::any_of(structure.endings[thread], [&](const Ending& ending) {
    return ending.kind == Kind::spinning && event.step >= ending.first_step &&
           execution.values().is_true(ending.condition);
  });
}

}  // namespace

bool some_ends(const EventStructure& structure, const PartialExecution& execution, Kind kind) {
  for (std::size_t thread = 0; thread < structure.endings.size(); ++thread)
    if (execution.ending(thread) == kind) return true;
  return false;
}

bool some_ends_launch(const EventStructure& structure, const PartialExecution& execution) {
  for (std::size_t thread = 0; thread < structure.endings.size(); ++thread)
    if (const auto ending = execution.ending(thread); ending && ends_launch(*ending)) return true;
  return false;
}

bool all_end(const EventStructure& structure, const PartialExecution& execution,
             std::initializer_list<Kind> kinds) {
  for (std::size_t thread = 0; thread < structure.endings.size(); ++thread) {
    const auto ending = execution.ending(thread);
    if (!ending || std::ranges::find(kinds, *ending) == kinds.end()) return false;
  }
  return true;
}

bool repeats_fairly(const EventStructure& structure, const PartialExecution& execution,
                    const BitMatrix& coherence) {
  if (!some_ends(structure, execution, Kind::spinning)) return true;
  return std::ranges::none_of(execution.parts(), [&](const PartialExecution::Part& part) {
    if (!part.is_active || !is_repeated(structure, execution, part.read)) return false;
    bool is_overwritten = false;
    coherence.for_each_successor(index(part.source), [&](std::size_t later) {
      is_overwritten |= execution.writers(part.atom).contains(later) &&
                        !is_repeated(structure, execution, static_cast<EventId>(later));
    });
    return is_overwritten;
  });
}

}  // namespace ptxmc
