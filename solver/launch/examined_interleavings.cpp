#include "solver/launch/examined_interleavings.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "model/cat/embedded_models.hpp"
#include "solver/encoding/certainly_settled.hpp"
#include "solver/launch/chosen_inputs.hpp"
#include "solver/launch/interleaving_findings.hpp"
#include "solver/launch/interleavings.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/barrier_matching.hpp"
#include "solver/meetings/certain_barriers.hpp"
#include "solver/meetings/ordered_accesses.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

namespace {

std::size_t possible_events(const EventStructure& structure) {
  return static_cast<std::size_t>(std::ranges::count_if(
      structure.events, [](const Event& event) { return !event.condition.is_false(); }));
}

/// With fewer events the solver is fast, and its findings are better.
constexpr std::size_t few_events = 100;

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

/// A launch of which some executions are examined.
struct Examined {
  const EventStructure& structure;
  const BarrierSchedule& schedule;
  const AwaitedPolls& polls;
  const ChosenInputs& inputs;
};

/// How the threads take turns: see take_turns.
struct Plan {
  Turn turn;
  std::set<EventId> held = {};
};

/// The first events of the threads of a CTA, without the first thread, which often publishes what all have
/// done.
std::set<EventId> starts_of_others(const EventStructure& structure, int cta) {
  std::map<int, EventId> starts;  // by thread
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
    if (const Event& event = structure.events[static_cast<std::size_t>(id)];
        event.thread != Event::no_thread && !event.condition.is_false() &&
        structure.program->threads[static_cast<std::size_t>(event.thread)].placement.cta == cta)
      starts.emplace(event.thread, id);
  std::set<EventId> result;
  for (const auto& [thread, id] : starts)
    if (thread != starts.begin()->first) result.insert(id);
  return result;
}

/// The fences of the threads outside a CTA, and in each thread of it the first write behind a fence. With
/// these held back, the fences of the CTA precede all others in Fence-SC order (PTX ISA 8.7 § 8.9.3), and its
/// writes follow those of the others: so what it reads behind them is ordered only if it acquires it.
std::set<EventId> fences_of_others(const EventStructure& structure, int cta) {
  std::set<EventId> result;
  std::set<int> with_fence, with_write;  // threads of the CTA
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = structure.events[static_cast<std::size_t>(id)];
    if (event.thread == Event::no_thread || event.condition.is_false()) continue;
    const bool is_fence = event.kind == EventKind::fence && event.fence.sem == Sem::sc;
    if (structure.program->threads[static_cast<std::size_t>(event.thread)].placement.cta != cta) {
      if (is_fence) result.insert(id);
    } else if (is_fence) {
      with_fence.insert(event.thread);
    } else if (event.is_write() && with_fence.contains(event.thread) &&
               with_write.insert(event.thread).second) {
      result.insert(id);
    }
  }
  return with_fence.empty() ? std::set<EventId>{} : result;
}

/// Plans that show different things.
std::vector<Plan> plans_for(const EventStructure& structure) {
  std::vector<Plan> plans{{Turn::access}, {Turn::all}};
  if (has_mbarrier_operations(structure)) plans.push_back({Turn::first});
  const auto& threads = structure.program->threads;
  const int first = threads.front().placement.cta, last = threads.back().placement.cta;
  if (first == last) return plans;
  for (const int cta : {first, last})
    if (std::set<EventId> late = starts_of_others(structure, cta); !late.empty())
      plans.push_back({Turn::access, std::move(late)});
  if (std::set<EventId> late = fences_of_others(structure, last); !late.empty())
    plans.push_back({Turn::access, std::move(late)});
  return plans;
}

/// Adds the findings of an interleaving. Properties with a finding are no longer open.
void add_findings(const EventStructure& structure, Interleaving interleaving, const cat::Model& model,
                  LaunchQuestion& open, LaunchAnswer& answer) {
  LaunchAnswer found;
  found.findings = findings_of(open, structure, model, std::move(interleaving));
  unite(answer, std::move(found));
  std::erase_if(open.properties, [&](LaunchProperty property) { return has_finding(answer, property); });
}

