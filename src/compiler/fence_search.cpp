#include "src/compiler/fence_search.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace ptxmc {
namespace {

/// The search keeps two borders: minimal assignments that keep the property, and assignments that lose it. A
/// stack has the strongest assignments of which it is open whether something below them lies between the
/// borders. An assignment above a minimal one is split into those that are weaker in one of the annotations
/// of the minimal one, so that every assignment that is not above it is below one of the parts.
class Search {
 public:
  Search(const StrengthLattice& lattice, const DecideLevels& decide, const FenceSearchLimits& limits)
      : lattice_(lattice), decide_(decide), limits_(limits) {}

  MinimalAssignments run() {
    for (const Assignment& at : limits_.first)
      if (!is_above_minimal(at) && is_kept(at)) lower(at);
    open_.push_back(strongest(lattice_));
    while (!open_.empty() && reason_.empty()) {
      const Assignment at = std::move(open_.back());
      open_.pop_back();
      examine(at);
    }
    MinimalAssignments result;
    result.minimal = std::move(minimal_);
    result.runs = runs_;
    result.reason = reason_.empty() ? undecided_reason() : reason_;
    result.is_complete = result.reason.empty();
    return result;
  }

 private:
  void examine(const Assignment& at) {
    if (is_below_lost(at)) return;
    for (const Assignment& found : minimal_)
      if (is_weaker_or_equal(lattice_, found, at)) return split(at, found);
    const Assignment highest = raised(at);
    if (limits_.easier) {
      const Assignment easy = limits_.easier(highest);
      if (easy != highest && is_kept(easy)) {
        lower(easy);
        return open_.push_back(at);
      }
    }
    const Kept kept = ask(highest);
    if (kept == Kept::unknown && reason_.empty()) undecided_.push_back(highest);
    if (kept != Kept::yes) return;
    lower(highest);
    open_.push_back(at);
  }

  /// The assignments below `at` that are not above `found`.
  void split(const Assignment& at, const Assignment& found) {
    for (std::size_t i = 0; i < lattice_.size(); ++i)
      for (const std::uint8_t level : lattice_[i].below_without(at[i], found[i])) {
        Assignment part = at;
        part[i] = level;
        if (seen_.insert(part).second) open_.push_back(std::move(part));
      }
  }

  /// A strongest assignment above `at` that is not above any minimal one: if it loses the property, most is
  /// decided.
  Assignment raised(Assignment at) const {
    for (std::size_t i = 0; i < at.size(); ++i) {
      bool is_higher = true;
      while (is_higher) {
        is_higher = false;
        for (const std::uint8_t level : lattice_[i].just_above(at[i])) {
          const std::uint8_t before = std::exchange(at[i], level);
          is_higher = !is_above_minimal(at);
          if (is_higher) break;
          at[i] = before;
        }
      }
    }
    return at;
  }

  /// Weakens one annotation after the other as far as the property is kept: by monotony the result is
  /// minimal.
  void lower(Assignment at) {
    for (std::size_t i = 0; i < at.size() && reason_.empty(); ++i) {
      if (try_level(at, i, 0)) continue;
      bool is_lower = true;
      while (is_lower && reason_.empty()) {
        const auto levels = lattice_[i].just_below(at[i]);
        is_lower = std::ranges::any_of(levels, [&](std::uint8_t level) { return try_level(at, i, level); });
      }
    }
    // Of an interrupted descent it is not known whether it has reached a minimal assignment.
    if (!reason_.empty() && !minimal_.empty()) return;
    std::erase_if(minimal_, [&](const Assignment& found) { return is_weaker_or_equal(lattice_, at, found); });
    minimal_.push_back(std::move(at));
  }

  bool try_level(Assignment& at, std::size_t annotation, std::uint8_t level) {
    if (at[annotation] == level) return true;
    const std::uint8_t before = std::exchange(at[annotation], level);
    if (is_kept(at)) return true;
    at[annotation] = before;
    return false;
  }

  bool is_kept(const Assignment& at) {
    if (is_below_lost(at)) return false;
    const Kept kept = ask(at);
    if (kept == Kept::unknown && reason_.empty()) undecided_.push_back(at);
    return kept == Kept::yes;
  }

  Kept ask(const Assignment& at) {
    if (limits_.reason_to_stop) reason_ = limits_.reason_to_stop();
    if (reason_.empty() && runs_ >= limits_.most_runs) reason_ = "too many combinations";
    if (!reason_.empty()) return Kept::unknown;
    ++runs_;
    const Kept kept = decide_(at);
    if (kept == Kept::no) {
      std::erase_if(lost_, [&](const Assignment& lost) { return is_weaker_or_equal(lattice_, lost, at); });
      lost_.push_back(at);
    }
    return kept;
  }

  bool is_above_minimal(const Assignment& at) const {
    return std::ranges::any_of(
        minimal_, [&](const Assignment& found) { return is_weaker_or_equal(lattice_, found, at); });
  }

  /// Whether the assignment loses the property, or is below one that is undecided.
  bool is_below_lost(const Assignment& at) const {
    const auto is_above = [&](const Assignment& other) { return is_weaker_or_equal(lattice_, at, other); };
    return std::ranges::any_of(lost_, is_above) || std::ranges::any_of(undecided_, is_above);
  }

  /// An undecided assignment does not matter if a stronger one was found later to lose the property.
  std::string undecided_reason() const {
    const bool matters = std::ranges::any_of(undecided_, [&](const Assignment& at) {
      return std::ranges::none_of(
          lost_, [&](const Assignment& lost) { return is_weaker_or_equal(lattice_, at, lost); });
    });
    return matters ? "some combinations are undecided" : "";
  }

  const StrengthLattice& lattice_;
  const DecideLevels& decide_;
  const FenceSearchLimits& limits_;
  std::vector<Assignment> open_;
  std::set<Assignment> seen_;
  std::vector<Assignment> minimal_;
  std::vector<Assignment> lost_;
  std::vector<Assignment> undecided_;
  std::size_t runs_ = 0;
  std::string reason_;
};

}  // namespace

MinimalAssignments find_minimal(const StrengthLattice& lattice, const DecideLevels& decide,
                                const FenceSearchLimits& limits) {
  return Search(lattice, decide, limits).run();
}

}  // namespace ptxmc
