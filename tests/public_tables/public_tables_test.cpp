// The verdicts that the Dartagnan model checker's authors published for PTX: 1 where the condition holds, or
// where the program always ends.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>

#include "solver/engine/engine.hpp"
#include "solver/smt_engine/termination.hpp"
#include "src/litmus/litmus_test.hpp"

namespace fs = std::filesystem;
using namespace ptxmc;

namespace {

/// Where the specification decides against all tables: docs/model-notes.md, "Differences from published
/// tables". Two of three threads fill the barrier, and the third waits for ever.
const std::set<std::string> waits_for_ever = {"Barrier/quorum2-pass.litmus"};

using Decision = std::function<std::optional<bool>(const LitmusTest&)>;

void check_table(const std::string& table, const Decision& decide_one) {
  const fs::path folder = PTXMC_PUBLIC_TABLES;
  std::ifstream rows(folder / table);
  REQUIRE(rows);
  int count = 0;
  for (std::string row; std::getline(rows, row); ++count) {
    const std::string file = row.substr(0, row.find(';'));
    const bool expected = row.back() == '1' && !waits_for_ever.contains(file);
    CAPTURE(file);
    const auto answer = decide_one(read_litmus(folder / file));
    CHECK(answer.has_value());
    if (answer) CHECK(*answer == expected);
  }
  CHECK(count > 0);
}

Decision holds_under(const std::string& model_name, Engine engine) {
  return [model = cat::load(model_name), engine, options = DecideOptions{}](const LitmusTest& test) {
    return decide_with(engine, test.program, test.question, model, options).holds;
  };
}

}  // namespace

TEST_CASE("ptx-6.4 and the table for PTX 6.0") {
  check_table("expected-6.0.csv", holds_under("ptx-6.4", Engine::both));
}

TEST_CASE("ptx-7.5 and the table for PTX 7.5") {
  check_table("expected-7.5.csv", holds_under("ptx-7.5", Engine::both));
}

TEST_CASE("models in the names and the style of Dartagnan's, and the tables") {
  const std::string folder = PTXMC_SOURCE_DIR "/tests/public_tables/models/";
  check_table("expected-6.0.csv", holds_under(folder + "ptx-v6.cat", Engine::automatic));
  check_table("expected-7.5.csv", holds_under(folder + "ptx-v7.5.cat", Engine::automatic));
}

TEST_CASE("termination under ptx-7.5 and its table") {
  const auto ends = [model = cat::load("ptx-7.5")](const LitmusTest& test) -> std::optional<bool> {
    const Termination answer = decide_termination_with(Engine::both, test.program, model, {}, {});
    if (answer.hangs == Verdict::unknown) return std::nullopt;
    return answer.hangs == Verdict::forbidden;
  };
  check_table("expected-liveness.csv", ends);
}
