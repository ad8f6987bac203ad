#include "src/report/merged_parts.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace ptxmc;

namespace {

using Json = nlohmann::ordered_json;

struct State {
  std::int64_t value;
  std::uint64_t count;
};

/// A part of `exists (x = 1)`.
Record part(Shard number, Verdict verdict, const std::vector<State>& states, const std::string& reason = "") {
  Json answer = {
      {"verdict", "?"},  {"holds", nullptr},  {"states", Json::array()}, {"complete", reason.empty()},
      {"executions", 0}, {"reason", nullptr}, {"notes", Json::array()},  {"time_s", 1}};
  if (!reason.empty()) answer["reason"] = reason;
  PartOfAnswer mark;
  mark.judgements = {{Verdict::allowed, {true, true, 0}},
                     {Verdict::forbidden, {false, false, 1}},
                     {Verdict::unknown, {{}, false, 3}}};
  std::uint64_t executions = 0;
  for (const State& state : states) {
    answer["states"].push_back({{"count", state.count}, {"values", {{"x", state.value}}}});
    mark.states.push_back({state.value});
    executions += state.count;
  }
  answer["executions"] = reason.empty() ? Json(executions) : Json(nullptr);
  TableRow row;
  row.name = "t";
  row.verdict = verdict;
  row.seconds = 1;
  row.reason = reason;
  Record record;
  record.input = "t";
  record.files = {{"t", "1"}};
  record.part = number;
  record.results = {{answer.dump(), row, {}, mark}};
  return record;
}

const TableRow& row_of(const Record& record) { return std::get<TableRow>(record.results.front().row); }
Json answer_of(const Record& record) { return Json::parse(record.results.front().answer); }

}  // namespace

TEST_CASE("one part that allows the condition decides, and counts are added") {
  const Record whole = whole_of({part({2, 2}, Verdict::allowed, {{0, 2}, {1, 5}}),
                                 part({1, 2}, Verdict::forbidden, {{-1, 1}, {0, 3}})});
  CHECK(whole.status == 0);
  CHECK(whole.part == Shard());
  CHECK(row_of(whole).verdict == Verdict::allowed);
  CHECK(row_of(whole).holds == true);
  CHECK(row_of(whole).executions == 11);
  CHECK(row_of(whole).seconds == 2);
  const Json answer = answer_of(whole);
  CHECK(answer["verdict"] == "allowed");
  CHECK(answer["complete"] == true);
  CHECK(answer["states"].dump() ==
        R"([{"count":1,"values":{"x":-1}},{"count":5,"values":{"x":0}},{"count":5,"values":{"x":1}}])");
}

TEST_CASE("all parts forbid the condition, or it is not forbidden") {
  const Record forbidden =
      whole_of({part({1, 2}, Verdict::forbidden, {{0, 1}}), part({2, 2}, Verdict::forbidden, {})});
  CHECK(row_of(forbidden).verdict == Verdict::forbidden);
  CHECK(forbidden.status == 1);
  const Record stopped = whole_of(
      {part({1, 2}, Verdict::forbidden, {{0, 1}}), part({2, 2}, Verdict::unknown, {{0, 1}}, "timeout")});
  CHECK(row_of(stopped).verdict == Verdict::unknown);
  CHECK(row_of(stopped).reason == "timeout");
  CHECK(stopped.status == 3);
  CHECK(answer_of(stopped)["executions"].is_null());
  CHECK(answer_of(stopped)["complete"] == false);
}

TEST_CASE("as long as a race may void the axioms, all parts must be known") {
  Record allowed = part({1, 2}, Verdict::allowed, {{1, 1}});
  Record stopped = part({2, 2}, Verdict::unknown, {}, "timeout");
  CHECK(row_of(whole_of({allowed, stopped})).verdict == Verdict::allowed);
  for (Record* record : {&allowed, &stopped}) record->results.front().part->race = VoidingRace::possible;
  CHECK(row_of(whole_of({allowed, stopped})).verdict == Verdict::unknown);
  stopped.results.front().part->race = VoidingRace::found;
  std::get<TableRow>(stopped.results.front().row).reason = mixed_size_race_reason;
  const Record race = whole_of({allowed, stopped});
  CHECK(row_of(race).verdict == Verdict::unknown);
  CHECK(row_of(race).reason == mixed_size_race_reason);
  CHECK(row_of(race).states == 0);
}

TEST_CASE("without all parts nothing is known") {
  const Record whole =
      whole_of({part({1, 3}, Verdict::allowed, {{1, 1}}), part({3, 3}, Verdict::forbidden, {})});
  CHECK(row_of(whole).verdict == Verdict::unknown);
  CHECK(row_of(whole).reason == "no results of part 2/3");
  CHECK_FALSE(row_of(whole).executions);
  CHECK_FALSE(row_of(whole).states_complete);
  CHECK(answer_of(whole)["reason"] == "no results of part 2/3");
  CHECK(whole.status == 3);
}

TEST_CASE("a part without an answer leaves the whole without one") {
  Record failed = part({2, 2}, Verdict::unknown, {});
  TableRow row;
  row.failed = true;
  failed.results = {{R"({"error":"unsupported"})", row}};
  failed.status = 3;
  const Record whole = whole_of({part({1, 2}, Verdict::allowed, {{1, 1}}), failed});
  CHECK(row_of(whole).failed);
  CHECK(whole.status == 3);
  CHECK(whole.part == Shard());
}

TEST_CASE("parts of other contents or of another division do not belong together") {
  const Record first = part({1, 2}, Verdict::allowed, {});
  CHECK(are_parts_of_one(first, part({2, 2}, Verdict::allowed, {})));
  CHECK_FALSE(are_parts_of_one(first, part({1, 2}, Verdict::allowed, {})));
  CHECK_FALSE(are_parts_of_one(first, part({2, 3}, Verdict::allowed, {})));
  Record changed = part({2, 2}, Verdict::allowed, {});
  changed.files.front().fingerprint = "2";
  CHECK_FALSE(are_parts_of_one(first, changed));
}

TEST_CASE("a record of a part is written and read without a verdict about the whole") {
  const Record written = part({1, 2}, Verdict::allowed, {{1, 5}});
  const Json json = Json::parse(record_line(written));
  CHECK(json["part"] == Json::array({1, 2}));
  CHECK_FALSE(json["results"][0].contains("answer"));
  CHECK(json["results"][0]["part"]["judgements"]["forbidden"]["status"] == 1);
}
