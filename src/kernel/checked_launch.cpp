#include "src/kernel/checked_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

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
};

/// Unfolds and decides a launch, if it can be decided in this way.
bool decide(CheckedLaunch& checked, const std::vector<LaunchProperty>& properties, const cat::Model& model,
            const DecideOptions& options, Way way) {
  UnfoldOptions unfolding;
  unfolding.bound = options.bound;
  unfolding.may_wait_for_ever = true;
  unfolding.traps_go_on = way != Way::by_solver;
  unfolding.unchanged_is_idle = true;
  checked.unfolded = unfold_launch(*checked.loaded, checked.launch, *checked.graph, unfolding);
  LaunchQuestion question;
  question.structure = &checked.unfolded->structure;
  question.traps_go_on = unfolding.traps_go_on;
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
  }
  return false;
}

/// Of few threads the solver sees more than schedules show: what goes wrong after a trap elsewhere.
std::vector<Way> ways(const Launch& launch, bool only_smt) {
  if (only_smt) return {Way::by_solver};
  constexpr std::uint64_t few_threads = 8;
  const std::uint64_t threads = volume(launch.grid) * volume(launch.block) * launch.entries.size();
  if (threads == 1) return {Way::by_solver};
  if (threads <= few_threads) return {Way::by_proof, Way::by_solver};
  return {Way::by_schedules, Way::by_solver};
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

CheckedLaunch check(Launch launch, const std::vector<LaunchProperty>& properties, const cat::Model& model,
                    const DecideOptions& options, bool only_smt) {
  const auto start = std::chrono::steady_clock::now();
  CheckedLaunch result;
  result.launch = std::move(launch);
  result.module = std::make_unique<syntax::Module>(read_module_of(result.launch));
  result.loaded = std::make_unique<LoadedModule>(*result.module, result.launch.dynamic_shared);
  result.graph = std::make_unique<TermGraph>();
  try {
    const TimeLimit limit(options.timeout_seconds, options.interrupted);
    for (const Way way : ways(result.launch, only_smt))
      if (decide(result, properties, model, options, way)) break;
  } catch (const OutOfTime& out) {
    for (const LaunchProperty property : properties) result.answer.unknown.emplace(property, out.what());
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace ptxmc::kernel
