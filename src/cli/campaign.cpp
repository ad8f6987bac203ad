#include "src/cli/campaign.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <unordered_map>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/text_file.hpp"
#include "solver/limits/time_limit.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/number_options.hpp"
#include "src/cli/output.hpp"
#include "src/cli/progress_line.hpp"
#include "src/cli/supervision.hpp"
#include "src/library/in_order.hpp"
#include "src/report/merged_results.hpp"
#include "src/report/page.hpp"

namespace ptxmc {

namespace {

namespace fs = std::filesystem;

/// Flags that decide where and how something is printed, and which inputs are decided, but no answer.
const std::set<std::string> flags_without_answers = {"--shard",    "--results", "--jobs",    "--json",
                                                     "--quiet",    "--color",   "--verbose", "--html",
                                                     "--pictures", "--help"};

Shard shard_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw InputError("--shard", {}, fmt::format("found '{}', expected I/N, such as 2/4", text));
  Shard shard;
  shard.of = whole_number("--shard", text.substr(slash + 1), {.lowest = 1});
  shard.number = whole_number("--shard", text.substr(0, slash), {.lowest = 1, .highest = shard.of});
  return shard;
}

/// A results file that is open for appending. Another process cannot open it at the same time.
class ResultsFile {
 public:
  explicit ResultsFile(std::string path)
      : path_(std::move(path)), file_(open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
    if (file_ < 0) fail();
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
      close(file_);
      throw InputError(path_, {}, "found a file that another process writes, expected one for each process");
    }
  }
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;
  ~ResultsFile() { close(file_); }

  /// Removes a line that a killed process has not finished.
  void truncate(std::uint64_t bytes) {
    if (ftruncate(file_, static_cast<off_t>(bytes)) != 0) fail();
  }

  /// Appends a line. Other threads may do so at the same time.
  void append(std::string line) {
    line += '\n';
    const std::lock_guard lock(mutex_);
    for (std::size_t written = 0; written < line.size();) {
      const ssize_t count = write(file_, line.data() + written, line.size() - written);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail();
      written += static_cast<std::size_t>(count);
    }
  }

 private:
  [[noreturn]] void fail() const {
    throw InputError(path_, {},
                     fmt::format("found that it cannot be written ({}), expected a file for results",
                                 std::strerror(errno)));
  }

  const std::string path_;
  const int file_;
  std::mutex mutex_;
};

bool is_current(const Record& record) {
  return std::ranges::all_of(record.files, [](const RecordedFile& file) {
    return content_fingerprint(file.path) == file.fingerprint;
  });
}

/// The indices of the inputs without a current record of this part.
std::vector<std::size_t> undecided(const std::vector<std::string>& names, const Shard& part,
                                   const std::optional<RecordedCampaign>& earlier) {
  std::unordered_map<std::string, const Record*> last;
  if (earlier)
    for (const Record& record : earlier->records)
      if (record.part == part) last[record.input] = &record;
  std::vector<std::size_t> result;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!seen.insert(names[i]).second) continue;
    const auto found = last.find(names[i]);
    if (found == last.end() || !is_current(*found->second)) result.push_back(i);
  }
  return result;
}

/// A file named by a flag is part of the question with its content: a model, a table of costs.
std::string setting_value(const CLI::Option& option) {
  std::string value;
  for (const std::string& one : option.results()) {
    const bool is_file = option.get_items_expected() != 0 && fs::is_regular_file(one);
    value += (value.empty() ? "" : " ") + one + (is_file ? "#" + content_fingerprint(one) : "");
  }
  return value;
}

RecordedCampaign read_results(const std::string& file) {
  auto campaign = read_campaign(file);
  if (!campaign) throw InputError(file, {}, "found no complete line, expected results of a campaign");
  return std::move(*campaign);
}

/// Decides the inputs with these indices, several at a time. `add` is called by several threads.
void decide_all(const std::vector<std::string>& names, const std::vector<std::size_t>& missing,
                const CommonOptions& common, const DecideInput& decide,
                const std::function<void(Record)>& add) {
  ProgressLine progress(missing.size(), common);
  const auto work = [&](std::size_t i) {
    if (interrupted()) return true;
    if (auto record = decide(missing[i]); record && !interrupted()) add(std::move(*record));
    return true;
  };
  in_order(missing.size(), job_count(common), work,
           [&](std::size_t i, bool) { progress.show(i + 1, names[missing[i]]); });
}

/// Decides the inputs that have no current record in the file, and appends their records.
void record_all(const CampaignOptions& options, const Campaign& campaign,
                const std::vector<std::string>& names, const CommonOptions& common,
                const DecideInput& decide) {
  const std::string& path = options.results;
  ResultsFile file(path);
  const auto earlier = read_campaign(path);
  if (earlier) require_same_question(*earlier, campaign, "--results");
  const std::vector<std::size_t> missing = undecided(names, part_of_inputs(options), earlier);
  file.truncate(earlier ? earlier->complete_bytes : 0);
  file.append(campaign_line(campaign));
  decide_all(names, missing, common, decide, [&](const Record& record) { file.append(record_line(record)); });
}

