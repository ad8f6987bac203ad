// ptxmc::check and ptxmc::find_states: a launch under a model.
#include <algorithm>

#include "src/library/default_model.hpp"
#include "src/library/enumerations.hpp"
#include "src/library/expectations.hpp"
#include "src/library/handles.hpp"
#include "src/library/launch_drawing.hpp"
#include "src/library/public_errors.hpp"
#include "src/library/shown_execution.hpp"
#include "src/library/shown_states.hpp"
#include "src/library/watched_work.hpp"

namespace ptxmc {

namespace {

/// The properties to decide, in the order in which they are decided.
std::vector<LaunchProperty> asked_properties(const std::vector<v1::LaunchProperty>& wanted) {
  std::vector<LaunchProperty> result;
  for (const LaunchProperty property : all_launch_properties())
    if (wanted.empty() || std::ranges::find(wanted, to_public(property)) != wanted.end())
      result.push_back(property);
  return result;
}

kernel::CheckedLaunch checked(const kernel::Launch& launch, const std::vector<LaunchProperty>& properties,
                              const cat::Model& model, const v1::Options& options) {
  std::optional<kernel::CheckedLaunch> result;
  const auto work = [&](const DecideOptions& decide) {
    result = kernel::check(launch, properties, model, decide, to_internal(options.engine));
  };
  run_watched(options, work, [&](const std::string& reason, double seconds) {
    result = kernel::unknown_launch(launch, properties, reason, seconds);
  });
  return std::move(*result);
}

/// The texts of the findings; a launch that was given up has no module, and no findings.
std::vector<FindingText> texts_of(const kernel::CheckedLaunch& checked) {
  if (checked.module == nullptr) return {};
  std::vector<FindingText> texts =
      finding_texts(checked.answer, checked.launch.final_condition, kernel::SourceLines(*checked.module));
  for (FindingText& text : texts)
    text.assumed_zero = kernel::assumed_zero(checked, checked.answer.findings[text.number]);
  return texts;
}

v1::Place shown(const FindingPlace& place) {
  v1::Place result{place.line, place.column, "", 0};
  if (place.source) {
    result.source_file = place.source->file;
    result.source_line = place.source->line;
  }
  return result;
}

v1::Finding shown(const FindingText& text) {
  v1::Finding result;
  result.property = to_public(text.property);
  result.place = shown(static_cast<const FindingPlace&>(text));
  if (text.other) result.other = shown(*text.other);
  result.threads = text.threads;
  result.message = text.message;
  result.inputs = text.inputs;
  result.hint = text.hint;
  result.same_value = text.is_of_same_value;
  result.assumed_zero = text.assumed_zero;
  return result;
}

v1::LaunchAnswer shown(const std::shared_ptr<v1::LaunchAnswer::Data>& data, const std::string& model,
                       const std::vector<LaunchProperty>& asked) {
  const auto& [checked, texts] = *data;
  v1::LaunchAnswer result;
  result.entries = checked.launch.entries;
  result.model = model;
  result.engine = checked.answer.engine;
  result.verdicts = verdicts_of(checked);
  result.unknown = checked.unknown();
  result.as_expected = as_expected(checked, asked);
  for (const FindingText& text : texts) result.findings.push_back(shown(text));
  result.assumed_zero = checked.assumed_zero;
  result.executions = checked.answer.executions;
  result.seconds = checked.seconds;
  result.data = data;
  return result;
}

void add_executions(const std::shared_ptr<const v1::LaunchAnswer::Data>& data, v1::LaunchAnswer& result) {
  const auto& [checked, texts] = *data;
  if (texts.empty()) return;
  const auto sources = std::make_shared<const kernel::SourceLines>(*checked.module);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const LaunchFinding& finding = checked.answer.findings[texts[i].number];
    if (finding.witness.program == nullptr) continue;
    result.findings[i].execution =
        shown_execution(drawn_finding(finding, texts[i], checked.launch.file.string(), sources), data);
  }
}

kernel::LaunchStates found_states(const kernel::Launch& launch, const kernel::StatesQuestion& question,
                                  const cat::Model& model, const v1::Options& options) {
  kernel::LaunchStates result;
  const auto work = [&](const DecideOptions& decide) {
    result = kernel::final_states(launch, question, model, decide, to_internal(options.engine));
  };
  run_watched(options, work, [&](const std::string& reason, double seconds) {
    result = kernel::LaunchStates();
    result.launch = launch;
    result.exists = question.exists;
    result.answer.reason = reason;
    result.seconds = seconds;
  });
  return result;
}

v1::StatesAnswer shown(const std::shared_ptr<v1::StatesAnswer::Data>& data, const std::string& model,
                       bool with_execution) {
  const kernel::LaunchStates& found = data->found;
  const Answer& answer = found.answer;
  v1::StatesAnswer result;
  result.model = model;
  result.engine = answer.engine;
  result.verdict = to_public(answer.verdict);
  result.reason = answer.reason;
  if (found.unfolded) result.states = shown_states(answer, found.unfolded->program, Naming::launch);
  result.states_complete = answer.states_complete;
  if (with_execution && answer.witness) {
    DrawingOptions drawing;
    drawing.title = found.launch.file.string();
    drawing.footer = found.exists;
    drawing.source_of_line = source_of_line(std::make_shared<const kernel::SourceLines>(*found.module));
    result.execution = shown_execution({*answer.witness, std::move(drawing)}, data);
  }
  result.seconds = found.seconds;
  result.data = data;
  return result;
}

}  // namespace

namespace v1 {

std::string name_of(LaunchProperty property) {
  return with_public_errors("", [&] { return std::string(property_name(to_internal(property))); });
}

std::optional<LaunchProperty> find_launch_property(const std::string& name) {
  return with_public_errors("", [&]() -> std::optional<LaunchProperty> {
    for (const ptxmc::LaunchProperty property : all_launch_properties())
      if (name == property_name(property)) return to_public(property);
    return std::nullopt;
  });
}

LaunchAnswer check(const Launch& launch, const LaunchOptions& options) {
  return with_public_errors(launch.module().string(), [&] {
    const Model model = chosen_model(options);
    const auto asked = asked_properties(options.properties);
    const auto data = std::make_shared<LaunchAnswer::Data>(
        LaunchAnswer::Data{checked(*launch.data(), asked, *model.data(), options), {}});
    data->findings = texts_of(data->checked);
    LaunchAnswer result = shown(data, model.name(), asked);
    if (options.executions) add_executions(data, result);
    return result;
  });
}

StatesAnswer find_states(const Launch& launch, const StatesQuestion& question, const Options& options) {
  return with_public_errors(launch.module().string(), [&] {
    const Model model = chosen_model(options);
    kernel::StatesQuestion asked;
    asked.shown = question.shown;
    asked.exists = question.exists;
    const auto data = std::make_shared<StatesAnswer::Data>(
        StatesAnswer::Data{found_states(*launch.data(), asked, *model.data(), options)});
    return shown(data, model.name(), options.executions);
  });
}

}  // namespace v1

}  // namespace ptxmc
