#include "src/report/launch_json.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

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
  return object;
}

/// RFC 3986 § 2.1: what may not stand in a path of a URI is written as its code (SARIF 2.1.0 § 3.4.3).
std::string uri_of(const std::string& file) {
  constexpr std::string_view plain = "/-._~!$&'()*+,;=@";
  std::string uri;
  for (const char c : file) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter_or_digit = byte < 0x80 && std::isalnum(byte) != 0;
    uri += is_letter_or_digit || plain.find(c) != std::string_view::npos ? std::string(1, c)
                                                                         : fmt::format("%{:02X}", byte);
  }
  return uri;
}

Json location(const std::string& file, std::uint32_t line) {
  Json place = {{"artifactLocation", {{"uri", uri_of(file)}}}};
  if (line != 0) place["region"] = {{"startLine", line}};
  return {{"physicalLocation", place}};
}

Json sarif_result(const FindingText& finding, const std::string& module) {
  const Json in_module = location(module, finding.line);
  Json result = {{"ruleId", property_name(finding.property)},
                 {"level", "error"},
                 {"message", {{"text", finding.message + (finding.hint.empty() ? "" : "; " + finding.hint)}}},
                 {"locations", Json::array({in_module})}};
  if (finding.source) {
    result["locations"] = Json::array({location(finding.source->file, finding.source->line)});
    result["relatedLocations"] = Json::array({in_module});
  }
  return result;
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
                    {"executions", executions ? Json(*executions) : Json(nullptr)},
                    {"time_s", std::round(checked.seconds * 1e6) / 1e6}});
}

std::string sarif_log(std::span<const LaunchFindings> launches) {
  Json rules = Json::array();
  for (const LaunchProperty property : all_launch_properties())
    rules.push_back({{"id", property_name(property)}});
  Json results = Json::array();
  for (const LaunchFindings& launch : launches)
    for (const FindingText& finding : launch.findings)
      results.push_back(sarif_result(finding, launch.module));
  const Json run = {{"tool", {{"driver", {{"name", "ptxmc"}, {"rules", rules}}}}}, {"results", results}};
  return json_text({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({run})}},
                   2) +
         "\n";
}

}  // namespace ptxmc
