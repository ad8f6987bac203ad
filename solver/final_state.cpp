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

void collect(const Proposition& proposition, std::vector<FinalTerm>& terms) {
  if (proposition.kind == Proposition::Kind::compare) {
    terms.push_back(proposition.left);
    terms.push_back(proposition.right);
  }
  for (const Proposition& operand : proposition.operands) collect(operand, terms);
}

}  // namespace

Bits holds(const Proposition& proposition, const FinalValue& value) {
  switch (proposition.kind) {
    case Proposition::Kind::truth:
      return Bits::boolean(true);
    case Proposition::Kind::compare:
      return compare(proposition, value);
    case Proposition::Kind::negation:
      return ~holds(proposition.operands.at(0), value);
    case Proposition::Kind::conjunction:
    case Proposition::Kind::disjunction: {
      const bool all = proposition.kind == Proposition::Kind::conjunction;
      Bits result = Bits::boolean(all);
      for (const Proposition& operand : proposition.operands)
        result = all ? result & holds(operand, value) : result | holds(operand, value);
      return result;
    }
  }
  throw std::logic_error("a proposition without meaning");
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
