#include "solver/smt/smt_terms.hpp"

#include <cmath>
#include <set>
#include <stdexcept>

#include "semantics/values/approximation.hpp"
#include "semantics/values/float_operations.hpp"
#include "semantics/values/sum_error.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {

namespace {

/// Calls `visit` for each subexpression once.
template <typename Visit>
void for_each_below(const z3::expr& root, const Visit& visit) {
  std::set<unsigned> seen;
  std::vector<z3::expr> work{root};
  while (!work.empty()) {
    const z3::expr e = work.back();
    work.pop_back();
    if (!seen.insert(e.id()).second) continue;
    visit(e);
    for (unsigned i = 0; i < e.num_args(); ++i) work.push_back(e.arg(i));
  }
}

}  // namespace

z3::expr SmtTerms::translate(const Bits& bits) {
  if (bits.is_constant()) return constant(bits.width(), bits.value());
  translate_below(bits.term());
  return *translated_[bits.term()->number];
}

z3::expr SmtTerms::constant(unsigned width, u128 value) {
  if (width == 1) return context_.bool_val(value != 0);
  const auto low = context_.bv_val(static_cast<std::uint64_t>(value), std::min(width, 64U));
  if (width <= 64) return low;
  return z3::concat(context_.bv_val(static_cast<std::uint64_t>(value >> 64), width - 64), low);
}

/// Translates operands first, without recursion, since terms may be deep.
void SmtTerms::translate_below(const Term* root) {
  constexpr std::size_t terms_between_checks = 256;
  std::vector<const Term*> work{root};
  while (!work.empty()) {
    const Term* term = work.back();
    if (term->number >= translated_.size()) translated_.resize(term->number + 1);
    if (translated_[term->number]) {
      work.pop_back();
      continue;
    }
    const std::size_t before = work.size();
    for (unsigned i = 0; i < term->arity(); ++i) {
      const Term* operand = term->operands[i];
      if (operand->number >= translated_.size() || !translated_[operand->number]) work.push_back(operand);
    }
    if (work.size() != before) continue;
    if (term->number % terms_between_checks == 0) TimeLimit::check();
    translated_[term->number] = translate_node(*term);
    work.pop_back();
  }
}

z3::expr SmtTerms::operand(const Term& term, unsigned i) { return *translated_[term.operands[i]->number]; }

z3::expr SmtTerms::as_vector(const z3::expr& e) {
  return e.is_bool() ? z3::ite(e, context_.bv_val(1, 1), context_.bv_val(0, 1)) : e;
}

z3::expr SmtTerms::as_natural(const z3::expr& e) {
  return e.is_bv() && e.get_sort().bv_size() == 1 ? e == context_.bv_val(1, 1) : e;
}

z3::expr SmtTerms::translate_node(const Term& term) {
  switch (term.op) {
    case Operator::constant:
      return constant(term.width, term.value);
    case Operator::variable:
      return variable(term.variable, term.width);
    case Operator::ite:
      return z3::ite(operand(term, 0), operand(term, 1), operand(term, 2));
    case Operator::equal:
      return operand(term, 0) == operand(term, 1);
    default:
      return term.width == 1 && operand(term, 0).is_bool() ? translate_boolean(term)
                                                           : as_natural(translate_vector(term));
  }
}

z3::expr SmtTerms::translate_boolean(const Term& term) {
  switch (term.op) {
    case Operator::bit_not:
      return !operand(term, 0);
    case Operator::bit_and:
      return operand(term, 0) && operand(term, 1);
    case Operator::bit_or:
      return operand(term, 0) || operand(term, 1);
    case Operator::bit_xor:
      return operand(term, 0) != operand(term, 1);
    default:
      return as_natural(translate_vector(term));
  }
}

z3::expr SmtTerms::translate_vector(const Term& term) {
  const z3::expr a = as_vector(operand(term, 0));
  const auto b = [&] { return as_vector(operand(term, 1)); };
  switch (term.op) {
    case Operator::bit_not:
      return ~a;
    case Operator::bit_and:
      return a & b();
    case Operator::bit_or:
      return a | b();
    case Operator::bit_xor:
      return a ^ b();
    case Operator::negate:
      return -a;
    case Operator::add:
      return a + b();
    case Operator::subtract:
      return a - b();
    case Operator::multiply:
      return a * b();
    case Operator::divide_unsigned:
      return z3::udiv(a, b());
    case Operator::remainder_unsigned:
      return z3::urem(a, b());
    case Operator::divide_signed:
      return a / b();
    case Operator::remainder_signed:
      return z3::srem(a, b());
    case Operator::shift_left:
    case Operator::shift_right_unsigned:
    case Operator::shift_right_signed:
      return translate_shift(term.op, a, b());
    case Operator::concat:
      return z3::concat(a, b());
    case Operator::extract:
      return a.extract(term.low + term.width - 1, term.low);
    case Operator::zero_extend:
      return z3::zext(a, term.width - a.get_sort().bv_size());
    case Operator::sign_extend:
      return z3::sext(a, term.width - a.get_sort().bv_size());
    case Operator::less_unsigned:
      return z3::ult(a, b());
    case Operator::less_equal_unsigned:
      return z3::ule(a, b());
    case Operator::less_signed:
      return a < b();
    case Operator::less_equal_signed:
      return a <= b();
    default:
      return translate_float(term, a);
  }
}

