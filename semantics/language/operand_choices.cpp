// The selectors and immediates that an operand of a syntax line accepts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "semantics/language/notation.hpp"

namespace ptxmc {

bool Selector::accepts(std::string_view text) const {
  const auto fits = [&](const std::string& choice) {
    const char highest = choice[0] == 'h' ? '3' : '7';
    return std::equal(choice.begin(), choice.end(), text.begin(), text.end(), [&](char expected, char found) {
      return expected >= 'w' ? found >= '0' && found <= highest : found == expected;
    });
  };
  return std::any_of(choices.begin(), choices.end(), fits);
}

bool Immediates::accepts(double value) const { return !is_fraction || (value > 0 && value <= 1); }

bool Immediates::accepts(std::int64_t value) const {
  if (is_range) return value >= lowest && value <= highest && (value - lowest) % step == 0;
  return listed.empty() || std::find(listed.begin(), listed.end(), value) != listed.end();
}

std::string to_string(const Immediates& set) {
  if (set.is_fraction) return "a number above 0 and at most 1";
  if (!set.is_range)
    return fmt::format("{}{}", set.listed.size() > 1 ? "one of " : "", fmt::join(set.listed, ", "));
  const bool is_open = set.highest == std::numeric_limits<std::int64_t>::max();
  const std::string range =
      is_open ? fmt::format("{} or more", set.lowest) : fmt::format("{} to {}", set.lowest, set.highest);
  return set.step == 1 ? range : fmt::format("{} in steps of {}", range, set.step);
}

}  // namespace ptxmc
