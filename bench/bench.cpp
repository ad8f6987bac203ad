// Whole runs of the program, as the shell sees them: time and peak memory. `bench PROGRAM JSON_FILE` prints
// tables and writes one JSON object a measurement.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/families.hpp"
#include "bench/instructions.hpp"
#include "bench/launches.hpp"
#include "bench/modules.hpp"
#include "bench/process.hpp"

namespace fs = std::filesystem;
using namespace ptxmc::bench;

namespace {

constexpr unsigned repetitions = 5;
constexpr double family_limit_seconds = 10;  ///< a family grows until one run takes longer

struct Bench {
  std::string program;
  std::ofstream json;
  std::string engine = "smt";

  std::vector<std::string> command(const std::vector<std::string>& more) const {
    std::vector<std::string> all = {program, "litmus", "--engine", engine, "--jobs", "1", "--no-states"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  void record(const std::string& name, double seconds, double megabytes, int status) {
    json << nlohmann::json{{"name", name},
                           {"engine", engine},
                           {"seconds", seconds},
                           {"peak_megabytes", megabytes},
                           {"status", status}}
         << "\n"
         << std::flush;
  }
  void report(const std::string& name, const Run& run) {
    fmt::print("{:<52} {:>9.1f} ms {:>7.0f} MB   exit {}\n", name, run.seconds * 1000, run.peak_megabytes,
               run.status);
    std::fflush(stdout);
    record(name, run.seconds, run.peak_megabytes, run.status);
  }
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// The tests named in a table `file;1|0`.
std::vector<std::string> files_of_table(const fs::path& table) {
  std::vector<std::string> files;
  std::ifstream lines(table);
  for (std::string line; std::getline(lines, line);)
    files.push_back((table.parent_path() / line.substr(0, line.find(';'))).string());
  return files;
}

/// Many tests in one process: a line for each test, then the whole.
void many_tests(Bench& bench, const std::string& name, const std::vector<std::string>& options,
                std::vector<std::string> paths) {
  paths.insert(paths.begin(), options.begin(), options.end());
  paths.insert(paths.begin(), "--json");
  std::map<std::string, std::vector<double>> times;
  std::vector<Run> runs;
  for (unsigned i = 0; i < repetitions; ++i) {
    runs.push_back(run(bench.command(paths)));
    std::istringstream lines(runs.back().output);
    for (std::string line; std::getline(lines, line);) {
      const auto test = nlohmann::json::parse(line);
      if (test.contains("time_s")) times[test["file"]].push_back(test["time_s"]);
    }
  }
  std::vector<double> medians;
  for (const auto& [file, seconds] : times) {
    medians.push_back(median(seconds));
    fmt::print("  {:<72} {:>7.2f} ms\n", fs::path(file).lexically_relative(fs::current_path()).string(),
               medians.back() * 1000);
    bench.record(name + ": " + file, medians.back(), 0, 0);
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.seconds < b.seconds; });
  bench.report(fmt::format("{}, {} tests in one process", name, medians.size()), runs[runs.size() / 2]);
  if (medians.empty()) return;
  fmt::print("  median test {:.2f} ms, slowest {:.2f} ms\n", median(medians) * 1000,
             *std::max_element(medians.begin(), medians.end()) * 1000);
}

void public_tables(Bench& bench) {
  const fs::path tables = "../shared/conformance/dartagnan";
  if (!fs::exists(tables)) return;
  const auto table = [&](const char* name, const std::vector<std::string>& options) {
    many_tests(bench, name, options, files_of_table(fs::absolute(tables / name)));
  };
  table("expected-6.0.csv", {"--model", "ptx-6.4"});
  table("expected-7.5.csv", {"--model", "ptx-7.5"});
  table("expected-liveness.csv", {"--model", "ptx-7.5", "--property", "termination"});
}

/// The folders of the bundled library with tests of PTX.
std::vector<std::string> folders_of_ptx() {
  std::vector<std::string> folders;
  for (const auto& entry : fs::directory_iterator("litmus"))
    if (entry.is_directory() && entry.path().filename() != "cpp") folders.push_back(entry.path().string());
  std::sort(folders.begin(), folders.end());
  return folders;
}

/// The file of a family's test.
fs::path write_test(const Family& family, unsigned threads, const fs::path& folder) {
  const fs::path file = folder / fmt::format("{}-{}.litmus", family.name, threads);
  std::ofstream(file) << family.test(threads);
  return file;
}

/// All executions of a test, counted by the explorer. False: there was no time for that.
bool count_executions(Bench& bench, const std::string& name, const fs::path& file, double seconds,
                      Run& found) {
  found = run({bench.program, "litmus", "--engine", "explorer", "--jobs", "1", "--executions", "--no-states",
               "--json", "--timeout", std::to_string(seconds), file.string()});
  const auto answer = nlohmann::json::parse(found.output, nullptr, false);
  if (!answer.is_object() || !answer["executions"].is_number()) return false;
  bench.report(fmt::format("{}: {} executions, {} blocked", name, answer["executions"].get<std::uint64_t>(),
                           answer["blocked"].get<std::uint64_t>()),
               found);
  return true;
}

/// The same of a family, more and more threads.
void count_executions(Bench& bench, const Family& family, const fs::path& folder) {
  for (unsigned threads = family.smallest; threads <= family.largest; threads = family.next(threads)) {
    const fs::path file = write_test(family, threads, folder);
    Run found;
    if (!count_executions(bench, fmt::format("{} {}", family.name, threads), file, family_limit_seconds,
                          found))
      return;
    if (found.status != 0 || found.seconds > family_limit_seconds / 2) return;
  }
}

/// More and more threads, until a run takes too long.
void family(Bench& bench, const Family& family, const fs::path& folder) {
  for (unsigned threads = family.smallest; threads <= family.largest; threads = family.next(threads)) {
    const fs::path file = write_test(family, threads, folder);
    const auto command = bench.command({"--timeout", std::to_string(family_limit_seconds), file.string()});
    Run first = run(command);
    if (first.seconds < 1) first = median_run(command, repetitions);
    bench.report(fmt::format("{} {}", family.name, threads), first);
    if (first.status != 0 || first.seconds > family_limit_seconds / 2) return;
  }
}

/// The sizes that are to be done in a time, each with that time.
void targets(Bench& bench, const fs::path& folder) {
  fmt::print("targets\n");
  for (const Target& target : ptxmc::bench::targets()) {
    const auto family = std::find_if(families().begin(), families().end(), [&](const Family& each) {
      return std::string_view(each.name) == target.family;
    });
    const fs::path file = write_test(*family, target.threads, folder);
    const std::string name = fmt::format("{} {}", target.family, target.threads);
    Run found;
    bench.engine = target.counts_executions ? "explorer" : "auto";
    if (!target.counts_executions) {
      found = run(bench.command({"--timeout", std::to_string(2 * target.seconds), file.string()}));
      bench.report(name, found);
    } else if (!count_executions(bench, name, file, 2 * target.seconds, found)) {
      fmt::print("{}: not counted\n", name);
    }
    const bool is_met = found.status == 0 && found.seconds <= target.seconds;
    fmt::print("  {}: at most {} s\n", is_met ? "met" : "NOT MET", target.seconds);
  }
}

/// Reading PTX: what starting costs, then a large module made of real ones.
void modules(Bench& bench, const fs::path& folder) {
  const fs::path empty = folder / "empty.ptx", large = folder / "large.ptx";
  std::ofstream(empty) << ".version 8.7\n.target sm_100\n.address_size 64\n";
  const Run start = median_run({bench.program, "parse", "-q", empty.string()}, 10 * repetitions);
  bench.report("parse of an empty module", start);
  const std::string text = repeated_modules("../shared/kernels", 5'000'000);
  if (text.empty()) return;
  std::ofstream(large) << text;
  const Run whole = median_run({bench.program, "parse", "-q", large.string()}, repetitions);
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  bench.report(fmt::format("parse of {:.1f} MB", megabytes), whole);
  fmt::print("  {:.0f} MB/s, {:.0f} times its size in memory\n", megabytes / whole.seconds,
             whole.peak_megabytes * 1.048576 / megabytes);
}

/// Executing instructions: a loop of a kernel, products of matrices, and single ones.
void instructions(Bench& bench, const fs::path& folder) {
  const Loop loop = write_loop(folder, 5'000'000);
  const Run executed = median_run({bench.program, "run", "-q", loop.launch.string()}, repetitions);
  const double millions = static_cast<double>(loop.instructions) / 1e6;
  bench.report(fmt::format("run of {:.0f} million instructions", millions), executed);
  fmt::print("  {:.1f} million instructions a second\n", millions / executed.seconds);

  constexpr std::uint64_t products = 10'000;
  const Run multiplied =
      median_run({bench.program, "run", "-q", write_products(folder, products).string()}, repetitions);
  bench.report(fmt::format("run of {} products of matrices", products), multiplied);
  fmt::print("  {:.1f} million multiply-adds a second\n",
             static_cast<double>(products * multiply_adds_of_product) / 1e6 / multiplied.seconds);

  constexpr std::uint64_t count = 1'000'000;
  const fs::path vectors = folder / "vectors.csv";
  std::ofstream(vectors) << vector_lines(count);
  const Run evaluated = median_run({bench.program, "eval", vectors.string()}, repetitions);
  bench.report("eval of a million vectors", evaluated);
  fmt::print("  {:.2f} million vectors a second\n", static_cast<double>(count) / 1e6 / evaluated.seconds);
}

/// A campaign of tests that `generate` makes of all cycles of four edges: how many are decided a second.
void generated_tests(Bench& bench, const fs::path& folder) {
  const fs::path tests = folder / "generated";
  const Run generated =
      run({bench.program, "generate", "--edges", "Pod**, Rfe, Fre, Coe, fence.sc.gpu.d**", "--size", "4",
           "--accesses", "weak, relaxed.gpu, acquire.gpu, release.gpu", "--out", tests.string()});
  const auto count = std::distance(fs::directory_iterator(tests), fs::directory_iterator());
  bench.report(fmt::format("generate {} tests", count), generated);
  for (const char* engine : {"explorer", "smt", "both"}) {
    bench.engine = engine;
    const Run decided = run(bench.command({"--quiet", tests.string()}));
    bench.report(fmt::format("{} generated tests, --engine {}", count, engine), decided);
    fmt::print("  {:.0f} tests a second\n", static_cast<double>(count) / decided.seconds);
  }
}

/// Launches of kernels: the verdict, the engine that found it, the time.
void launches(Bench& bench, const fs::path& folder) {
  for (const MeasuredLaunch& launch : write_launches(folder)) {
    const Run found = median_run(
        {bench.program, "check", "--json", "--jobs", "1", "--timeout", "90", launch.file.string()}, 1);
    const auto answer = nlohmann::json::parse(found.output, nullptr, false);
    if (!answer.is_object() || !answer.contains("executions")) continue;
    const auto& findings = answer["findings"];
    std::string verdict = answer["verdicts"].empty() ? "unknown" : answer["verdicts"][0].get<std::string>();
    if (!findings.empty() && findings[0].contains("inputs"))
      verdict += " with " + findings[0]["inputs"].dump();
    const auto& count = answer["executions"];
    bench.report(
        fmt::format("{}: {} ({}{})", launch.name, verdict, answer["engine"].get<std::string>(),
                    count.is_number() ? fmt::format(", {} executions", count.get<std::uint64_t>()) : ""),
        found);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: bench PROGRAM JSON_FILE\n");
    return 2;
  }
  Bench bench{argv[1], std::ofstream(argv[2]), "smt"};
  const fs::path folder = fs::temp_directory_path() / fmt::format("ptxmc-bench-{}", fs::hash_value(argv[2]));
  fs::create_directories(folder);
  modules(bench, folder);
  instructions(bench, folder);
  launches(bench, folder);
  generated_tests(bench, folder);
  for (const char* engine : {"smt", "explorer", "auto"}) {
    fmt::print("--engine {}\n", engine);
    bench.engine = engine;
    bench.report("one test from the shell",
                 median_run(bench.command({"litmus/manual/manual-MP.litmus"}), repetitions));
    public_tables(bench);
    many_tests(bench, "bundled library", {"--model", "ptx-8.7"}, folders_of_ptx());
    for (const Family& each : families()) family(bench, each, folder);
  }
  fmt::print("every execution, --engine explorer --executions\n");
  for (const Family& each : families()) count_executions(bench, each, folder);
  targets(bench, folder);
  fs::remove_all(folder);
}
