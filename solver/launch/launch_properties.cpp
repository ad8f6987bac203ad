#include "solver/launch/launch_properties.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "model/cat/embedded_models.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/encoding/certainly_settled.hpp"
#include "solver/encoding/final_memory.hpp"
#include "solver/encoding/float_tables.hpp"
#include "solver/launch/chosen_inputs.hpp"
#include "solver/launch/departing_threads.hpp"
#include "solver/launch/examined_interleavings.hpp"
#include "solver/launch/first_race.hpp"
#include "solver/launch/guessed_reads.hpp"
#include "solver/launch/interleaving_findings.hpp"
#include "solver/launch/launch_cases.hpp"
#include "solver/launch/launch_findings.hpp"
#include "solver/launch/launch_proofs.hpp"
#include "solver/launch/property_table.hpp"
#include "solver/launch/related_suspects.hpp"
#include "solver/launch/weaker_fences.hpp"
#include "solver/limits/event_limit.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/barrier_matching.hpp"
#include "solver/meetings/barrier_schedules.hpp"
#include "solver/meetings/chosen_phases.hpp"
#include "solver/meetings/divergence.hpp"
#include "solver/meetings/mbarrier_memory.hpp"
#include "solver/meetings/mbarrier_phases.hpp"
#include "solver/meetings/mbarrier_waits.hpp"
#include "solver/smt_engine/execution_search.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

namespace {

using Kind = Ending::Kind;
using Result = ExecutionSearch::Result;

class LaunchDecision {
 public:
  /// With `has_defined_part` the encoding has the order of execution behind undefined uses.
  LaunchDecision(const LaunchQuestion& question, SettledCandidates candidates, const cat::Model& model,
                 const DecideOptions& options, TermGraph& graph, bool has_defined_part = false)
      : question_(question),
        given_model_(model),
        options_(options),
        graph_(graph),
        has_defined_part_(has_defined_part),
        model_(with_asked_flags(model, candidates.structure,
                                asks(LaunchProperty::race) || may_overlap_partially(candidates.structure))),
        candidates_(candidates),
        search_(
            std::move(candidates), model_, [](const std::string&) { return true; }, options, graph),
        memory_(structure(), search_.algebra().atoms(), search_.encoding().coherence(), graph) {}

  /// What is found in the time stays true: the properties that are not decided then are unknown.
  LaunchAnswer run() {
    try {
      decide();
    } catch (const OutOfTime& out) {
      give_up(out.what());
    }
    return std::move(answer_);
  }

 private:
  void decide() {
    if (const auto beyond = search_.encoding().beyond_model()) {
      give_up(*beyond);
      return;
    }
    const Bits wrong_end = final_violation();
    search_.require_executions();
    for (const Bits& constraint : memory_.constraints()) search_.require(constraint);
    for (const auto& endings : structure().endings)
      for (const Ending& ending : endings) search_.include(ending.condition);
    for (const Input& input : question_.inputs) search_.include(input.value);
    for (const auto& [variable, element, value] : finals_) search_.include(value);
    if (axioms_are_void()) return;
    for (const LaunchProperty property : question_.properties) {
      std::vector<Suspect> all = suspects(search_.encoding(), property, wrong_end);
      if (has_defined_part_) restrict_to_defined_part(search_.encoding(), property, all);
      look_for(property, std::move(all));
      if (stop_if_enough(answer_, question_)) return;
    }
    look_for_more();
    look_for_complete_executions();
  }

  const EventStructure& structure() const { return search_.structure(); }

