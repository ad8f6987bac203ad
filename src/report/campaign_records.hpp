#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "src/report/fingerprint.hpp"
#include "src/report/launch_table.hpp"
#include "src/report/picture.hpp"
#include "src/report/table.hpp"

namespace ptxmc {

// What a campaign writes into its file of results: a line of JSON when it starts (a Campaign), and a line for
// each input when this is decided (a Record). docs/campaigns.md has the keys.

/// One of `of` parts of the inputs of a campaign, from 1. An input belongs to the part that its name decides.
struct Shard {
  std::uint64_t number = 1, of = 1;
  bool includes(std::string_view name) const { return fingerprint(name) % of == number - 1; }
  bool operator==(const Shard&) const = default;
};

/// `2/4`
std::string shard_text(const Shard&);

/// What a campaign asks. Results of different questions are not put together.
struct Campaign {
  std::string version;  ///< of the program
  std::string verb;     ///< "litmus"
  std::vector<std::pair<std::string, std::string>>
      settings;  ///< flags that decide answers, with their values
  Shard shard;
  std::uint64_t inputs = 0;  ///< the number of inputs of this shard
};

/// A line of a table that has no columns.
struct TextRow {
  std::string text;  ///< ends with a newline
  bool is_positive = false;
};

/// What a page shows of an answer beside its row. Empty in a campaign without pictures.
struct PagePart {
  std::string heading = {}, text = {};  ///< "Reasons", and these
  std::vector<Picture> pictures = {};
};

/// What follows from a verdict about a test.
struct VerdictJudgement {
  std::optional<bool> holds, as_expected;
  int status = 0;  ///< exit status
};

/// What an answer to a part of a test has, so that the answers to all parts can be put together.
struct PartOfAnswer {
  std::vector<std::vector<std::int64_t>> states;  ///< the values in each state of the answer
  std::map<Verdict, VerdictJudgement> judgements;        ///< of every verdict about the whole test
  VoidingRace race = VoidingRace::impossible;     ///< in a part, it voids the answers to all parts
};

/// One answer: to one test under one model, to one launch, to one comparison.
struct RecordedResult {
  std::string answer;  ///< the JSON object that `--json` prints
  std::variant<TableRow, LaunchRow, TextRow> row;
  PagePart page = {};
  std::optional<PartOfAnswer> part = {};  ///< the answer speaks of a part of the executions only
};

/// A text that pictures and answers name lines of.
struct ShownText {
  std::string file, text;
};

/// A file whose content decides an answer.
struct RecordedFile {
  std::string path;
  std::string fingerprint;  ///< of its content; empty: it cannot be read
};

/// All answers to one input.
struct Record {
  std::string input;  ///< its name
  std::vector<RecordedFile> files;
  int status = 0;  ///< exit status
  std::vector<RecordedResult> results;
  std::vector<std::string> differences;  ///< between models: lines
  std::vector<ShownText> sources = {};   ///< for a page
  Shard part = {};                       ///< of the input that was decided; a record of a part has one result
};

/// A line of the file, without the newline.
std::string campaign_line(const Campaign&);
std::string record_line(const Record&);

/// A results file.
struct RecordedCampaign {
  std::string file;
  Campaign campaign;  ///< as it was last started
  std::vector<Record> records;
  std::uint64_t complete_bytes = 0;  ///< without a last line that is not complete
};

/// Reads a results file. A last line without its end is ignored: the process was killed while it wrote it. A
/// file without a complete line is empty. Throws InputError with the file and the line for anything else.
std::optional<RecordedCampaign> read_campaign(const std::string& file);

/// `ptxmc 0.1.0 litmus --model sc`
std::string question_text(const Campaign&);

/// Throws InputError, naming both, if a campaign asks something else than an earlier one.
void require_same_question(const RecordedCampaign& earlier, const Campaign& campaign,
                           const std::string& file);

/// The fingerprint of a file's content, as text; empty if it cannot be read.
std::string content_fingerprint(const std::string& file);

}  // namespace ptxmc
