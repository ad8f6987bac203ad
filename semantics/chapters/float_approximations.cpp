#include "semantics/chapters/float_approximations.hpp"

#include "semantics/chapters/float_form.hpp"

namespace ptxmc {

namespace {

Bits zero_of(const Bits& sign, FloatFormat format) {
  return concat(sign, Bits(layout_of(format).width - 1, 0));
}

/// −1, −0, +0, +1 … for an operand with this sign.
Bits with_sign_of(const Bits& a, const Bits& magnitude) { return with_sign(float_sign(a), magnitude); }

/// A function of one operand, for each element, after and before .ftz.
template <class Function>
Bits by_elements(const Form& form, const Bits& a, Function function) {
  const FloatForm f(form);
  return f.by_elements(
      [&](const Bits& element) {
        const Bits x = f.operand(element);
        return f.result(ite(is_nan(f.format, x), canonical_nan(f.format), function(f.format, x)));
      },
      a);
}

Bits reciprocal(FloatFormat format, const Bits& a) {
  const Bits approximation = float_approximate(Approximation::reciprocal, format, a);
  return ite(is_infinite(format, a), zero_of(float_sign(a), format),
             ite(is_float_zero(a), with_sign_of(a, infinity(format)), approximation));
}

Bits reciprocal_square_root(FloatFormat format, const Bits& a) {
  const Bits approximation = float_approximate(Approximation::reciprocal_square_root, format, a);
  const Bits positive = ite(is_infinite(format, a), zero_of(float_sign(a), format), approximation);
  return ite(is_float_zero(a), with_sign_of(a, infinity(format)),
             ite(float_sign(a), canonical_nan(format), positive));
}

}  // namespace

/// § 9.7.3.8: a * (1/b). The reciprocal of b beyond 2^126 is 0; that of 0 is infinite. Subnormal operands and
/// results are flushed, with .ftz or without.
Bits approximate_quotient(const Form& form, const Bits& x, const Bits& y) {
  const FloatFormat format = FloatForm(form).format;
  const Bits a = flush_subnormal(format, x), b = flush_subnormal(format, y);
  const Bits sign = float_sign(a) ^ float_sign(b);
  const Bits nan = canonical_nan(format), infinite = with_sign(sign, infinity(format));
  const Bits zero = zero_of(sign, format);

  const Bits is_invalid = is_nan(format, a) | is_nan(format, b) | (is_float_zero(a) & is_float_zero(b)) |
                          (is_infinite(format, a) & is_infinite(format, b));
  const Bits approximation = flush_subnormal(format, float_approximate(Approximation::divide, format, a, b));
  const Bits number = ite(is_infinite(format, a) | is_float_zero(b), infinite,
                          ite(is_infinite(format, b) | is_float_zero(a), zero, approximation));
  const Bits quotient = ite(is_invalid, nan, number);
  if (form.has(".full")) return quotient;
  const Bits two_to_126(32, 0x7e800000);
  const Bits is_huge = less_unsigned(two_to_126, float_magnitude(b)) & ~is_nan(format, b) &
                       ~is_infinite(format, b) & ~is_nan(format, a);
  return ite(is_huge, ite(is_infinite(format, a), nan, zero), quotient);
}

Bits approximate_reciprocal(const Form& form, const Bits& a) { return by_elements(form, a, reciprocal); }

Bits approximate_square_root(const Form& form, const Bits& a) {
  return by_elements(form, a, [](FloatFormat format, const Bits& x) {
    const Bits approximation = float_approximate(Approximation::square_root, format, x);
    const Bits positive = ite(is_infinite(format, x), x, approximation);
    return ite(is_float_zero(x), x, ite(float_sign(x), canonical_nan(format), positive));
  });
}

Bits approximate_reciprocal_square_root(const Form& form, const Bits& a) {
  return by_elements(form, a, reciprocal_square_root);
}

Bits approximate_sine(const Form& form, const Bits& a) {
  return by_elements(form, a, [](FloatFormat format, const Bits& x) {
    const Bits approximation = float_approximate(Approximation::sine, format, x);
    return ite(is_float_zero(x), x, ite(is_infinite(format, x), canonical_nan(format), approximation));
  });
}

Bits approximate_cosine(const Form& form, const Bits& a) {
  return by_elements(form, a, [](FloatFormat format, const Bits& x) {
    const Bits approximation = float_approximate(Approximation::cosine, format, x);
    return ite(is_float_zero(x), one(format),
               ite(is_infinite(format, x), canonical_nan(format), approximation));
  });
}

Bits approximate_logarithm(const Form& form, const Bits& a) {
  return by_elements(form, a, [](FloatFormat format, const Bits& x) {
    const Bits approximation = float_approximate(Approximation::logarithm_2, format, x);
    const Bits positive = ite(is_infinite(format, x), x, approximation);
    return ite(is_float_zero(x), float_opposite(infinity(format)),
               ite(float_sign(x), canonical_nan(format), positive));
  });
}

Bits approximate_exponential(const Form& form, const Bits& a) {
  return by_elements(form, a, [](FloatFormat format, const Bits& x) {
    const Bits approximation = float_approximate(Approximation::exponential_2, format, x);
    const Bits of_infinity = ite(float_sign(x), zero_of(Bits::boolean(false), format), infinity(format));
    return ite(is_infinite(format, x), of_infinity, ite(is_float_zero(x), one(format), approximation));
  });
}

Bits approximate_hyperbolic_tangent(const Form& form, const Bits& a) {
  return by_elements(form, a, [](FloatFormat format, const Bits& x) {
    const Bits approximation = float_approximate(Approximation::hyperbolic_tangent, format, x);
    return ite(is_infinite(format, x), with_sign_of(x, one(format)), ite(is_float_zero(x), x, approximation));
  });
}

Bits approximate_upper_half(const Form& form, Approximation function, const Bits& a) {
  const auto upper_half = [](const Bits& x) { return concat(x.extract(32, 32), Bits(32, 0)); };
  const auto rule = function == Approximation::reciprocal ? reciprocal : reciprocal_square_root;
  return upper_half(by_elements(form, upper_half(a), rule));
}

}  // namespace ptxmc
