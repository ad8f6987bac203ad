#include "solver/threads/open_suspects.hpp"

#include <algorithm>
#include <limits>

namespace ptxmc {

namespace {

/// For the same lines a second candidate may be possible if the first one is not.
constexpr unsigned most_of_lines = 2;
constexpr std::size_t most_candidates = 24;

/// The step behind all events of a thread.
constexpr unsigned at_the_end = std::numeric_limits<unsigned>::max();

}  // namespace

std::vector<OpenSuspect> ending_suspects(const OpenThread& thread, Ending::Kind kind,
                                         LaunchProperty property) {
  std::vector<OpenSuspect> result;
  for (const Ending& ending : thread.structure.endings.front())
    if (ending.kind == kind)
      result.push_back({property, ending.condition, ending.where.line, 0, at_the_end, 0});
  return result;
}

std::vector<OpenSuspect> violation_suspects(const OpenThread& thread, Violation::Kind kind,
                                            LaunchProperty property) {
  std::vector<OpenSuspect> result;
  for (const Violation& violation : thread.structure.violations)
    if (violation.kind == kind)
      result.push_back({property, violation.condition, violation.where.line, 0, violation.step, 0});
  return result;
}

OpenSuspects::Lines OpenSuspects::lines_of(const OpenSuspect& suspect) {
  const auto [first, second] = std::minmax(suspect.line, suspect.other_line);
  return {suspect.property, first, second};
}

bool OpenSuspects::has_enough_of(const OpenSuspect& suspect) const {
  const auto count = count_.find(lines_of(suspect));
  return candidates_.size() >= most_candidates || (count != count_.end() && count->second >= most_of_lines);
}

bool OpenSuspects::are_excluded(std::optional<Neighbours> relation, std::vector<OpenSuspect> suspects) {
  std::erase_if(suspects, [](const OpenSuspect& suspect) { return suspect.condition.is_false(); });
  for (bool is_first = true; !suspects.empty(); is_first = false) {
    const auto found = questions_.find(relation, suspects);
    if (!found) return is_first;
    if (found->suspect >= suspects.size()) return false;  // only approximations of floating point allow one
    const Lines lines = lines_of(suspects[found->suspect]);
    if (!has_enough_of(suspects[found->suspect])) {
      ++count_[lines];
      candidates_.push_back(found->candidate);
    }
    std::erase_if(suspects, [&](const OpenSuspect& suspect) {
      return lines_of(suspect) == lines || has_enough_of(suspect);
    });
    if (suspects.empty()) return false;
  }
  return true;
}

}  // namespace ptxmc
