#include "solver/threads/thread_proofs.hpp"

#include <algorithm>

#include "model/cat/embedded_models.hpp"
#include "solver/launch/defined_part.hpp"
#include "solver/threads/open_counters.hpp"
#include "solver/threads/open_races.hpp"
#include "solver/threads/own_reads.hpp"
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

/// Asks for violations of properties. They are excluded if barriers are uniform, and all loops end.
class Properties {
 public:
  Properties(OpenQuestions& questions, OpenSuspects& suspects) : questions_(questions), suspects_(suspects) {}

  /// Looks for races. Whether accesses that overlap partially may race: then the axioms do not apply, so that
  /// nothing else can be said (PTX ISA 8.7 § 8.7.2).
  bool look_for_mixed_races() {
    races_ = ptxmc::look_for_races(questions_, suspects_);
    return !races_.are_mixed_excluded;
  }

  bool is_excluded(LaunchProperty property) {
    using Kind = Ending::Kind;
    switch (property) {
      case LaunchProperty::assertion:
        return never_ends(Kind::trapped, property);
      case LaunchProperty::uninitialized:
        return are_reads_initialized(questions_, suspects_);
      case LaunchProperty::out_of_bounds: {
        const bool never_strays = never_ends(Kind::stray_access, property);
        return never(violation_suspects(questions_.thread(), Violation::Kind::out_of_bounds, property)) &&
               never_strays;
      }
      case LaunchProperty::undefined:
        return never_ends(Kind::undefined, property);
      case LaunchProperty::race:
        return races_.are_excluded;
      case LaunchProperty::divergence:
      case LaunchProperty::deadlock:
        return true;
    }
    return false;
  }

 private:
  bool never_ends(Ending::Kind kind, LaunchProperty property) {
    return never(ending_suspects(questions_.thread(), kind, property));
  }
  bool never(std::vector<OpenSuspect> suspects) {
    return suspects_.are_excluded(std::nullopt, std::move(suspects));
  }

  OpenQuestions& questions_;
  OpenSuspects& suspects_;
  OpenRaces races_;
};

}  // namespace

bool can_stand_for_threads(const cat::Model& model) {
  const auto& flags = model.flags;
  return cat::is_embedded_ptx(model) &&
         std::ranges::find(flags, misuse_of_mbarrier, &cat::Test::name) != flags.end();
}

void decide_by_threads(const OpenThread& thread, const std::vector<LaunchProperty>& asked,
                       const DecideOptions& options, TermGraph& graph, ThreadsAnswer& answer) {
  OpenQuestions questions(thread, options, graph);
  assume_counters(questions);
  OpenSuspects suspects(questions, answer.candidates);
  Properties properties(questions, suspects);
  const Bits goes_on = ends(thread, Ending::Kind::bound_reached) | ends(thread, Ending::Kind::spinning) |
                       ends(thread, Ending::Kind::waiting);
  const bool is_uniform = questions.never(goes_on) && are_meetings_uniform(questions);
  if (is_uniform) assume_own_reads(questions);
  if (properties.look_for_mixed_races()) return;
  for (const LaunchProperty property : asked)
    if (properties.is_excluded(property) && is_uniform) answer.excluded.insert(property);
}

}  // namespace ptxmc
