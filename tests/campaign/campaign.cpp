// campaign PROGRAMS [FIRST_SEED [SHAPE]]: random litmus tests, on which the two engines must agree: on
// outcomes, on races, on whether threads can fail to end, and on undefined uses of mbarriers. With the shape
// "barriers" there are some in every one, with "arrivals" threads arrive often at one barrier with a count,
// with "alike" they run the same code, with "phases" they use mbarriers, with "copies" asynchronous copies,
// and with "cpp" they are functions of C++.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include "semantics/language/diagnostic.hpp"
#include "solver/engine/engine.hpp"
#include "solver/explorer/explorer.hpp"
#include "solver/explorer/termination_exploration.hpp"
#include "solver/smt_engine/final_state_search.hpp"
#include "src/library/litmus_property.hpp"
#include "src/litmus/litmus_test.hpp"
#include "tests/campaign/random_copies.hpp"
#include "tests/campaign/random_cpp.hpp"
#include "tests/campaign/random_litmus.hpp"

using namespace ptxmc;

namespace {

enum class Result { agree, disagree, unknown, unsupported, too_long };

/// What the two engines said to one question.
struct Comparison {
  std::optional<std::string> contradiction;
  bool is_unknown = false;
  bool took_too_long = false;
};

template <class Found>
Comparison compare(const Found& explored, const Found& solved, Verdict verdict) {
  return {.contradiction = contradiction(explored, solved),
          .is_unknown = verdict == Verdict::unknown,
          .took_too_long = explored.reason == "timeout" || solved.reason == "timeout"};
}

using Compare = Comparison (*)(const LitmusTest&, const cat::Model&, const DecideOptions&,
                               std::uint64_t seed);

Comparison compare_outcomes(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                            std::uint64_t) {
  const Answer solved = decide(test.program, test.question, model, options);
  return compare(explore(test.program, test.question, model, options), solved, solved.verdict);
}

Comparison compare_races(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                         std::uint64_t) {
  const std::string race = "data_race";
  if (std::ranges::find(model.flags, race, &cat::Test::name) == model.flags.end()) return {};
  const FlagFinding solved = find_flags(test.program, model, options, {race}).front();
  return compare(explore_flags(test.program, model, options, {race}).front(), solved, solved.raised);
}

/// Threads go on fairly, or may not be started.
Comparison compare_ends(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                        std::uint64_t seed) {
  const Progress progress{seed % 3 == 0 ? Progress::Kind::occupancy : Progress::Kind::fair, Scope::cta};
  const Termination solved = decide_termination(test.program, model, options, progress);
  return compare(explore_termination(test.program, model, options, progress), solved, solved.hangs);
}

Comparison compare_undefined_uses(const LitmusTest& test, const cat::Model& model,
                                  const DecideOptions& options, std::uint64_t) {
  const auto answer_of = [&](Engine engine) {
    return decide_property(test, model, options, LitmusProperty::undefined, {}, engine).answer;
  };
  const Answer solved = answer_of(Engine::smt);
  const Answer explored = answer_of(Engine::explorer);
  // The explorer says which executions it may have missed.
  if (explored.verdict == Verdict::unknown) return {.contradiction = {}, .is_unknown = true};
  return compare(explored, solved, solved.verdict);
}

/// Seeds go round the models, but for mbarriers, which only ptx-8.7 describes; every fourth test has its
/// executions counted too.
Result check(std::uint64_t seed, const std::string& shape, const std::vector<cat::Model>& models,
             Compare compare_engines) {
  const std::string text = shape == "alike"      ? random_alike_threads(seed, false)
                           : shape == "arrivals" ? random_arrivals(seed)
                           : shape == "phases"   ? random_phases(seed)
                           : shape == "copies"   ? random_copies(seed)
                           : shape == "cpp"      ? random_cpp(seed)
                                                 : random_litmus(seed, shape == "barriers");
  const bool is_of_8_7 = shape == "phases" || shape == "copies";
  const cat::Model& model = is_of_8_7 ? models.front() : models[seed % models.size()];
  DecideOptions options;
  options.bound = 1 + seed % 2;
  options.timeout_seconds = 1;
  options.count_executions = seed % 4 == 0 || shape == "alike";
  const auto disagree = [&](const std::string& sentence) {
    fmt::print("seed {} under {}, bound {}: {}\n{}\n", seed, model.name, options.bound, sentence, text);
    return Result::disagree;
  };
  try {
    const LitmusTest test = parse_litmus(text, fmt::format("random-{}.litmus", seed));
    const Comparison result = compare_engines(test, model, options, seed);
    if (result.contradiction) return disagree(*result.contradiction);
    if (result.took_too_long) {
      fmt::print("seed {} under {}, bound {} took too long\n", seed, model.name, options.bound);
      return Result::too_long;
    }
    return result.is_unknown ? Result::unknown : Result::agree;
  } catch (const Unsupported& unsupported) {
    fmt::print("seed {}: unsupported: {}\n", seed, unsupported.what());
    return Result::unsupported;
  } catch (const std::exception& mistake) {
    return disagree(mistake.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: campaign PROGRAMS [FIRST_SEED [barriers|alike|arrivals|phases|copies|cpp]]\n");
    return 2;
  }
  const std::uint64_t programs = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::string shape = argc > 3 ? argv[3] : "";
  std::vector<cat::Model> models;
  const std::vector<const char*> names = shape == "cpp"
                                             ? std::vector{"cpp-scoped", "cpp-scoped-17"}
                                             : std::vector{"ptx-8.7", "ptx-6.4", "ptx-7.5", "ptx-8.7", "sc"};
  for (const char* name : names) models.push_back(cat::load(name));
  std::vector<std::pair<const char*, Compare>> questions = {
      {"outcomes", compare_outcomes}, {"races", compare_races}, {"ends", compare_ends}};
  if (shape == "phases" || shape == "copies")
    questions.emplace_back("undefined uses", compare_undefined_uses);
  bool is_good = true;
  for (const auto& [name, compare_engines] : questions) {
    std::map<Result, std::uint64_t> count;
    for (std::uint64_t seed = first; seed < first + programs; ++seed)
      ++count[check(seed, shape, models, compare_engines)];
    fmt::print(
        "{} of {} programs: {} agree, {} disagree, {} unknown by both, {} unsupported, {} took too long\n",
        name, programs, count[Result::agree], count[Result::disagree], count[Result::unknown],
        count[Result::unsupported], count[Result::too_long]);
    is_good = is_good && count[Result::disagree] == 0;
  }
  return is_good ? 0 : 1;
}