  /// Race flags serve to find races, and mixed-size races, after which the axioms do not apply. Other flags
  /// are those of the relations on which asked properties depend.
  cat::Model with_asked_flags(const cat::Model& model, const EventStructure& structure,
                              bool are_races_asked_for) const {
    cat::Model result = with_flags(model, [&](const std::string& name) {
      if (name == misuse_of_mbarrier && has_mbarriers(structure)) return true;
      if (is_race_flag(name)) return are_races_asked_for;
      return std::ranges::any_of(question_.properties, [&](LaunchProperty property) {
        const char* relation = relation_of(property, structure);
        return relation != nullptr && name == relation;
      });
    });
    // Suspects need the complement of these relations, so their values must be exact.
    if (has_defined_part_)
      for (const char* name : {misuse_of_mbarrier, after_misuse})
        if (const cat::Definition* defined = result.find(name))
          for (const bool is_negated : {false, true})
            result.flags.push_back({cat::Test::Form::empty, is_negated, defined->node, name, {}});
    return result;
  }

  bool asks(LaunchProperty property) const {
    return std::find(question_.properties.begin(), question_.properties.end(), property) !=
           question_.properties.end();
  }

  void give_up(const std::string& reason) { ptxmc::give_up(answer_, question_, reason); }

  /// The condition that all threads have ended and the final condition is false.
  Bits final_violation() {
    if (!question_.final_condition) return Bits::boolean(false);
    const Bits holds_at_end = question_.final_condition([&](int variable, std::size_t element) {
      const Variable& memory = structure().program->memory[static_cast<std::size_t>(variable)];
      Bits value = memory_.element(memory, element);
      if (value.width() == 0) value = graph_.variable(8 * memory.element_size, "unknown");
      finals_.push_back({variable, element, value});
      return value;
    });
    return search_.encoding().all_completed() & ~holds_at_end;
  }

  // ---- queries ----

  /// PTX ISA 8.7 § 8.7.2: the axioms do not apply to a program with a mixed-size data race, even if the race
  /// is accepted.
  bool axioms_are_void() {
    if (!may_overlap_partially(structure())) return false;
    const auto mixed = related_suspects(search_.encoding(), mixed_size_race, unordered_pair);
    Bits some = Bits::boolean(false);
    for (const Suspect& suspect : mixed) some = some | suspect.condition;
    const Result result = search_.find({&some, 1});
    if (result == Result::unsatisfiable) return false;
    if (result == Result::satisfiable && asks(LaunchProperty::race)) look_for(LaunchProperty::race, mixed);
    give_up(result == Result::satisfiable ? mixed_size_race_reason : search_.reason());
    return true;
  }

  void look_for(LaunchProperty property, std::vector<Suspect> suspects) {
    constexpr std::size_t most = 12;
    std::erase_if(suspects, [&](const Suspect& suspect) {
      return suspect.condition.is_false() || is_ignored(question_, property, suspect);
    });
    for (const Suspect& suspect : suspects) search_.include(suspect.condition);
    for (std::size_t found = 0; !suspects.empty() && found < most;) {
      const Result result = ask(suspects);
      if (result == Result::unknown) answer_.unknown[property] = search_.reason();
      if (result != Result::satisfiable) break;
      std::size_t noted = note_findings(property, suspects);
      if (noted == 0 && may_follow_undefined_use(property)) {
        if (ask_without_undefined_use(suspects) == Result::satisfiable)
          noted = note_findings(property, suspects);
        if (noted == 0) return look_before_undefined_uses(property);
      }
      if (noted == 0) {
        answer_.unknown[property] = "an assertion that fails before";
        break;
      }
      found += noted;
      if (!question_.all_findings) break;
    }
  }

  /// Whether the executions with the suspects of a property may only have them behind an undefined use.
  bool may_follow_undefined_use(LaunchProperty property) const {
    return property != LaunchProperty::undefined && !has_defined_part_ &&
           !some_undefined_use(search_.encoding()).is_false();
  }

  Result ask_without_undefined_use(const std::vector<Suspect>& suspects) {
    Bits some = Bits::boolean(false);
    for (const Suspect& suspect : suspects) some = some | suspect.condition;
    return find({some, ~some_undefined_use(search_.encoding())});
  }

  Result find(std::vector<Bits> conditions) {
    asked_ = std::move(conditions);
    return search_.find(asked_);
  }

