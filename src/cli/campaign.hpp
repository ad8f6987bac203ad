#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "src/cli/common_options.hpp"
#include "src/cli/exit_status.hpp"
#include "src/report/campaign_records.hpp"

namespace ptxmc {

/// The flags of a verb for a campaign: many inputs, decided by several processes or in several runs.
struct CampaignOptions {
  Shard shard;
  std::string results;         ///< the file; empty: results are printed and not recorded
  std::string html;            ///< the page; empty: none
  bool pictures = false;       ///< records have what a page shows
  bool divides_input = false;  ///< the shard is a part of the only input
  Campaign campaign;           ///< what is asked, as flags say it
};

/// Declares `--shard` and `--results`.
void add_campaign_options(CLI::App&, CampaignOptions&);

/// Declares `--html` and `--pictures`, for verbs whose answers have executions to draw.
void add_page_options(CLI::App&, CampaignOptions&);

/// Whether answers are recorded, for a file of results or for a page.
bool has_records(const CampaignOptions&);

/// Executions that a page shows of an answer, at most.
inline constexpr std::size_t most_pictures = 4;

/// Draws within the time that an input has left, at least a second. If it takes longer, there are no
/// pictures, and a message says so. What `draw` uses it must own: see run_supervised.
std::vector<Picture> pictures_in_time(const CommonOptions&, double seconds_spent,
                                      std::function<std::vector<Picture>()> draw);

/// Adds the texts of these files to a record. A file that cannot be read is left out.
void add_sources(Record&, const std::vector<std::string>& files);

/// Fills `campaign` from the flags that were given. Call it after they have been parsed.
void set_question(CampaignOptions&, const CLI::App& command);

/// Throws InputError if `--results` or `--html` is given together with one of these flags.
void require_no_results_with(const CampaignOptions&, const CLI::App& command,
                             std::initializer_list<const char*> flags);

/// The part of each input that is decided.
Shard part_of_inputs(const CampaignOptions&);

/// The name of an input by which it belongs to a shard: a path without `./` and `a/..`.
std::string input_name(const std::string& path);

/// Decides the input with this index; empty after an interruption. It is called by several threads.
using DecideInput = std::function<std::optional<Record>(std::size_t)>;

/// Decides the inputs of these names that have no record in the results file, or one of other contents, and
/// appends a record as soon as an input is decided. At the end it prints the results of all inputs as `ptxmc
/// merge` does, and writes the page. Throws InputError if the file has results of another question, cannot be
/// written, or is being written by another process.
ExitStatus run_campaign(const CampaignOptions&, const CommonOptions&, const std::vector<std::string>& names,
                        const DecideInput&);

/// Reads the files of all shards and prints their results: the table, or with `json` a line for each answer.
/// Returns the most severe status, at least `unknown` if results are missing.
ExitStatus print_merged(const std::vector<std::string>& files, const CampaignOptions&, const CommonOptions&);

}  // namespace ptxmc
