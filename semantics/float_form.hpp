#pragma once

#include "semantics/float_operations.hpp"
#include "semantics/float_value.hpp"
#include "semantics/form.hpp"

namespace ptxmc {

/// The mode that a form's modifiers say; nearest even without one (PTX ISA 8.7 § 9.7.3).
Rounding rounding_of(const Form&);

/// How a form computes with floating-point numbers: PTX ISA 8.7 § 9.7.3.
struct FloatForm {
  FloatFormat format;
  Rounding rounding;
  bool flushes;       ///< .ftz: subnormal operands and results
  bool saturates;     ///< .sat
  bool has_relu;      ///< .relu
  unsigned elements;  ///< of a packed type; else 1

  /// In the format of an operand, the form's own type without one.
  explicit FloatForm(const Form&);
  FloatForm(const Form&, const Type&);

  Bits operand(const Bits& a) const { return flushes ? flush_subnormal(format, a) : a; }
  /// What is done to a correctly rounded result: .ftz, .sat, .relu.
  Bits result(const Bits&) const;

  /// The numbers of a packed value one by one: f(a), f(a, b), f(a, b, c). An element may also come alone.
  template <class Function, class... Operand>
  Bits by_elements(Function f, const Bits& first, const Operand&... others) const {
    const unsigned width = layout_of(format).width;
    if (elements == 1 || first.width() == width) return f(first, others...);
    const auto element = [&](unsigned i) {
      return f(first.extract(i * width, width), others.extract(i * width, width)...);
    };
    return concat(element(1), element(0));
  }
};

/// § 9.7.3: double-precision instructions support NaN payloads: the first operand that is NaN, made quiet,
/// else the result. In other formats the result.
Bits keep_payload(FloatFormat, const Bits& result, std::initializer_list<const Bits*> operands);

// The rules of § 9.7.3, § 9.7.4 and § 9.7.5, for each element of a packed type.
Bits float_sum(const Form&, const Bits& a, const Bits& b);
Bits float_difference(const Form&, const Bits& a, const Bits& b);
Bits float_product(const Form&, const Bits& a, const Bits& b);
Bits float_product_and_sum(const Form&, const Bits& a, const Bits& b, const Bits& c);
Bits float_absolute(const Form&, const Bits& a);
Bits float_negate(const Form&, const Bits& a);
/// With .NaN and .xorsign.abs; −0 < +0.
Bits float_minimum(const Form&, const Bits& a, const Bits& b);
Bits float_maximum(const Form&, const Bits& a, const Bits& b);

/// § 9.3.1.2: a comparison operator of the form.
Bits float_compare(const Form&, FloatFormat, const Bits& a, const Bits& b);

}  // namespace ptxmc
