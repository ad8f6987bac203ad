#pragma once

#include <string>
#include <vector>

#include "src/report/campaign_records.hpp"

namespace ptxmc {

/// The results of a campaign, put together from its files.
struct MergedResults {
  Campaign campaign;                 ///< of the first file
  std::vector<Record> records;       ///< by the names of their inputs, each once
  std::vector<std::string> missing;  ///< sentences: inputs without results, absent shards
};

/// Puts the files of all shards together. Of several records of one input the last counts. Throws InputError
/// if the files answer different questions.
MergedResults merged(std::vector<RecordedCampaign>);

/// The results in one file, which may be those of one shard of several.
MergedResults results_in(RecordedCampaign);

/// The table, as the verb prints it, and what is missing.
std::string merged_text(const MergedResults&, bool color);

/// The answers as `--json` prints them, a line each.
std::string merged_json(const MergedResults&);

}  // namespace ptxmc