/// Examines executions in which threads take turns, and adds their findings. Where an execution shows races,
/// one more is examined, in which the first access of each race is held back.
void examine(const Examined& examined, LaunchQuestion& open, const cat::Model& model, LaunchAnswer& answer) {
  const auto& [structure, schedule, polls, inputs] = examined;
  for (const Plan& plan : plans_for(structure)) {
    if (open.properties.empty()) break;
    TimeLimit::check();
    auto interleaving = interleaving_in_turns(structure, schedule, polls, inputs, plan.turn, plan.held);
    if (!interleaving) continue;
    const std::set<EventId> first = first_of_races(*interleaving);
    add_findings(structure, *std::move(interleaving), model, open, answer);
    if (first.empty() || open.properties.empty()) continue;
    interleaving = interleaving_in_turns(structure, schedule, polls, inputs, plan.turn, first);
    if (interleaving) add_findings(structure, *std::move(interleaving), model, open, answer);
  }
}

}  // namespace

LaunchQuestion after_interleavings(LaunchQuestion open, const LaunchSchedule& scheduled,
                                   const cat::Model& model, const DecideOptions& options,
                                   const TermGraph& graph, LaunchAnswer& answer) {
  const EventStructure& structure = scheduled.structure;
  if (structure.events.size() < few_events || !is_short(structure) || !excludes_mixed_size_races(scheduled))
    return open;
  const auto inputs = choose_inputs(open, options, graph);
  if (!inputs) return open;
  examine({structure, scheduled.schedule, scheduled.polls, *inputs}, open, model, answer);
  return open;
}

namespace {

/// Examines a launch without mbarriers whose barriers have known phases, which some threads may never reach.
void find_with_common_phases(LaunchQuestion& open, const EventStructure& settled, const cat::Model& model,
                             const DecideOptions& options, const TermGraph& graph, LaunchAnswer& answer) {
  if (settled.events.size() < few_events) return;
  const CertainBarriers common = with_common_phases(settled);
  const std::vector<Event>& events = common.structure.events;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i].kind == EventKind::barrier && !events[i].condition.is_false() && common.schedule[i] < 0)
      return;
  if (const auto inputs = choose_inputs(open, options, graph))
    examine({common.structure, common.schedule, {}, *inputs}, open, model, answer);
}

}  // namespace

void find_in_turns(LaunchQuestion open, const cat::Model& model, const DecideOptions& options,
                   const TermGraph& graph, LaunchAnswer& answer) {
  const BarrierSchedule none(open.structure->events.size(), -1);
  EventStructure structure = with_settled_reads(*open.structure, true, none);
  if (auto settled = with_reads_settled_by_certain_barriers(structure, true)) structure = *std::move(settled);
  if (!is_short(structure) || !cat::has_axioms_of_ptx(model)) return;
  const bool may_have_mixed_sizes = may_overlap_partially(structure);
  if (may_have_mixed_sizes && !has_mbarrier_operations(structure)) return;
  std::erase_if(open.properties, [&](LaunchProperty property) { return has_finding(answer, property); });
  if (!has_mbarrier_operations(structure))
    return find_with_common_phases(open, structure, model, options, graph, answer);
  const auto waits = MbarrierWaits::find(structure);
  const auto inputs = waits ? choose_inputs(open, options, graph) : std::nullopt;
  if (!inputs) return;
  for (const Turn turn : {Turn::access, Turn::all, Turn::first}) {
    TimeLimit::check();
    auto made = interleaving_of_waits(structure, *waits, *inputs, turn);
    if (!made) continue;
    // The memory of an object may be used for data later, behind an undefined use of the object.
    const Interleaving& shown = made->second;
    if (may_have_mixed_sizes &&
        (!shown.is_undefined || may_overlap_partially(shown.witness.execution.events)))
      continue;
    add_findings(made->first, std::move(made->second), model, open, answer);
  }
}

}  // namespace ptxmc
