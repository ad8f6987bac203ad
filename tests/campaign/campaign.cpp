// campaign PROGRAMS [FIRST_SEED]: random litmus tests, on which the two engines must agree.
#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "semantics/diagnostic.hpp"
#include "solver/engine.hpp"
#include "solver/explorer.hpp"
#include "src/litmus/litmus_test.hpp"
#include "tests/campaign/random_litmus.hpp"

using namespace ptxmc;

namespace {

enum class Result { agree, disagree, unknown, unsupported, too_long };

/// Seeds go round the models; every fourth test has its executions counted too.
Result check(std::uint64_t seed, const std::vector<cat::Model>& models) {
  const std::string text = random_litmus(seed);
  const cat::Model& model = models[seed % models.size()];
  DecideOptions options;
  options.bound = 1 + seed % 2;
  options.timeout_seconds = 1;
  options.count_executions = seed % 4 == 0;
  try {
    const LitmusTest test = parse_litmus(text, fmt::format("random-{}.litmus", seed));
    const Answer explored = explore(test.program, test.question, model, options);
    const Answer solved = decide(test.program, test.question, model, options);
    const auto sentence = contradiction(explored, solved);
    if (sentence) {
      fmt::print("seed {} under {}, bound {}: {}\n{}\n", seed, model.name, options.bound, *sentence, text);
      return Result::disagree;
    }
    if (explored.reason == "timeout" || solved.reason == "timeout") {
      fmt::print("seed {} under {}, bound {}: {:.1f} s in the explorer, {:.1f} s in the SMT engine\n", seed,
                 model.name, options.bound, explored.seconds, solved.seconds);
      return Result::too_long;
    }
    return solved.verdict == Verdict::unknown ? Result::unknown : Result::agree;
  } catch (const Unsupported& unsupported) {
    fmt::print("seed {}: unsupported: {}\n", seed, unsupported.what());
    return Result::unsupported;
  } catch (const std::exception& mistake) {
    fmt::print("seed {} under {}, bound {}: {}\n{}\n", seed, model.name, options.bound, mistake.what(), text);
    return Result::disagree;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: campaign PROGRAMS [FIRST_SEED]\n");
    return 2;
  }
  const std::uint64_t programs = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::vector<cat::Model> models;
  for (const char* name : {"ptx-8.7", "ptx-6.4", "ptx-7.5", "ptx-8.7", "sc"})
    models.push_back(cat::load(name));
  std::map<Result, std::uint64_t> count;
  for (std::uint64_t seed = first; seed < first + programs; ++seed) ++count[check(seed, models)];
  fmt::print("{} programs: {} agree, {} disagree, {} unknown by both, {} unsupported, {} took too long\n",
             programs, count[Result::agree], count[Result::disagree], count[Result::unknown],
             count[Result::unsupported], count[Result::too_long]);
  return count[Result::disagree] == 0 && count[Result::unsupported] == 0 ? 0 : 1;
}
