#include "solver/threads/loop_induction.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace ptxmc {

namespace {

constexpr unsigned small_width = 32, wide = 64;

/// Adds the summands of a value, `times` times, to a sum: its terms by number, each with its factor modulo
/// 2^width, and a constant.
void add_summands(const Bits& value, std::uint64_t times,
                  std::map<std::uint32_t, std::pair<Bits, std::uint64_t>>& sum, Bits& constant) {
  const Operator op = value.is_constant() ? Operator::constant : value.term()->op;
  const auto operand = [&](unsigned i) { return Bits(value.term()->operands[i]); };
  if (op == Operator::constant) {
    constant = constant + value * Bits(value.width(), times);
  } else if (op == Operator::add || op == Operator::subtract) {
    add_summands(operand(0), times, sum, constant);
    add_summands(operand(1), op == Operator::add ? times : -times, sum, constant);
  } else if (op == Operator::negate) {
    add_summands(operand(0), -times, sum, constant);
  } else {
    auto& [term, factor] = sum[value.term()->number];
    term = value;
    factor += times;
  }
}

bool occurs_in(const Bits& unknown, const Bits& condition) {
  return std::ranges::binary_search(variables_of(condition), unknown.term()->variable);
}

}  // namespace

Bits difference(const Bits& next, const Bits& value) {
  std::map<std::uint32_t, std::pair<Bits, std::uint64_t>> summands;
  Bits result(next.width(), 0);
  add_summands(next, 1, summands, result);
  add_summands(value, ~std::uint64_t{0}, summands, result);
  for (const auto& [number, summand] : summands)
    result = result + summand.first * Bits(next.width(), summand.second);
  return result;
}

LoopInduction::LoopInduction(std::vector<InductionVariable> variables, const Bits& enters,
                             const Bits& goes_on, std::function<bool(const Bits&)> never)
    : never_(std::move(never)), variables_(std::move(variables)) {
  find_invariants(enters, goes_on);
  find_directions(enters, goes_on);
}

Bits LoopInduction::holds(Claim claim, const Bits& value, const Bits& stride) {
  const unsigned width = value.width();
  switch (claim) {
    case Claim::is_not_negative:
      return ~value.bit(width - 1);
    case Claim::is_small:
      return width <= small_width
                 ? Bits::boolean(true)
                 : equal(value.extract(small_width, width - small_width), Bits(width - small_width, 0));
    case Claim::is_not_zero:
      return ~equal(value, Bits(width, 0));
    case Claim::has_no_carry:
      return less_equal_unsigned(value, ~stride);
    case Claim::has_no_borrow:
      return less_equal_unsigned(-stride, value);
    case Claim::has_no_overflow:
      return ~(~(value ^ stride) & (value ^ (value + stride))).bit(width - 1);
  }
  return Bits::boolean(false);
}

Bits LoopInduction::holds_for(const Invariant& invariant, const Bits& value) const {
  return holds(invariant.claim, value, variables_[invariant.variable].stride);
}

/// Before an iteration of any.
Bits LoopInduction::holds_before(const Invariant& invariant) const {
  return holds_for(invariant, variables_[invariant.variable].any());
}

Bits LoopInduction::holds_behind(const Invariant& invariant) const {
  const InductionVariable& variable = variables_[invariant.variable];
  return holds_for(invariant, variable.any() + variable.stride);
}

/// The changes of a register are multiples of a constant stride, so their lowest bits are 0.
Bits LoopInduction::are_multiples() const {
  Bits result = Bits::boolean(true);
  for (const InductionVariable& variable : variables_) {
    const Bits& stride = variable.stride;
    if (!stride.is_constant() || stride.to_u64() == 0) continue;
    const auto zeros = static_cast<unsigned>(std::countr_zero(stride.to_u64()));
    if (zeros > 0) result = result & equal(variable.change.extract(0, zeros), Bits(zeros, 0));
  }
  return result;
}

Bits LoopInduction::all_invariants() const {
  Bits result = are_multiples();
  for (const Invariant& invariant : invariants_) result = result & holds_before(invariant);
  return result;
}

