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
  finding.source = kernel::SourceLine{{"k.cu", 7}};
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
      R"("findings":[],"assumed_zero":[],"executions":null,"time_s":0.25})");
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

TEST_CASE("a finding has what is known beyond that: the other access, inlined functions, repetitions") {
  FindingText finding = a_race();
  CHECK(Json::parse(launch_json(a_launch(), {finding}, "ptx-8.7"))["findings"][0]["column"] == nullptr);
  finding.column = 5;
  finding.source->inlined = {{"a.h", 9}};
  finding.other = FindingPlace{43, 2, kernel::SourceLine{{"k.cu", 8}}};
  finding.is_of_same_value = true;
  finding.repeated = {{44, 46}};
  const Json object = Json::parse(launch_json(a_launch(), {finding}, "ptx-8.7"))["findings"][0];
  CHECK(object["column"] == 5);
  CHECK(object["inlined"] == Json::array({{{"source_file", "a.h"}, {"source_line", 9}}}));
  CHECK(object["other"] == Json{{"line", 43}, {"column", 2}, {"source_file", "k.cu"}, {"source_line", 8}});
  CHECK(object["same_value"] == true);
  CHECK(object["repeated"] == Json::array({{{"line", 44}, {"other_line", 46}}}));
}
