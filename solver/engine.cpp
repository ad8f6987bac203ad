#include "solver/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "semantics/diagnostic.hpp"
#include "solver/explorer.hpp"
#include "solver/termination_exploration.hpp"

namespace ptxmc {

namespace {

/// About a second of exploration: what takes longer is for the solver. Steps and not seconds, so that an
/// answer shows the same witnesses every time.
constexpr std::uint64_t steps_before_smt = 100'000;

Answer decide_automatically(const Program& program, const Question& question, const cat::Model& model,
                            const DecideOptions& options) {
  DecideOptions limited = options;
  limited.max_steps = steps_before_smt;
  try {
    Answer answer = explore(program, question, model, limited);
    const bool is_decided = answer.verdict != Verdict::unknown && answer.states_complete;
    const bool gave_up =
        answer.reason == "step limit" || (answer.reason == "state limit" && !options.all_states);
    if (is_decided || !gave_up) return answer;
  } catch (const Unsupported&) {  // then the SMT engine says what it makes of it
  }
  return decide(program, question, model, options);
}

const char* word(Verdict verdict) {
  return verdict == Verdict::allowed ? "allowed" : verdict == Verdict::forbidden ? "forbidden" : "unknown";
}

/// A state that only one of them has.
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

/// One of them was stopped before it had finished.
bool ran_out(const std::string& reason) {
  return reason == "timeout" || reason == "interrupted" || reason == "memory limit" ||
         reason == "step limit" || reason == "state limit";
}

/// Of two answers that can be allowed, forbidden or unknown.
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

/// A question of which the answer is one verdict.
template <class Found>
Found ask(Engine engine, const DecideOptions& options,
          const std::function<Found(const DecideOptions&)>& with_explorer,
          const std::function<Found()>& with_smt) {
  switch (engine) {
    case Engine::automatic: {
      DecideOptions limited = options;
      limited.max_steps = steps_before_smt;
      try {
        Found found = with_explorer(limited);
        if (verdict_of(found) != Verdict::unknown || found.reason != "step limit") return found;
      } catch (const Unsupported&) {  // then the SMT engine says what it makes of it
      }
      return with_smt();
    }
    case Engine::explorer:
      return with_explorer(options);
    case Engine::smt:
      return with_smt();
    case Engine::both: {
      const Found explored = with_explorer(options);
      Found found = with_smt();
      if (const auto sentence = contradiction(explored, found)) throw Disagreement(*sentence);
      if (verdict_of(found) == Verdict::unknown && verdict_of(explored) != Verdict::unknown) found = explored;
      found.engine = "both";
      return found;
    }
  }
  throw std::logic_error("an engine without a meaning");
}

}  // namespace

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
  const auto has_found = [](const LaunchAnswer& answer, LaunchProperty property) {
    return std::ranges::find(answer.findings, property, &LaunchFinding::property) != answer.findings.end();
  };
  const auto excludes = [&](const LaunchAnswer& answer, LaunchProperty property) {
    return !has_found(answer, property) && !answer.unknown.contains(property);
  };
  for (const LaunchProperty property : all_launch_properties()) {
    if (has_found(explorer, property) && excludes(other, property))
      return fmt::format("only the explorer finds {}", property_name(property));
    if (has_found(other, property) && excludes(explorer, property))
      return fmt::format("only the engine {} finds {}", other.engine, property_name(property));
  }
  return std::nullopt;
}

Answer decide_with(Engine engine, const Program& program, const Question& question, const cat::Model& model,
                   const DecideOptions& options) {
  switch (engine) {
    case Engine::automatic:
      return decide_automatically(program, question, model, options);
    case Engine::explorer:
      return explore(program, question, model, options);
    case Engine::smt:
      return decide(program, question, model, options);
    case Engine::both: {
      const Answer explored = explore(program, question, model, options);
      Answer answer = decide(program, question, model, options);
      if (const auto sentence = contradiction(explored, answer)) throw Disagreement(*sentence);
      if (answer.verdict == Verdict::unknown && explored.verdict != Verdict::unknown) answer = explored;
      answer.blocked = explored.blocked;
      answer.seconds += explored.seconds;
      answer.engine = "both";
      return answer;
    }
  }
  throw std::logic_error("an engine without a meaning");
}

std::optional<FlagFinding> find_flag_with(Engine engine, const Program& program, const cat::Model& model,
                                          const DecideOptions& options, const std::string& name) {
  if (std::ranges::find(model.flags, name, &cat::Test::name) == model.flags.end()) return std::nullopt;
  return ask<FlagFinding>(
      engine, options,
      [&](const DecideOptions& limited) { return explore_flags(program, model, limited, {name}).front(); },
      [&] { return find_flags(program, model, options, {name}).front(); });
}

Termination decide_termination_with(Engine engine, const Program& program, const cat::Model& model,
                                    const DecideOptions& options, const Progress& progress) {
  return ask<Termination>(
      engine, options,
      [&](const DecideOptions& limited) { return explore_termination(program, model, limited, progress); },
      [&] { return decide_termination(program, model, options, progress); });
}

}  // namespace ptxmc