  /// Whether no input is above a bound. Floating-point numbers have no bound.
  Bits has_inputs_up_to(std::uint64_t most) const {
    Bits result = Bits::boolean(true);
    for (const auto& [name, type, value, matters] : question_.inputs)
      if (value.width() != 0 && !type.is_float() && (value.width() >= 64 || most >> value.width() == 0))
        result = result & less_equal_unsigned(value, Bits(value.width(), most));
    return result;
  }

  /// The execution that the last search has found. If its inputs are large, and the launch is small, one with
  /// smaller inputs is looked for.
  Witness found() {
    constexpr std::size_t most_events = 500;
    Witness result = search_.found_candidate();
    if (structure().events.size() > most_events) return result;
    for (const std::uint64_t most : {16U, 256U, 4096U}) {
      const Bits is_small = has_inputs_up_to(most);
      if (result.values.apply(is_small).is_true()) return result;
      std::vector<Bits> conditions = asked_;
      conditions.push_back(is_small);
      const Result small = search_.find(conditions);
      if (small == Result::satisfiable) return search_.found_candidate();
      if (small == Result::unknown) return result;
    }
    return result;
  }

  /// Decides a property by the parts of executions before their undefined uses.
  void look_before_undefined_uses(LaunchProperty property) {
    LaunchQuestion question = question_;
    question.properties = {property};
    LaunchAnswer found = LaunchDecision(question, candidates_, given_model_, options_, graph_, true).run();
    std::erase_if(answer_.findings,
                  [&](const LaunchFinding& finding) { return finding.property == property; });
    std::ranges::move(found.findings, std::back_inserter(answer_.findings));
    for (auto& [open, reason] : found.unknown) answer_.unknown.emplace(open, std::move(reason));
  }

  /// Searches for an execution with one of the suspects. If threads continue after traps, executions without
  /// traps are tried first.
  Result ask(const std::vector<Suspect>& suspects) {
    Bits some = Bits::boolean(false);
    for (const Suspect& suspect : suspects) some = some | suspect.condition;
    if (question_.traps_go_on) {
      Bits traps = Bits::boolean(false);
      for (std::size_t thread = 0; thread < structure().endings.size(); ++thread)
        traps = traps | search_.encoding().ends(thread, {Kind::trapped});
      const Result result = find({some, ~traps});
      if (result != Result::unsatisfiable || traps.is_false()) return result;
    }
    return find({some});
  }

  /// Records all findings of the solver's last assignment, and removes their suspects.
  std::size_t note_findings(LaunchProperty property, std::vector<Suspect>& suspects) {
    ShownExecution execution(question_, structure(), model_, found(), finals_);
    const std::set<SuspectLines> shown = execution.note(property, suspects, answer_.findings);
    if (shown.empty() && !question_.traps_go_on && !may_follow_undefined_use(property))
      throw std::logic_error("the solver's assignment shows none of what it was asked for");
    std::erase_if(suspects, [&](const Suspect& suspect) { return shown.contains(lines_of(suspect)); });
    return shown.size();
  }

  /// Checks whether some execution needs more iterations than the bound.
  void look_for_more() {
    Bits more = Bits::boolean(false);
    for (std::size_t thread = 0; thread < structure().endings.size(); ++thread)
      more = more | search_.encoding().ends(thread, {Kind::bound_reached});
    if (const auto reason = search_.incomplete({&more, 1})) give_up(*reason);
  }

  /// Whoever chooses the phases of barriers may forget some. Known phases have been enumerated.
  void look_for_complete_executions() {
    if (!answer_.findings.empty() || !answer_.unknown.empty() || has_defined_part_) return;
    if (candidates_.phases.is_in_order || !has_barriers(structure())) return;
    const Bits all_end = search_.encoding().all_completed();
    answer_.lacks_complete_executions = search_.find({&all_end, 1}) == Result::unsatisfiable &&
                                        choose_inputs(question_, options_, graph_).has_value();
  }

