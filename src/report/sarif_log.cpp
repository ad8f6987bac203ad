#include "src/report/sarif_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "src/report/json_text.hpp"

namespace ptxmc {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* base = "SRCROOT";

/// RFC 3986 § 2.1: characters that a URI path must not contain are percent-encoded (SARIF 2.1.0 § 3.4.3).
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

}  // namespace

SarifPlaces::SarifPlaces(fs::path folder) : folder_(std::move(folder)) {}

Json SarifPlaces::address(const std::string& file) const {
  const fs::path whole = (folder_ / file).lexically_normal();
  const fs::path relative = whole.lexically_relative(folder_);
  if (!relative.empty() && *relative.begin() != "..")
    return {{"uri", uri_of(relative.string())}, {"uriBaseId", base}};
  return {{"uri", "file://" + uri_of(whole.string())}};
}

Json SarifPlaces::location(const std::string& file, std::uint32_t line, std::uint32_t column) const {
  Json region = {{"startLine", std::max(line, 1U)}};
  if (line != 0 && column != 0) region["startColumn"] = column;
  return {{"physicalLocation", {{"artifactLocation", address(file)}, {"region", region}}}};
}

Json sarif_rule(const SarifRule& rule) {
  return {{"id", rule.id},
          {"name", rule.name},
          {"shortDescription", {{"text", rule.summary}}},
          {"fullDescription", {{"text", rule.description}}},
          {"help", {{"text", rule.description}}},
          {"defaultConfiguration", {{"level", rule.level}}}};
}

Json sarif_code_flow(const std::vector<TraceStep>& steps, const std::function<Json(std::size_t)>& place_of) {
  std::vector<std::string> threads;
  std::map<std::string, Json> steps_of;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const TraceStep& step = steps[i];
    if (!steps_of.contains(step.thread)) {
      threads.push_back(step.thread);
      steps_of[step.thread] = Json::array();
    }
    Json place = place_of(i);
    place["message"] = {{"text", fmt::format("{}: {}.", step.thread, step.text)}};
    steps_of[step.thread].push_back({{"location", place}, {"executionOrder", i + 1}});
  }
  Json flows = Json::array();
  for (const std::string& thread : threads)
    flows.push_back({{"id", thread}, {"locations", steps_of[thread]}});
  return {{"message", {{"text", "An execution that the memory model allows."}}}, {"threadFlows", flows}};
}

std::string sarif_text(const SarifPlaces& places, const Json& rules, const Json& results) {
  Json driver = {{"name", "ptxmc"},
                 {"fullName", "ptxmc " PTXMC_VERSION},
                 {"version", PTXMC_VERSION},
                 {"semanticVersion", PTXMC_VERSION},
                 {"rules", rules}};
  if (*PTXMC_HOMEPAGE != 0) driver["informationUri"] = PTXMC_HOMEPAGE;  // HOMEPAGE_URL of CMakeLists.txt
  const std::string root = "file://" + uri_of(places.folder().string()) + "/";
  const Json run = {
      {"tool", {{"driver", driver}}},
      {"invocations", Json::array({{{"executionSuccessful", true}}})},
      {"originalUriBaseIds",
       {{base, {{"uri", root}, {"description", {{"text", "The folder in which ptxmc was run."}}}}}}},
      {"results", results}};
  return json_text({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({run})}},
                   2) +
         "\n";
}

}  // namespace ptxmc
