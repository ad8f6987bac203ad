#include "src/report/explanation_text.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::string change_text(const StrengthChange& change, const StrengthPoint& point) {
  const std::string place = fmt::format("{} line {}", point.thread_name, point.where.line);
  return point.is_inserted ? fmt::format("    {}: {} before {}\n", place, change.by, point.written)
                           : fmt::format("    {}: {} -> {}\n", place, point.written, change.by);
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

std::string repairs_text(const FenceReport& report, const std::optional<Execution>& found,
                         const cat::Model& model) {
  constexpr std::size_t most_repairs = 3;
  std::string text;
  if (found)
    for (const std::string& sentence : unsynchronized_sentences(*found, model)) text += sentence + "\n";
  const char* races = report.property.ends_with("+race") ? " and leave no data race" : "";
  for (std::size_t i = 0; i < std::min(most_repairs, report.minimal.size()); ++i) {
    const auto changes = changes_of(report.points, report.minimal[i]);
    text += fmt::format("{} would forbid it{}:\n",
                        changes.size() == 1 ? "This change" : "These changes together", races);
    for (const StrengthChange& change : changes) text += change_text(change, report.points[change.point]);
  }
  if (report.minimal.size() > most_repairs)
    text += fmt::format("{} more: ptxmc fences\n", report.minimal.size() - most_repairs);
  if (!report.reason.empty())
    text += fmt::format("The search for changes that forbid it ended: {}\n", report.reason);
  else if (report.minimal.empty())
    text += "No wider scope, stronger order or fence was found that would forbid it.\n";
  return text + "\n";
}

}  // namespace ptxmc