/// Starts with all claims that hold at the beginning, and leaves out what an iteration may make false, until
/// the rest stays true: C. Flanagan, K. R. M. Leino, Houdini, an annotation assistant for ESC/Java (2001).
void LoopInduction::find_invariants(const Bits& enters, const Bits& goes_on) {
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (!occurs_in(variables_[i].change, goes_on)) continue;
    for (const Claim claim : all_claims) {
      if (never_(enters & ~holds(claim, variables_[i].start, variables_[i].stride)))
        invariants_.push_back({i, claim});
    }
  }
  for (bool is_changed = true; is_changed;) {
    const Bits before = enters & goes_on & all_invariants();
    is_changed = std::erase_if(invariants_, [&](const Invariant& invariant) {
                   return !never_(before & ~holds_behind(invariant));
                 }) != 0;
  }
}

bool LoopInduction::is_invariant(std::size_t variable, Claim claim) const {
  return std::ranges::any_of(invariants_, [&](const Invariant& invariant) {
    return invariant.variable == variable && invariant.claim == claim;
  });
}

void LoopInduction::find_directions(const Bits& enters, const Bits& goes_on) {
  const Bits before = enters & goes_on & all_invariants();
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const InductionVariable& variable = variables_[i];
    if (!occurs_in(variable.change, goes_on)) continue;
    if (!never_(before & equal(variable.stride, Bits(variable.stride.width(), 0)))) continue;
    const std::size_t known = directions_.size();
    for (const Claim claim : {Claim::has_no_carry, Claim::has_no_borrow, Claim::has_no_overflow}) {
      const bool is_needed = claim == Claim::has_no_overflow ? !is_invariant(i, Claim::is_not_negative)
                                                             : directions_.size() == known;
      if (is_needed && never_(before & ~holds_before({i, claim}))) directions_.push_back({i, claim});
    }
    if (directions_.size() == known) continue;
    const unsigned width = is_invariant(i, Claim::is_small) ? small_width : variable.start.width();
    iteration_width_ = iteration_width_ == 0 ? width : std::min(iteration_width_, width);
  }
}

Bits LoopInduction::value_in(const InductionVariable& variable, const Bits& iteration) const {
  const Bits &stride = variable.stride, times = iteration.resize_unsigned(stride.width());
  const bool is_negative = stride.is_constant() && stride.to_s64() < 0;
  return is_negative ? variable.start - times * -stride : variable.start + times * stride;
}

/// The condition that the register has not wrapped around before an iteration.
Bits LoopInduction::range_in(const Invariant& direction, const Bits& iteration) const {
  const auto& [start, stride, change] = variables_[direction.variable];
  const unsigned width = start.width();
  const bool is_small = is_invariant(direction.variable, Claim::is_small);
  if (iteration.width() > small_width || (width > small_width && !is_small)) return Bits::boolean(true);
  const Bits times = iteration.zero_extend(wide);
  const unsigned bits = std::min(width, small_width);
  const auto extended = [&](const Bits& value, bool is_signed) {
    const Bits low = value.extract(0, bits);
    return is_signed ? low.sign_extend(wide) : low.zero_extend(wide);
  };
  switch (direction.claim) {
    case Claim::has_no_carry:
      return less_equal_unsigned(extended(start, false) + times * extended(stride, false),
                                 Bits(wide, (std::uint64_t{1} << bits) - 1));
    case Claim::has_no_borrow:
      return less_equal_unsigned(times * extended(-stride, false), extended(start, false));
    default:
      if (width > small_width) return Bits::boolean(true);
      return equal(value_in(variables_[direction.variable], iteration).extract(0, bits).sign_extend(wide),
                   extended(start, true) + times * extended(stride, true));
  }
}

Bits LoopInduction::holds_in(const Bits& iteration) const {
  Bits result = Bits::boolean(true);
  for (const Invariant& direction : directions_) result = result & range_in(direction, iteration);
  for (const Invariant& invariant : invariants_)
    result = result & holds_for(invariant, value_in(variables_[invariant.variable], iteration));
  return result;
}

Bits LoopInduction::held_before(const Bits& iteration) const {
  Bits result = Bits::boolean(true);
  for (const auto* claims : {&directions_, &invariants_})
    for (const Invariant& claim : *claims) {
      const InductionVariable& variable = variables_[claim.variable];
      result = result & holds_for(claim, value_in(variable, iteration) - variable.stride);
    }
  return result;
}

}  // namespace ptxmc