// ---- floating point: Z3's theory, with bit-vectors outside ----

z3::expr SmtTerms::expr(Z3_ast ast) { return z3::to_expr(context_, ast); }

z3::sort SmtTerms::float_sort(FloatFormat format) {
  const FloatLayout layout = layout_of(format);
  return context_.fpa_sort(layout.exponent, layout.precision());
}

z3::expr SmtTerms::as_float(FloatFormat format, const z3::expr& bits) {
  return expr(Z3_mk_fpa_to_fp_bv(context_, bits, float_sort(format)));
}

/// The standard leaves the bits of a NaN open; here it is the canonical NaN.
z3::expr SmtTerms::as_bits(FloatFormat format, const z3::expr& number) {
  const Bits nan = canonical_nan(format);
  return z3::ite(expr(Z3_mk_fpa_is_nan(context_, number)), constant(nan.width(), nan.value()),
                 expr(Z3_mk_fpa_to_ieee_bv(context_, number)));
}

z3::expr SmtTerms::rounding_mode(Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest_even:
      return expr(Z3_mk_fpa_rne(context_));
    case Rounding::nearest_away:
      return expr(Z3_mk_fpa_rna(context_));
    case Rounding::toward_zero:
      return expr(Z3_mk_fpa_rtz(context_));
    case Rounding::downward:
      return expr(Z3_mk_fpa_rtn(context_));
    case Rounding::upward:
      return expr(Z3_mk_fpa_rtp(context_));
  }
  throw std::logic_error("a rounding mode without translation to Z3");
}

z3::expr SmtTerms::translate_float(const Term& term, const z3::expr& a) {
  if (term.op == Operator::float_approximate) return approximation(term);
  if (term.op == Operator::float_add_error) return translate(definition_of_error(term));
  const z3::expr value = float_value(term, a);
  const z3::expr result = expr(Z3_mk_fresh_const(context_, "float", value.get_sort()));
  float_operations_.push_back({&term, result, value});
  return result;
}

z3::expr SmtTerms::float_value(const Term& term, const z3::expr& a) {
  const z3::expr mode = rounding_mode(term.rounding);
  const z3::sort sort = float_sort(term.format);
  const auto bits = [&](Z3_ast number) { return as_bits(term.format, expr(number)); };
  const auto x = [&](unsigned i) { return as_float(term.format, as_vector(operand(term, i))); };
  switch (term.op) {
    case Operator::float_add:
      return bits(Z3_mk_fpa_add(context_, mode, x(0), x(1)));
    case Operator::float_multiply:
      return bits(Z3_mk_fpa_mul(context_, mode, x(0), x(1)));
    case Operator::float_divide:
      return bits(Z3_mk_fpa_div(context_, mode, x(0), x(1)));
    case Operator::float_multiply_add:
      return bits(Z3_mk_fpa_fma(context_, mode, x(0), x(1), x(2)));
    case Operator::float_square_root:
      return bits(Z3_mk_fpa_sqrt(context_, mode, x(0)));
    case Operator::float_round_to_integral:
      return bits(Z3_mk_fpa_to_fp_float(context_, mode, rounded_to_integral(term, x(0)), sort));
    case Operator::float_convert:
      return bits(Z3_mk_fpa_to_fp_float(context_, mode, as_float(term.from, a), sort));
    case Operator::float_from_unsigned:
      return bits(Z3_mk_fpa_to_fp_unsigned(context_, mode, a, sort));
    case Operator::float_from_signed:
      return bits(Z3_mk_fpa_to_fp_signed(context_, mode, a, sort));
    case Operator::float_to_unsigned:
      return to_integer(term, x(0), false);
    case Operator::float_to_signed:
      return to_integer(term, x(0), true);
    default:
      throw std::logic_error("a term without translation to Z3");
  }
}

