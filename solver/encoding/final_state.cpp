#include "solver/encoding/final_state.hpp"

#include <algorithm>
#include <stdexcept>

#include "semantics/values/float_value.hpp"

namespace ptxmc {
namespace {

Bits compare_integers(Proposition::Comparison comparison, const Bits& left, const Bits& right) {
  using enum Proposition::Comparison;
  switch (comparison) {
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

/// Of numbers in the low bits.
Bits compare_floats(Proposition::Comparison comparison, FloatFormat format, const Bits& left_bits,
                    const Bits& right_bits) {
  using enum Proposition::Comparison;
  const Bits left = left_bits.extract(0, layout_of(format).width);
  const Bits right = right_bits.extract(0, layout_of(format).width);
  const Bits is_equal = float_equal(format, left, right);
  switch (comparison) {
    case equal:
      return is_equal;
    case not_equal:
      return ~is_equal;
    case less:
      return float_less(format, left, right);
    case less_equal:
      return float_less(format, left, right) | is_equal;
    case greater:
      return float_less(format, right, left);
    case greater_equal:
      return float_less(format, right, left) | is_equal;
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

Bits as_bits(std::int64_t number) { return Bits(64, static_cast<u128>(number)); }

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
      return proposition.left.format ? compare_floats(proposition.comparison, *proposition.left.format,
                                                      value(proposition.left), value(proposition.right))
                                     : compare_integers(proposition.comparison, value(proposition.left),
                                                        value(proposition.right));
    case Proposition::Kind::negation:
      return ~holds(proposition.operands.at(0), value);
    case Proposition::Kind::conjunction:
    case Proposition::Kind::disjunction: {
      const bool all = proposition.kind == Proposition::Kind::conjunction;
      Bits result = Bits::boolean(all);
      for (const Proposition& operand : proposition.operands) {
        const Bits next = holds(operand, value);
        result = all ? result & next : result | next;
      }
      return result;
    }
  }
  throw std::logic_error("a proposition without meaning");
}

StateProposition::StateProposition(const Proposition& proposition, const std::vector<FinalTerm>& shown)
    : kind_(proposition.kind), comparison_(proposition.comparison), format_(proposition.left.format) {
  const auto operand = [&](const FinalTerm& term) {
    const auto place = std::find(shown.begin(), shown.end(), term);
    return Operand{static_cast<std::size_t>(place - shown.begin()), term.constant};
  };
  left_ = operand(proposition.left);
  right_ = operand(proposition.right);
  for (const Proposition& part : proposition.operands) operands_.emplace_back(part, shown);
}

bool StateProposition::holds(const std::vector<std::int64_t>& numbers) const {
  const auto number = [&](const Operand& operand) {
    return operand.shown < numbers.size() ? numbers[operand.shown] : operand.constant;
  };
  const auto holds = [&](const StateProposition& operand) { return operand.holds(numbers); };
  switch (kind_) {
    case Proposition::Kind::truth:
      return true;
    case Proposition::Kind::compare:
      return format_ ? compare_floats(comparison_, *format_, as_bits(number(left_)), as_bits(number(right_)))
                           .is_true()
                     : compare(comparison_, number(left_), number(right_));
    case Proposition::Kind::negation:
      return !holds(operands_.front());
    case Proposition::Kind::conjunction:
      return std::all_of(operands_.begin(), operands_.end(), holds);
    case Proposition::Kind::disjunction:
      return std::any_of(operands_.begin(), operands_.end(), holds);
  }
  throw std::logic_error("a proposition without meaning");
}

namespace {

bool is_signed(const Program& program, const FinalTerm& term) {
  return term.kind == FinalTerm::Kind::memory &&
         program.memory[static_cast<std::size_t>(term.variable)].is_signed;
}

}  // namespace

Bits final_number(const Program& program, const FinalTerm& term, const Bits& value) {
  if (term.format) return value.resize_unsigned(layout_of(*term.format).width).resize_unsigned(64);
  return is_signed(program, term) ? value.resize_signed(64) : value.resize_unsigned(64);
}

std::int64_t shown_number(const Program& program, const FinalTerm& term, const Bits& value) {
  // The explorer asks for the numbers of every execution.
  const bool is_plain = !term.format && value.width() <= 64 && !is_signed(program, term);
  return is_plain ? static_cast<std::int64_t>(value.to_u64()) : final_number(program, term, value).to_s64();
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
