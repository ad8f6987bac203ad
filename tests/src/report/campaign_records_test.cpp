#include "src/report/campaign_records.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "semantics/language/diagnostic.hpp"

using namespace ptxmc;

namespace {

/// A file that is removed at the end of a test.
struct TextFile {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("ptxmc-records-" + std::to_string(getpid()));
  explicit TextFile(const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile() { std::filesystem::remove(path); }
};

Campaign sample_campaign() { return {"1.0", "litmus", {{"--model", "sc"}}, {2, 4}, 7}; }

Record sample_record() {
  TableRow test;
  test.name = "MP";
  test.model = "sc";
  test.verdict = Verdict::forbidden;
  test.holds = false;
  test.states = 3;
  test.executions = 5;
  LaunchRow launch;
  launch.file = "k.toml";
  launch.verdicts = {"race", "assertion"};
  launch.as_expected = true;
  return {"a.litmus",
          {{"a.litmus", "0123"}},
          3,
          {{R"({"b":1,"a":[2]})", test}, {"{}", launch}, {"{}", TextRow{"a: refines\n", true}}},
          {"MP: allowed under a, forbidden under b"}};
}

}  // namespace

TEST_CASE("records are read as they were written") {
  const std::string text = campaign_line(sample_campaign()) + "\n" + record_line(sample_record()) + "\n";
  const TextFile file(text);
  const auto read = read_campaign(file.path.string());
  REQUIRE(read);
  CHECK(campaign_line(read->campaign) == campaign_line(sample_campaign()));
  REQUIRE(read->records.size() == 1);
  CHECK(record_line(read->records.front()) == record_line(sample_record()));
  CHECK(read->records.front().results.front().answer == R"({"b":1,"a":[2]})");  // keys keep their order
  CHECK(read->complete_bytes == text.size());
}

TEST_CASE("a last line without its end is ignored, at every place where a process may be killed") {
  const std::string first = campaign_line(sample_campaign()) + "\n";
  const std::string text = first + record_line(sample_record()) + "\n";
  for (std::size_t length = 0; length < text.size(); ++length) {
    const TextFile file(text.substr(0, length));
    const auto read = read_campaign(file.path.string());
    CHECK(read.has_value() == (length >= first.size()));
    if (!read) continue;
    CHECK(read->records.empty());
    CHECK(read->complete_bytes == first.size());
  }
}

TEST_CASE("a line that is no record is an error with its place") {
  const std::string first = campaign_line(sample_campaign()) + "\n";
  for (const std::string& text :
       {std::string("{\n"), std::string("{}\n"), first + "[]\n", record_line(sample_record()) + "\n"}) {
    const TextFile file(text);
    try {
      read_campaign(file.path.string());
      FAIL("no error for " << text);
    } catch (const InputError& error) {
      CHECK(error.where.line == (text.starts_with(first) ? 2 : 1));
    }
  }
  CHECK_THROWS_AS(read_campaign("/missing/results.jsonl"), InputError);
}

TEST_CASE("results of other flags are other results") {
  const RecordedCampaign earlier{"r.jsonl", sample_campaign(), {}, 0};
  Campaign other_shard = sample_campaign();
  other_shard.shard = {1, 4};
  other_shard.inputs = 3;
  CHECK_NOTHROW(require_same_question(earlier, other_shard, "--results"));
  Campaign other_model = sample_campaign();
  other_model.settings = {{"--model", "ptx-8.7"}};
  CHECK_THROWS_WITH(
      require_same_question(earlier, other_model, "--results"),
      "found `ptxmc 1.0 litmus --model ptx-8.7`, expected `ptxmc 1.0 litmus --model sc`, of which "
      "there are results in r.jsonl");
}

TEST_CASE("each name belongs to one shard, on every machine to the same") {
  // FNV-1a of the empty text is its offset basis; the mixing step is that of MurmurHash3.
  static_assert(fingerprint("") == 0xefd01f60ba992926);
  for (const std::uint64_t of : {1, 2, 3, 7}) {
    std::vector<int> sizes(of);
    for (int name = 0; name < 700; ++name) {
      int owners = 0;
      for (std::uint64_t number = 1; number <= of; ++number)
        if (Shard{number, of}.includes("tests/t" + std::to_string(name) + ".litmus")) {
          ++owners;
          ++sizes[number - 1];
        }
      CHECK(owners == 1);
    }
    for (const int size : sizes)
      CHECK(size > 350 / static_cast<int>(of));  // none is empty, or has nearly all
  }
}