/// Z3 rounds to integers only in formats that have more digits than bits of exponent. A .bf16 number is
/// therefore rounded as an .f32 number.
z3::expr SmtTerms::rounded_to_integral(const Term& term, const z3::expr& number) {
  const FloatLayout layout = layout_of(term.format);
  const z3::expr wide = layout.precision() > layout.exponent
                            ? number
                            : expr(Z3_mk_fpa_to_fp_float(context_, rounding_mode(Rounding::nearest_even),
                                                         number, float_sort(FloatFormat::f32)));
  return expr(Z3_mk_fpa_round_to_integral(context_, rounding_mode(term.rounding), wide));
}

/// 2^power as a number of the format; infinity if the format has no number that large.
z3::expr SmtTerms::power_of_2(const z3::sort& format, unsigned power, bool is_negative) {
  const double value = std::ldexp(is_negative ? -1.0 : 1.0, static_cast<int>(power));
  const z3::expr number = expr(Z3_mk_fpa_numeral_double(context_, value, float_sort(FloatFormat::f64)));
  return expr(Z3_mk_fpa_to_fp_float(context_, rounding_mode(Rounding::nearest_even), number, format))
      .simplify();
}

/// Rounded, then clamped to the integers of the width; NaN is 0.
z3::expr SmtTerms::to_integer(const Term& term, const z3::expr& number, bool is_signed) {
  const unsigned width = term.width;
  const u128 highest = (u128{1} << (is_signed ? width - 1 : width)) - 1;
  const z3::expr integer = rounded_to_integral(term, number);
  const z3::sort format = integer.get_sort();
  const z3::expr toward_zero = rounding_mode(Rounding::toward_zero);
  const z3::expr bits = expr(is_signed ? Z3_mk_fpa_to_sbv(context_, toward_zero, integer, width)
                                       : Z3_mk_fpa_to_ubv(context_, toward_zero, integer, width));
  const z3::expr above = power_of_2(format, is_signed ? width - 1 : width, false);
  const z3::expr below = is_signed
                             ? expr(Z3_mk_fpa_leq(context_, integer, power_of_2(format, width - 1, true)))
                             : expr(Z3_mk_fpa_is_negative(context_, integer));
  return z3::ite(
      expr(Z3_mk_fpa_is_nan(context_, number)), constant(width, 0),
      z3::ite(below, constant(width, is_signed ? ~highest : 0),
              z3::ite(expr(Z3_mk_fpa_geq(context_, integer, above)), constant(width, highest), bits)));
}

/// Any value within the bound of the manual.
z3::expr SmtTerms::approximation(const Term& term) {
  const Bits value = term.graph->variable(term.width, "approximation");
  approximations_.emplace(&term, value.term()->variable);
  const z3::expr result = translate(value);
  bounds_.push_back(translate(within_bound(term, value)));
  return result;
}

z3::expr SmtTerms::translate_shift(Operator op, const z3::expr& value, const z3::expr& amount) {
  const unsigned width = value.get_sort().bv_size();
  const unsigned amount_width = amount.get_sort().bv_size();
  // In the wider of the two widths no amount is truncated, and the bits shifted in are correct.
  const unsigned wide = std::max(width, amount_width);
  const z3::expr by = z3::zext(amount, wide - amount_width);
  const z3::expr what =
      op == Operator::shift_right_signed ? z3::sext(value, wide - width) : z3::zext(value, wide - width);
  const z3::expr shifted = op == Operator::shift_left             ? z3::shl(what, by)
                           : op == Operator::shift_right_unsigned ? z3::lshr(what, by)
                                                                  : z3::ashr(what, by);
  return wide == width ? shifted : shifted.extract(width - 1, 0);
}

z3::expr SmtTerms::variable(VariableId id, unsigned width) {
  const z3::symbol name = context_.int_symbol(static_cast<int>(id));
  const z3::expr result =
      context_.constant(name, width == 1 ? context_.bool_sort() : context_.bv_sort(width));
  if (id >= variables_.size()) variables_.resize(id + 1);
  variables_[id] = result.decl();
  return result;
}

// It does not use Z3's functions for cases that the standard leaves open (the bits of a NaN, integers out of
// range). Terms never depend on these cases, and Z3 allows all ones as their value.
z3::expr SmtTerms::definition(const FloatOperation& operation) {
  z3::goal goal(context_);
  goal.add(operation.result == operation.value);
  const z3::tactic tactic = z3::tactic(context_, "fpa2bv") & z3::tactic(context_, "simplify");
  z3::expr result = tactic(goal)[0].as_expr();
  z3::expr_vector open(context_), ones(context_);
  for_each_below(result, [&](const z3::expr& e) {
    if (e.num_args() == 0 || e.decl().decl_kind() != Z3_OP_UNINTERPRETED) return;
    open.push_back(e);
    ones.push_back(~context_.bv_val(0, e.get_sort().bv_size()));
  });
  return result.substitute(open, ones);
}

}  // namespace ptxmc
