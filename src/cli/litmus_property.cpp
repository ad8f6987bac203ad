#include "src/cli/litmus_property.hpp"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>

#include "semantics/diagnostic.hpp"
#include "src/report/property_text.hpp"

namespace ptxmc {
namespace {

PropertyAnswer decide_race(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                           Engine engine) {
  PropertyAnswer result;
  const auto race = find_flag_with(engine, test.program, model, options, "data_race");
  if (!race)
    throw InputError(model.name, {}, "found no `flag … as data_race` in the model, expected one for races");
  result.answer.verdict = race->raised;
  result.answer.reason = race->reason;
  result.answer.witness = race->witness;
  result.answer.engine = race->engine;
  if (race->witness) {
    result.findings = race_sentences(*race->witness);
    for (const auto& [first, second] : races_of(*race->witness))
      result.highlighted.push_back({"race", first, second, false});
  }
  return result;
}

PropertyAnswer decide_hang(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                           const Progress& progress, Engine engine) {
  PropertyAnswer result;
  const Termination termination = decide_termination_with(engine, test.program, model, options, progress);
  result.answer.engine = termination.engine;
  result.answer.verdict = termination.hangs;
  result.answer.reason = termination.reason;
  result.answer.witness = termination.witness;
  result.findings = termination_sentences(termination);
  for (const EventId event : stuck_events(termination)) result.highlighted.push_back({"", event, event});
  return result;
}

}  // namespace

PropertyAnswer decide_property(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                               LitmusProperty property, const Progress& progress, Engine engine) {
  if (property == LitmusProperty::condition)
    return {decide_with(engine, test.program, test.question, model, options)};
  const auto start = std::chrono::steady_clock::now();
  PropertyAnswer result = property == LitmusProperty::race
                              ? decide_race(test, model, options, engine)
                              : decide_hang(test, model, options, progress, engine);
  if (result.answer.verdict != Verdict::unknown)
    result.answer.holds = result.answer.verdict == Verdict::forbidden;
  result.answer.states_complete = true;
  result.answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::string property_word(LitmusProperty property, Verdict verdict) {
  if (verdict == Verdict::unknown) return "unknown";
  const bool can_be = verdict == Verdict::allowed;
  switch (property) {
    case LitmusProperty::condition:
      return can_be ? "allowed" : "forbidden";
    case LitmusProperty::race:
      return can_be ? "race" : "no race";
    case LitmusProperty::termination:
      return can_be ? "hangs" : "terminates";
  }
  throw std::logic_error("a property without a word");
}

std::string property_name(LitmusProperty property) {
  return property == LitmusProperty::condition ? "condition"
         : property == LitmusProperty::race    ? "race"
                                               : "hang";
}

std::string property_text(const LitmusTest& test, LitmusProperty property, const PropertyAnswer& result) {
  std::string text = fmt::format("Test {} {}\n{}{}\n", test.name,
                                 property == LitmusProperty::race ? "DataRace" : "Termination",
                                 property_word(property, result.answer.verdict),
                                 result.answer.reason.empty() ? "" : " (" + result.answer.reason + ")");
  for (const std::string& finding : result.findings) text += fmt::format("{}: {}\n", test.file, finding);
  return text + fmt::format("Time {} {:.2f}\n\n", test.name, result.answer.seconds);
}

}  // namespace ptxmc
