#include "src/report/sarif.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

using namespace ptxmc;
using Json = nlohmann::ordered_json;

namespace {

FindingText race_in_module() {
  FindingText finding;
  finding.property = LaunchProperty::race;
  finding.line = 41;
  finding.column = 5;
  finding.source = kernel::SourceLine{{"k.cu", 7, 3}};
  finding.message = "data race: x";
  finding.hint = "a hint";
  return finding;
}

Json run_of(const LaunchFindings& launch) {
  const LaunchFindings launches[] = {launch};
  const Json log = Json::parse(sarif_log(launches, "/work here"));
  CHECK(log["version"] == "2.1.0");
  return log["runs"][0];
}

}  // namespace

// SARIF 2.1.0 § 3.27: a result has a rule, a message and locations.
TEST_CASE("findings are at lines of the compiled source") {
  const Json result = run_of({"k.ptx", {race_in_module()}, {}})["results"][0];
  CHECK(result["ruleId"] == "race");
  CHECK(result["message"]["text"] == "data race: x; a hint.");
  CHECK(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "k.cu");
  CHECK(result["locations"][0]["physicalLocation"]["region"]["startLine"] == 7);
  CHECK(result["locations"][0]["physicalLocation"]["region"]["startColumn"] == 3);
  CHECK(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 41);
  CHECK(result["relatedLocations"][0]["physicalLocation"]["region"]["startColumn"] == 5);
}

TEST_CASE("the line of an inlined function is a related location") {
  FindingText finding = race_in_module();
  finding.source->inlined = {{"a.h", 9}};
  const Json related = run_of({"k.ptx", {finding}, {}})["results"][0]["relatedLocations"];
  REQUIRE(related.size() == 2);
  CHECK(related[1]["id"] == 1);
  CHECK(related[1]["physicalLocation"]["artifactLocation"]["uri"] == "a.h");
  CHECK(related[1]["physicalLocation"]["region"] == Json{{"startLine", 9}});
}

TEST_CASE("a finding without a line is at the first one of the module") {
  FindingText finding = race_in_module();
  finding.line = 0;
  finding.source.reset();
  const Json run = run_of({"k.ptx", {finding}, {}});
  CHECK(run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 1);
}

TEST_CASE("a result says which variables were read as 0") {
  FindingText finding = race_in_module();
  finding.assumed_zero = {"a", "b"};
  CHECK(run_of({"k.ptx", {finding}, {}})["results"][0]["message"]["text"] ==
        "data race: x; a hint; a, b have no initial value in the module and are read as 0 (PTX ISA 8.7 § "
        "5.4.4); if the host or an earlier launch writes them, say so with [[variable]] or --variable.");
}

// § 3.49: what rules are for people; § 3.52.4: the index leads to the rule.
TEST_CASE("every rule has a name and texts, and results lead to theirs") {
  const Json run = run_of({"k.ptx", {race_in_module()}, {}});
  const Json& driver = run["tool"]["driver"];
  CHECK(driver["name"] == "ptxmc");
  CHECK_FALSE(driver["version"].get<std::string>().empty());
  CHECK(driver["rules"].size() == all_launch_properties().size());
  for (const Json& rule : driver["rules"]) {
    std::string name = rule["name"];
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    CHECK(name != rule["id"].get<std::string>());
    for (const char* text : {"shortDescription", "fullDescription", "help"})
      CHECK(rule[text]["text"].get<std::string>().ends_with("."));
  }
  CHECK(driver["rules"][run["results"][0]["ruleIndex"].get<std::size_t>()]["id"] == "race");
}

// RFC 3986 § 3.3: what a path of a URI may hold. § 3.14.14: addresses relative to a base end with a slash.
TEST_CASE("files are relative to the folder, those outside of it have whole addresses") {
  FindingText finding = race_in_module();
  finding.source->file = "/elsewhere/k.cu";
  const Json run = run_of({"my kernels/../k#1.ptx", {finding}, {}});
  CHECK(run["originalUriBaseIds"]["SRCROOT"]["uri"] == "file:///work%20here/");
  const Json& result = run["results"][0];
  const Json& module = result["relatedLocations"][0]["physicalLocation"]["artifactLocation"];
  CHECK(module["uri"] == "k%231.ptx");
  CHECK(module["uriBaseId"] == "SRCROOT");
  const Json& source = result["locations"][0]["physicalLocation"]["artifactLocation"];
  CHECK(source["uri"] == "file:///elsewhere/k.cu");
  CHECK_FALSE(source.contains("uriBaseId"));
  const LaunchFindings inside[] = {{"/work here/sub/k.ptx", {race_in_module()}, {}}};
  CHECK(sarif_log(inside, "/work here").find("\"sub/k.ptx\"") != std::string::npos);
}

// § 3.36 to § 3.38.
TEST_CASE("a trace is a code flow with the steps of each thread") {
  const std::optional<kernel::SourceLine> source = kernel::SourceLine{{"k.cu", 3}};
  const LaunchFindings::Trace trace = {{{{"T0", 10, "`st`: writes x = 1"}, source},
                                        {{"T1", 20, "`ld`: reads x = 1"}, {}},
                                        {{"T0", 11, "`fence`: fence"}, source}}};
  const Json flow = run_of({"k.ptx", {race_in_module()}, {trace}})["results"][0]["codeFlows"][0];
  REQUIRE(flow["threadFlows"].size() == 2);
  const Json& first = flow["threadFlows"][0];
  CHECK(first["id"] == "T0");
  CHECK(first["locations"][1]["executionOrder"] == 3);
  CHECK(first["locations"][0]["location"]["physicalLocation"]["region"]["startLine"] == 3);
  CHECK(first["locations"][0]["location"]["message"]["text"] == "T0: `st`: writes x = 1.");
  CHECK(flow["threadFlows"][1]["locations"][0]["location"]["physicalLocation"]["region"]["startLine"] == 20);
}