  const LaunchQuestion& question_;
  const cat::Model& given_model_;
  const DecideOptions& options_;
  TermGraph& graph_;
  const bool has_defined_part_;
  const cat::Model model_;  // with the flags that are needed
  const SettledCandidates candidates_;
  ExecutionSearch search_;
  FinalMemory memory_;
  std::vector<FinalContent> finals_;  // the elements in the final condition
  std::vector<Bits> asked_;           // the conditions of the last search
  LaunchAnswer answer_;
};

}  // namespace

namespace {

/// Decides all properties. If the final condition contains hard arithmetic, it is decided last.
LaunchAnswer decide_launch(const LaunchQuestion& question, const SettledCandidates& candidates,
                           const cat::Model& model, const DecideOptions& options, TermGraph& graph) {
  const auto decide = [&](const LaunchQuestion& asked) {
    return LaunchDecision(asked, candidates, model, options, graph).run();
  };
  const bool asks_at_end =
      std::ranges::find(question.properties, LaunchProperty::assertion) != question.properties.end();
  if (!question.final_condition || !asks_at_end || !has_floating_point(candidates.structure))
    return decide(question);
  LaunchQuestion without_end = question, at_end = question;
  without_end.final_condition = {};
  at_end.properties = {LaunchProperty::assertion};
  LaunchAnswer answer = decide(without_end);
  try {
    unite(answer, decide(at_end));
  } catch (const OutOfTime& out) {
    answer.unknown.emplace(LaunchProperty::assertion, out.what());
  }
  std::ranges::stable_sort(answer.findings, {}, &LaunchFinding::property);
  for (const LaunchFinding& finding : answer.findings) answer.unknown.erase(finding.property);
  return answer;
}

/// The properties that no execution violates even if fences are weaker (weaker_fences.hpp). It takes a part
/// of the time that is left.
std::set<LaunchProperty> excluded_with_weaker_fences(const LaunchQuestion& question,
                                                     SettledCandidates candidates, const cat::Model& model,
                                                     const DecideOptions& options, TermGraph& graph) {
  auto weaker = with_weaker_fences(candidates.structure, model);
  if (!weaker) return {};
  candidates.structure = *std::move(weaker);
  std::set<LaunchProperty> excluded;
  try {
    const TimeLimit limit(TimeLimit::seconds_left() / 2, options.interrupted);
    const LaunchAnswer answer = decide_launch(question, candidates, model, options, graph);
    for (const LaunchProperty property : question.properties)
      if (!answer.unknown.contains(property) && !has_finding(answer, property)) excluded.insert(property);
  } catch (const OutOfTime&) {
  }
  return excluded;
}

/// Decides all properties, first those that need no order of fences.
LaunchAnswer decide_in_steps(LaunchQuestion question, const SettledCandidates& candidates,
                             const cat::Model& model, const DecideOptions& options, TermGraph& graph) {
  const auto excluded = excluded_with_weaker_fences(question, candidates, model, options, graph);
  std::erase_if(question.properties, [&](LaunchProperty property) { return excluded.contains(property); });
  return question.properties.empty() ? LaunchAnswer()
                                     : decide_launch(question, candidates, model, options, graph);
}

/// An answer in which every property is unknown for this reason.
LaunchAnswer unknown_answer(const LaunchQuestion& question, const std::string& reason) {
  LaunchAnswer answer;
  give_up(answer, question, reason);
  return answer;
}

/// Answers a question within the time limit with a function that adds what it finds to the answer, and
/// returns whether it can decide the question. What it has found when the time is over stays true.
std::optional<LaunchAnswer> in_time(const LaunchQuestion& question, const DecideOptions& options,
                                    const std::function<bool(LaunchAnswer&)>& decide) {
  const auto start = std::chrono::steady_clock::now();
  const TimeLimit limit(options.timeout_seconds, options.interrupted);
  LaunchAnswer answer;
  try {
    if (!decide(answer)) return std::nullopt;
  } catch (const OutOfTime& out) {
    give_up(answer, question, out.what());
  }
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
