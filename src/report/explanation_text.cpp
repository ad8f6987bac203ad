#include "src/report/explanation_text.hpp"

#include <fmt/format.h>

#include "model/cat/cat_headings.hpp"
#include "src/report/names.hpp"
#include "src/report/property_text.hpp"

namespace ptxmc {
std::string event_text(const Execution& execution, EventId id) {
  const Event& event = execution.events[id];
  const std::string value = event.is_memory_access()
                                ? fmt::format(" {}{}={}", event.is_read() ? "R " : "W ",
                                              location_name(*execution.program, event.address.to_u64()),
                                              value_text(event, *execution.program))
                                : "";
  if (event.instruction == nullptr) return fmt::format("initial write{}", value);
  return fmt::format("{} line {}: {}{}", execution.program->threads[event.thread].name,
                     event.instruction->where.line, event.instruction->text,
                     value.empty() ? "" : "  (" + value.substr(1) + ")");
}

namespace {

std::string steps_text(const std::vector<RelatedPair>& steps, const Execution& execution,
                       const cat::Model& model) {
  std::size_t width = 0;
  for (const RelatedPair& step : steps)
    width = std::max(width, cat::with_heading(model, step.relation).size());
  std::string text;
  for (const RelatedPair& step : steps)
    text += fmt::format("    {:<{}}  {}\n    {:<{}}  -> {}\n", cat::with_heading(model, step.relation), width,
                        event_text(execution, step.from), "", width, event_text(execution, step.to));
  return text;
}

std::string axiom_text(const BrokenAxiom& broken, const cat::Model& model) {
  for (const cat::Test& axiom : model.axioms)
    if (axiom.name == broken.name) return cat::with_heading(model, axiom);
  return broken.name;
}

std::string broken_text(const BrokenAxiom& axiom, const cat::Model& model) {
  return fmt::format("Axiom {} forbids it. {}:\n", axiom_text(axiom, model),
                     axiom.breaks_no_other ? "An execution that only this axiom forbids"
                                           : "An execution that it forbids, as others do") +
         steps_text(axiom.because, axiom.execution, model);
}

std::string followed_text(const FollowedWrite& followed, const cat::Model& model) {
  return fmt::format(
             "Coherence order forbids it: in an execution that all axioms allow, this write\n"
             "    {}\nwould have to be final, but another follows it:\n",
             event_text(followed.execution, followed.write)) +
         steps_text(followed.because, followed.execution, model);
}

std::string change_text(const Strengthening& change, const Program& program) {
  const std::string place = fmt::format("{} line {}", program.threads[change.thread].name, change.where.line);
  return change.is_inserted ? fmt::format("    {}: {} before {}\n", place, change.after, change.before)
                            : fmt::format("    {}: {} -> {}\n", place, change.before, change.after);
}

}  // namespace

std::string explanation_text(const Explanation& explanation, const cat::Model& model) {
  if (!explanation.reason.empty()) return fmt::format("No explanation: {}\n", explanation.reason);
  std::string text;
  for (const BrokenAxiom& axiom : explanation.axioms) text += broken_text(axiom, model);
  if (explanation.followed)
    text = followed_text(*explanation.followed, model);
  else if (explanation.axioms.empty())
    text = "No axiom is needed: the program has no execution with this outcome.\n";
  return text + "\n";
}

std::string strengthenings_text(const Strengthenings& strengthenings, const Program& program,
                                const std::optional<Execution>& found, const cat::Model& model) {
  std::string text;
  if (found)
    for (const std::string& sentence : unsynchronized_sentences(*found, model)) text += sentence + "\n";
  const auto& sets = strengthenings.sets;
  if (!sets.empty() && sets.front().size() == 1) text += "Any one of these changes would forbid it:\n";
  for (const auto& set : sets) {
    if (set.size() > 1) text += "These changes together would forbid it:\n";
    for (const Strengthening& change : set) text += change_text(change, program);
  }
  if (!strengthenings.reason.empty())
    text += fmt::format("The search for changes that forbid it ended: {}\n", strengthenings.reason);
  else if (sets.empty())
    text += "No wider scope, stronger order or fence was found that would forbid it.\n";
  return text + "\n";
}

}  // namespace ptxmc
