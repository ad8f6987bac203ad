#pragma once

#include "semantics/language/form.hpp"
#include "semantics/values/float_operations.hpp"
#include "semantics/values/float_value.hpp"

namespace ptxmc {

/// The rounding mode of a form; nearest even if no modifier gives one (PTX ISA 8.7 § 9.7.3).
Rounding rounding_of(const Form&);

/// The type of one of the numbers in a packed floating-point operand.
Type element_type(const Type& packed);

/// Floating-point properties of a form, given by its modifiers: PTX ISA 8.7 § 9.7.3.
struct FloatForm {
  FloatFormat format;
  Rounding rounding;
  bool flushes;       ///< .ftz: subnormal operands and results
  bool saturates;     ///< .sat
  bool has_relu;      ///< .relu
  unsigned elements;  ///< of a packed type; else 1

  /// For numbers in the given format; without it, in the format of the form's type.
  explicit FloatForm(const Form&);
  FloatForm(const Form&, const Type&);

  Bits operand(const Bits& a) const { return flushes ? flush_subnormal(format, a) : a; }
  /// Applies .ftz, .sat and .relu to a correctly rounded result.
  Bits result(const Bits&) const;

  /// Applies a function to the elements of packed values: f(a), f(a, b), f(a, b, c). An operand may also be a
  /// single element.
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

/// § 9.7.3: double-precision instructions keep NaN payloads. In .f64, if an operand is NaN, returns the first
/// such operand, made quiet; otherwise, and in other formats, returns the result.
Bits keep_payload(FloatFormat, const Bits& result, std::initializer_list<const Bits*> operands);

// The rules of § 9.7.3, § 9.7.4 and § 9.7.5, for each element of a packed type.
Bits float_sum(const Form&, const Bits& a, const Bits& b);
Bits float_difference(const Form&, const Bits& a, const Bits& b);
Bits float_product(const Form&, const Bits& a, const Bits& b);
Bits float_product_and_sum(const Form&, const Bits& a, const Bits& b, const Bits& c);
Bits float_absolute(const Form&, const Bits& a);
Bits float_negate(const Form&, const Bits& a);
/// Supports .NaN and .xorsign.abs; −0 < +0.
Bits float_minimum(const Form&, const Bits& a, const Bits& b);
Bits float_maximum(const Form&, const Bits& a, const Bits& b);
/// The same for numbers of another type than that of the form.
Bits float_minimum(const Form&, const Type&, const Bits& a, const Bits& b);
Bits float_maximum(const Form&, const Type&, const Bits& a, const Bits& b);

/// § 9.3.1.2: applies the comparison operator of the form.
Bits float_compare(const Form&, FloatFormat, const Bits& a, const Bits& b);

}  // namespace ptxmc
