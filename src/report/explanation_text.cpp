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

std::string broken_text(const BrokenAxiom& axiom) {
  std::string text = fmt::format("Axiom {} forbids it. {}:\n", axiom.name,
                                 axiom.breaks_no_other ? "An execution that only this axiom forbids"
                                                       : "An execution that it forbids, as others do");
  std::size_t width = 0;
  for (const RelatedPair& step : axiom.because) width = std::max(width, step.relation.size());
  for (const RelatedPair& step : axiom.because)
    text +=
        fmt::format("    {:<{}}  {}\n    {:<{}}  -> {}\n", step.relation, width,
                    event_text(axiom.execution, step.from), "", width, event_text(axiom.execution, step.to));
  return text;
}

}  // namespace

std::string explanation_text(const Explanation& explanation) {
  if (!explanation.reason.empty()) return fmt::format("No explanation: {}\n", explanation.reason);
  std::string text;
  for (const BrokenAxiom& axiom : explanation.axioms) text += broken_text(axiom);
  if (explanation.axioms.empty())
    text = "No axiom is needed: the program has no execution with this outcome.\n";
  return text + "\n";
}

}  // namespace ptxmc
