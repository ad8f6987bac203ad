#include "src/report/merged_results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "src/report/merged_parts.hpp"

namespace ptxmc {

namespace {

/// The shards of which there is no file: `3/4`. Campaigns that are divided in different ways are not
/// compared.
std::vector<std::string> absent_shards(const std::vector<RecordedCampaign>& campaigns) {
  const std::uint64_t of = campaigns.front().campaign.shard.of;
  std::set<std::uint64_t> present;
  for (const RecordedCampaign& one : campaigns) {
    if (one.campaign.shard.of != of) return {};
    present.insert(one.campaign.shard.number);
  }
  std::vector<std::string> absent;
  for (std::uint64_t number = 1; number <= of && absent.size() < 10; ++number)
    if (!present.contains(number)) absent.push_back(shard_text({number, of}));
  return absent;
}

std::vector<std::string> missing_in(const std::vector<RecordedCampaign>& campaigns) {
  std::vector<std::string> missing;
  for (const RecordedCampaign& one : campaigns) {
    std::set<std::string> inputs;
    for (const Record& record : one.records) inputs.insert(record.input);
    if (inputs.size() < one.campaign.inputs)
      missing.push_back(fmt::format("{}: {} of {} inputs have results; the same command decides the others",
                                    one.file, inputs.size(), one.campaign.inputs));
  }
  return missing;
}

std::size_t distinct_models(const std::vector<const TableRow*>& rows) {
  std::set<std::string> models;
  for (const TableRow* row : rows)
    if (!row->model.empty()) models.insert(row->model);
  return models.size();
}

/// The tests that differ between models, as `ptxmc litmus` lists them.
std::string differences_text(const MergedResults& results, const std::vector<const TableRow*>& rows) {
  if (distinct_models(rows) < 2) return {};
  std::string text;
  std::size_t differing = 0;
  std::set<std::pair<std::string, std::string>> tests;
  for (const TableRow* row : rows) tests.emplace(row->file, row->name);
  for (const Record& record : results.records)
    for (const std::string& difference : record.differences) {
      text += difference + "\n";
      ++differing;
    }
  return text + fmt::format("{} of {} tests differ between models\n", differing, tests.size());
}

MergedResults put_together(std::vector<RecordedCampaign> campaigns) {
  MergedResults result;
  result.campaign = campaigns.front().campaign;
  for (const RecordedCampaign& one : campaigns)
    require_same_question(campaigns.front(), one.campaign, one.file);
  result.missing = missing_in(campaigns);
  std::map<std::string, std::vector<Record>> last;  // by input: its parts, or the whole
  for (RecordedCampaign& one : campaigns)
    for (Record& record : one.records) {
      std::vector<Record>& parts = last[record.input];
      std::erase_if(parts, [&](const Record& earlier) { return !are_parts_of_one(earlier, record); });
      parts.push_back(std::move(record));
    }
  for (auto& [input, parts] : last) result.records.push_back(whole_of(std::move(parts)));
  return result;
}

}  // namespace

MergedResults merged(std::vector<RecordedCampaign> campaigns) {
  const auto absent = absent_shards(campaigns);
  MergedResults result = put_together(std::move(campaigns));
  if (!absent.empty())
    result.missing.push_back(fmt::format("no results of shard {}", fmt::join(absent, ", ")));
  return result;
}

MergedResults results_in(RecordedCampaign campaign) {
  std::vector<RecordedCampaign> one;
  one.push_back(std::move(campaign));
  return put_together(std::move(one));
}

std::string merged_text(const MergedResults& results, bool color) {
  std::vector<const TableRow*> rows;
  std::vector<TableRow> tests;
  std::vector<LaunchRow> launches;
  std::string text;
  std::size_t lines = 0, positive = 0;
  for (const Record& record : results.records)
    for (const RecordedResult& result : record.results) {
      if (const auto* row = std::get_if<TableRow>(&result.row)) {
        rows.push_back(row);
        tests.push_back(*row);
      } else if (const auto* launch = std::get_if<LaunchRow>(&result.row)) {
        launches.push_back(*launch);
      } else {
        const auto& line = std::get<TextRow>(result.row);
        text += line.text;
        ++lines;
        if (line.is_positive) ++positive;
      }
    }
  if (!tests.empty()) text += table_text(tests, color) + differences_text(results, rows);
  if (!launches.empty()) text += launch_table_text(launches, color);
  if (results.campaign.verb == "compare")
    text += fmt::format("{} of {} targets refine their sources\n", positive, lines);
  return text;
}

std::string merged_json(const MergedResults& results) {
  std::string text;
  for (const Record& record : results.records)
    for (const RecordedResult& result : record.results) text += result.answer + "\n";
  return text;
}

}  // namespace ptxmc
