#include "src/library/expectations.hpp"

#include <algorithm>
#include <set>

namespace ptxmc {

std::optional<bool> as_expected(const LitmusTest& test, const std::string& model, LitmusProperty property,
                                const Answer& answer) {
  const auto expectation =
      std::find_if(test.expectations.begin(), test.expectations.end(), [&](const Expectation& candidate) {
        return candidate.model == model && candidate.property == property;
      });
  if (expectation == test.expectations.end()) return std::nullopt;
  return expectation->word == property_word(property, answer.verdict);
}

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

}  // namespace ptxmc
