#include "solver/launch/examined_interleavings.hpp"

#include <algorithm>
#include <span>

#include "model/cat/embedded_models.hpp"
#include "solver/encoding/certainly_settled.hpp"
#include "solver/launch/chosen_inputs.hpp"
#include "solver/launch/interleaving_findings.hpp"
#include "solver/launch/interleavings.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/barrier_matching.hpp"
#include "solver/meetings/ordered_accesses.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

namespace {

std::size_t possible_events(const EventStructure& structure) {
  return static_cast<std::size_t>(std::ranges::count_if(
      structure.events, [](const Event& event) { return !event.condition.is_false(); }));
}

/// Whether executions of a launch are not too large to be shown by turns of its threads.
bool is_short(const EventStructure& structure) {
  constexpr std::size_t most = 50'000;  // events
  return possible_events(structure) <= most;
}

/// Whether no execution has a mixed-size data race, after which the axioms do not apply (PTX ISA 8.7
/// § 8.7.2).
bool excludes_mixed_size_races(const LaunchSchedule& scheduled) {
  if (!may_overlap_partially(scheduled.structure)) return true;
  const BarrierOrder order(scheduled.structure, scheduled.schedule);
  return !OrderedAccesses(scheduled.structure, order).first_unordered();
}

/// The orders of turns that show different things.
std::span<const Turn> turns_of(const EventStructure& structure) {
  static constexpr Turn turns[] = {Turn::access, Turn::all, Turn::first};
  return std::span(turns).first(has_mbarrier_operations(structure) ? 3 : 2);
}

}  // namespace

LaunchQuestion after_interleavings(LaunchQuestion open, const LaunchSchedule& scheduled,
                                   const cat::Model& model, const DecideOptions& options,
                                   const TermGraph& graph, LaunchAnswer& answer) {
  constexpr std::size_t few = 100;  // events: the solver is fast, and its findings are better
  const EventStructure& structure = scheduled.structure;
  if (structure.events.size() < few || !is_short(structure) || !excludes_mixed_size_races(scheduled))
    return open;
  const auto inputs = choose_inputs(open, options, graph);
  if (!inputs) return open;
  for (const Turn turn : turns_of(structure)) {
    if (open.properties.empty()) break;
    TimeLimit::check();
    auto interleaving = interleaving_in_turns(structure, scheduled.schedule, scheduled.polls, *inputs, turn);
    if (!interleaving) continue;
    LaunchAnswer found;
    found.findings = findings_of(open, structure, model, *std::move(interleaving));
    unite(answer, std::move(found));
    std::erase_if(open.properties, [&](LaunchProperty property) { return has_finding(answer, property); });
  }
  return open;
}

void find_in_turns(LaunchQuestion open, const cat::Model& model, const DecideOptions& options,
                   const TermGraph& graph, LaunchAnswer& answer) {
  const BarrierSchedule none(open.structure->events.size(), -1);
  EventStructure structure = with_settled_reads(*open.structure, true, none);
  if (auto settled = with_reads_settled_by_certain_barriers(structure, true)) structure = *std::move(settled);
  if (!is_short(structure) || may_overlap_partially(structure) || !cat::has_axioms_of_ptx(model) ||
      !has_mbarrier_operations(structure))
    return;
  const auto waits = MbarrierWaits::find(structure);
  const auto inputs = waits ? choose_inputs(open, options, graph) : std::nullopt;
  if (!inputs) return;
  std::erase_if(open.properties, [&](LaunchProperty property) { return has_finding(answer, property); });
  for (const Turn turn : turns_of(structure)) {
    TimeLimit::check();
    auto made = interleaving_of_waits(structure, *waits, *inputs, turn);
    if (!made) continue;
    LaunchAnswer found;
    found.findings = findings_of(open, made->first, model, std::move(made->second));
    unite(answer, std::move(found));
    std::erase_if(open.properties, [&](LaunchProperty property) { return has_finding(answer, property); });
  }
}

}  // namespace ptxmc
