#include "solver/launch/launch_properties.hpp"

#include <algorithm>
#include <set>

#include "model/cat/embedded_models.hpp"
#include "solver/encoding/certainly_settled.hpp"
#include "solver/launch/chosen_inputs.hpp"
#include "solver/launch/departing_threads.hpp"
#include "solver/launch/examined_interleavings.hpp"
#include "solver/launch/few_threads.hpp"
#include "solver/launch/first_race.hpp"
#include "solver/launch/guessed_reads.hpp"
#include "solver/launch/impossible_suspects.hpp"
#include "solver/launch/interleaving_findings.hpp"
#include "solver/launch/launch_cases.hpp"
#include "solver/launch/launch_decision.hpp"
#include "solver/launch/launch_proofs.hpp"
#include "solver/launch/weaker_fences.hpp"
#include "solver/limits/event_limit.hpp"
#include "solver/limits/stopwatch.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/barrier_schedules.hpp"
#include "solver/meetings/chosen_phases.hpp"
#include "solver/meetings/mbarrier_memory.hpp"
#include "solver/meetings/mbarrier_phases.hpp"
#include "solver/meetings/mbarrier_waits.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

namespace {

/// The properties that no execution violates even if fences are weaker (weaker_fences.hpp).
std::set<LaunchProperty> excluded_with_weaker_fences(const LaunchQuestion& question,
                                                     const SettledCandidates& candidates,
                                                     const cat::Model& model, const DecideOptions& options,
                                                     TermGraph& graph) {
  auto weaker = with_weaker_fences(candidates.structure, model);
  if (!weaker) return {};
  return excluded_properties(question, {*std::move(weaker), candidates.phases, candidates.assumption}, model,
                             options, graph);
}

/// The properties that no execution of any part violates. If there are any, no thread needs more iterations
/// than the bound, since each thread is in a part.
std::set<LaunchProperty> excluded_for(const PartsOfLaunch& parts, const cat::Model& model,
                                      const DecideOptions& options, TermGraph& graph) {
  if (parts.size() == 0) return {};
  std::set<LaunchProperty> excluded(parts.properties().begin(), parts.properties().end());
  std::set<std::string> known;  // descriptions
  for (std::size_t i = 0; i < parts.size() && !excluded.empty(); ++i) {
    FewThreads part = parts[i];
    if (part.description && !known.insert(*std::move(part.description)).second) continue;
    std::erase_if(part.asked.properties, [&](LaunchProperty each) { return !excluded.contains(each); });
    excluded = excluded_properties(part.asked, part.candidates, model, options, graph);
  }
  return excluded;
}

/// The properties that no execution violates, shown for a few threads at a time (few_threads.hpp).
std::set<LaunchProperty> excluded_for_few_threads(const LaunchQuestion& question,
                                                  const SettledCandidates& candidates,
                                                  const cat::Model& model, const DecideOptions& options,
                                                  TermGraph& graph) {
  const PartsOfLaunch parts(question, candidates, model, graph);
  std::set<LaunchProperty> excluded = excluded_for(parts, model, options, graph);
  if (!excluded.empty()) excluded.merge(properties_without_suspects(question, candidates, options, false));
  return excluded;
}

/// Whether most parts differ from others in names only.
bool are_mostly_alike(const PartsOfLaunch& parts) {
  constexpr std::size_t parts_of_a_kind = 4;
  std::set<std::string> known;  // descriptions
  std::size_t kinds = 0;
  for (std::size_t i = 0; i < parts.size() && kinds * parts_of_a_kind <= parts.size(); ++i) {
    std::optional<std::string> description = parts[i].description;
    if (!description || known.insert(*std::move(description)).second) ++kinds;
  }
  return kinds * parts_of_a_kind <= parts.size();
}

/// The same, if most of these parts are alike, and it is possible that everything that is asked is excluded:
/// it takes a fraction of the time of a search in the launch.
std::set<LaunchProperty> excluded_for_alike_parts(const LaunchQuestion& question,
                                                  const SettledCandidates& candidates,
                                                  const cat::Model& model, const DecideOptions& options,
                                                  TermGraph& graph) {
  const PartsOfLaunch parts(question, candidates, model, graph);
  const std::set<LaunchProperty> below_bound =
      properties_without_suspects(question, candidates, options, false);
  std::set<LaunchProperty> possible = below_bound;
  possible.insert(parts.properties().begin(), parts.properties().end());
  const bool are_all = std::ranges::all_of(
      question.properties, [&](LaunchProperty property) { return possible.contains(property); });
  if (!are_all || !are_mostly_alike(parts)) return {};
  std::set<LaunchProperty> excluded = excluded_for(parts, model, options, graph);
  if (!excluded.empty()) excluded.insert(below_bound.begin(), below_bound.end());
  return excluded;
}

/// The properties that no values violate (impossible_suspects.hpp).
std::set<LaunchProperty> excluded_by_conditions(const LaunchQuestion& question,
                                                const SettledCandidates& candidates, const cat::Model&,
                                                const DecideOptions& options, TermGraph&) {
  return properties_without_suspects(question, candidates, options);
}

/// An answer in which every property is unknown for this reason.
LaunchAnswer unknown_answer(const LaunchQuestion& question, const std::string& reason) {
  LaunchAnswer answer;
  give_up(answer, question, reason);
  return answer;
}

/// Removes the properties that `exclude` excludes within half of the time that is left. Returns whether none
/// is left open.
template <class Exclude>
bool close_excluded(LaunchQuestion& question, const Exclude& exclude, const SettledCandidates& candidates,
                    const cat::Model& model, const DecideOptions& options, TermGraph& graph) {
  std::set<LaunchProperty> excluded;
  try {
    const TimeLimit limit(TimeLimit::seconds_left() / 2, options.interrupted);
    excluded = exclude(question, candidates, model, options, graph);
  } catch (const OutOfTime&) {
  }
  std::erase_if(question.properties, [&](LaunchProperty property) { return excluded.contains(property); });
  return question.properties.empty();
}

/// Whether conditions alone, or a few threads at a time of which most are alike, exclude all properties.
bool is_excluded_for_alike_parts(LaunchQuestion question, const SettledCandidates& candidates,
                                 const cat::Model& model, const DecideOptions& options, TermGraph& graph) {
  return close_excluded(question, excluded_by_conditions, candidates, model, options, graph) ||
         close_excluded(question, excluded_for_alike_parts, candidates, model, options, graph);
}

/// Decides all properties, first those that a simpler question excludes.
LaunchAnswer decide_in_steps(LaunchQuestion question, const SettledCandidates& candidates,
                             const cat::Model& model, const DecideOptions& options, TermGraph& graph) {
  const auto is_decided_by = [&](const auto& exclude) {
    return close_excluded(question, exclude, candidates, model, options, graph);
  };
  if (is_decided_by(excluded_by_conditions) || is_decided_by(excluded_for_few_threads)) return {};
  const std::size_t most = most_searched_events(options.max_events, options.memory_bytes);
  if (candidates.structure.events.size() > most)
    return unknown_answer(question, TooManyEvents(most, {}).what());
  if (is_decided_by(excluded_with_weaker_fences)) return {};
  return decide_launch(question, candidates, model, options, graph);
}

/// Answers a question within the time limit with a function that adds what it finds to the answer, and
/// returns whether it can decide the question. What it has found when the time is over stays true.
std::optional<LaunchAnswer> in_time(const LaunchQuestion& question, const DecideOptions& options,
                                    const std::function<bool(LaunchAnswer&)>& decide) {
  const Stopwatch stopwatch;
  const TimeLimit limit(options.timeout_seconds, options.interrupted);
  LaunchAnswer answer;
  try {
    if (!decide(answer)) return std::nullopt;
  } catch (const OutOfTime& out) {
    give_up(answer, question, out.what());
  }
  answer.seconds = stopwatch.seconds();
  return answer;
}

/// A schedule of the barriers of a launch, and the properties that are still open under it.
struct Scheduled {
  const BarrierSchedule& schedule;
  const AwaitedPolls& polls;
  EventStructure structure;
  LaunchQuestion open;
  bool is_causal = false;  ///< cat::has_axioms_of_ptx
};

/// Decides a question in each of its cases, and as a whole if there are none. Returns whether this was
/// possible.
bool decide_cases(const LaunchQuestion& question, const std::vector<LaunchCase>& cases,
                  const std::function<bool(const LaunchQuestion&)>& decide) {
  if (cases.empty()) return decide(question);
  return std::ranges::all_of(cases, [&](const LaunchCase& one) {
    LaunchQuestion part = question;
    part.structure = &one.structure;
    part.assumption = question.assumption & one.assumption;
    return decide(part);
  });
}

/// Whether the model defines the meaning of mbarriers.
bool defines_mbarriers(const cat::Model& model) {
  return std::ranges::find(model.flags, misuse_of_mbarrier, &cat::Test::name) != model.flags.end();
}

/// Calls `visit` for each schedule with open properties, as long as it returns true. Returns false if
/// barriers or mbarriers depend on values that are read.
class Schedules {
 public:
  using Visit = std::function<bool(const Scheduled&)>;

