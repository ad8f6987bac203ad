#include "src/report/explanation_text.hpp"

#include <fmt/format.h>

#include "src/report/names.hpp"

namespace ptxmc {
namespace {

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

std::string steps_text(const std::vector<RelatedPair>& steps, const Execution& execution) {
  std::size_t width = 0;
  for (const RelatedPair& step : steps) width = std::max(width, step.relation.size());
  std::string text;
  for (const RelatedPair& step : steps)
    text += fmt::format("    {:<{}}  {}\n    {:<{}}  -> {}\n", step.relation, width,
                        event_text(execution, step.from), "", width, event_text(execution, step.to));
  return text;
}

std::string broken_text(const BrokenAxiom& axiom) {
  return fmt::format("Axiom {} forbids it. {}:\n", axiom.name,
                     axiom.breaks_no_other ? "An execution that only this axiom forbids"
                                           : "An execution that it forbids, as others do") +
         steps_text(axiom.because, axiom.execution);
}

std::string followed_text(const FollowedWrite& followed) {
  return fmt::format(
             "Coherence order forbids it: in an execution that all axioms allow, this write\n"
             "    {}\nwould have to be final, but another follows it:\n",
             event_text(followed.execution, followed.write)) +
         steps_text(followed.because, followed.execution);
}

}  // namespace

std::string explanation_text(const Explanation& explanation) {
  if (!explanation.reason.empty()) return fmt::format("No explanation: {}\n", explanation.reason);
  std::string text;
  for (const BrokenAxiom& axiom : explanation.axioms) text += broken_text(axiom);
  if (explanation.followed)
    text = followed_text(*explanation.followed);
  else if (explanation.axioms.empty())
    text = "No axiom is needed: the program has no execution with this outcome.\n";
  return text + "\n";
}

}  // namespace ptxmc
