#include "src/report/launch_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "src/report/json_text.hpp"

namespace ptxmc {

namespace {

using Json = nlohmann::ordered_json;

/// The number of a line or column; `null` if it is unknown.
Json number(std::uint32_t value) { return value == 0 ? Json(nullptr) : Json(value); }

void add_source(Json& object, const FindingPlace& place) {
  if (!place.source) return;
  object["source_file"] = place.source->file;
  object["source_line"] = place.source->line;
  if (place.source->inlined.empty()) return;
  Json& inlined = object["inlined"] = Json::array();
  for (const kernel::SourcePlace& level : place.source->inlined)
    inlined.push_back({{"source_file", level.file}, {"source_line", level.line}});
}

/// What is there only for some findings.
void add_details(Json& object, const FindingText& finding) {
  add_source(object, finding);
  if (finding.other) {
    Json& other =
        object["other"] = {{"line", finding.other->line}, {"column", number(finding.other->column)}};
    add_source(other, *finding.other);
  }
  if (finding.is_of_same_value) object["same_value"] = true;
  if (!finding.repeated.empty()) object["repeated"] = Json::array();
  for (const auto& [line, other] : finding.repeated)
    object["repeated"].push_back({{"line", line}, {"other_line", number(other)}});
  if (!finding.inputs.empty()) object["inputs"] = finding.inputs;
  if (!finding.hint.empty()) object["hint"] = finding.hint;
  if (!finding.assumed_zero.empty()) object["assumed_zero"] = finding.assumed_zero;
}

Json finding_json(const FindingText& finding, const std::string& module) {
  Json object = {{"kind", property_name(finding.property)},
                 {"file", module},
                 {"line", number(finding.line)},
                 {"column", number(finding.column)},
                 {"threads", finding.threads},
                 {"message", finding.message}};
  add_details(object, finding);
  return object;
}

}  // namespace

std::string launch_json(const kernel::CheckedLaunch& checked, const std::vector<FindingText>& findings,
                        const std::string& model) {
  Json verdicts = Json::array();
  for (const LaunchProperty property : checked.violated()) verdicts.push_back(property_name(property));
  const std::string unknown = checked.unknown();
  if (verdicts.empty() && unknown.empty()) verdicts.push_back("safe");
  Json list = Json::array();
  for (const FindingText& finding : findings)
    list.push_back(finding_json(finding, checked.launch.module.string()));
  const auto& executions = checked.answer.executions;
  std::string entry;
  for (const std::string& name : checked.launch.entries) entry += (entry.empty() ? "" : "+") + name;
  return json_text({{"file", checked.launch.file.string()},
                    {"entry", entry},
                    {"model", model},
                    {"engine", checked.answer.engine},
                    {"verdicts", verdicts},
                    {"unknown", unknown.empty() ? Json(nullptr) : Json(unknown)},
                    {"findings", list},
                    {"assumed_zero", checked.assumed_zero},
                    {"executions", executions ? Json(*executions) : Json(nullptr)},
                    {"time_s", std::round(checked.seconds * 1e6) / 1e6}});
}

}  // namespace ptxmc
