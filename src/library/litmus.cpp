// ptxmc::decide: a litmus test under a model.
#include <fmt/format.h>

#include "src/library/default_model.hpp"
#include "src/library/enumerations.hpp"
#include "src/library/expectations.hpp"
#include "src/library/handles.hpp"
#include "src/library/litmus_drawing.hpp"
#include "src/library/public_errors.hpp"
#include "src/library/shown_execution.hpp"
#include "src/library/shown_states.hpp"
#include "src/library/watched_work.hpp"
#include "src/report/answer.hpp"

namespace ptxmc {

namespace {

/// Throws InputError if the options ask for a part of something that has no parts.
void require_parts(const LitmusTest& test, const v1::LitmusOptions& options) {
  if (options.property != v1::LitmusProperty::condition)
    throw InputError(test.file, {}, "found a part of a search for a fault, expected one for the condition");
  if (options.engine != v1::Engine::automatic && options.engine != v1::Engine::explorer)
    throw InputError(test.file, {}, "found a part for the SMT engine, expected one for the explorer");
  if (options.part->number < 1 || options.part->number > options.part->of)
    throw InputError(test.file, {},
                     fmt::format("found part {} of {}, expected one from 1 to {}", options.part->number,
                                 options.part->of, options.part->of));
}

PropertyAnswer decided(const LitmusTest& test, const cat::Model& model, const v1::LitmusOptions& options,
                       LitmusProperty property) {
  if (options.part) require_parts(test, options);
  PropertyAnswer result;
  const auto work = [&](DecideOptions decide) {
    decide.all_states = options.all_states;
    decide.max_states = options.max_states;
    decide.count_executions = options.count_executions;
    result = options.part ? decide_part(test, model, decide, {options.part->number, options.part->of})
                          : decide_property(test, model, decide, property, to_internal(options.scheduling),
                                            to_internal(options.engine));
  };
  run_watched(options, work, [&](const std::string& reason, double seconds) {
    result = unknown_answer(test, property, reason, seconds);
  });
  return result;
}

/// The executions of an answer.
void add_executions(const std::shared_ptr<const v1::LitmusAnswer::Data>& data,
                    const v1::LitmusOptions& options, LitmusProperty property, v1::LitmusAnswer& result) {
  const LitmusTest& test = *data->test;
  const cat::Model& model = *data->model;
  const PropertyAnswer& decided = data->decided;
  const auto shown = [&](DrawnExecution drawn) { return shown_execution(std::move(drawn), data->test); };
  if (options.executions && decided.answer.witness)
    result.execution =
        shown(drawn_witness(test, model, property, decided.answer, decided.findings, decided.highlighted));
  if (!options.state_executions) return;
  const auto states = ordered_states(decided.answer);
  for (std::size_t i = 0; i < states.size(); ++i)
    if (states[i]->witness.program != nullptr)
      result.states[i].execution = shown(drawn_state(test, model, decided.answer, *states[i]));
}

v1::LitmusAnswer shown(const std::shared_ptr<v1::LitmusAnswer::Data>& data, LitmusProperty property) {
  const LitmusTest& test = *data->test;
  const Answer& answer = data->decided.answer;
  v1::LitmusAnswer result;
  result.model = data->model->name;
  result.engine = answer.engine;
  result.verdict = to_public(answer.verdict);
  result.word = property_word(property, answer.verdict);
  result.holds = answer.holds;
  result.reason = answer.reason;
  result.as_expected = as_expected(test, result.model, property, answer);
  result.undefined_behaviour = is_undefined(test, answer);
  result.states = shown_states(answer, test.program, Naming::litmus);
  result.states_complete = answer.states_complete;
  result.executions = answer.executions;
  result.notes = answer.notes;
  result.findings = data->decided.findings;
  result.flags = answer.flags;
  result.seconds = answer.seconds;
  result.data = data;
  return result;
}

}  // namespace

namespace v1 {

LitmusAnswer decide(const LitmusTest& test, const LitmusOptions& options) {
  return with_public_errors(test.file(), [&] {
    const Model model = chosen_model(options, test.data()->language);
    require_model_for(*test.data(), *model.data());
    const ptxmc::LitmusProperty property = to_internal(options.property);
    const auto data = std::make_shared<LitmusAnswer::Data>(LitmusAnswer::Data{
        test.data(), model.data(), decided(*test.data(), *model.data(), options, property)});
    LitmusAnswer result = shown(data, property);
    add_executions(data, options, property, result);
    return result;
  });
}

}  // namespace v1

}  // namespace ptxmc
