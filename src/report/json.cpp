#include "src/report/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "src/report/answer.hpp"
#include "src/report/condition_text.hpp"

namespace ptxmc {

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json number(std::int64_t value, bool is_unsigned) {
  return is_unsigned ? Json(static_cast<std::uint64_t>(value)) : Json(value);
}

Json state_json(const FinalState& state, const Answer& answer, const Program& program) {
  Json values = Json::object();
  for (std::size_t i = 0; i < answer.shown.size(); ++i) {
    const FinalTerm& term = answer.shown[i];
    values[name_of(term, program, Naming::litmus)] = number(state.values.at(i), is_unsigned(term, program));
  }
  return {{"count", or_null(state.executions)}, {"matches", state.matches}, {"values", values}};
}

Json answer_json(const LitmusTest& test, const std::string& quantifier, const std::string& condition,
                 const Answer& answer, const std::string& model, const std::string& engine) {
  Json states = Json::array();
  for (const FinalState* state : ordered_states(answer))
    states.push_back(state_json(*state, answer, test.program));
  return {{"file", test.file},
          {"name", test.name},
          {"model", model},
          {"engine", engine},
          {"quantifier", quantifier},
          {"condition", condition},
          {"verdict", verdict_text(answer.verdict)},
          {"holds", or_null(answer.holds)},
          {"states", states},
          {"executions", or_null(answer.executions)},
          {"reason", answer.reason.empty() ? Json(nullptr) : Json(answer.reason)},
          {"time_s", std::round(answer.seconds * 1e6) / 1e6}};
}

/// A name may hold bytes that are not UTF-8: they must not end the program.
std::string line_of(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string litmus_json(const LitmusTest& test, const Answer& answer, const std::string& model,
                        const std::string& engine) {
  return line_of(answer_json(test, quantifier_text(test.question.quantifier),
                             condition_text(test.question.condition, test.program, Naming::litmus), answer,
                             model, engine));
}

std::string property_json(const LitmusTest& test, const std::string& condition, const Answer& answer,
                          const std::vector<std::string>& findings, const std::string& model,
                          const std::string& engine) {
  Json object = answer_json(test, quantifier_text(Quantifier::not_exists), condition, answer, model, engine);
  object["findings"] = findings;
  return line_of(object);
}

}  // namespace ptxmc