/// Returns the most severe status.
ExitStatus print(const MergedResults& results, const CommonOptions& options) {
  ExitStatus status = results.missing.empty() ? ExitStatus::success : ExitStatus::unknown;
  for (const Record& record : results.records)
    status = graver(status, static_cast<ExitStatus>(record.status));
  if (!options.quiet)
    write_output(options.json ? merged_json(results) : merged_text(results, use_color(options)));
  flush_output();
  for (const std::string& sentence : results.missing) print_error("{}\n", sentence);
  return status;
}

}  // namespace

void add_campaign_options(CLI::App& command, CampaignOptions& options) {
  command
      .add_option_function<std::string>(
          "--shard", [&options](const std::string& text) { options.shard = shard_of(text); },
          "only the inputs of part I of N parts, which their names decide")
      ->type_name("I/N");
  command
      .add_option(
          "--results", options.results,
          "append each answer to this file as soon as it is known; inputs that have one there are not "
          "decided again (see ptxmc merge)")
      ->type_name("FILE.jsonl");
}

void add_page_options(CLI::App& command, CampaignOptions& options) {
  command
      .add_option("--html", options.html, "write the results as one page: table, sources, states, pictures")
      ->type_name("FILE");
  command.add_flag("--pictures", options.pictures,
                   "keep in --results what a page shows, for ptxmc merge --html");
}

void set_question(CampaignOptions& options, const CLI::App& command) {
  options.campaign.version = PTXMC_VERSION;
  options.campaign.verb = command.get_name();
  options.campaign.shard = options.shard;
  options.pictures |= !options.html.empty();
  if (options.pictures) options.campaign.settings.emplace_back("--pictures", "");
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string flag = "--" + option->get_lnames().front();
    if (!flags_without_answers.contains(flag))
      options.campaign.settings.emplace_back(flag, setting_value(*option));
  }
}

void require_no_results_with(const CampaignOptions& options, const CLI::App& command,
                             std::initializer_list<const char*> flags) {
  if (!has_records(options)) return;
  for (const char* flag : flags)
    if (command.get_option(flag)->count() > 0)
      throw InputError(options.results.empty() ? "--html" : "--results", {},
                       fmt::format("found {} too, expected one of them", flag));
}

std::string input_name(const std::string& path) {
  return path == "-" ? path : fs::path(path).lexically_normal().string();
}

Shard part_of_inputs(const CampaignOptions& options) {
  return options.divides_input ? options.shard : Shard();
}

bool has_records(const CampaignOptions& options) { return !options.results.empty() || !options.html.empty(); }

std::vector<Picture> pictures_in_time(const CommonOptions& options, double seconds_spent,
                                      std::function<std::vector<Picture>()> draw) {
  try {
    return supervised(budget_of(options).begun_before(seconds_spent, least_seconds_for_drawing),
                      std::move(draw));
  } catch (const OutOfTime& out) {
    print_error("the pictures are not finished: {}\n", out.what());
    return {};
  }
}

void add_sources(Record& record, const std::vector<std::string>& files) {
  for (const std::string& file : files)
    if (auto text = text_of_file(file)) record.sources.push_back({file, std::move(*text)});
}

ExitStatus run_campaign(const CampaignOptions& options, const CommonOptions& common,
                        const std::vector<std::string>& names, const DecideInput& decide) {
  if (std::ranges::find(names, "-") != names.end())
    throw InputError(options.results.empty() ? "--html" : "--results", {},
                     "found standard input, expected files, which have names");
  Campaign campaign = options.campaign;
  campaign.inputs = std::set<std::string>(names.begin(), names.end()).size();
  RecordedCampaign all{"--html", campaign, {}, 0};
  if (options.results.empty()) {
    std::mutex mutex;
    decide_all(names, undecided(names, part_of_inputs(options), std::nullopt), common, decide,
               [&](Record record) {
                 const std::lock_guard lock(mutex);
                 all.records.push_back(std::move(record));
               });
  } else {
    record_all(options, campaign, names, common, decide);
    all = read_results(options.results);
  }
  const MergedResults results = results_in(std::move(all));
  if (!options.html.empty()) write_text_file(options.html, results_page(results));
  const ExitStatus status = print(results, common);
  if (interrupted()) print_error("interrupted: the same command decides the other inputs\n");
  return status;
}

ExitStatus print_merged(const std::vector<std::string>& files, const CampaignOptions& options,
                        const CommonOptions& common) {
  std::vector<RecordedCampaign> campaigns;
  for (const std::string& file : files) campaigns.push_back(read_results(file));
  const MergedResults results = merged(std::move(campaigns));
  if (!options.html.empty()) write_text_file(options.html, results_page(results));
  return print(results, common);
}

}  // namespace ptxmc
