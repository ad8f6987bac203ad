#include "src/report/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "src/embedded_texts.hpp"
#include "src/report/answer.hpp"
#include "src/report/json_text.hpp"
#include "src/report/optional_json.hpp"

namespace ptxmc {

namespace {

using Json = nlohmann::ordered_json;

Json row_json(const TableRow& row) {
  const std::string verdict = row.failed ? "error" : row.word.empty() ? verdict_text(row.verdict) : row.word;
  return {{"name", row.name},
          {"model", row.model},
          {"verdict", verdict},
          {"kind", row.failed                        ? "bad"
                   : row.verdict == Verdict::unknown ? "doubtful"
                                                     : ""},
          {"expected", or_null(row.as_expected)},
          {"states", row.failed ? Json(nullptr)
                                : Json(fmt::format("{}{}", row.states, row.states_complete ? "" : "+"))},
          {"seconds", row.seconds},
          {"reason", row.reason}};
}

Json row_json(const LaunchRow& row) {
  const bool is_safe = row.verdicts.size() == 1 && row.verdicts.front() == "safe";
  const std::string verdict = row.failed             ? "error"
                              : row.verdicts.empty() ? "unknown"
                                                     : fmt::format("{}", fmt::join(row.verdicts, ", "));
  return {{"name", row.file},
          {"model", ""},
          {"verdict", verdict},
          {"kind", is_safe                               ? "good"
                   : row.verdicts.empty() && !row.failed ? "doubtful"
                                                         : "bad"},
          {"expected", or_null(row.as_expected)},
          {"states", nullptr},
          {"seconds", row.seconds},
          {"reason", row.reason}};
}

/// `x.target.litmus: differs` has the verdict behind the name.
Json row_json(const TextRow& row) {
  const std::string line = row.text.substr(0, row.text.find('\n'));
  const std::size_t colon = line.rfind(": ");
  return {{"name", line.substr(0, colon)},
          {"model", ""},
          {"verdict", colon == std::string::npos ? "" : line.substr(colon + 2)},
          {"kind", row.is_positive ? "good" : "bad"},
          {"expected", nullptr},
          {"states", nullptr},
          {"seconds", 0.0},
          {"reason", ""}};
}

Json picture_json(const Picture& picture) {
  Json relations = Json::array();
  for (const PictureRelation& relation : picture.relations)
    relations.push_back({{"name", relation.name}, {"meaning", relation.meaning}, {"color", relation.color}});
  return {{"title", picture.title},
          {"footer", picture.footer},
          {"svg", picture.svg},
          {"relations", relations},
          {"file", picture.file}};
}

Json result_json(const RecordedResult& result) {
  Json json = std::visit([](const auto& row) { return row_json(row); }, result.row);
  json["answer"] = Json::parse(result.answer);
  if (json["model"] == "" && json["answer"].contains("model")) json["model"] = json["answer"]["model"];
  if (json["seconds"] == 0.0 && json["answer"].contains("time_s")) json["seconds"] = json["answer"]["time_s"];
  json["heading"] = result.page.heading;
  json["text"] = result.page.text;
  json["pictures"] = Json::array();
  for (const Picture& picture : result.page.pictures) json["pictures"].push_back(picture_json(picture));
  return json;
}

Json input_json(const Record& record) {
  Json sources = Json::array(), results = Json::array();
  for (const ShownText& source : record.sources)
    sources.push_back({{"file", source.file}, {"text", source.text}});
  for (const RecordedResult& result : record.results) results.push_back(result_json(result));
  return {{"input", record.input}, {"sources", sources}, {"results", results}};
}

/// JSON inside of a script element: `</script>` and `<!--` must not occur.
std::string within_script(std::string text) {
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1))
    text.replace(at, 1, "\\u003c");
  return text;
}

std::string_view part(std::string_view file_name) {
  for (const EmbeddedText& one : embedded_page_parts())
    if (one.file_name == file_name) return one.text;
  return {};
}

}  // namespace

std::string results_page(const MergedResults& results) {
  Json inputs = Json::array();
  for (const Record& record : results.records) inputs.push_back(input_json(record));
  const Json data = {
      {"question", question_text(results.campaign)}, {"missing", results.missing}, {"inputs", inputs}};
  std::string page(part("page.html"));
  const auto insert = [&](std::string_view mark, std::string_view text) {
    page.replace(page.find(mark), mark.size(), text);
  };
  insert("@CSS@", part("page.css"));
  insert("@SCRIPT@", part("page.js"));
  insert("@RESULTS@", within_script(json_text(data)));
  return page;
}

}  // namespace ptxmc
