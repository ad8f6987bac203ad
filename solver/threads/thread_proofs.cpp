#include "solver/threads/thread_proofs.hpp"

#include <algorithm>

#include "model/cat/embedded_models.hpp"
#include "solver/launch/defined_part.hpp"
#include "solver/threads/open_races.hpp"
#include "solver/threads/uniform_barriers.hpp"
#include "solver/threads/written_memory.hpp"

namespace ptxmc {

namespace {

Bits ends(const OpenThread& thread, Ending::Kind kind) {
  Bits result = Bits::boolean(false);
  for (const Ending& ending : thread.structure.endings.front())
    if (ending.kind == kind) result = result | ending.condition;
  return result;
}

Bits violates(const OpenThread& thread, Violation::Kind kind) {
  Bits result = Bits::boolean(false);
  for (const Violation& violation : thread.structure.violations)
    if (violation.kind == kind) result = result | violation.condition;
  return result;
}

/// Whether a property is excluded if barriers are uniform, all loops end, and no threads race.
bool is_excluded(LaunchProperty property, OpenQuestions& questions) {
  const OpenThread& thread = questions.thread();
  switch (property) {
    case LaunchProperty::assertion:
      return questions.never(ends(thread, Ending::Kind::trapped));
    case LaunchProperty::uninitialized:
      return are_reads_initialized(questions);
    case LaunchProperty::out_of_bounds:
      return questions.never(ends(thread, Ending::Kind::stray_access) |
                             violates(thread, Violation::Kind::out_of_bounds));
    case LaunchProperty::undefined:
      return questions.never(ends(thread, Ending::Kind::undefined));
    case LaunchProperty::race:
    case LaunchProperty::divergence:
    case LaunchProperty::deadlock:
      return true;
  }
  return false;
}

}  // namespace

bool can_stand_for_threads(const cat::Model& model) {
  const auto& flags = model.flags;
  return cat::is_embedded_ptx(model) &&
         std::ranges::find(flags, misuse_of_mbarrier, &cat::Test::name) != flags.end();
}

std::set<LaunchProperty> excluded_by_threads(const OpenThread& thread,
                                             const std::vector<LaunchProperty>& asked,
                                             const DecideOptions& options, TermGraph& graph) {
  OpenQuestions questions(thread, options, graph);
  const Bits goes_on = ends(thread, Ending::Kind::bound_reached) | ends(thread, Ending::Kind::spinning) |
                       ends(thread, Ending::Kind::waiting);
  if (!questions.never(goes_on) || !are_meetings_uniform(questions)) return {};
  // Accesses that overlap partially and race void the axioms (PTX ISA 8.7 § 8.7.2), so that a launch with a
  // race is left to the engines.
  if (!are_races_excluded(questions)) return {};
  std::set<LaunchProperty> excluded;
  for (const LaunchProperty property : asked)
    if (is_excluded(property, questions)) excluded.insert(property);
  return excluded;
}

}  // namespace ptxmc
