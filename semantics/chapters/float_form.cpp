#include "semantics/chapters/float_form.hpp"

namespace ptxmc {

namespace {

/// An operation that rounds, on each element.
template <class Operation, class... Operand>
Bits by_rounding(const Form& form, Operation operation, const Operand&... operands) {
  const FloatForm f(form);
  const auto on_elements = [&](const auto&... elements) {
    const auto on_flushed = [&](const auto&... x) {
      return f.result(keep_payload(f.format, operation(f.format, f.rounding, x...), {&x...}));
    };
    return on_flushed(f.operand(elements)...);
  };
  return f.by_elements(on_elements, operands...);
}

/// The rule of min and max; `is_first` decides between numbers that are not NaN.
template <class IsFirst>
Bits select(const Form& form, const Type& type, IsFirst is_first, const Bits& first, const Bits& second) {
  const FloatForm f(form, type);
  const bool by_magnitude = form.has(".xorsign");
  const auto select_element = [&](const Bits& p, const Bits& q) {
    const Bits x = f.operand(p), y = f.operand(q);
    const Bits a = by_magnitude ? float_magnitude(x) : x;
    const Bits b = by_magnitude ? float_magnitude(y) : y;
    const Bits a_is_nan = is_nan(f.format, a), b_is_nan = is_nan(f.format, b);
    const Bits result_is_nan = form.has(".NaN") ? a_is_nan | b_is_nan : a_is_nan & b_is_nan;
    const Bits chosen = ite(a_is_nan, b, ite(b_is_nan, a, ite(is_first(a, b), a, b)));
    const Bits number = by_magnitude ? with_sign(float_sign(x) ^ float_sign(y), chosen) : chosen;
    return ite(result_is_nan, canonical_nan(f.format), number);
  };
  return f.by_elements(select_element, first, second);
}

/// Like float_less, but −0 is less than +0.
Bits precedes(const Bits& a, const Bits& b) {
  const Bits sign_differs = float_sign(a) ^ float_sign(b);
  return ite(sign_differs, float_sign(a), less_unsigned(a, b) ^ (float_sign(a) & ~equal(a, b)));
}

}  // namespace

Rounding rounding_of(const Form& form) {
  if (form.has(".rz") || form.has(".rzi")) return Rounding::toward_zero;
  if (form.has(".rm") || form.has(".rmi")) return Rounding::downward;
  if (form.has(".rp") || form.has(".rpi")) return Rounding::upward;
  return form.has(".rna") ? Rounding::nearest_away : Rounding::nearest_even;
}

Type element_type(const Type& packed) {
  return {Type::Kind::floating, static_cast<std::uint16_t>(packed.width / packed.elements), 1, packed.format};
}

FloatForm::FloatForm(const Form& form) : FloatForm(form, form.type()) {}

FloatForm::FloatForm(const Form& form, const Type& type)
    : format(type.format.value()),
      rounding(rounding_of(form)),
      flushes(form.has(".ftz")),
      saturates(form.has(".sat")),
      has_relu(form.has(".relu")),
      elements(type.elements) {}

Bits FloatForm::result(const Bits& rounded) const {
  Bits value = rounded;
  if (flushes) value = flush_subnormal(format, value);
  if (saturates) value = saturate_to_unit(format, value);
  if (has_relu) value = clamp_negative(format, value);
  return value;
}

Bits keep_payload(FloatFormat format, const Bits& result, std::initializer_list<const Bits*> operands) {
  if (format != FloatFormat::f64 || is_nan(format, result).is_false()) return result;
  const Bits quiet(64, u128{1} << 51);
  Bits value = result;
  for (const Bits* const* x = operands.end(); x != operands.begin();) {
    --x;
    value = ite(is_nan(format, **x), **x | quiet, value);
  }
  return value;
}

Bits float_sum(const Form& form, const Bits& a, const Bits& b) { return by_rounding(form, float_add, a, b); }

Bits float_difference(const Form& form, const Bits& a, const Bits& b) {
  const auto subtract = [](FloatFormat format, Rounding rounding, const Bits& x, const Bits& y) {
    return float_add(format, rounding, x, float_opposite(y));
  };
  return by_rounding(form, subtract, a, b);
}

Bits float_product(const Form& form, const Bits& a, const Bits& b) {
  return by_rounding(form, float_multiply, a, b);
}

Bits float_product_and_sum(const Form& form, const Bits& a, const Bits& b, const Bits& c) {
  return by_rounding(form, float_multiply_add, a, b, c);
}

/// § 9.7.3.9: NaN passes through abs.f64 unchanged. Elsewhere it is unspecified which NaN results: as for
/// numbers, only the sign changes.
Bits float_absolute(const Form& form, const Bits& a) {
  const FloatForm f(form);
  return f.by_elements(
      [&](const Bits& element) {
        const Bits x = f.operand(element);
        if (f.format != FloatFormat::f64) return float_magnitude(x);
        return ite(is_nan(f.format, x), x, float_magnitude(x));
      },
      a);
}

Bits float_negate(const Form& form, const Bits& a) {
  const FloatForm f(form);
  return f.by_elements([&](const Bits& element) { return float_opposite(f.operand(element)); }, a);
}

Bits float_minimum(const Form& form, const Type& type, const Bits& a, const Bits& b) {
  return select(form, type, precedes, a, b);
}

Bits float_maximum(const Form& form, const Type& type, const Bits& a, const Bits& b) {
  return select(
      form, type, [](const Bits& x, const Bits& y) { return precedes(y, x); }, a, b);
}

Bits float_minimum(const Form& form, const Bits& a, const Bits& b) {
  return float_minimum(form, form.type(), a, b);
}

Bits float_maximum(const Form& form, const Bits& a, const Bits& b) {
  return float_maximum(form, form.type(), a, b);
}

Bits float_compare(const Form& form, FloatFormat format, const Bits& a, const Bits& b) {
  const Bits unordered = is_nan(format, a) | is_nan(format, b);
  if (form.has(".num")) return ~unordered;
  if (form.has(".nan")) return unordered;
  if (form.has(".eq")) return float_equal(format, a, b);
  if (form.has(".equ")) return float_equal(format, a, b) | unordered;
  if (form.has(".ne")) return ~float_equal(format, a, b) & ~unordered;
  if (form.has(".neu")) return ~float_equal(format, a, b);
  if (form.has(".lt")) return float_less(format, a, b);
  if (form.has(".ltu")) return float_less(format, a, b) | unordered;
  if (form.has(".gt")) return float_less(format, b, a);
  if (form.has(".gtu")) return float_less(format, b, a) | unordered;
  if (form.has(".le")) return ~float_less(format, b, a) & ~unordered;
  if (form.has(".leu")) return ~float_less(format, b, a);
  if (form.has(".ge")) return ~float_less(format, a, b) & ~unordered;
  return ~float_less(format, a, b);  // .geu
}

}  // namespace ptxmc
