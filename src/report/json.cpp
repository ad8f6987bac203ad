#include "src/report/json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "model/cat/cat_headings.hpp"
#include "src/report/answer.hpp"
#include "src/report/condition_text.hpp"
#include "src/report/json_text.hpp"
#include "src/report/optional_json.hpp"

namespace ptxmc {

namespace {

using Json = nlohmann::ordered_json;

/// A number; of what is no number in JSON, infinity and NaN, the text.
Json number(const FinalTerm& term, std::int64_t value, const Program& program) {
  if (!term.format) return is_unsigned(term, program) ? Json(static_cast<std::uint64_t>(value)) : Json(value);
  const std::string text = final_value_text(term, value, program);
  const Json number = Json::parse(text, nullptr, false);
  return number.is_discarded() ? Json(text) : number;
}

Json state_json(const FinalState& state, const Answer& answer, const Program& program, Naming naming) {
  Json values = Json::object(), bits = Json::object();
  for (std::size_t i = 0; i < answer.shown.size(); ++i) {
    const FinalTerm& term = answer.shown[i];
    const std::string name = name_of(term, program, naming);
    values[name] = number(term, state.values.at(i), program);
    if (term.format)
      bits[name] = float_bits_text(*term.format, static_cast<std::uint64_t>(state.values.at(i)));
  }
  Json object = {{"count", or_null(state.executions)}, {"matches", state.matches}, {"values", values}};
  if (!bits.empty()) object["bits"] = bits;
  return object;
}

Json states_json(const Answer& answer, const Program& program, Naming naming = Naming::litmus) {
  Json states = Json::array();
  for (const FinalState* state : ordered_states(answer))
    states.push_back(state_json(*state, answer, program, naming));
  return states;
}

Json answer_json(const LitmusTest& test, const std::string& quantifier, const std::string& condition,
                 const Answer& answer, const std::string& model, const std::string& engine) {
  Json object = {{"file", test.file},
                 {"name", test.name},
                 {"model", model},
                 {"engine", engine},
                 {"quantifier", quantifier},
                 {"condition", condition},
                 {"verdict", verdict_text(answer.verdict)},
                 {"holds", or_null(answer.holds)},
                 {"states", states_json(answer, test.program)},
                 {"complete", answer.states_complete},
                 {"executions", or_null(answer.executions)},
                 {"reason", answer.reason.empty() ? Json(nullptr) : Json(answer.reason)},
                 {"notes", answer.notes},
                 {"time_s", std::round(answer.seconds * 1e6) / 1e6}};
  Json warnings = Json::array();
  for (const Warning& warning : test.warnings)
    warnings.push_back(
        {{"line", warning.where.line}, {"column", warning.where.column}, {"message", warning.message}});
  object["warnings"] = warnings;
  if (test.language == Language::cpp) object["undefined"] = is_undefined(test, answer);
  if (answer.blocked) object["blocked"] = *answer.blocked;
  return object;
}

Json section_of(const cat::Model& model, const cat::Place* place) {
  const cat::Heading* heading = place ? cat::heading_of(model, *place) : nullptr;
  return heading ? Json(heading->section) : Json(nullptr);
}

Json steps_json(const std::vector<RelatedPair>& steps, const Execution& execution, const cat::Model& model) {
  Json result = Json::array();
  for (const RelatedPair& step : steps) {
    const cat::Definition* definition = model.find(step.relation);
    result.push_back({{"relation", step.relation},
                      {"section", section_of(model, definition ? &definition->place : nullptr)},
                      {"from", event_text(execution, step.from)},
                      {"to", event_text(execution, step.to)}});
  }
  return result;
}

Json axioms_json(const Explanation& explanation, const cat::Model& model) {
  Json result = Json::array();
  for (const BrokenAxiom& broken : explanation.axioms) {
    const cat::Place* place = nullptr;
    for (const cat::Test& axiom : model.axioms)
      if (axiom.name == broken.name) place = &axiom.place;
    result.push_back({{"axiom", broken.name},
                      {"section", section_of(model, place)},
                      {"breaks_no_other", broken.breaks_no_other},
                      {"steps", steps_json(broken.because, broken.execution, model)}});
  }
  if (explanation.followed)
    result.push_back(
        {{"axiom", nullptr},
         {"section", nullptr},
         {"final", event_text(explanation.followed->execution, explanation.followed->write)},
         {"steps", steps_json(explanation.followed->because, explanation.followed->execution, model)}});
  return result;
}

Json changes_json(const FenceReport& report) {
  Json result = Json::array();
  for (const Assignment& repair : report.minimal) {
    Json changes = Json::array();
    for (const StrengthChange& change : changes_of(report.points, repair)) {
      const StrengthPoint& point = report.points[change.point];
      changes.push_back({{"thread", point.thread_name},
                         {"line", point.where.line},
                         {"column", point.where.column},
                         {"instruction", point.written},
                         {"change", change.change},
                         {"by", change.by}});
    }
    result.push_back(changes);
  }
  return result;
}

Json explanation_json(const Reasons& reasons, const cat::Model& model) {
  const std::string& reason = reasons.forbidden ? reasons.forbidden->reason : reasons.allowed->reason;
  return {{"axioms", reasons.forbidden ? axioms_json(*reasons.forbidden, model) : Json::array()},
          {"changes", reasons.allowed ? changes_json(*reasons.allowed) : Json::array()},
          {"reason", reason.empty() ? Json(nullptr) : Json(reason)}};
}

Json condition_json(const LitmusTest& test, const Answer& answer, const std::string& model,
                    const std::string& engine) {
  return answer_json(test, quantifier_text(test.question.quantifier),
                     condition_text(test.question.condition, test.program, Naming::litmus), answer, model,
                     engine);
}

}  // namespace

std::string litmus_json(const LitmusTest& test, const Answer& answer, const std::string& model,
                        const std::string& engine) {
  return json_text(condition_json(test, answer, model, engine));
}

std::string explained_json(const LitmusTest& test, const Answer& answer, const cat::Model& model,
                           const std::string& engine, const Reasons& reasons) {
  Json object = condition_json(test, answer, model.name, engine);
  if (reasons.forbidden || reasons.allowed)
    object["explanation"] = explanation_json(reasons, model);
  else
    object["explanation"] = nullptr;
  return json_text(object);
}

std::string property_json(const LitmusTest& test, const std::string& condition, const Answer& answer,
                          const std::vector<std::string>& findings, const std::string& model,
                          const std::string& engine) {
  Json object = answer_json(test, quantifier_text(Quantifier::not_exists), condition, answer, model, engine);
  object["findings"] = findings;
  return json_text(object);
}

std::string launch_states_json(const kernel::LaunchStates& found, const std::string& model) {
  const Answer& answer = found.answer;
  const bool has_condition = !found.exists.empty();
  return json_text({{"file", found.launch.file.string()},
                    {"entry", fmt::format("{}", fmt::join(found.launch.entries, "+"))},
                    {"model", model},
                    {"engine", answer.engine},
                    {"condition", has_condition ? Json(found.exists) : Json(nullptr)},
                    {"verdict", has_condition ? Json(verdict_text(answer.verdict)) : Json(nullptr)},
                    {"states", found.unfolded ? states_json(answer, found.unfolded->program, Naming::launch)
                                              : Json::array()},
                    {"complete", answer.states_complete},
                    {"reason", answer.reason.empty() ? Json(nullptr) : Json(answer.reason)},
                    {"time_s", std::round(found.seconds * 1e6) / 1e6}});
}

}  // namespace ptxmc
