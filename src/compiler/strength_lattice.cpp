#include "src/compiler/strength_lattice.hpp"

#include <algorithm>

namespace ptxmc {
namespace {

/// The members of a set that are extreme: no other member `beats` them.
template <class Beats>
std::vector<std::uint8_t> extreme(const std::vector<std::uint8_t>& set, const Beats& beats) {
  std::vector<std::uint8_t> result;
  for (const std::uint8_t level : set)
    if (std::ranges::none_of(set, [&](std::uint8_t other) { return other != level && beats(other, level); }))
      result.push_back(level);
  return result;
}

}  // namespace

std::vector<std::uint8_t> LevelOrder::just_below(std::size_t level) const {
  return below_without(level, level);
}

std::vector<std::uint8_t> LevelOrder::just_above(std::size_t level) const {
  std::vector<std::uint8_t> above;
  for (std::size_t other = 0; other < size(); ++other)
    if (other != level && is_weaker_or_equal(level, other)) above.push_back(static_cast<std::uint8_t>(other));
  return extreme(above, [this](std::size_t a, std::size_t b) { return is_weaker_or_equal(a, b); });
}

std::vector<std::uint8_t> LevelOrder::below_without(std::size_t level, std::size_t excluded) const {
  std::vector<std::uint8_t> below;
  for (std::size_t other = 0; other < size(); ++other)
    if (is_weaker_or_equal(other, level) && !is_weaker_or_equal(excluded, other))
      below.push_back(static_cast<std::uint8_t>(other));
  return extreme(below, [this](std::size_t a, std::size_t b) { return is_weaker_or_equal(b, a); });
}

bool is_weaker_or_equal(const StrengthLattice& lattice, const Assignment& a, const Assignment& b) {
  for (std::size_t i = 0; i < lattice.size(); ++i)
    if (!lattice[i].is_weaker_or_equal(a[i], b[i])) return false;
  return true;
}

Assignment weakest(const StrengthLattice& lattice) { return Assignment(lattice.size(), 0); }

Assignment strongest(const StrengthLattice& lattice) {
  Assignment result;
  for (const LevelOrder& levels : lattice) result.push_back(static_cast<std::uint8_t>(levels.size() - 1));
  return result;
}

}  // namespace ptxmc
