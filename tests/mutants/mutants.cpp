// Is every line of a model needed by some test of the bundled library? Weakens the model at one place after
// another and looks for a test that then comes out differently. What survives must be explained in
// docs/model-notes.md.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "model/cat/cat_mutants.hpp"
#include "solver/smt_engine/final_state_search.hpp"
#include "solver/smt_engine/raised_flags.hpp"
#include "solver/smt_engine/termination.hpp"
#include "src/cli/in_order.hpp"
#include "src/cli/input_files.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

/// One thing that one file of the library says about the model.
struct Claim {
  const LitmusTest* test = nullptr;
  Expectation expectation;
};

enum class Outcome { as_expected, different, undecided };

Outcome compare(Verdict verdict, const std::string& reason, const Expectation& expectation,
                std::string_view if_allowed, std::string_view if_forbidden) {
  const bool is_given_up = reason == "timeout" || reason.starts_with("loop bound");
  if (verdict == Verdict::unknown && expectation.word != "unknown" && is_given_up) return Outcome::undecided;
  const std::string_view word = verdict == Verdict::allowed     ? if_allowed
                                : verdict == Verdict::forbidden ? if_forbidden
                                                                : "unknown";
  return word == expectation.word ? Outcome::as_expected : Outcome::different;
}

Outcome check(const Claim& claim, const cat::Model& model) {
  DecideOptions options;
  options.all_states = false;
  options.timeout_seconds = 10;
  const Program& program = claim.test->program;
  const Expectation& expectation = claim.expectation;
  switch (expectation.property) {
    case LitmusProperty::condition: {
      const Answer answer = decide(program, claim.test->question, model, options);
      return compare(answer.verdict, answer.reason, expectation, "allowed", "forbidden");
    }
    case LitmusProperty::race: {
      const auto found = find_flags(program, model, options, {"data_race"});
      if (found.empty()) return Outcome::different;
      return compare(found[0].raised, found[0].reason, expectation, "race", "no race");
    }
    case LitmusProperty::termination: {
      const Termination answer = decide_termination(program, model, options, {});
      return compare(answer.hangs, answer.reason, expectation, "hangs", "terminates");
    }
    case LitmusProperty::undefined: {
      const auto found = find_flags(program, model, options, {"misuse"});
      if (found.empty()) return Outcome::undecided;
      return compare(found[0].raised, found[0].reason, expectation, "undefined", "defined");
    }
    case LitmusProperty::out_of_bounds: {
      const auto found = find_flags(program, model, options, {"access_after_end"});
      if (found.empty()) return Outcome::undecided;
      return compare(found[0].raised, found[0].reason, expectation, "out of bounds", "in bounds");
    }
    default:
      break;  // no axiom of a model decides the other faults
  }
  return Outcome::undecided;
}

/// Under a mutant: an execution that the solver finds and the evaluator refuses is a difference, too.
bool kills(const Claim& claim, const cat::Model& mutant) {
  try {
    return check(claim, mutant) == Outcome::different;
  } catch (const std::logic_error&) {
    return true;
  } catch (const Unsupported&) {
    return true;
  }
}

/// The model "mixed-size" is asked where a mixed-size data race leaves the verdict of ptx-8.7 unknown: what
/// it does not forbid stays so.
std::optional<Claim> claim_about_mixed_sizes(const LitmusTest& test, Expectation expectation) {
  static const cat::Model manual = cat::load("ptx-8.7");
  if (expectation.model != manual.name || expectation.property != LitmusProperty::condition) return {};
  DecideOptions options;
  options.all_states = false;
  options.timeout_seconds = 10;
  if (decide(test.program, test.question, manual, options).reason != mixed_size_race_reason) return {};
  if (expectation.word == "unknown") expectation.word = "allowed";
  return Claim{&test, std::move(expectation)};
}

std::vector<Claim> claims_about(const std::vector<LitmusTest>& tests, const cat::Model& model) {
  std::vector<Claim> claims;
  for (const LitmusTest& test : tests)
    for (const Expectation& expectation : test.expectations) {
      if (expectation.model == model.name) claims.push_back({&test, expectation});
      if (model.name != "mixed-size") continue;
      if (auto claim = claim_about_mixed_sizes(test, expectation)) claims.push_back(std::move(*claim));
    }
  return claims;
}

