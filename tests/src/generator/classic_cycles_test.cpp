// The classic cycles give tests with the verdicts of the bundled library.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "semantics/language/text_file.hpp"
#include "src/generator/cycle_events.hpp"
#include "src/generator/cycle_names.hpp"
#include "src/generator/model_difference.hpp"
#include "src/litmus/litmus_test.hpp"
#include "src/report/answer.hpp"

using namespace ptxmc;
using namespace ptxmc::generator;

namespace {

namespace fs = std::filesystem;

const fs::path library = PTXMC_SOURCE_DIR "/litmus";

/// A line of classic_cycles.txt.
struct ClassicCycle {
  std::string file, cycle, scope;
};

std::vector<ClassicCycle> classic_cycles() {
  std::istringstream lines(*text_of_file(PTXMC_SOURCE_DIR "/tests/src/generator/classic_cycles.txt"));
  const std::string separator = " | ";
  std::vector<ClassicCycle> result;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t first = line.find(separator), last = line.rfind(separator);
    REQUIRE(first < last);
    const std::size_t cycle = first + separator.size();
    result.push_back(
        {line.substr(0, first), line.substr(cycle, last - cycle), line.substr(last + separator.size())});
  }
  return result;
}

SizedTest generated(const ClassicCycle& classic) {
  const Cycle cycle = from_first_access(parse_cycle(classic.cycle));
  return sized_test_of({cycle, places_apart(classic.scope, threads_of(cycle))});
}

/// The family in the name of a test of the library: `MP` of `MP-relaxed`.
std::string family_of(const fs::path& file) {
  const std::string stem = file.stem().string();
  return stem.substr(0, stem.find('-'));
}

}  // namespace

TEST_CASE("the tests of classic cycles have the verdicts of the bundled library, under each model") {
  std::map<std::string, cat::Model> models;
  std::size_t verdicts = 0;
  for (const ClassicCycle& classic : classic_cycles()) {
    const LitmusTest bundled = read_litmus(library / classic.file);
    const SizedTest test = generated(classic);
    for (const Expectation& expected : bundled.expectations) {
      if (expected.property != LitmusProperty::condition || expected.word == "unknown") continue;
      const auto model = models.try_emplace(expected.model, cat::load(expected.model)).first;
      DecideOptions options;
      options.all_states = false;
      const Answer answer =
          decide_with(Engine::automatic, test.test->program, test.test->question, model->second, options);
      INFO(classic.file, " under ", expected.model, "\n", test.text);
      CHECK(std::string(verdict_text(answer.verdict)) == expected.word);
      ++verdicts;
    }
  }
  CHECK(verdicts > 300);
}

TEST_CASE("each classic name of the bundled library is among the cycles") {
  const std::set<std::string> names = {"MP",     "SB",   "LB",   "R",     "S",      "2+2W",  "WRC",
                                       "RWC",    "WWC",  "IRIW", "ISA2",  "IRRWIW", "W+RWC", "WRR+2W",
                                       "WRW+2W", "3.SB", "3.2W", "Z6.0",  "Z6.1",   "Z6.2",  "Z6.3",
                                       "Z6.4",   "CoRR", "CoWW", "CoRW1", "CoRW2",  "CoWR"};
  std::set<std::string> bundled, made;
  for (const auto& entry : fs::recursive_directory_iterator(library))
    if (entry.path().extension() == ".litmus" && names.contains(family_of(entry.path())))
      bundled.insert(family_of(entry.path()));
  for (const ClassicCycle& classic : classic_cycles()) {
    const std::string family = family_of(classic.file);
    // The generated test has the name of the family, or that of a longer cycle.
    if (names.contains(generated(classic).name.substr(0, family.size()))) made.insert(family);
  }
  CHECK(bundled == names);
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(made.contains(name));
  }
}
