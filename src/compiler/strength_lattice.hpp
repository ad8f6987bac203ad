#pragma once

#include <cstdint>
#include <vector>

namespace ptxmc {

/// The levels that one annotation of a program can have, and which of them are weaker than others. The order
/// is partial: of `relaxed.gpu` and `release.cta` neither is weaker. Level 0 is the weakest of all, the last
/// level the strongest.
class LevelOrder {
 public:
  /// `is_weaker_or_equal(a, b)` for a, b < levels must be a partial order in which a ≤ b implies that a is
  /// the smaller number. At most 64 levels.
  template <class Compare>
  LevelOrder(std::size_t levels, const Compare& is_weaker_or_equal) : below_(levels) {
    for (std::size_t a = 0; a < levels; ++a)
      for (std::size_t b = 0; b < levels; ++b)
        if (is_weaker_or_equal(a, b)) below_[b] |= std::uint64_t{1} << a;
  }

  std::size_t size() const { return below_.size(); }
  bool is_weaker_or_equal(std::size_t a, std::size_t b) const { return (below_[b] >> a & 1) != 0; }

  /// The strongest of the levels that are strictly weaker than `level`.
  std::vector<std::uint8_t> just_below(std::size_t level) const;
  /// The weakest of the levels that are strictly stronger than `level`.
  std::vector<std::uint8_t> just_above(std::size_t level) const;
  /// The strongest levels that are at most `level` and not at least `excluded`.
  std::vector<std::uint8_t> below_without(std::size_t level, std::size_t excluded) const;

 private:
  std::vector<std::uint64_t> below_;  ///< by level: the set of levels that are weaker or equal
};

/// A level for each annotation of a program.
using Assignment = std::vector<std::uint8_t>;

/// All assignments of levels to the annotations of a program, ordered annotation by annotation.
using StrengthLattice = std::vector<LevelOrder>;

bool is_weaker_or_equal(const StrengthLattice&, const Assignment&, const Assignment&);

/// The weakest and the strongest assignment.
Assignment weakest(const StrengthLattice&);
Assignment strongest(const StrengthLattice&);

}  // namespace ptxmc
