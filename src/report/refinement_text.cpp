#include "src/report/refinement_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "src/report/explanation_text.hpp"
#include "src/report/json_text.hpp"
#include "src/report/trace.hpp"

namespace ptxmc {
namespace {

using Json = nlohmann::ordered_json;

const char* word_of(Verdict differs) {
  switch (differs) {
    case Verdict::allowed:
      return "differs";
    case Verdict::forbidden:
      return "refines";
    case Verdict::unknown:
      return "unknown";
  }
  return "unknown";
}

/// A field, in quotes if it has commas, quotes or line ends.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string refinement_verdict(const RefinementReport& report) {
  const Refinement& refinement = report.refinement;
  std::string text = word_of(refinement.differs);
  if (refinement.reason.empty()) return text;
  return text + fmt::format(" ({}{})", refinement.is_vacuous ? "vacuous: " : "", refinement.reason);
}

std::string outcome_text(const Outcome& outcome, const std::vector<std::string>& observed) {
  std::string text;
  for (std::size_t i = 0; i < outcome.size(); ++i)
    text += fmt::format("{}{}={};", i == 0 ? "" : " ", observed[i], outcome[i]);
  return text;
}

std::string refinement_text(const RefinementReport& report, const cat::Model& source_model, bool strict) {
  const Refinement& refinement = report.refinement;
  std::string text = fmt::format("{}: {}\n", report.target, refinement_verdict(report));
  for (const std::size_t i : refinement.extra)
    text +=
        fmt::format("only in the target: {}\n", outcome_text(refinement.target.values[i], report.observed));
  if (!refinement.extra.empty())
    text +=
        "an execution of the target:\n" + trace_text(*refinement.target.executions[refinement.extra.front()]);
  if (report.explanation)
    text += "the source forbids it:\n" + explanation_text(*report.explanation, source_model);
  if (strict)
    for (const Outcome& outcome : refinement.lost)
      text += fmt::format("only in the source: {}\n", outcome_text(outcome, report.observed));
  for (const std::string& note : refinement.notes) text += fmt::format("note: {}\n", note);
  return text;
}

std::string refinement_csv(const RefinementReport& report) {
  const Refinement& refinement = report.refinement;
  std::vector<std::string> extra;
  for (const std::size_t i : refinement.extra)
    extra.push_back(outcome_text(refinement.target.values[i], report.observed));
  const bool has_axiom = report.explanation && !report.explanation->axioms.empty();
  const std::string fields[] = {report.source,
                                report.target,
                                report.source_model,
                                report.target_model,
                                word_of(refinement.differs),
                                refinement.is_vacuous ? "yes" : "",
                                refinement.reason,
                                fmt::format("{}", fmt::join(extra, "|")),
                                refinement.missing ? std::to_string(*refinement.missing) : "",
                                has_axiom ? report.explanation->axioms.front().name : "",
                                fmt::format("{:.3f}", report.seconds)};
  std::string line;
  for (const std::string& field : fields) line += (line.empty() ? "" : ",") + csv_field(field);
  return line;
}

std::string refinement_json(const RefinementReport& report, const PairTexts* reduced) {
  const Refinement& refinement = report.refinement;
  Json extra = Json::array();
  for (const std::size_t i : refinement.extra) {
    Json outcome = Json::object();
    for (std::size_t k = 0; k < report.observed.size(); ++k)
      outcome[report.observed[k]] = refinement.target.values[i][k];
    extra.push_back(std::move(outcome));
  }
  const bool has_axiom = report.explanation && !report.explanation->axioms.empty();
  Json object = {{"source", report.source},
                 {"target", report.target},
                 {"source_model", report.source_model},
                 {"target_model", report.target_model},
                 {"verdict", word_of(refinement.differs)},
                 {"vacuous", refinement.is_vacuous},
                 {"reason", refinement.reason.empty() ? Json(nullptr) : Json(refinement.reason)},
                 {"extra", extra},
                 {"missing", refinement.missing ? Json(*refinement.missing) : Json(nullptr)},
                 {"observed", report.observed},
                 {"axiom", has_axiom ? Json(report.explanation->axioms.front().name) : Json(nullptr)},
                 {"time_s", std::round(report.seconds * 1e6) / 1e6}};
  if (reduced != nullptr) object["reduced"] = {{"source", reduced->source}, {"target", reduced->target}};
  return json_text(object);
}

}  // namespace ptxmc
