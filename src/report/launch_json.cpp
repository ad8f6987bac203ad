#include "src/report/launch_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "src/report/json_text.hpp"

namespace ptxmc {

namespace {

using Json = nlohmann::ordered_json;

Json finding_json(const FindingText& finding, const std::string& module) {
  Json object = {{"kind", property_name(finding.property)},
                 {"file", module},
                 {"line", finding.line == 0 ? Json(nullptr) : Json(finding.line)},
                 {"threads", finding.threads},
                 {"message", finding.message}};
  if (finding.source) {
    object["source_file"] = finding.source->file;
    object["source_line"] = finding.source->line;
  }
  if (!finding.inputs.empty()) object["inputs"] = finding.inputs;
  if (!finding.hint.empty()) object["hint"] = finding.hint;
  if (!finding.assumed_zero.empty()) object["assumed_zero"] = finding.assumed_zero;
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
