#include "src/cli/cycle_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "semantics/language/diagnostic.hpp"
#include "src/cli/number_options.hpp"

namespace ptxmc {

namespace {

/// The parts of a list between commas, without blanks around them. Throws InputError for an empty one.
std::vector<std::string> parts_of(const std::string& flag, const std::string& list) {
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

}  // namespace

void add_cycle_options(CLI::App& command, CycleOptions& options) {
  command
      .add_option("--edges", options.edges,
                  "the edges of cycles: Rfe, Fre, Coe, PodWR, Pos**, DpAddrdR, Rmw, fence.sc.gpu.dWR, …")
      ->type_name("LIST")
      ->capture_default_str();
  command
      .add_option(
          "--accesses", options.accesses,
          "how accesses are spelt: weak, relaxed.gpu, release.cta, acquire.sys, volatile, surface, b8, …; "
          "words with blanks between them are of one access")
      ->type_name("LIST")
      ->capture_default_str();
  command
      .add_option(
          "--scopes", options.scopes,
          "where threads are: cta (in one CTA), cluster, gpu, sys (on different GPUs), all (every way)")
      ->type_name("LIST")
      ->capture_default_str();
  add_whole_number(
      command, "--threads", {1, 8},
      [&options](std::uint64_t n) { options.threads = static_cast<unsigned>(n); },
      fmt::format("at most so many threads (default {})", options.threads));
}

generator::CycleLimits limits_of(const CycleOptions& options) {
  generator::CycleLimits limits;
  for (const std::string& name : parts_of("--edges", options.edges))
    for (const generator::Edge& edge : generator::edges_named(name))
      if (std::ranges::find(limits.edges, edge) == limits.edges.end()) limits.edges.push_back(edge);
  limits.accesses.clear();
  for (const std::string& words : parts_of("--accesses", options.accesses))
    limits.accesses.push_back(access_of(words));
  limits.scopes = parts_of("--scopes", options.scopes);
  for (const std::string& scope : limits.scopes)
    if (scope != "all") generator::places_apart(scope, 1);
  limits.threads = options.threads;
  return limits;
}

}  // namespace ptxmc