/// The claims of the library that the model itself fulfils; says which it does not.
std::vector<Claim> fulfilled_claims(const std::vector<LitmusTest>& tests, const cat::Model& model,
                                    unsigned jobs) {
  const std::vector<Claim> claims = claims_about(tests, model);
  std::vector<Claim> fulfilled;
  const auto work = [&](std::size_t i) {
    try {
      return check(claims[i], model) == Outcome::as_expected;
    } catch (const std::exception&) {
      return false;
    }
  };
  in_order(claims.size(), jobs, work, [&](std::size_t i, bool as_expected) {
    if (as_expected)
      fulfilled.push_back(claims[i]);
    else
      fmt::print("not used: {} is not {} under {}\n", claims[i].test->file, claims[i].expectation.word,
                 model.name);
  });
  return fulfilled;
}

/// Claims in the order in which they are tried: those that killed most come first.
class Order {
 public:
  explicit Order(std::size_t claims) : kills_(claims) {}

  std::vector<std::size_t> now() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::size_t> order(kills_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return kills_[a] > kills_[b]; });
    return order;
  }
  void count(std::size_t claim) {
    const std::lock_guard lock(mutex_);
    ++kills_[claim];
  }

 private:
  mutable std::mutex mutex_;
  std::vector<int> kills_;
};

/// The file whose claim fails; empty: the mutant survives.
std::string killer_of(const cat::Mutant& mutant, const std::vector<Claim>& claims, Order& order) {
  for (const std::size_t claim : order.now()) {
    if (!kills(claims[claim], mutant.model)) continue;
    order.count(claim);
    return claims[claim].test->file;
  }
  return {};
}

/// With one blank between words, wherever lines end.
std::string words_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::string text;
  for (std::string word; file >> word;) text += word + " ";
  return text;
}

struct Total {
  std::size_t killed = 0;
  std::size_t explained = 0;
  std::size_t unexplained = 0;
};

/// A model, and the lines of its file that are changed: "ptx-8.7", or "ptx-8.7:100-120".
struct ChangedLines {
  std::string model;
  unsigned long first = 1, last = std::numeric_limits<unsigned long>::max();
};

ChangedLines changed_lines(const std::string& argument) {
  ChangedLines result;
  const std::size_t colon = argument.find(':'), dash = argument.find('-', colon);
  result.model = argument.substr(0, colon);
  if (colon == std::string::npos) return result;
  if (dash == std::string::npos)
    throw std::runtime_error("lines are written as MODEL:FIRST-LAST: " + argument);
  result.first = std::stoul(argument.substr(colon + 1, dash - colon - 1));
  result.last = std::stoul(argument.substr(dash + 1));
  return result;
}

Total run(const ChangedLines& changed, const std::vector<LitmusTest>& tests, const std::string& notes,
          unsigned jobs) {
  const std::string& model_name = changed.model;
  const cat::Model model = cat::load(model_name);
  const std::vector<Claim> claims = fulfilled_claims(tests, model, jobs);
  std::vector<cat::Mutant> mutants = cat::mutants_of(model);
  std::erase_if(mutants, [&](const cat::Mutant& mutant) {
    return mutant.place.where.line < changed.first || changed.last < mutant.place.where.line;
  });
  fmt::print("{}: {} mutants, {} expectations\n", model_name, mutants.size(), claims.size());
  std::fflush(stdout);
  Order order(claims.size());
  Total total;
  const auto work = [&](std::size_t i) { return killer_of(mutants[i], claims, order); };
  in_order(mutants.size(), jobs, work, [&](std::size_t i, const std::string& killer) {
    const auto& [text, place, mutated] = mutants[i];
    const bool explained = notes.find(text) != std::string::npos;
    ++(!killer.empty() ? total.killed : explained ? total.explained : total.unexplained);
    fmt::print("{}:{}:{}: {}: {}\n", model.files[place.file], place.where.line, place.where.column, text,
               !killer.empty() ? killer
               : explained     ? "survives, as explained"
                               : "SURVIVES");
    std::fflush(stdout);
  });
  fmt::print("{}: {} killed, {} survive as explained, {} survive unexplained\n", model_name, total.killed,
             total.explained, total.unexplained);
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::string> models(argv + 1, argv + argc);
    if (models.empty()) models = {"ptx-6.4"};
    std::vector<LitmusTest> tests;
    for (const auto& file : find_litmus_files({"litmus"})) tests.push_back(read_litmus(file));
    const std::string notes = words_of("docs/model-notes.md");
    bool all_explained = true;
    for (const std::string& model : models)
      all_explained &=
          run(changed_lines(model), tests, notes, std::max(1u, std::thread::hardware_concurrency()))
              .unexplained == 0;
    return all_explained ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "mutants: {}\n", error.what());
    return 2;
  }
}
