// ptxmc::generate: litmus tests from cycles.
#include "src/library/generation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "semantics/language/diagnostic.hpp"
#include "src/generator/cycle_events.hpp"
#include "src/generator/cycle_names.hpp"
#include "src/library/handles.hpp"
#include "src/library/public_errors.hpp"

namespace ptxmc {

namespace {

using generator::Cycle;
using generator::CycleTest;

/// The parts of a list between commas, without blanks around them. Throws InputError for an empty one.
std::vector<std::string> parts_of_list(const std::string& flag, const std::string& list) {
  std::vector<std::string> result;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t first = part.find_first_not_of(' ');
    if (first == part.npos)
      throw InputError(flag, {}, fmt::format("found '{}', expected names with commas between them", list));
    result.push_back(part.substr(first, part.find_last_not_of(' ') + 1 - first));
  }
  return result;
}

generator::Access access_of(const std::string& words) {
  generator::Access access;
  std::istringstream parts(words);
  for (std::string word; parts >> word;) generator::add_word(access, word);
  return access;
}

/// A cycle that is given by name. Throws InputError.
Cycle named_cycle(const std::string& text) {
  const Cycle cycle = generator::from_first_access(generator::parse_cycle(text));
  if (generator::is_observable(cycle)) return cycle;
  throw InputError(
      "--cycle", {},
      fmt::format("found '{}', expected a cycle that final states show: they tell which write of "
                  "a location is the last one, not the order of the writes before it",
                  text));
}

void for_each_test(const v1::GenerateOptions& options, const std::function<bool(const CycleTest&)>& use) {
  generator::CycleLimits limits = cycle_limits(options.cycles);
  limits.largest = options.size;
  if (options.named.empty()) return generator::for_each_test(limits, use);
  for (const std::string& text : options.named) {
    const Cycle cycle = named_cycle(text);
    for (const generator::ThreadPlaces& places : generator::placements_of(cycle, limits.scopes))
      if (!use({cycle, places})) return;
  }
}

/// Names of tests, each given once: MP, MP-2, MP-3, …
class Names {
 public:
  std::string unused(const std::string& name) {
    const unsigned used = ++used_[name];
    return used == 1 ? name : fmt::format("{}-{}", name, used);
  }

 private:
  std::map<std::string, unsigned> used_;
};

v1::SmallTest shown(const CycleTest& test, std::string name) {
  v1::SmallTest result;
  result.cycle = generator::name_of(test.cycle);
  result.placement = generator::name_of(test.places);
  result.threads = static_cast<unsigned>(test.places.size());
  result.instructions = generator::instructions_of(test.cycle);
  result.text = generator::text_of(test, name);
  result.name = std::move(name);
  result.data = std::make_shared<const v1::SmallTest::Data>(v1::SmallTest::Data{test});
  return result;
}

/// What the callback says; its exceptions are marked as such.
template <class Use>
bool goes_on(const Use& use, const v1::SmallTest& test) {
  try {
    return use(test);
  } catch (...) {
    throw ThrownByCallback{std::current_exception()};
  }
}

}  // namespace

generator::CycleLimits cycle_limits(const v1::CycleOptions& options) {
  generator::CycleLimits limits;
  for (const std::string& name : parts_of_list("--edges", options.edges))
    for (const generator::Edge& edge : generator::edges_named(name))
      if (std::ranges::find(limits.edges, edge) == limits.edges.end()) limits.edges.push_back(edge);
  limits.accesses.clear();
  for (const std::string& words : parts_of_list("--accesses", options.accesses))
    limits.accesses.push_back(access_of(words));
  limits.scopes = parts_of_list("--scopes", options.scopes);
  for (const std::string& scope : limits.scopes)
    if (scope != "all") generator::places_apart(scope, 1);
  limits.threads = options.threads;
  return limits;
}

v1::SmallTest shown_test(const generator::SizedTest& test) {
  v1::SmallTest result;
  result.name = test.name;
  result.cycle = test.cycle;
  result.placement = test.placement;
  result.threads = test.threads;
  result.instructions = test.instructions;
  result.text = test.text;
  return result;
}

namespace v1 {

std::uint64_t generate(const GenerateOptions& options, const std::function<bool(const SmallTest&)>& use) {
  return with_public_errors("generate", [&] {
    Names names;
    std::uint64_t tests = 0;
    for_each_test(options, [&](const CycleTest& test) {
      ++tests;
      return goes_on(use, shown(test, names.unused(generator::name_of(test))));
    });
    return tests;
  });
}

std::uint64_t count_generated(const GenerateOptions& options, const std::atomic<bool>* stop) {
  return with_public_errors("generate", [&] {
    std::uint64_t tests = 0;
    for_each_test(options, [&](const CycleTest&) {
      ++tests;
      return stop == nullptr || !*stop;
    });
    return tests;
  });
}

}  // namespace v1

}  // namespace ptxmc
