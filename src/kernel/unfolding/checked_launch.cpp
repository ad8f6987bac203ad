#include "src/kernel/unfolding/checked_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "solver/explorer/explored_model.hpp"
#include "solver/launch/departing_threads.hpp"
#include "solver/launch/launch_exploration.hpp"
#include "solver/limits/event_limit.hpp"
#include "solver/limits/memory_limit.hpp"
#include "solver/limits/stopwatch.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/barrier_matching.hpp"
#include "src/kernel/module/called_function.hpp"
#include "src/kernel/unfolding/assumed_zero.hpp"
#include "src/kernel/unfolding/cluster_cancellations.hpp"
#include "src/kernel/unfolding/launch_by_threads.hpp"

namespace ptxmc::kernel {

namespace {

/// A method to decide a launch.
enum class Way {
  by_threads,          ///< one thread stands for all
  by_schedules,        ///< if its barriers do not depend on values that are read
  by_whole_schedules,  ///< the same, only if no property stays unknown
  by_quick_schedules,  ///< the same, if no search among executions is needed
  by_alike_parts,      ///< if a few threads at a time show that all is excluded, and most of these are alike
  by_solver,
  by_exploration,
  by_short_exploration,  ///< if the explorer finishes soon
  by_long_exploration,   ///< if the explorer finishes in about the time of the solver
};

/// How far the explorer goes. The limits are not in seconds, so that an answer has the same witnesses every
/// time.
struct ExplorationLimit {
  std::uint64_t steps;  ///< DecideOptions::max_steps
  /// As many choices are made with more steps, unless there are too many events: their relations take
  /// longest.
  std::uint64_t choices;
  std::size_t most_events;
};
constexpr ExplorationLimit short_exploration{20'000, 200, 1'500};
constexpr ExplorationLimit long_exploration{400'000, 2'000, 3'000};

/// Lets the explorer decide, if it finishes within the limit.
bool explore_shortly(CheckedLaunch& checked, const LaunchQuestion& question, const cat::Model& model,
                     const DecideOptions& options, const ExplorationLimit& limit) {
  const std::size_t events = question.structure->events.size();
  DecideOptions limited = options;
  limited.max_steps = limit.steps;
  if (events <= limit.most_events)
    limited.max_steps = std::max(limit.steps, limit.choices * cost_of_step(events));
  try {
    checked.answer = explore_launch(question, model, limited, *checked.graph);
    return !checked.answer.is_given_up;
  } catch (const Unsupported&) {  // the other methods decide, or report what is unsupported
    return false;
  }
}

bool is_by_schedules(Way way) {
  return way == Way::by_schedules || way == Way::by_whole_schedules || way == Way::by_quick_schedules;
}

/// Decides the launch by schedules of its barriers. Returns whether this was possible.
bool try_schedules(CheckedLaunch& checked, const LaunchQuestion& question, const cat::Model& model,
                   const DecideOptions& options, Way way) {
  if (way == Way::by_whole_schedules && !has_barriers(*question.structure)) return false;
  const std::vector<Departure>& departures = checked.unfolded->departures;
  const auto rest = way == Way::by_quick_schedules ? UnderSchedules::no_search : UnderSchedules::search;
  auto answer = check_launch_by_schedules(question, departures, model, options, *checked.graph, rest);
  if (!answer) return false;
  checked.answer = std::move(*answer);
  if (checked.answer.is_given_up) return false;
  if (way == Way::by_whole_schedules && !departures.empty()) return true;
  return way == Way::by_schedules || checked.answer.unknown.empty();
}

bool try_alike_parts(CheckedLaunch& checked, const LaunchQuestion& question, const cat::Model& model,
                     const DecideOptions& options) {
  checked.answer = {};
  try {
    return is_excluded_for_alike_parts(question, model, options, *checked.graph);
  } catch (const Unsupported&) {  // the other methods decide, or report what is unsupported
    return false;
  }
}

bool decide(CheckedLaunch& checked, const LaunchQuestion& question, const cat::Model& model,
            const DecideOptions& options, Way way) {
  switch (way) {
    case Way::by_threads:
      break;
    case Way::by_schedules:
    case Way::by_whole_schedules:
    case Way::by_quick_schedules:
      return try_schedules(checked, question, model, options, way);
    case Way::by_alike_parts:
      return try_alike_parts(checked, question, model, options);
    case Way::by_solver:
      if (options.on_progress) options.on_progress({});
      checked.answer = check_launch(question, model, options, *checked.graph);
      return true;
    case Way::by_exploration:
      checked.answer = explore_launch(question, model, options, *checked.graph);
      return true;
    case Way::by_short_exploration:
      return explore_shortly(checked, question, model, options, short_exploration);
    case Way::by_long_exploration:
      return explore_shortly(checked, question, model, options, long_exploration);
  }
  return false;
}

/// Decides the ways in which clusters can be cancelled until one cannot be decided, and adds the answers.
/// Returns whether all could be decided.
bool add_cases(CheckedLaunch& checked, LaunchQuestion question, const cat::Model& model,
               const DecideOptions& options, Way way, LaunchAnswer& all) {
  for (const EventStructure& structure : cancellation_cases(*checked.unfolded)) {
    TimeLimit::check();
    question.structure = &structure;
    const bool is_decided = decide(checked, question, model, options, way);
    all.engine = checked.answer.engine;
    unite(all, std::exchange(checked.answer, {}));
    if (!is_decided) return false;
    if (stop_if_enough(all, question)) break;
    std::erase_if(question.properties, [&](LaunchProperty property) { return has_finding(all, property); });
    if (question.properties.empty()) break;
  }
  return true;
}

/// Decides each way in which clusters can be cancelled. The cases have executions in common, so the number of
/// executions stays open.
bool decide_cases(CheckedLaunch& checked, const LaunchQuestion& question, const cat::Model& model,
                  const DecideOptions& options, Way way) {
  LaunchAnswer all;
  all.lacks_complete_executions = true;
  try {
    if (!add_cases(checked, question, model, options, way, all)) {
      checked.answer.findings = std::move(all.findings);
      return false;
    }
  } catch (const OutOfTime& out) {
    give_up(all, question, out.what());
  }
  for (const LaunchFinding& finding : all.findings) all.unknown.erase(finding.property);
  std::ranges::stable_sort(all.findings, {}, &LaunchFinding::property);
  checked.answer = std::move(all);
  return true;
}

/// A launch in which no execution is complete must have a finding: its threads stop at something.
void doubt_contradiction(CheckedLaunch& checked, const LaunchQuestion& question) {
  LaunchAnswer& answer = checked.answer;
  if (answer.lacks_complete_executions && answer.findings.empty() && answer.unknown.empty() &&
      checked.launch.ignored.empty() && question.properties == all_launch_properties())
    give_up(answer, question, "no execution in which all threads end, and no reason for this");
}

/// Decides a launch that is unfolded for a method with this method. Returns whether this was possible.
bool decide_unfolded(CheckedLaunch& checked, const std::vector<LaunchProperty>& properties,
                     const cat::Model& model, const DecideOptions& options, Way way) {
  LaunchQuestion question;
  static_cast<CandidateExecutions&>(question) = candidates_of(checked.launch, *checked.unfolded);
  question.traps_go_on = is_by_schedules(way);
  if (!checked.launch.final_condition.empty())
    question.final_condition = [&](const ptxmc::ElementValue& final_value) {
      return final_condition(checked.launch, *checked.unfolded, final_value);
    };
  question.properties = properties;
  question.all_findings = options.all_findings;
  question.racing_lines = checked.launch.racing_lines;
  question.is_ignored = ignored_findings(checked.launch);
  const bool is_decided = checked.unfolded->requests.empty()
                              ? decide(checked, question, model, options, way)
                              : decide_cases(checked, question, model, options, way);
  if (is_decided) doubt_contradiction(checked, question);
  return is_decided;
}

/// Under Engine::both the explorer decides separately, and one thread that stands for all has no part.
bool is_left_to_explorer(Way way) {
  return way == Way::by_threads || way == Way::by_short_exploration || way == Way::by_long_exploration;
}

/// The methods to try, in order. Of a small launch schedules decide only what they decide wholly, since the
/// solver finds more: violations after a trap of another thread.
std::vector<Way> ways(bool is_small, bool schedules_first) {
  if (is_small)
    return {Way::by_short_exploration, Way::by_threads, Way::by_whole_schedules, Way::by_long_exploration,
            Way::by_solver};
  std::vector<Way> result = {Way::by_threads,     Way::by_quick_schedules, Way::by_short_exploration,
                             Way::by_alike_parts, Way::by_schedules,       Way::by_long_exploration,
                             Way::by_solver};
  if (schedules_first) std::swap(result[0], result[1]);
  return result;
}

/// Whether a launch of few threads has a final condition or calls of assert(). They are about what several
/// threads have computed, which one thread that stands for all does not know, so that schedules are needed
/// anyway.
bool asserts_what_few_threads_computed(const Launch& launch, const syntax::Module& module) {
  constexpr std::uint64_t few_threads = 1024;
  const auto is_assertion = [](const syntax::ModuleStatement& statement) {
    const auto* function = std::get_if<syntax::Function>(&statement.is);
    return function != nullptr && function->name.text == assertion_function;
  };
  return threads_of(launch) <= few_threads &&
         (!launch.final_condition.empty() || std::ranges::any_of(module.statements, is_assertion));
}

/// Adds the findings of abandoned methods, for properties without a finding of the last method.
void add_found_before(LaunchAnswer& answer, std::vector<LaunchFinding> before) {
  std::set<LaunchProperty> found;
  for (const LaunchFinding& finding : answer.findings) found.insert(finding.property);
  for (LaunchFinding& finding : before)
    if (!found.contains(finding.property)) {
      answer.unknown.erase(finding.property);
      answer.findings.push_back(std::move(finding));
    }
  std::ranges::stable_sort(answer.findings, {}, &LaunchFinding::property);
}

/// Whether a thread ends because of what an mbarrier operation finds in memory that holds no object, so that
/// it has no meaning.
bool is_about_no_object(const LaunchFinding& finding) {
  if (finding.property != LaunchProperty::undefined || finding.site.event >= 0) return false;
  const Execution& execution = finding.witness;
  const auto event = [&](EventId id) -> const Event& {
    return execution.events[static_cast<std::size_t>(id)];
  };
  EventId read = -1;  // the last one of the thread
  for (EventId id = 0; id < static_cast<EventId>(execution.events.size()); ++id)
    if (event(id).thread == finding.site.thread && event(id).is_read()) read = id;
  return read >= 0 && event(read).access.mbarrier == MbarrierAccess::operation &&
         event(read).instruction->where.line == finding.site.where.line &&
         std::ranges::any_of(execution.reads_from, [&](const ReadsFrom& source) {
           return source.read == read && event(source.write).access.mbarrier == MbarrierAccess::none;
         });
}

/// If it is found that memory holds no mbarrier object, what operations find there is left out.
void leave_out_contents_of_no_object(std::vector<LaunchFinding>& findings) {
  const bool is_said = std::ranges::any_of(findings, [](const LaunchFinding& finding) {
    return finding.property == LaunchProperty::undefined && finding.site.event >= 0;
  });
  if (is_said) std::erase_if(findings, is_about_no_object);
}

std::vector<std::string> all_assumed_zero(const CheckedLaunch& checked) {
  if (checked.answer.findings.empty() && checked.answer.engine == by_one_thread) return checked.assumed_zero;
  if (checked.answer.findings.empty())
    return checked.unknown().empty() ? assumed_zero(*checked.unfolded) : std::vector<std::string>();
  std::set<std::string> names;
  for (const LaunchFinding& finding : checked.answer.findings)
    for (std::string& name : assumed_zero(checked, finding)) names.insert(std::move(name));
  return {names.begin(), names.end()};
}

/// Lets one method after the other answer what those before it have left open.
class Methods {
 public:
  Methods(CheckedLaunch& checked, const std::vector<LaunchProperty>& properties, const cat::Model& model,
          const DecideOptions& options)
      : checked_(checked), model_(model), options_(options), open_(properties) {}

  void decide_by(Engine engine) {
    try {
      ask_all(ways_of(engine));
    } catch (const OutOfTime& out) {
      leave_open(out.what());
    } catch (const Unsupported& unsupported) {
      if (found_.empty()) throw;  // what was found stays true
      leave_open(fmt::format("unsupported: {}", unsupported.what()));
    } catch (const std::bad_alloc&) {
      if (found_.empty()) throw;
      leave_open("out of memory");
    }
    add_found_before(checked_.answer, std::move(found_));
  }

 private:
  std::vector<Way> ways_of(Engine engine) {
    if (engine == Engine::explorer) return {Way::by_exploration};
    if (engine == Engine::smt) return {Way::by_solver};
    std::vector<Way> result =
        ways(is_small(), asserts_what_few_threads_computed(checked_.launch, checked_.loaded->module()));
    if (engine == Engine::both) std::erase_if(result, is_left_to_explorer);
    if (threads_of(checked_.launch) == 1) std::erase(result, Way::by_threads);  // it stands for no other
    return result;
  }

  /// Only a thread that stands for all of them can decide a launch of too many events.
  void ask_all(const std::vector<Way>& ways) {
    std::optional<TooManyEvents> over;
    for (const Way way : ways) {
      if (over && way != Way::by_threads) continue;
      try {
        if (ask(way)) return;
      } catch (const TooManyEvents& found) {
        over = found;
      }
    }
    if (!over) return;
    checked_.answer = {};
    leave_open(over->what());
  }

  /// Whether nothing is left for other methods.
  bool ask(Way way) {
    const TimeLimit limit(found_.empty() ? 0 : seconds_beside_findings(), options_.interrupted);
    if (way == Way::by_threads) return ask_by_threads();
    if (way == Way::by_long_exploration && has_explored_) return false;
    if (way == Way::by_schedules && has_no_schedules_) return false;
    checked_.answer = {};
    if (!unfold(way)) return false;
    if (is_search_too_long(way)) return way != Way::by_short_exploration;  // alike parts may exclude the rest
    has_explored_ = has_explored_ || way == Way::by_long_exploration;
    if (way == Way::by_schedules && !suits_solver()) {
      if (ask(Way::by_long_exploration)) return true;
      unfold(way);
    }
    if (decide_unfolded(checked_, open_, model_, options_, way)) return true;
    if (way == Way::by_quick_schedules) note_quick_schedules();
    if (way == Way::by_schedules && !left_by_schedules_.empty()) {
      leave_open(left_by_schedules_);
      return true;
    }
    if (!checked_.answer.findings.empty() && !options_.all_findings) return true;
    keep(std::exchange(checked_.answer.findings, {}));
    if (open_.empty()) checked_.answer.unknown.clear();
    return open_.empty();
  }

  void note_quick_schedules() {
    const LaunchAnswer& answer = checked_.answer;
    if (checked_.unfolded->requests.empty()) has_no_schedules_ = answer.is_given_up || answer.unknown.empty();
    if (!answer.findings.empty() && !answer.is_given_up && !answer.unknown.empty())
      left_by_schedules_ = answer.unknown.begin()->second;
  }

  /// Whether the explorer and the solver are likely to decide the launch soon. The launch is unfolded until
  /// it has too many events for this.
  bool is_small() {
    constexpr std::size_t most_events = 100;
    try {
      return unfold(Way::by_short_exploration, most_events);
    } catch (const TooManyEvents&) {
      return false;
    }
  }

  /// Unfolds the launch for a method; it is unfolded once for schedules and once for the others. Returns
  /// false if other methods decide, or report what is unsupported. Throws TooManyEvents above `most_events`,
  /// or for 0 above the limit of the options.
  bool unfold(Way way, std::size_t most_events = 0) {
    UnfoldedLaunch*& known = is_by_schedules(way) ? for_schedules_ : for_executions_;
    std::unique_ptr<UnfoldedLaunch>& current = checked_.unfolded;
    auto& before = checked_.unfolded_before;
    if (known != nullptr && current.get() == known) return true;
    if (current) before.push_back(std::move(current));
    if (known != nullptr) {
      const auto found = std::ranges::find(before, known, &std::unique_ptr<UnfoldedLaunch>::get);
      current = std::move(*found);
      before.erase(found);
      return true;
    }
    UnfoldOptions unfolding = launch_unfolding(options_);
    unfolding.traps_go_on = is_by_schedules(way);
    if (most_events != 0 && (unfolding.max_events == 0 || most_events < unfolding.max_events))
      unfolding.max_events = most_events;
    try {
      current =
          unfold_launch(*checked_.loaded, checked_.launch, *checked_.graph, unfolding, is_by_schedules(way));
    } catch (const TooManyEvents&) {
      throw;
    } catch (const Unsupported&) {
      if (way == Way::by_solver || way == Way::by_exploration) throw;
      return false;
    }
    known = current.get();
    return true;
  }

  /// Leaves the other properties open where something is found and the search for more would take far longer.
  /// They can be asked one at a time.
  bool is_search_too_long(Way way) {
    constexpr std::size_t most_for_alike_parts = 3'000;  // each two accesses to an open address are compared
    if (found_.empty() || way == Way::by_quick_schedules || suits_solver()) return false;
    if (way == Way::by_alike_parts && events() <= most_for_alike_parts) return false;
    leave_open(fmt::format("something is found, and a search among {} events is left", events()));
    return true;
  }

  std::size_t events() const { return checked_.unfolded->structure.events.size(); }

  /// For more events the explorer takes a fraction of the time and memory of the solver, and schedules take a
  /// fraction of those of the explorer.
  bool suits_solver() const {
    constexpr std::size_t most_events = 1'000;
    return events() <= most_events;
  }

  bool ask_by_threads() {
    ByThreads answer =
        check_by_threads(*checked_.loaded, checked_.launch, open_, model_, options_, *checked_.graph);
    std::erase_if(open_, [&](LaunchProperty property) { return answer.decides(property); });
    std::ranges::move(answer.parts, std::back_inserter(checked_.unfolded_before));
    keep(std::move(answer.findings));
    if (!open_.empty()) return false;
    checked_.answer = {};
    checked_.answer.engine = by_one_thread;
    checked_.assumed_zero = std::move(answer.assumed_zero);
    checked_.executed = std::move(answer.executed);
    return true;
  }

  void keep(std::vector<LaunchFinding> findings) {
    for (const LaunchFinding& finding : findings) std::erase(open_, finding.property);
    std::ranges::move(findings, std::back_inserter(found_));
  }

  void leave_open(const std::string& reason) {
    for (const LaunchProperty property : open_) checked_.answer.unknown.emplace(property, reason);
  }

  CheckedLaunch& checked_;
  const cat::Model& model_;
  const DecideOptions& options_;
  std::vector<LaunchProperty> open_;
  std::vector<LaunchFinding> found_;  // of methods that leave something open
  UnfoldedLaunch* for_schedules_ = nullptr;
  UnfoldedLaunch* for_executions_ = nullptr;
  bool has_explored_ = false;      // with the larger limit
  std::string left_by_schedules_;  // why they leave something open, if they have found something
  bool has_no_schedules_ = false;  // the barriers depend on what threads read
};

/// A dependent grid may start before its prerequisite has completed, and need not (PTX ISA 8.7 § 9.7.13.13).
/// So a launch also has a deadlock if its first grids have one without those that follow them.
void check_first_grids(Engine engine, CheckedLaunch& checked, const cat::Model& model,
                       const DecideOptions& options) {
  for (std::size_t unstarted = 1; unstarted < checked.launch.entries.size(); ++unstarted) {
    if (checked.violated().contains(LaunchProperty::deadlock)) return;
    if (!options.all_findings && !checked.answer.findings.empty()) return;
    auto unfolded = std::move(checked.unfolded);
    LaunchAnswer answer = std::exchange(checked.answer, {});
    checked.launch.unstarted = unstarted;
    Methods(checked, {LaunchProperty::deadlock}, model, options).decide_by(engine);
    checked.launch.unstarted = 0;
    for (LaunchFinding& finding : checked.answer.findings) {
      finding.message = fmt::format("'{}' need not start before the grid before it has completed",
                                    checked.launch.entries[checked.launch.entries.size() - unstarted]);
      answer.unknown.erase(finding.property);
      answer.findings.push_back(std::move(finding));
    }
    answer.unknown.merge(checked.answer.unknown);
    checked.answer = std::move(answer);
    if (checked.unfolded) checked.unfolded_before.push_back(std::move(checked.unfolded));
    checked.unfolded = std::move(unfolded);
  }
}

/// Decides a launch with the first method of an engine that can decide it.
CheckedLaunch check_with(Engine engine, const Launch& launch, const std::vector<LaunchProperty>& properties,
                         const cat::Model& model, const DecideOptions& options) {
  const Stopwatch stopwatch;
  CheckedLaunch result;
  static_cast<OpenedLaunch&>(result) = open_launch(launch);
  {
    const TimeLimit limit(options.timeout_seconds, options.interrupted);
    const MemoryLimit memory(options.memory_bytes);
    Methods(result, properties, model, options).decide_by(engine);
    const bool is_asked = std::ranges::find(properties, LaunchProperty::deadlock) != properties.end();
    if (launch.is_dependent && is_asked) check_first_grids(engine, result, model, options);
  }
  leave_out_contents_of_no_object(result.answer.findings);
  result.assumed_zero = all_assumed_zero(result);
  result.seconds = stopwatch.seconds();
  return result;
}

}  // namespace

std::set<LaunchProperty> CheckedLaunch::violated() const {
  std::set<LaunchProperty> result;
  for (const LaunchFinding& finding : answer.findings) result.insert(finding.property);
  return result;
}

std::string CheckedLaunch::unknown() const {
  std::string text;
  for (const auto& [property, reason] : answer.unknown)
    if (text.find(reason) == std::string::npos) text += (text.empty() ? "" : ", ") + reason;
  return text;
}

std::vector<std::string> assumed_zero(const CheckedLaunch& checked, const LaunchFinding& finding) {
  const auto is_of = [&](const std::unique_ptr<UnfoldedLaunch>& unfolded) {
    return unfolded && &unfolded->program == finding.witness.program;
  };
  if (is_of(checked.unfolded)) return assumed_zero(checked.launch, *checked.unfolded, finding);
  for (const auto& one : checked.at_sizes) {
    const bool is_here = is_of(one->unfolded) || std::ranges::any_of(one->unfolded_before, is_of);
    if (is_here) return assumed_zero(*one, finding);
  }
  const auto before = std::ranges::find_if(checked.unfolded_before, is_of);
  if (before == checked.unfolded_before.end()) return {};
  return assumed_zero(checked.launch, **before, finding);
}

CheckedLaunch unknown_launch(const Launch& launch, const std::vector<LaunchProperty>& properties,
                             const std::string& reason, double seconds) {
  CheckedLaunch result;
  result.launch = launch;
  result.seconds = seconds;
  for (const LaunchProperty property : properties) result.answer.unknown.emplace(property, reason);
  return result;
}

CheckedLaunch check_known_size(const Launch& launch, const std::vector<LaunchProperty>& properties,
                               const cat::Model& model, const DecideOptions& options, Engine engine) {
  SharedTime time(options, engine == Engine::both ? 2 : 1);
  CheckedLaunch result = check_with(engine, launch, properties, model, time.next());
  if (engine != Engine::both) return result;
  const CheckedLaunch explored = check_with(Engine::explorer, launch, properties, model, time.next());
  if (const auto sentence = contradiction(explored.answer, result.answer)) throw Disagreement(*sentence);
  result.answer.engine = "both";
  result.answer.executions = explored.answer.executions;
  result.seconds += explored.seconds;
  return result;
}

}  // namespace ptxmc::kernel