  Schedules(const LaunchQuestion& question, std::span<const Departure> departures, const cat::Model& model,
            const DecideOptions& options, TermGraph& graph)
      : question_(question),
        departures_(departures),
        model_(model),
        options_(options),
        graph_(graph),
        is_causal_(cat::has_axioms_of_ptx(model)) {}

  bool visit(const Visit& visit) const {
    const BarrierSchedule none(question_.structure->events.size(), -1);
    const EventStructure unscheduled = with_settled_reads(*question_.structure, is_causal_, none);
    if (has_mbarrier_operations(unscheduled)) return visit_with_mbarriers(unscheduled, visit);
    if (!departures_.empty()) return false;
    auto schedules = barrier_schedules(unscheduled);
    if (!schedules)  // they may depend on reads that barriers settle, and these schedules settle again
      if (const auto settled = with_reads_settled_by_certain_barriers(unscheduled, is_causal_))
        schedules = barrier_schedules(*settled);
    if (!schedules) return false;
    for (const BarrierSchedule& schedule : *schedules)
      if (!prove_and_visit(settled({under_schedule(unscheduled, schedule), schedule}), visit)) break;
    return true;
  }

 private:
  Scheduled settled(const LaunchSchedule& own) const {
    return {own.schedule, own.polls, with_settled_reads(own.structure, is_causal_, own.schedule), question_,
            is_causal_};
  }

