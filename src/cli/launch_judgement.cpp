#include "src/cli/launch_judgement.hpp"

#include <algorithm>
#include <set>

namespace ptxmc {

std::vector<std::string> verdicts_of(const kernel::CheckedLaunch& checked) {
  std::vector<std::string> result;
  for (const LaunchProperty property : checked.violated()) result.emplace_back(property_name(property));
  if (result.empty() && checked.unknown().empty()) result.emplace_back("safe");
  return result;
}

std::optional<bool> as_expected(const kernel::CheckedLaunch& checked,
                                const std::vector<LaunchProperty>& asked) {
  const auto& words = checked.launch.expected;
  if (words.empty()) return std::nullopt;
  std::set<LaunchProperty> expected;
  for (const LaunchProperty property : asked)
    if (std::ranges::find(words, property_name(property)) != words.end()) expected.insert(property);
  std::set<LaunchProperty> found = checked.violated();
  // An undefined use may cause any other finding, so a file that expects some finding need not list
  // `undefined`.
  if (!expected.empty() && !expected.contains(LaunchProperty::undefined))
    found.erase(LaunchProperty::undefined);
  if (!std::ranges::includes(expected, found)) return false;
  // After a mixed-size race the other properties are unknown, so the race alone is as expected.
  if (found == expected && (checked.unknown().empty() || !found.empty())) return true;
  if (!checked.unknown().empty()) return std::nullopt;
  return false;
}

ExitStatus exit_status_of(const kernel::CheckedLaunch& checked, const std::vector<LaunchProperty>& asked) {
  const bool is_void = checked.unknown() == mixed_size_race_reason && !checked.violated().empty();
  const bool is_known = checked.unknown().empty() || is_void;
  if (checked.launch.expected.empty()) {
    if (!checked.violated().empty()) return ExitStatus::violation;
    return is_known ? ExitStatus::success : ExitStatus::unknown;
  }
  const auto agrees = as_expected(checked, asked);
  if (agrees == false) return ExitStatus::violation;
  return agrees == true && is_known ? ExitStatus::success : ExitStatus::unknown;
}

}  // namespace ptxmc
