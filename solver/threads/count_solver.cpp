#include "solver/threads/count_solver.hpp"

#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

Bits number_of_bits(const Bits& value) { return population_count(value).extract(0, 32); }

/// What is true of the numbers of bits of two values, of which the second may have all bits of the first.
Bits comparison(const BitCount& a, const BitCount& b) {
  if (a.value.width() != b.value.width()) return Bits::boolean(true);
  const Bits is_part = is_zero(a.value & ~b.value), is_same = equal(a.value, b.value);
  return implies(is_part & ~is_same, less_unsigned(a.count, b.count)) &
         implies(is_same, equal(a.count, b.count));
}

}  // namespace

void CountSolver::define(std::span<const BitCount> counts) {
  constexpr std::size_t most_compared = 24;
  const std::span<const BitCount> others = counts.size() <= most_compared ? counts : counts.first(0);
  for (const BitCount& count : counts) {
    add(less_equal_unsigned(count.count, Bits(32, count.value.width())) &
        equal(is_zero(count.count), is_zero(count.value)));
    for (const BitCount& other : others)
      if (!identical(count.value, other.value)) add(comparison(count, other));
    counts_.push_back(count);
  }
}

/// The facts that are wrong in an assignment.
Bits CountSolver::corrections(Substitution& values) const {
  Bits result = Bits::boolean(true);
  for (const auto& [value, count] : counts_) {
    const Bits found = values.apply(value), number = number_of_bits(found);
    if (!identical(values.apply(count), number))
      result = result & implies(equal(value, found), equal(count, number));
  }
  return result;
}

/// Checks again until the numbers in the assignment are right.
SmtSolver::Result CountSolver::corrected(const std::function<SmtSolver::Result()>& check) {
  constexpr unsigned most_wrong = 100;
  for (;;) {
    const SmtSolver::Result result = check();
    if (result != SmtSolver::Result::satisfiable || counts_.empty()) return result;
    Substitution found = values();
    const Bits facts = corrections(found);
    if (facts.is_true()) return result;
    add(facts);
    if (++wrong_ == most_wrong)
      for (const auto& [value, count] : counts_) add(equal(count, number_of_bits(value)));
  }
}

}  // namespace ptxmc
