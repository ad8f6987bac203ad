#include "src/report/merged_results.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"

using namespace ptxmc;

namespace {

Record record(const std::string& input, const std::string& model, int status = 0) {
  TableRow row;
  row.name = row.file = input;
  row.model = model;
  row.verdict = Verdict::allowed;
  row.holds = true;
  return {input, {}, status, {{"{\"file\":\"" + input + "\",\"model\":\"" + model + "\"}", row}}, {}};
}

RecordedCampaign part(std::uint64_t number, std::uint64_t of, std::uint64_t inputs,
                      std::vector<Record> records) {
  return {"r" + std::to_string(number) + ".jsonl",
          {"1.0", "litmus", {}, {number, of}, inputs},
          std::move(records),
          0};
}

}  // namespace

TEST_CASE("the results of all shards are in the order of names") {
  const MergedResults results =
      merged({part(2, 2, 1, {record("b", "sc")}), part(1, 2, 2, {record("c", "sc"), record("a", "sc")})});
  CHECK(results.missing.empty());
  CHECK(merged_json(results) ==
        "{\"file\":\"a\",\"model\":\"sc\"}\n{\"file\":\"b\",\"model\":\"sc\"}\n{\"file\":\"c\",\"model\":"
        "\"sc\"}\n");
  CHECK(merged_text(results, false).find("3 tests: 3 allowed") != std::string::npos);
}

TEST_CASE("of several records of an input the last counts") {
  const MergedResults results = merged({part(1, 1, 1, {record("a", "old"), record("a", "new")})});
  CHECK(merged_json(results) == "{\"file\":\"a\",\"model\":\"new\"}\n");
}

TEST_CASE("what is missing is named") {
  const MergedResults results =
      merged({part(1, 4, 3, {record("a", "sc")}), part(3, 4, 1, {record("b", "sc")})});
  REQUIRE(results.missing.size() == 2);
  CHECK(results.missing[0] == "r1.jsonl: 1 of 3 inputs have results; the same command decides the others");
  CHECK(results.missing[1] == "no results of shard 2/4, 4/4");
  CHECK(results_in(part(1, 4, 1, {record("a", "sc")})).missing.empty());
}

TEST_CASE("tests that differ between models are listed and counted") {
  Record both = record("a", "sc");
  both.results.push_back(record("a", "ptx-8.7").results.front());
  both.differences = {"a: allowed under ptx-8.7, forbidden under sc"};
  const std::string text = merged_text(merged({part(1, 1, 1, {both})}), false);
  CHECK(text.ends_with("a: allowed under ptx-8.7, forbidden under sc\n1 of 1 tests differ between models\n"));
}

TEST_CASE("comparisons are counted") {
  RecordedCampaign campaign = part(1, 1, 2, {});
  campaign.campaign.verb = "compare";
  campaign.records = {{"a", {}, 0, {{"{}", TextRow{"a: refines\n", true}}}, {}},
                      {"b", {}, 1, {{"{}", TextRow{"b: differs\n", false}}}, {}}};
  CHECK(merged_text(merged({campaign}), false) ==
        "a: refines\nb: differs\n1 of 2 targets refine their sources\n");
}

TEST_CASE("files of different questions are not put together") {
  RecordedCampaign other = part(2, 2, 1, {});
  other.campaign.settings = {{"--model", "sc"}};
  CHECK_THROWS_AS(merged({part(1, 2, 1, {}), other}), InputError);
}