  std::optional<std::vector<LaunchSchedule>> mbarrier_schedules_of(const EventStructure& unscheduled) const {
    const auto waits = MbarrierWaits::find(unscheduled);
    return waits ? mbarrier_schedules(*waits, departures_) : std::nullopt;
  }

  bool visit_with_mbarriers(const EventStructure& unscheduled, const Visit& visit) const {
    if (!is_causal_ || !defines_mbarriers(model_)) return false;
    auto schedules = mbarrier_schedules_of(unscheduled);
    std::optional<GuessedReads> guessed;
    if (!schedules) {  // operations may depend on reads that barriers settle
      const auto settled = with_reads_settled_by_certain_barriers(unscheduled, is_causal_);
      if (settled) schedules = mbarrier_schedules_of(*settled);
      const auto inputs = schedules ? std::nullopt : choose_inputs(question_, options_, graph_);
      if (inputs && (guessed = guess_reads(settled ? *settled : unscheduled, *inputs)))
        schedules = mbarrier_schedules_of(guessed->structure);
    }
    if (!schedules) return false;
    for (const LaunchSchedule& own : *schedules) {
      Scheduled scheduled = settled(own);
      if (!are_phases_undisturbed(scheduled.structure, own.schedule) ||
          (guessed && !are_certain(*guessed, scheduled.structure, own.schedule)))
        return false;
      if (!prove_and_visit(std::move(scheduled), visit)) break;
    }
    return true;
  }

  bool prove_and_visit(Scheduled scheduled, const Visit& visit) const {
    const LaunchProofs proofs =
        is_causal_ ? prove(question_, scheduled.structure, scheduled.schedule, options_, graph_)
                   : LaunchProofs();
    if (!proofs.may_reach_bound)
      std::erase_if(scheduled.open.properties,
                    [&](LaunchProperty property) { return proofs.impossible.contains(property); });
    return scheduled.open.properties.empty() || visit(scheduled);
  }

