// compiled_campaign PROGRAMS [FIRST_SEED [MAPPING]]: random tests of scoped C++, each compiled by a mapping
// (the one of the ASPLOS 2019 paper), which must refine its source: by the release sequences of C++20 for
// even seeds, of C++17 for odd ones. Prints the first tests of which this is not so.
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <string>

#include "semantics/language/diagnostic.hpp"
#include "src/compiler/compiled_test.hpp"
#include "src/library/compared_side.hpp"
#include "src/litmus/litmus_test.hpp"
#include "tests/campaign/random_cpp.hpp"

using namespace ptxmc;

namespace {

enum class Result { refines, vacuous, differs, unknown };

constexpr std::uint64_t most_printed = 5;

struct Models {
  cat::Model cpp20 = cat::load("cpp-scoped"), cpp17 = cat::load("cpp-scoped-17"), ptx = cat::load("ptx-8.7");
};

Result check(std::uint64_t seed, const Mapping& mapping, const Models& models, std::uint64_t& printed) {
  DecideOptions options;
  options.timeout_seconds = 5;
  const std::string text = random_cpp(seed);
  ComparedSide source =
      side_of_text(text, fmt::format("random-{}.litmus", seed), seed % 2 == 0 ? models.cpp20 : models.cpp17);
  ComparedSide target = source;
  target.test = std::make_shared<const LitmusTest>(compiled_test(*source.test, mapping));
  target.model = models.ptx;
  observe(source, target, {});
  const Refinement found = decide_refinement(compared_program(source, options, Engine::automatic),
                                             compared_program(target, options, Engine::automatic), {});
  if (found.is_vacuous) return Result::vacuous;
  if (found.differs == Verdict::forbidden) return Result::refines;
  if (printed++ < most_printed)
    fmt::print("seed {} under {}: {} {}\n{}\n", seed, source.model.name,
               found.differs == Verdict::allowed ? "differs" : "unknown", found.reason, text);
  return found.differs == Verdict::allowed ? Result::differs : Result::unknown;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: compiled_campaign PROGRAMS [FIRST_SEED [MAPPING]]\n");
    return 2;
  }
  const std::uint64_t programs = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  try {
    const Mapping mapping = read_mapping(argc > 3 ? argv[3] : "asplos-2019");
    const Models models;
    std::map<Result, std::uint64_t> count;
    std::uint64_t printed = 0;
    for (std::uint64_t seed = first; seed < first + programs; ++seed)
      ++count[check(seed, mapping, models, printed)];
    fmt::print("{} programs: {} refine, {} have a race, {} differ, {} unknown\n", programs,
               count[Result::refines], count[Result::vacuous], count[Result::differs],
               count[Result::unknown]);
    return count[Result::differs] == 0 ? 0 : 1;
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
