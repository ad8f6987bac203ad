#include "src/report/launch_json.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace ptxmc;
using Json = nlohmann::ordered_json;

namespace {

FindingText a_race() {
  FindingText finding;
  finding.property = LaunchProperty::race;
  finding.line = 41;
  finding.source = kernel::SourceLine{"k.cu", 7};
  finding.threads = {"thread (0, 0, 0) of CTA (0, 0, 0)"};
  finding.message = "data race: x";
  finding.hint = "a hint";
  return finding;
}

kernel::CheckedLaunch a_launch() {
  kernel::CheckedLaunch checked;
  checked.launch.file = "k.toml";
  checked.launch.module = "k.ptx";
  checked.launch.entries = {"a", "b"};
  checked.seconds = 0.25;
  return checked;
}

}  // namespace

TEST_CASE("a launch without findings is safe, or what is unknown is said") {
  kernel::CheckedLaunch checked = a_launch();
  CHECK(
      launch_json(checked, {}, "ptx-8.7") ==
      R"({"file":"k.toml","entry":"a+b","model":"ptx-8.7","engine":"smt","verdicts":["safe"],"unknown":null,)"
      R"("findings":[],"executions":null,"time_s":0.25})");
  checked.answer.unknown[LaunchProperty::race] = "timeout";
  checked.answer.unknown[LaunchProperty::deadlock] = "timeout";
  const Json object = Json::parse(launch_json(checked, {}, "ptx-8.7"));
  CHECK(object["verdicts"].empty());
  CHECK(object["unknown"] == "timeout");
}

TEST_CASE("a finding has its kind, place, threads and message") {
  kernel::CheckedLaunch checked = a_launch();
  checked.answer.findings.emplace_back().property = LaunchProperty::race;
  const Json object = Json::parse(launch_json(checked, {a_race()}, "ptx-8.7"));
  CHECK(object["verdicts"] == Json::array({"race"}));
  const Json& finding = object["findings"][0];
  CHECK(finding["kind"] == "race");
  CHECK(finding["file"] == "k.ptx");
  CHECK(finding["line"] == 41);
  CHECK(finding["source_file"] == "k.cu");
  CHECK(finding["source_line"] == 7);
  CHECK(finding["threads"].size() == 1);
}

// SARIF 2.1.0 § 3.27: a result has a rule, a message and locations.
TEST_CASE("in a SARIF log findings are at lines of the compiled source") {
  const LaunchFindings launches[] = {{"k.ptx", {a_race()}}};
  const Json log = Json::parse(sarif_log(launches));
  CHECK(log["version"] == "2.1.0");
  const Json& result = log["runs"][0]["results"][0];
  CHECK(result["ruleId"] == "race");
  CHECK(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "k.cu");
  CHECK(result["locations"][0]["physicalLocation"]["region"]["startLine"] == 7);
  CHECK(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 41);
}

// RFC 3986 § 3.3: what a path of a URI may hold.
TEST_CASE("files in a SARIF log are URIs") {
  const LaunchFindings launches[] = {{"my kernels/k#1.ptx", {a_race()}}};
  const Json log = Json::parse(sarif_log(launches));
  const Json& related = log["runs"][0]["results"][0]["relatedLocations"][0];
  CHECK(related["physicalLocation"]["artifactLocation"]["uri"] == "my%20kernels/k%231.ptx");
}
