// Pairs of a source and a target with arguments for their verdicts: tests/pairs. Both engines and both
// standards.
#include <fstream>
#include <map>
#include <sstream>

#include "run.hpp"

namespace {

const std::string folder = std::string(PTXMC_SOURCE_DIR) + "/tests/pairs";

/// The verdict of each target in tests/pairs/expected.csv, by C++20 and C++17.
std::map<std::string, std::array<std::string, 2>> expected_verdicts() {
  std::ifstream file(folder + "/expected.csv");
  std::map<std::string, std::array<std::string, 2>> result;
  std::string source, target, cxx20, cxx17;
  std::getline(file, source);
  while (std::getline(file, source, ',') && std::getline(file, target, ',') &&
         std::getline(file, cxx20, ',') && std::getline(file, cxx17))
    result[target] = {cxx20, cxx17};
  return result;
}

/// The verdict in a line of comma-separated values: `refines`, `differs`, `vacuous`.
std::string verdict_in(const std::string& line) {
  if (contains(line, ",refines,yes,")) return "vacuous";
  for (const char* verdict : {"refines", "differs", "unknown"})
    if (contains(line, "," + std::string(verdict) + ",")) return verdict;
  return "none";
}

}  // namespace

TEST_CASE("pairs have the verdicts that are argued for them") {
  const auto expected = expected_verdicts();
  REQUIRE(expected.size() > 40);
  for (const char* engine : {"auto", "smt", "explorer"})
    for (const std::size_t standard : {0, 1}) {
      const Run found = run("compare --csv --engine " + std::string(engine) + " --std " +
                            (standard == 0 ? "c++20 " : "c++17 ") + folder);
      std::istringstream lines(found.output);
      std::size_t seen = 0;
      for (std::string line; std::getline(lines, line);)
        for (const auto& [target, verdicts] : expected)
          if (contains(line, "/" + target + ",")) {
            CAPTURE(engine);
            CAPTURE(line);
            CHECK(verdict_in(line) == verdicts[standard]);
            ++seen;
          }
      CHECK(seen == expected.size());
    }
}
