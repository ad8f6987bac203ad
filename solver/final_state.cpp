#include "solver/final_state.hpp"

#include <algorithm>
#include <stdexcept>

namespace ptxmc {
namespace {

Bits compare(const Proposition& proposition, const FinalValue& value) {
  using enum Proposition::Comparison;
  const Bits left = value(proposition.left);
  const Bits right = value(proposition.right);
  switch (proposition.comparison) {
    case equal:
      return ptxmc::equal(left, right);
    case not_equal:
      return ~ptxmc::equal(left, right);
    case less:
      return less_signed(left, right);
    case less_equal:
      return less_equal_signed(left, right);
    case greater:
      return less_signed(right, left);
    case greater_equal:
      return less_equal_signed(right, left);
  }
  throw std::logic_error("a comparison without meaning");
}

bool compare(Proposition::Comparison comparison, std::int64_t left, std::int64_t right) {
  using enum Proposition::Comparison;
  switch (comparison) {
    case equal:
      return left == right;
    case not_equal:
      return left != right;
    case less:
      return left < right;
    case less_equal:
      return left <= right;
    case greater:
      return left > right;
    case greater_equal:
      return left >= right;
  }
  throw std::logic_error("a comparison without meaning");
}

/// What a proposition makes of the truth of its comparisons.
template <class Truth, class Compare>
Truth combine(const Proposition& proposition, const Truth& truth, const Compare& compare) {
  switch (proposition.kind) {
    case Proposition::Kind::truth:
      return truth;
    case Proposition::Kind::compare:
      return compare(proposition);
    case Proposition::Kind::negation:
      return truth ^ combine(proposition.operands.at(0), truth, compare);
    case Proposition::Kind::conjunction:
    case Proposition::Kind::disjunction: {
      const bool all = proposition.kind == Proposition::Kind::conjunction;
      Truth result = all ? truth : truth ^ truth;
      for (const Proposition& operand : proposition.operands) {
        const Truth next = combine(operand, truth, compare);
        result = all ? result & next : result | next;
      }
      return result;
    }
  }
  throw std::logic_error("a proposition without meaning");
}

void collect(const Proposition& proposition, std::vector<FinalTerm>& terms) {
  if (proposition.kind == Proposition::Kind::compare) {
    terms.push_back(proposition.left);
    terms.push_back(proposition.right);
  }
  for (const Proposition& operand : proposition.operands) collect(operand, terms);
}

}  // namespace

Bits holds(const Proposition& proposition, const FinalValue& value) {
  return combine(proposition, Bits::boolean(true),
                 [&](const Proposition& comparison) { return compare(comparison, value); });
}

bool holds(const Proposition& proposition, const std::vector<std::int64_t>& values,
           const std::vector<FinalTerm>& terms) {
  const auto value = [&](const FinalTerm& term) {
    if (term.kind == FinalTerm::Kind::constant) return term.constant;
    return values[static_cast<std::size_t>(std::find(terms.begin(), terms.end(), term) - terms.begin())];
  };
  return combine(proposition, true, [&](const Proposition& comparison) {
    return compare(comparison.comparison, value(comparison.left), value(comparison.right));
  });
}

std::int64_t shown_number(const Program& program, const FinalTerm& term, const Bits& value) {
  const bool is_signed = term.kind == FinalTerm::Kind::memory &&
                         program.memory[static_cast<std::size_t>(term.variable)].is_signed;
  return (is_signed ? value.resize_signed(64) : value.resize_unsigned(64)).to_s64();
}

std::vector<FinalTerm> shown_terms(const Question& question) {
  std::vector<FinalTerm> all;
  collect(question.condition, all);
  collect(question.filter, all);
  all.insert(all.end(), question.locations.begin(), question.locations.end());
  std::vector<FinalTerm> shown;
  for (const FinalTerm& term : all)
    if (term.kind != FinalTerm::Kind::constant && std::find(shown.begin(), shown.end(), term) == shown.end())
      shown.push_back(term);
  return shown;
}

}  // namespace ptxmc
