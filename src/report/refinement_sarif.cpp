#include "src/report/refinement_sarif.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "src/report/explanation_text.hpp"
#include "src/report/sarif_log.hpp"
#include "src/report/trace.hpp"

namespace ptxmc {
namespace {

using Json = nlohmann::ordered_json;

constexpr SarifRule rule = {
    "ptxmc/not-a-refinement", "NotARefinement", "The target has a behaviour that its source does not have.",
    "Some execution of the target ends in a state that the memory model of the source "
    "forbids, fails an assertion, or may wait for ever where the source does not.",
    "error"};

std::string message_of(const RefinementReport& report) {
  const Refinement& refinement = report.refinement;
  if (refinement.extra.empty()) return fmt::format("Differs from {}: {}.", report.source, refinement.reason);
  const std::string outcome =
      outcome_text(refinement.target.values[refinement.extra.front()], report.observed);
  const bool has_axiom = report.explanation && !report.explanation->axioms.empty();
  return fmt::format("The outcome `{}` is forbidden by {}{}.", outcome, report.source,
                     has_axiom ? fmt::format(", axiom {}", report.explanation->axioms.front().name) : "");
}

/// The events of the source that together forbid the outcome, each at its line; or the source as a whole.
Json source_locations(const RefinementReport& report, const SarifPlaces& places) {
  Json result = Json::array();
  std::set<std::string> known;
  const auto add = [&](std::uint32_t line, const std::string& text) {
    if (!known.insert(text).second) return;
    Json place = places.location(report.source_text, line);
    place["id"] = result.size();
    place["message"] = {{"text", text}};
    result.push_back(std::move(place));
  };
  if (report.explanation && !report.explanation->axioms.empty()) {
    const BrokenAxiom& axiom = report.explanation->axioms.front();
    for (const RelatedPair& pair : axiom.because)
      for (const EventId id : {pair.from, pair.to})
        if (const Instruction* instruction = axiom.execution.events[id].instruction)
          add(instruction->where.line, event_text(axiom.execution, id));
  }
  if (result.empty()) add(0, "The source.");
  return result;
}

Json result_of(const RefinementReport& report, const SarifPlaces& places) {
  const Refinement& refinement = report.refinement;
  std::vector<TraceStep> steps;
  if (!refinement.extra.empty()) steps = trace_steps(*refinement.target.executions[refinement.extra.front()]);
  const auto place_of = [&](std::size_t i) { return places.location(report.target_text, steps[i].line); };
  Json result = {{"ruleId", rule.id},
                 {"ruleIndex", 0},
                 {"level", rule.level},
                 {"message", {{"text", message_of(report)}}},
                 {"locations",
                  Json::array({places.location(report.target_text, steps.empty() ? 0 : steps.back().line)})},
                 {"relatedLocations", source_locations(report, places)}};
  if (!steps.empty()) result["codeFlows"] = Json::array({sarif_code_flow(steps, place_of)});
  return result;
}

}  // namespace

std::string refinements_sarif(std::span<const RefinementReport* const> reports,
                              const std::filesystem::path& folder) {
  const SarifPlaces places(folder);
  Json results = Json::array();
  for (const RefinementReport* report : reports)
    if (report->refinement.differs == Verdict::allowed) results.push_back(result_of(*report, places));
  return sarif_text(places, Json::array({sarif_rule(rule)}), results);
}

}  // namespace ptxmc
