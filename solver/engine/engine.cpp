#include "solver/engine/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "semantics/language/diagnostic.hpp"
#include "solver/engine/mixed_size_atomicity.hpp"
#include "solver/explorer/explorer.hpp"
#include "solver/explorer/outcomes.hpp"
#include "solver/explorer/shared_tree.hpp"
#include "solver/explorer/termination_exploration.hpp"
#include "solver/launch/launch_exploration.hpp"
#include "solver/smt_engine/final_state_search.hpp"

namespace ptxmc {

namespace {

/// About a second of exploration, after which the solver takes over. The limit is in steps and not in
/// seconds, so that an answer has the same witnesses every time.
constexpr std::uint64_t steps_before_smt = 100'000;
/// The time for the solver, before the explorer gets another turn.
constexpr double seconds_before_explorer = 10;
/// The factor by which the limits grow from one turn to the next.
constexpr unsigned growth = 8;

/// Whether an engine was stopped before it had finished.
bool ran_out(const std::string& reason) {
  return reason == "timeout" || reason == "interrupted" || reason == "memory limit" ||
         reason == StepLimit::reason || reason == state_limit;
}

bool has_given_up(const Answer& answer) {
  const bool is_whole = answer.verdict != Verdict::unknown && answer.states_complete;
  return !is_whole && answer.reason == StepLimit::reason;
}
bool has_given_up(const FlagFinding& finding) { return finding.reason == StepLimit::reason; }
bool has_given_up(const Termination& answer) { return answer.reason == StepLimit::reason; }
bool has_given_up(const LaunchAnswer& answer) { return answer.is_given_up; }

template <class Found>
bool has_timed_out(const Found& found) {
  return found.reason == "timeout";
}
bool has_timed_out(const LaunchAnswer& answer) {
  return std::ranges::any_of(answer.unknown, [](const auto& entry) { return entry.second == "timeout"; });
}

/// Whether states of another engine may be added: false if the model does not cover the program, or if the
/// answer is complete.
bool may_be_added_to(const Answer& answer) {
  const bool is_whole = answer.verdict != Verdict::unknown && answer.states_complete;
  return !is_whole && (answer.verdict != Verdict::unknown || ran_out(answer.reason) ||
                       answer.reason.starts_with("loop bound"));
}

}  // namespace

void add_found(Answer&& kept, Answer& answer) {
  if (!may_be_added_to(answer)) return;
  for (FinalState& state : kept.states) {
    const auto same = [&](const FinalState& other) { return other.values == state.values; };
    if (std::ranges::none_of(answer.states, same)) answer.states.push_back(std::move(state));
  }
  for (FinalState& state : answer.states) state.executions.reset();
  std::ranges::sort(answer.states, {}, &FinalState::values);
  if (answer.verdict == Verdict::unknown && kept.verdict == Verdict::allowed) {
    answer.verdict = kept.verdict;
    answer.holds = kept.holds;
    answer.witness = std::move(kept.witness);
    answer.engine = kept.engine;
  }
}

namespace {

void add_found(FlagFinding&&, FlagFinding&) {}  // one execution decides, so there is nothing to add
void add_found(Termination&&, Termination&) {}
/// Takes the properties that only the other answer decides.
void add_found(LaunchAnswer&& kept, LaunchAnswer& answer) {
  std::erase_if(answer.unknown, [&](const auto& entry) {
    if (kept.unknown.contains(entry.first)) return false;
    for (LaunchFinding& finding : kept.findings)
      if (finding.property == entry.first) answer.findings.push_back(std::move(finding));
    return true;
  });
  std::ranges::stable_sort(answer.findings, {}, &LaunchFinding::property);
}

/// Asks an engine within a time limit.
template <class Found>
using Ask = std::function<Found(const DecideOptions&)>;

/// Asks the explorer, and the solver if the explorer gives up; they take turns, so that neither waits very
/// long for the other.
template <class Found>
Found ask_in_turns(const DecideOptions& options, const Ask<Found>& explorer, const Ask<Found>& smt) {
  const auto start = std::chrono::steady_clock::now();
  const bool is_limited = options.timeout_seconds > 0;
  const auto seconds_left = [&] {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    return std::max(options.timeout_seconds - spent.count(), 0.001);
  };
  std::optional<Found> kept;  // the result of earlier turns
  const auto with_kept = [&](Found found) {
    if (kept) add_found(*std::exchange(kept, std::nullopt), found);
    return found;
  };
  bool may_explore = true;
  DecideOptions exploring = options, solving = options;
  exploring.max_steps = steps_before_smt;
  for (double share = seconds_before_explorer;; share *= growth, exploring.max_steps *= growth) {
    if (is_limited) exploring.timeout_seconds = seconds_left();
    try {
      Found found = with_kept(explorer(exploring));
      if (!has_given_up(found)) return found;
      kept = std::move(found);
    } catch (const Unsupported&) {  // the SMT engine decides instead, or reports what is unsupported
      may_explore = false;
    }
    const double left = is_limited ? seconds_left() : 0;
    const bool is_last = !may_explore || (is_limited && left < 2 * share);
    solving.timeout_seconds = is_last ? left : share;
    Found found = with_kept(smt(solving));
    if (is_last || !has_timed_out(found)) return found;
    kept = std::move(found);
  }
}

const char* word(Verdict verdict) {
  return verdict == Verdict::allowed ? "allowed" : verdict == Verdict::forbidden ? "forbidden" : "unknown";
}

/// A sentence about a state that only one of them has.
std::optional<std::string> difference_in_states(const Answer& explorer, const Answer& smt) {
  const auto has = [](const Answer& answer, const FinalState& state) {
    return std::any_of(answer.states.begin(), answer.states.end(),
                       [&](const FinalState& other) { return other.values == state.values; });
  };
  for (const FinalState& state : explorer.states)
    if (!has(smt, state)) return fmt::format("only the explorer finds the state {}", state.values);
  for (const FinalState& state : smt.states)
    if (!has(explorer, state)) return fmt::format("only the SMT engine finds the state {}", state.values);
  return std::nullopt;
}

/// A sentence about two contradicting verdicts.
std::optional<std::string> difference(Verdict explorer, const std::string& explorer_reason, Verdict smt,
                                      const std::string& smt_reason) {
  const bool finished = !ran_out(explorer_reason) && !ran_out(smt_reason);
  const bool both_know = explorer != Verdict::unknown && smt != Verdict::unknown;
  if (explorer == smt || (!finished && !both_know)) return std::nullopt;
  return fmt::format("the explorer says {} ({}), the SMT engine {} ({})", word(explorer), explorer_reason,
                     word(smt), smt_reason);
}

Verdict verdict_of(const FlagFinding& finding) { return finding.raised; }
Verdict verdict_of(const Termination& answer) { return answer.hangs; }
Verdict verdict_of(const Answer& answer) { return answer.verdict; }

/// Takes what only the explorer decides.
template <class Found>
void add_explored(const Found& explored, Found& found) {
  if (verdict_of(found) == Verdict::unknown && verdict_of(explored) != Verdict::unknown) found = explored;
}
void add_explored(const LaunchAnswer& explored, LaunchAnswer& found) {
  add_found(LaunchAnswer(explored), found);
}

/// Throws Disagreement.
template <class Found>
Found ask_both(const DecideOptions& options, const Ask<Found>& explorer, const Ask<Found>& smt) {
  SharedTime time(options, 2);
  const Found explored = explorer(time.next());
  Found found = smt(time.next());
  if (const auto sentence = contradiction(explored, found)) throw Disagreement(*sentence);
  add_explored(explored, found);
  if constexpr (std::is_same_v<Found, Answer>) {
    found.blocked = explored.blocked;
    found.seconds += explored.seconds;
  }
  found.engine = "both";
  return found;
}

template <class Found>
Found ask(Engine engine, const DecideOptions& options, const Ask<Found>& explorer, const Ask<Found>& smt) {
  switch (engine) {
    case Engine::automatic:
      return ask_in_turns(options, explorer, smt);
    case Engine::explorer:
      return explorer(options);
    case Engine::smt:
      return smt(options);
    case Engine::both:
      return ask_both(options, explorer, smt);
  }
  throw std::logic_error("an engine without a meaning");
}

}  // namespace

SharedTime::SharedTime(const DecideOptions& options, unsigned parts)
    : options_(options), parts_(parts), start_(std::chrono::steady_clock::now()) {}

DecideOptions SharedTime::next() {
  constexpr double least = 0.001;
  const unsigned parts = parts_ > 1 ? parts_-- : 1;
  DecideOptions result = options_;
  if (result.timeout_seconds <= 0) return result;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  result.timeout_seconds = std::max(least, (options_.timeout_seconds - spent.count()) / parts);
  return result;
}

std::optional<Engine> find_engine(std::string_view name) {
  if (name == "auto") return Engine::automatic;
  if (name == "explorer") return Engine::explorer;
  if (name == "smt") return Engine::smt;
  if (name == "both") return Engine::both;
  return std::nullopt;
}

std::optional<std::string> contradiction(const Answer& explorer, const Answer& smt) {
  if (auto sentence = difference(explorer.verdict, explorer.reason, smt.verdict, smt.reason)) return sentence;
  const bool finished = !ran_out(explorer.reason) && !ran_out(smt.reason);
  if (finished && explorer.states_complete && smt.states_complete) {
    if (const auto state = difference_in_states(explorer, smt)) return state;
    if (explorer.executions && smt.executions && *explorer.executions != *smt.executions)
      return fmt::format("the explorer counts {} executions, the SMT engine {}", *explorer.executions,
                         *smt.executions);
    for (const FinalState& state : explorer.states)
      for (const FinalState& other : smt.states)
        if (state.values == other.values && state.executions && other.executions &&
            *state.executions != *other.executions)
          return fmt::format("the explorer counts {} executions of the state {}, the SMT engine {}",
                             *state.executions, state.values, *other.executions);
  }
  return std::nullopt;
}

std::optional<std::string> contradiction(const FlagFinding& explorer, const FlagFinding& smt) {
  return difference(explorer.raised, explorer.reason, smt.raised, smt.reason);
}

std::optional<std::string> contradiction(const Termination& explorer, const Termination& smt) {
  return difference(explorer.hangs, explorer.reason, smt.hangs, smt.reason);
}

std::optional<std::string> contradiction(const LaunchAnswer& explorer, const LaunchAnswer& other) {
  const auto excludes = [&](const LaunchAnswer& answer, LaunchProperty property) {
    return !has_finding(answer, property) && !answer.unknown.contains(property);
  };
  for (const LaunchProperty property : all_launch_properties()) {
    if (has_finding(explorer, property) && excludes(other, property))
      return fmt::format("only the explorer finds {}", property_name(property));
    if (has_finding(other, property) && excludes(explorer, property))
      return fmt::format("only the engine {} finds {}", other.engine, property_name(property));
  }
  return std::nullopt;
}

Answer decide_with(Engine engine, const Program& program, const Question& question, const cat::Model& model,
                   const DecideOptions& asked) {
  using Decide = Answer (*)(const Program&, const Question&, const cat::Model&, const DecideOptions&);
  const auto asks = [&](Decide answer_of) -> Ask<Answer> {
    return [&, answer_of](const DecideOptions& options) {
      return with_atomicity_of_mixed_sizes(answer_of(program, question, model, options), program, model,
                                           options, [&](const cat::Model& other, const DecideOptions& left) {
                                             return answer_of(program, question, other, left);
                                           });
    };
  };
  return ask<Answer>(engine, asked, asks(explore), asks(decide));
}

Answer decide_with(Engine engine, const CandidateExecutions& candidates, const Question& question,
                   const cat::Model& model, const DecideOptions& asked, TermGraph& graph) {
  return ask<Answer>(
      engine, asked,
      [&](const DecideOptions& options) { return explore(candidates, question, model, options); },
      [&](const DecideOptions& options) { return decide(candidates, question, model, options, graph); });
}

Answer decide_part(const Program& program, const Question& question, const cat::Model& model,
                   const DecideOptions& asked, const TreePart& part) {
  return with_atomicity_of_mixed_sizes(explore_part(program, question, model, asked, part), program, model,
                                       asked, [&](const cat::Model& other, const DecideOptions& left) {
                                         return explore(program, question, other, left);
                                       });
}

std::optional<FlagFinding> find_flag_with(Engine engine, const Program& program, const cat::Model& model,
                                          const DecideOptions& asked, const std::string& name) {
  if (std::ranges::find(model.flags, name, &cat::Test::name) == model.flags.end()) return std::nullopt;
  return ask<FlagFinding>(
      engine, asked,
      [&](const DecideOptions& options) { return explore_flags(program, model, options, {name}).front(); },
      [&](const DecideOptions& options) { return find_flags(program, model, options, {name}).front(); });
}

Termination decide_termination_with(Engine engine, const Program& program, const cat::Model& model,
                                    const DecideOptions& asked, const Progress& progress) {
  return ask<Termination>(
      engine, asked,
      [&](const DecideOptions& options) { return explore_termination(program, model, options, progress); },
      [&](const DecideOptions& options) { return decide_termination(program, model, options, progress); });
}

LaunchAnswer check_with(Engine engine, const LaunchQuestion& question, const cat::Model& model,
                        const DecideOptions& asked, TermGraph& graph) {
  return ask<LaunchAnswer>(
      engine, asked,
      [&](const DecideOptions& options) { return explore_launch(question, model, options, graph); },
      [&](const DecideOptions& options) { return check_launch(question, model, options, graph); });
}

}  // namespace ptxmc
