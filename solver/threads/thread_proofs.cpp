#include "solver/threads/thread_proofs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/cat/embedded_models.hpp"
#include "solver/launch/defined_part.hpp"
#include "solver/threads/broadcasts.hpp"
#include "solver/threads/counter_barriers.hpp"
#include "solver/threads/counter_order.hpp"
#include "solver/threads/group_claims.hpp"
#include "solver/threads/group_facts.hpp"
#include "solver/threads/last_additions.hpp"
#include "solver/threads/open_races.hpp"
#include "solver/threads/own_reads.hpp"
#include "solver/threads/uniform_barriers.hpp"
#include "solver/threads/written_memory.hpp"

namespace ptxmc {

namespace {

/// Why the threads may not all end after the barriers that are unfolded; empty if they do.
std::string why_not_uniform(OpenQuestions& questions, OpenSuspects& suspects, unsigned bound) {
  using Kind = Ending::Kind;
  for (const Ending& ending : questions.thread().structure.endings.front()) {
    const bool is_waiting = ending.kind == Kind::spinning || ending.kind == Kind::waiting;
    if ((!is_waiting && ending.kind != Kind::bound_reached) || questions.never(ending.condition)) continue;
    return is_waiting ? fmt::format("a loop that waits (line {})", ending.where.line)
                      : fmt::format("loop bound {} (line {})", bound, ending.where.line);
  }
  return are_meetings_uniform(questions, suspects) ? "" : "barriers that not all threads execute";
}

/// Asks for violations of properties. They are excluded if barriers are uniform, and all loops end.
class Properties {
 public:
  Properties(OpenQuestions& questions, OpenSuspects& suspects, std::vector<CounterOrder> orders)
      : questions_(questions), suspects_(suspects), orders_(std::move(orders)) {}

  /// Looks for races. Whether accesses that overlap partially may race: then the axioms do not apply, so that
  /// nothing else can be said (PTX ISA 8.7 § 8.7.2).
  bool look_for_mixed_races() {
    races_ = ptxmc::look_for_races(questions_, suspects_, orders_);
    return !races_.are_mixed_excluded;
  }

  bool is_excluded(LaunchProperty property) {
    using Kind = Ending::Kind;
    switch (property) {
      case LaunchProperty::assertion:
        return never_ends(Kind::trapped, property);
      case LaunchProperty::uninitialized:
        return are_reads_initialized(questions_, suspects_, orders_);
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
  const std::vector<CounterOrder> orders_;
  OpenRaces races_;
};

}  // namespace

bool can_stand_for_threads(const cat::Model& model) {
  const auto& flags = model.flags;
  return cat::is_embedded_ptx(model) &&
         std::ranges::find(flags, misuse_of_mbarrier, &cat::Test::name) != flags.end();
}

void decide_by_threads(OpenThread& thread, const std::vector<LaunchProperty>& asked,
                       const DecideOptions& options, TermGraph& graph, ThreadsAnswer& answer) {
  const std::vector<FullCounter> waits = end_waits_at_counters(thread, options, graph);
  OpenQuestions questions(thread, options, graph);
  assume_groups(questions);
  const std::vector<Counter> counters = assume_counters(questions);
  const std::vector<Broadcast> broadcasts = find_broadcasts(questions);
  assume_broadcasts(questions, broadcasts);
  std::vector<FullCounter> full = find_last_additions(questions, counters, broadcasts);
  assume_one_last_cta(questions, full, broadcasts);
  full.insert(full.end(), waits.begin(), waits.end());
  OpenSuspects suspects(questions, answer.candidates);
  Properties properties(questions, suspects, counter_orders(questions, full, broadcasts));
  answer.not_excluded = why_not_uniform(questions, suspects, options.bound);
  const bool is_uniform = answer.not_excluded.empty();
  if (is_uniform) assume_own_reads(questions);
  if (is_uniform) assume_claims(questions, counters);
  if (properties.look_for_mixed_races()) {
    answer.not_excluded = mixed_size_race_reason;
    return;
  }
  for (const LaunchProperty property : asked)
    if (properties.is_excluded(property) && is_uniform) answer.excluded.insert(property);
}

}  // namespace ptxmc
