#include "src/report/campaign_records.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/text_file.hpp"
#include "src/report/answer.hpp"
#include "src/report/json_text.hpp"
#include "src/report/optional_json.hpp"

namespace ptxmc {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
std::optional<T> optional_of(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

Json to_json(const TableRow& row) {
  return {{"name", row.name},
          {"model", row.model},
          {"verdict", verdict_text(row.verdict)},
          {"holds", or_null(row.holds)},
          {"as_expected", or_null(row.as_expected)},
          {"states", row.states},
          {"complete", row.states_complete},
          {"executions", or_null(row.executions)},
          {"time_s", row.seconds},
          {"reason", row.reason},
          {"failed", row.failed},
          {"file", row.file},
          {"word", row.word}};
}

Json to_json(const LaunchRow& row) {
  return {{"launch", row.file},
          {"verdicts", row.verdicts},
          {"expected", row.expected},
          {"as_expected", or_null(row.as_expected)},
          {"certain", row.is_certain},
          {"engine", row.engine},
          {"executions", or_null(row.executions)},
          {"time_s", row.seconds},
          {"reason", row.reason},
          {"failed", row.failed}};
}

Json to_json(const TextRow& row) { return {{"text", row.text}, {"positive", row.is_positive}}; }

Verdict verdict_of(const std::string& text) {
  for (const Verdict verdict : {Verdict::allowed, Verdict::forbidden})
    if (text == verdict_text(verdict)) return verdict;
  return Verdict::unknown;
}

TableRow table_row_of(const Json& json) {
  return {.name = json.at("name"),
          .model = json.at("model"),
          .verdict = verdict_of(json.at("verdict")),
          .holds = optional_of<bool>(json.at("holds")),
          .as_expected = optional_of<bool>(json.at("as_expected")),
          .states = json.at("states"),
          .states_complete = json.at("complete"),
          .executions = optional_of<std::uint64_t>(json.at("executions")),
          .seconds = json.at("time_s"),
          .reason = json.at("reason"),
          .failed = json.at("failed"),
          .file = json.at("file"),
          .word = json.at("word")};
}

LaunchRow launch_row_of(const Json& json) {
  return {.file = json.at("launch"),
          .verdicts = json.at("verdicts").get<std::vector<std::string>>(),
          .expected = json.at("expected").get<std::vector<std::string>>(),
          .as_expected = optional_of<bool>(json.at("as_expected")),
          .is_certain = json.at("certain"),
          .engine = json.at("engine"),
          .executions = optional_of<std::uint64_t>(json.at("executions")),
          .seconds = json.at("time_s"),
          .reason = json.at("reason"),
          .failed = json.at("failed")};
}

Json to_json(const Picture& picture) {
  Json relations = Json::array();
  for (const PictureRelation& relation : picture.relations)
    relations.push_back({relation.name, relation.meaning, relation.color});
  return {{"title", picture.title},
          {"footer", picture.footer},
          {"svg", picture.svg},
          {"relations", relations},
          {"file", picture.file}};
}

Picture picture_of(const Json& json) {
  Picture picture{json.at("title"), json.at("footer"), json.at("svg"), {}, json.at("file")};
  for (const Json& relation : json.at("relations"))
    picture.relations.push_back({relation.at(0), relation.at(1), relation.at(2)});
  return picture;
}

PagePart page_part_of(const Json& json) {
  PagePart page{json.at("heading"), json.at("text"), {}};
  for (const Json& picture : json.at("pictures")) page.pictures.push_back(picture_of(picture));
  return page;
}

/// Null if there is nothing for a page.
Json to_json(const PagePart& page) {
  if (page.text.empty() && page.pictures.empty()) return nullptr;
  Json pictures = Json::array();
  for (const Picture& picture : page.pictures) pictures.push_back(to_json(picture));
  return {{"heading", page.heading}, {"text", page.text}, {"pictures", pictures}};
}

Json to_json(const PartOfAnswer& part) {
  Json judgements = Json::object();
  for (const auto& [verdict, judgement] : part.judgements)
    judgements[verdict_text(verdict)] = {{"holds", or_null(judgement.holds)},
                                         {"as_expected", or_null(judgement.as_expected)},
                                         {"status", judgement.status}};
  return {{"states", part.states}, {"judgements", judgements}, {"race", part.race}};
}

PartOfAnswer part_of_answer(const Json& json) {
  PartOfAnswer part;
  part.states = json.at("states").get<std::vector<std::vector<std::int64_t>>>();
  for (const auto& [verdict, judgement] : json.at("judgements").items())
    part.judgements[verdict_of(verdict)] = {optional_of<bool>(judgement.at("holds")),
                                            optional_of<bool>(judgement.at("as_expected")),
                                            judgement.at("status")};
  part.race = json.at("race");
  return part;
}

Json to_json(const RecordedResult& result) {
  Json object = {{"answer", Json::parse(result.answer)},
                 {"row", std::visit([](const auto& row) { return to_json(row); }, result.row)}};
  if (Json page = to_json(result.page); !page.is_null()) object["page"] = std::move(page);
  if (!result.part) return object;
  object.update(to_json(*result.part));
  return {{"part", object}};  // so that its verdict is not found where that of a whole test is
}

RecordedResult result_of(const Json& json) {
  if (json.contains("part")) {
    const Json& part = json.at("part");
    RecordedResult result = result_of(part);
    result.part = part_of_answer(part);
    return result;
  }
  RecordedResult result;
  result.answer = json_text(json.at("answer"));
  const Json& row = json.at("row");
  if (row.contains("name"))
    result.row = table_row_of(row);
  else if (row.contains("launch"))
    result.row = launch_row_of(row);
  else
    result.row = TextRow{row.at("text"), row.at("positive")};
  if (json.contains("page")) result.page = page_part_of(json.at("page"));
  return result;
}

Shard shard_of(const Json& json) { return {json.at(0), json.at(1)}; }
Json to_json(const Shard& shard) { return Json::array({shard.number, shard.of}); }

Record record_of(const Json& json) {
  Record record;
  record.input = json.at("input");
  for (const auto& [path, content] : json.at("files").items()) record.files.push_back({path, content});
  record.status = json.at("status");
  for (const Json& result : json.at("results")) record.results.push_back(result_of(result));
  record.differences = json.at("differences").get<std::vector<std::string>>();
  if (json.contains("sources"))
    for (const auto& [file, text] : json.at("sources").items()) record.sources.push_back({file, text});
  if (json.contains("part")) record.part = shard_of(json.at("part"));
  return record;
}

Campaign campaign_of(const Json& json) {
  Campaign campaign;
  campaign.version = json.at("ptxmc");
  campaign.verb = json.at("verb");
  for (const auto& [flag, value] : json.at("settings").items()) campaign.settings.emplace_back(flag, value);
  campaign.shard = shard_of(json.at("shard"));
  campaign.inputs = json.at("inputs");
  return campaign;
}

void read_line(RecordedCampaign& read, const Json& json, bool& has_campaign) {
  if (!json.contains("ptxmc")) {
    if (!has_campaign) throw std::invalid_argument("no campaign");
    read.records.push_back(record_of(json));
    return;
  }
  Campaign campaign = campaign_of(json);
  if (has_campaign) require_same_question(read, campaign, read.file);
  read.campaign = std::move(campaign);
  has_campaign = true;
}

}  // namespace

std::string question_text(const Campaign& campaign) {
  std::string text = fmt::format("ptxmc {} {}", campaign.version, campaign.verb);
  for (const auto& [flag, value] : campaign.settings) text += fmt::format(" {} {}", flag, value);
  return text;
}

std::string shard_text(const Shard& shard) { return fmt::format("{}/{}", shard.number, shard.of); }

std::string campaign_line(const Campaign& campaign) {
  Json settings = Json::object();
  for (const auto& [flag, value] : campaign.settings) settings[flag] = value;
  return json_text({{"ptxmc", campaign.version},
                    {"verb", campaign.verb},
                    {"settings", settings},
                    {"shard", to_json(campaign.shard)},
                    {"inputs", campaign.inputs}});
}

std::string record_line(const Record& record) {
  Json files = Json::object(), results = Json::array();
  for (const RecordedFile& file : record.files) files[file.path] = file.fingerprint;
  for (const RecordedResult& result : record.results) results.push_back(to_json(result));
  Json object = {{"input", record.input},
                 {"files", files},
                 {"status", record.status},
                 {"results", results},
                 {"differences", record.differences}};
  for (const ShownText& source : record.sources) object["sources"][source.file] = source.text;
  if (record.part != Shard()) object["part"] = to_json(record.part);
  return json_text(object);
}

std::optional<RecordedCampaign> read_campaign(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file))
    throw InputError(file, {},
                     fmt::format("found {}, expected results of a campaign", unreadable_text(file)));
  RecordedCampaign read;
  read.file = file;
  bool has_campaign = false;
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line) && !in.eof();) {  // at the end: a line without its end
    ++number;
    try {
      read_line(read, Json::parse(line), has_campaign);
    } catch (const InputError&) {
      throw;
    } catch (const std::exception&) {  // no JSON, or without the keys
      throw InputError(file, {number, 1},
                       "found no line of results, expected one that `--results` of this version wrote");
    }
    read.complete_bytes += line.size() + 1;
  }
  if (!has_campaign) return std::nullopt;
  return read;
}

void require_same_question(const RecordedCampaign& earlier, const Campaign& campaign,
                           const std::string& file) {
  const std::string expected = question_text(earlier.campaign), found = question_text(campaign);
  if (expected == found) return;
  throw InputError(file, {},
                   fmt::format("found `{}`, expected `{}`, of which there are results in {}", found, expected,
                               earlier.file));
}

std::string content_fingerprint(const std::string& file) {
  const auto text = text_of_file(file);
  return text ? fmt::format("{:016x}", fingerprint(*text)) : "";
}

}  // namespace ptxmc
