#include "src/instruction/interval.hpp"

#include <cmath>

#include "semantics/values/approximation.hpp"
#include "semantics/values/subterms.hpp"
#include "semantics/values/sum_error.hpp"

namespace ptxmc {

namespace {

/// The approximations in the terms.
std::vector<const Term*> approximations_in(std::span<const Bits> terms) {
  std::vector<const Term*> found;
  NumberMap<bool> is_seen;
  for (const Bits& value : terms)
    visit_subterms(value, is_seen, [&](const Term& term) {
      if (term.op == Operator::float_approximate) found.push_back(&term);
      return true;
    });
  return found;
}

Substitution with_values(std::span<const Bits> values) {
  Substitution substitution;
  for (std::size_t i = 0; i < values.size(); ++i) substitution.set(static_cast<VariableId>(i), values[i]);
  return substitution;
}

bool is_bounded(const float_arithmetic::ErrorBound& bound) {
  return bound.units_in_last_place || bound.log2_relative || bound.log2_absolute;
}

/// Of a sum: the bound of its error.
std::uint64_t second_operand(const Term& term, Substitution& values) {
  const Bits operand = values.apply(Bits(term.operands[1]));
  if (static_cast<Approximation>(term.low) != Approximation::sum) return operand.to_u64();
  return bound_of_error(term.format, relative_error_of(term), operand).to_u64();
}

}  // namespace

std::optional<ResultInterval> result_interval(std::span<const Bits> terms, std::span<const Bits> values) {
  const std::vector<const Term*> approximations = approximations_in(terms);
  if (approximations.empty()) return std::nullopt;
  ResultInterval result;
  Substitution operands = with_values(values), low = with_values(values), high = with_values(values);
  for (const Term* term : approximations) {
    const auto function = static_cast<Approximation>(term->low);
    const std::uint64_t a = operands.apply(Bits(term->operands[0])).to_u64();
    const std::uint64_t b = term->arity() == 2 ? second_operand(*term, operands) : a;
    const std::uint64_t nearest = float_arithmetic::approximate(function, term->format, a, b);
    float_arithmetic::Interval interval = {nearest, nearest};
    if (function == Approximation::sum) {
      result.is_bounded = result.is_bounded && std::isfinite(float_arithmetic::number(FloatFormat::f64, b));
      if (result.is_bounded)
        interval = float_arithmetic::approximation_interval(function, term->format, {}, a, b);
    } else if (std::isfinite(float_arithmetic::number(term->format, nearest))) {
      const auto bound = error_bound(function, term->format, a);
      result.is_bounded = result.is_bounded && is_bounded(bound);
      interval = float_arithmetic::approximation_interval(function, term->format, bound, a, b);
    }
    low.replace(Bits(term), Bits(term->width, interval.low));
    high.replace(Bits(term), Bits(term->width, interval.high));
  }
  for (const Bits& term : terms) {
    result.low.push_back(low.apply(term));
    result.high.push_back(high.apply(term));
  }
  return result;
}

}  // namespace ptxmc