  const LaunchQuestion& question_;
  const std::span<const Departure> departures_;
  const cat::Model& model_;
  const DecideOptions& options_;
  TermGraph& graph_;
  const bool is_causal_;
};

SettledCandidates scheduled_candidates(const EventStructure& structure, const BarrierSchedule& schedule,
                                       const CandidateExecutions& candidates) {
  return {structure, known_barrier_phases(structure, schedule), candidates.assumption};
}

/// Whether a structure has so many events that relations over all of them take very long.
bool is_large(const EventStructure& structure) { return structure.events.size() > few_related_events; }

/// Searches a large launch for a race that barriers do not order, before other properties are decided. Adds
/// its findings.
bool find_first_race(const Scheduled& scheduled, const cat::Model& model, const DecideOptions& options,
                     TermGraph& graph, LaunchAnswer& answer) {
  LaunchQuestion question = scheduled.open;
  if (!scheduled.is_causal ||
      std::ranges::find(question.properties, LaunchProperty::race) == question.properties.end())
    return false;
  const auto part = up_to_first_race(scheduled.structure, scheduled.schedule);
  if (!part || is_large(part->structure)) return false;
  question.properties = {LaunchProperty::race};
  question.final_condition = {};
  const SettledCandidates candidates = scheduled_candidates(part->structure, part->schedule, question);
  LaunchAnswer found = decide_launch(question, candidates, model, options, graph);
  found.unknown.clear();
  const bool any = !found.findings.empty();
  unite(answer, std::move(found));
  return any;
}

/// Adds the answer for one schedule of the barriers. Returns false if no time is left, or a finding is
/// enough.
bool decide_scheduled(const Scheduled& scheduled, const cat::Model& model, const DecideOptions& options,
                      TermGraph& graph, UnderSchedules rest, LaunchAnswer& answer) {
  LaunchQuestion open = scheduled.open;
  try {
    if (scheduled.is_causal)
      open = after_interleavings(open, {scheduled.structure, scheduled.schedule, scheduled.polls}, model,
                                 options, graph, answer);
    if (stop_if_enough(answer, open)) return false;
    if (open.properties.empty()) return true;
    if (rest == UnderSchedules::no_search) {
      const bool is_excluded = answer.findings.empty() &&
                               is_excluded_for_alike_parts(
                                   open, scheduled_candidates(scheduled.structure, scheduled.schedule, open),
                                   model, options, graph);
      if (is_excluded) return true;
      give_up(answer, open, "a search among executions is left");
      return false;
    }
    if (is_large(scheduled.structure) && find_first_race(scheduled, model, options, graph, answer))
      std::erase(open.properties, LaunchProperty::race);
    const std::size_t most_events = most_related_events(options.max_events, options.memory_bytes);
    if (!answer.findings.empty() && scheduled.structure.events.size() > most_events) {
      give_up(answer, open, TooManyEvents(most_events, {}).what());
      return false;
    }
    const TimeLimit limit(answer.findings.empty() ? 0 : seconds_beside_findings(), options.interrupted);
    const SettledCandidates candidates = scheduled_candidates(scheduled.structure, scheduled.schedule, open);
    unite(answer, decide_in_steps(open, candidates, model, options, graph));
    return !stop_if_enough(answer, open);
  } catch (const OutOfTime& out) {
    unite(answer, unknown_answer(open, out.what()));
    return false;
  }
}

}  // namespace

double seconds_beside_findings() { return TimeLimit::seconds_left() * 3 / 4; }

LaunchAnswer check_launch(const LaunchQuestion& question, const cat::Model& model,
                          const DecideOptions& options, TermGraph& graph) {
  return *in_time(question, options, [&](LaunchAnswer& answer) {
    answer = decide_in_steps(question, settle(question, model, graph), model, options, graph);
    return true;
  });
}

bool is_excluded_for_alike_parts(const LaunchQuestion& question, const cat::Model& model,
                                 const DecideOptions& options, TermGraph& graph) {
  return is_excluded_for_alike_parts(question, settle(question, model, graph), model, options, graph);
}

std::optional<LaunchAnswer> check_launch_by_schedules(const LaunchQuestion& question, const cat::Model& model,
                                                      const DecideOptions& options, TermGraph& graph) {
  return check_launch_by_schedules(question, {}, model, options, graph, UnderSchedules::search);
}

std::optional<LaunchAnswer> check_launch_by_schedules(const LaunchQuestion& question,
                                                      std::span<const Departure> departures,
                                                      const cat::Model& model, const DecideOptions& options,
                                                      TermGraph& graph, UnderSchedules rest) {
  if (question.are_meetings_chosen) return std::nullopt;
  auto answer = in_time(question, options, [&](LaunchAnswer& answer) {
    answer.engine = "barriers";
    const auto decide_case = [&](const LaunchQuestion& part) {
      return Schedules(part, departures, model, options, graph).visit([&](const Scheduled& scheduled) {
        if (rest == UnderSchedules::search) answer.engine = "smt";
        return decide_scheduled(scheduled, model, options, graph, rest, answer);
      });
    };
    const std::vector<LaunchCase> cases = barrier_cases(*question.structure);
    if (decide_cases(question, cases, decide_case)) {
      for (const LaunchFinding& finding : answer.findings) answer.unknown.erase(finding.property);
      return true;
    }
    if (!cases.empty()) return false;
    find_in_turns(question, model, options, graph, answer);
    const bool has_mbarriers = has_mbarrier_operations(*question.structure);
    answer.is_given_up = !has_mbarriers;
    give_up(answer, question,
            has_mbarriers ? "phases of mbarriers that depend on the order of the threads"
                          : "barriers that depend on what threads read");
    return !answer.findings.empty();
  });
  const bool is_found = answer && !answer->findings.empty();
  return is_found && !do_departures_end_threads(*question.structure, departures) ? std::nullopt : answer;
}

}  // namespace ptxmc
