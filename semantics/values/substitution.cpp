#include "semantics/values/float_operations.hpp"
#include "semantics/values/sum_error.hpp"

namespace ptxmc {

Bits operate(const Term& term, const Bits& a, const Bits& b, const Bits& c) {
  switch (term.op) {
    case Operator::constant:
      return Bits(term.width, term.value);
    case Operator::variable:
      return Bits(&term);
    case Operator::bit_not:
      return ~a;
    case Operator::bit_and:
      return a & b;
    case Operator::bit_or:
      return a | b;
    case Operator::bit_xor:
      return a ^ b;
    case Operator::negate:
      return -a;
    case Operator::add:
      return a + b;
    case Operator::subtract:
      return a - b;
    case Operator::multiply:
      return a * b;
    case Operator::divide_unsigned:
      return divide_unsigned(a, b);
    case Operator::remainder_unsigned:
      return remainder_unsigned(a, b);
    case Operator::divide_signed:
      return divide_signed(a, b);
    case Operator::remainder_signed:
      return remainder_signed(a, b);
    case Operator::shift_left:
      return shift_left(a, b);
    case Operator::shift_right_unsigned:
      return shift_right_unsigned(a, b);
    case Operator::shift_right_signed:
      return shift_right_signed(a, b);
    case Operator::concat:
      return concat(a, b);
    case Operator::extract:
      return a.extract(term.low, term.width);
    case Operator::zero_extend:
      return a.zero_extend(term.width);
    case Operator::sign_extend:
      return a.sign_extend(term.width);
    case Operator::equal:
      return equal(a, b);
    case Operator::less_unsigned:
      return less_unsigned(a, b);
    case Operator::less_equal_unsigned:
      return less_equal_unsigned(a, b);
    case Operator::less_signed:
      return less_signed(a, b);
    case Operator::less_equal_signed:
      return less_equal_signed(a, b);
    case Operator::ite:
      return ite(a, b, c);
    case Operator::float_add:
      return float_add(term.format, term.rounding, a, b);
    case Operator::float_multiply:
      return float_multiply(term.format, term.rounding, a, b);
    case Operator::float_divide:
      return float_divide(term.format, term.rounding, a, b);
    case Operator::float_multiply_add:
      return float_multiply_add(term.format, term.rounding, a, b, c);
    case Operator::float_square_root:
      return float_square_root(term.format, term.rounding, a);
    case Operator::float_round_to_integral:
      return float_round_to_integral(term.format, term.rounding, a);
    case Operator::float_convert:
      return float_convert(term.format, term.from, term.rounding, a);
    case Operator::float_from_unsigned:
      return float_from_unsigned(term.format, term.rounding, a);
    case Operator::float_from_signed:
      return float_from_signed(term.format, term.rounding, a);
    case Operator::float_to_unsigned:
      return float_to_unsigned(term.width, term.format, term.rounding, a);
    case Operator::float_to_signed:
      return float_to_signed(term.width, term.format, term.rounding, a);
    case Operator::float_approximate:
      return static_cast<Approximation>(term.low) == Approximation::sum
                 ? float_sum(term.format, relative_error_of(term), a, b)
                 : float_approximate(static_cast<Approximation>(term.low), term.format, a, b);
    case Operator::float_add_error:
      return with_product(a, least_factor_of(term), b, c);
  }
  fail_check("a term without an operator");
}

void Substitution::set(VariableId variable, const Bits& value) {
  check(value.width() != 0, "a variable cannot be replaced by no value");
  values_[variable] = value;
}

void Substitution::replace(const Bits& term, const Bits& value) {
  check(!term.is_constant() && term.width() == value.width(), "a term is replaced by a value of its width");
  computed_[term.term()->number] = value;
}

Bits Substitution::apply(const Bits& x) {
  if (x.is_constant()) return x;
  if (is_computed(x.term())) return computed(x.term());
  std::vector<const Term*> open = {x.term()};
  while (!open.empty()) {
    const Term* term = open.back();
    if (const Term* operand = first_operand_to_compute(*term)) {
      open.push_back(operand);
      continue;
    }
    open.pop_back();
    const Bits value = rebuild(*term);
    computed_[term->number] = value;
  }
  return computed(x.term());
}

bool Substitution::is_computed(const Term* term) const {
  return term->op == Operator::constant || computed_.find(term->number) != nullptr;
}

Bits Substitution::computed(const Term* term) const {
  return term->op == Operator::constant ? Bits(term) : *computed_.find(term->number);
}

// An operand that is not chosen by a known condition is not needed.
const Term* Substitution::first_operand_to_compute(const Term& term) const {
  for (unsigned i = 0; i < term.arity(); ++i) {
    if (!is_computed(term.operands[i])) return term.operands[i];
    if (term.op != Operator::ite || i != 0) continue;
    const Bits condition = computed(term.operands[0]);
    if (!condition.is_constant()) continue;
    const Term* chosen = term.operands[condition.is_true() ? 1 : 2];
    return is_computed(chosen) ? nullptr : chosen;
  }
  return nullptr;
}

Bits Substitution::rebuild(const Term& term) const {
  if (term.op == Operator::variable) {
    const Bits* value = values_.find(term.variable);
    check(value == nullptr || value->width() == term.width,
          "a variable is replaced by a value of another width");
    return value == nullptr ? Bits(&term) : *value;
  }
  Bits operands[3];
  if (term.op == Operator::ite) {
    operands[0] = computed(term.operands[0]);
    if (operands[0].is_constant()) return computed(term.operands[operands[0].is_true() ? 1 : 2]);
  }
  bool changed = false;
  for (unsigned i = 0; i < term.arity(); ++i) {
    operands[i] = computed(term.operands[i]);
    changed |= !identical(operands[i], Bits(term.operands[i]));
  }
  return changed ? operate(term, operands[0], operands[1], operands[2]) : Bits(&term);
}

}  // namespace ptxmc
