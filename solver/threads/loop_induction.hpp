#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "semantics/values/bits.hpp"

namespace ptxmc {

/// A register that changes by the same amount in each iteration of a loop. At the beginning of iteration k it
/// is start + k · stride, modulo 2^width.
struct InductionVariable {
  Bits start, stride;
  Bits change;  ///< an unknown: value - start in an iteration of any

  Bits any() const { return start + change; }
};

/// `next` - `value`, without the summands that both have.
Bits difference(const Bits& next, const Bits& value);

/// What is known of the iterations of a loop, shown by induction from the condition under which it goes on.
class LoopInduction {
 public:
  /// `enters` (width 1) is the condition under which the loop is entered; `goes_on`, over `change`, the one
  /// under which an iteration is followed by another one. `never` says whether a condition is false for all
  /// threads.
  LoopInduction(std::vector<InductionVariable>, const Bits& enters, const Bits& goes_on,
                std::function<bool(const Bits&)> never);

  /// Whether each execution of the loop ends: a register grows or decreases in each iteration, and never
  /// wraps around.
  bool is_finite() const { return iteration_width_ != 0; }
  /// The width of the number of an iteration: all numbers are less than 2^width.
  unsigned iteration_width() const { return iteration_width_; }
  /// The value of a register at the beginning of an iteration.
  Bits value_in(const InductionVariable&, const Bits& iteration) const;
  /// What is true at the beginning of each iteration, width 1.
  Bits holds_in(const Bits& iteration) const;
  /// What was true at the beginning of the iteration before, width 1.
  Bits held_before(const Bits& iteration) const;
  const std::vector<InductionVariable>& variables() const { return variables_; }

 private:
  /// A condition about a register, and how it changes.
  enum class Claim : std::uint8_t {
    is_not_negative,
    is_small,  ///< less than 2^32
    is_not_zero,
    has_no_carry,     ///< value + stride does not wrap around
    has_no_borrow,    ///< value - (-stride) does not wrap around
    has_no_overflow,  ///< nor as signed numbers
  };
  static constexpr Claim all_claims[] = {Claim::is_not_negative, Claim::is_small,
                                         Claim::is_not_zero,     Claim::has_no_carry,
                                         Claim::has_no_borrow,   Claim::has_no_overflow};
  struct Invariant {
    std::size_t variable;
    Claim claim;
  };
  static Bits holds(Claim, const Bits& value, const Bits& stride);
  Bits holds_for(const Invariant&, const Bits& value) const;
  Bits holds_before(const Invariant&) const;
  Bits holds_behind(const Invariant&) const;
  Bits are_multiples() const;
  Bits all_invariants() const;
  void find_invariants(const Bits& enters, const Bits& goes_on);
  void find_directions(const Bits& enters, const Bits& goes_on);
  bool is_invariant(std::size_t variable, Claim) const;
  Bits range_in(const Invariant& direction, const Bits& iteration) const;

  std::function<bool(const Bits&)> never_;
  std::vector<InductionVariable> variables_;
  std::vector<Invariant> invariants_;  // true at the beginning of each iteration
  std::vector<Invariant> directions_;  // true if another iteration follows
  unsigned iteration_width_ = 0;
};

}  // namespace ptxmc
