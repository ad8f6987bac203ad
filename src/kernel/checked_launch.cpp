#include "src/kernel/checked_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "solver/launch_exploration.hpp"
#include "solver/memory_limit.hpp"
#include "solver/time_limit.hpp"

namespace ptxmc::kernel {

namespace {

/// What is open, 64 bits wide, by name.
Inputs open_inputs(const Launch& launch, const UnfoldedLaunch& unfolded) {
  constexpr std::size_t most_elements = 16;
  Inputs result;
  const auto add = [&](const std::string& name, const ElementType& element, const Bits& value) {
    result.emplace_back(name, element.type.is_signed() ? value.resize_signed(64) : value.resize_unsigned(64));
  };
  for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
    const Parameter& parameter = launch.parameters[i];
    if (unfolded.scalars[i].width() != 0)
      add(parameter.name, std::get<ScalarParameter>(parameter.is).element, unfolded.scalars[i]);
    const auto* buffer = std::get_if<BufferParameter>(&parameter.is);
    if (buffer == nullptr || !std::holds_alternative<AnyValue>(buffer->content)) continue;
    const Variable& variable = unfolded.program.memory[static_cast<std::size_t>(unfolded.buffers[i])];
    for (std::size_t k = 0; k < std::min(variable.initial.size(), most_elements); ++k)
      add(fmt::format("{}[{}]", parameter.name, k), buffer->element, variable.initial[k]);
  }
  return result;
}

/// How a launch is decided.
enum class Way {
  by_proof,      ///< only if barriers alone show that it is safe
  by_schedules,  ///< if its barriers do not depend on what is read
  by_solver,
  by_exploration,
  by_short_exploration,  ///< if the explorer comes to an end soon
};

/// The explorer decides, if it comes to an end soon. Steps and not seconds limit it, so that an answer shows
/// the same witnesses every time.
bool explore_shortly(CheckedLaunch& checked, const LaunchQuestion& question, const cat::Model& model,
                     const DecideOptions& options) {
  constexpr std::uint64_t steps_before_smt = 20'000;
  DecideOptions limited = options;
  limited.max_steps = steps_before_smt;
  try {
    LaunchAnswer answer = explore_launch(question, model, limited, *checked.graph);
    if (answer.is_given_up) return false;
    checked.answer = std::move(answer);
    return true;
  } catch (const Unsupported&) {  // then the other ways say what they make of it
    return false;
  }
}

/// Unfolds and decides a launch, if it can be decided in this way.
bool decide(CheckedLaunch& checked, const std::vector<LaunchProperty>& properties, const cat::Model& model,
            const DecideOptions& options, Way way) {
  UnfoldOptions unfolding;
  unfolding.bound = options.bound;
  unfolding.may_wait_for_ever = true;
  unfolding.traps_go_on = way == Way::by_proof || way == Way::by_schedules;
  unfolding.unchanged_is_idle = true;
  checked.unfolded = unfold_launch(*checked.loaded, checked.launch, *checked.graph, unfolding);
  LaunchQuestion question;
  question.structure = &checked.unfolded->structure;
  question.traps_go_on = unfolding.traps_go_on;
  question.exchanges = checked.unfolded->exchanges;
  question.assumption = checked.unfolded->assumption;
  if (!checked.launch.final_condition.empty())
    question.final_condition = [&](const ptxmc::ElementValue& final_value) {
      return final_condition(checked.launch, *checked.unfolded, final_value);
    };
  question.inputs = open_inputs(checked.launch, *checked.unfolded);
  question.properties = properties;
  question.is_ignored = [&](LaunchProperty property, const SourcePosition& where) {
    return std::ranges::any_of(checked.launch.ignored, [&](const IgnoredFinding& ignored) {
      return ignored.property == property_name(property) && (!ignored.line || *ignored.line == where.line);
    });
  };
  switch (way) {
    case Way::by_proof:
      checked.answer.engine = "barriers";
      return is_safe_by_barriers(question, model, options, *checked.graph);
    case Way::by_schedules: {
      auto answer = check_launch_by_schedules(question, model, options, *checked.graph);
      if (answer) checked.answer = std::move(*answer);
      return answer.has_value();
    }
    case Way::by_solver:
      checked.answer = check_launch(question, model, options, *checked.graph);
      return true;
    case Way::by_exploration:
      checked.answer = explore_launch(question, model, options, *checked.graph);
      return true;
    case Way::by_short_exploration:
      return explore_shortly(checked, question, model, options);
  }
  return false;
}

/// Of few threads the solver sees more than schedules show: what goes wrong after a trap elsewhere.
std::vector<Way> ways(const Launch& launch, Engine engine) {
  if (engine == Engine::explorer) return {Way::by_exploration};
  if (engine == Engine::smt) return {Way::by_solver};
  constexpr std::uint64_t few_threads = 8, worth_exploring = 32;
  const std::uint64_t threads = volume(launch.grid) * volume(launch.block) * launch.entries.size();
  std::vector<Way> result;
  if (engine == Engine::automatic && threads <= worth_exploring) result.push_back(Way::by_short_exploration);
  if (threads > 1) result.push_back(threads <= few_threads ? Way::by_proof : Way::by_schedules);
  result.push_back(Way::by_solver);
  return result;
}

/// In the first of some ways in which it can be decided.
CheckedLaunch check_in(const std::vector<Way>& ways, const Launch& launch,
                       const std::vector<LaunchProperty>& properties, const cat::Model& model,
                       const DecideOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  CheckedLaunch result;
  result.launch = launch;
  result.module = std::make_unique<syntax::Module>(read_module_of(result.launch));
  result.loaded = std::make_unique<LoadedModule>(*result.module, result.launch.dynamic_shared);
  result.graph = std::make_unique<TermGraph>();
  try {
    const TimeLimit limit(options.timeout_seconds, options.interrupted);
    const MemoryLimit memory(options.memory_bytes);
    for (const Way way : ways)
      if (decide(result, properties, model, options, way)) break;
  } catch (const OutOfTime& out) {
    for (const LaunchProperty property : properties) result.answer.unknown.emplace(property, out.what());
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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

CheckedLaunch check(const Launch& launch, const std::vector<LaunchProperty>& properties,
                    const cat::Model& model, const DecideOptions& options, Engine engine) {
  CheckedLaunch result = check_in(ways(launch, engine), launch, properties, model, options);
  if (engine != Engine::both) return result;
  const CheckedLaunch explored = check_in({Way::by_exploration}, launch, properties, model, options);
  if (const auto sentence = contradiction(explored.answer, result.answer)) throw Disagreement(*sentence);
  result.answer.engine = "both";
  result.answer.executions = explored.answer.executions;
  result.seconds += explored.seconds;
  return result;
}

}  // namespace ptxmc::kernel
