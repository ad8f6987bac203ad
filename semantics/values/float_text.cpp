#include "semantics/values/float_text.hpp"

#include <cmath>

#include "semantics/values/approximation.hpp"

namespace ptxmc {

namespace {

std::string name_of(FloatFormat format) {
  switch (format) {
    case FloatFormat::f16:
      return "f16";
    case FloatFormat::bf16:
      return "bf16";
    case FloatFormat::f32:
      return "f32";
    case FloatFormat::f64:
      return "f64";
    default:
      fail_check("arithmetic in a format that has none");
  }
}

std::string suffix_of(Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest_even:
      return ".rn";
    case Rounding::toward_zero:
      return ".rz";
    case Rounding::downward:
      return ".rm";
    case Rounding::upward:
      return ".rp";
    case Rounding::nearest_away:
      break;
  }
  fail_check("arithmetic that rounds to nearest away");
}

std::string smtlib_mode(Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest_even:
      return "RNE";
    case Rounding::toward_zero:
      return "RTZ";
    case Rounding::downward:
      return "RTN";
    case Rounding::upward:
      return "RTP";
    case Rounding::nearest_away:
      return "RNA";
  }
  fail_check("no such rounding");
}

std::string precision_of(FloatFormat format) {
  const FloatLayout l = layout_of(format);
  return std::to_string(l.exponent) + " " + std::to_string(l.precision());
}

std::string to_float(FloatFormat format) { return "((_ to_fp " + precision_of(format) + ") "; }

/// 2^power as a number of the format; infinity if the format has no number that large.
std::string power_of_2(FloatFormat format, unsigned power, bool is_negative) {
  std::string number = std::to_string(std::ldexp(1.0, static_cast<int>(power)));
  number.resize(number.find('.') + 2);
  return to_float(format) + "RNE " + (is_negative ? "(- " + number + ")" : number) + ")";
}

std::string hexadecimal(unsigned width, u128 value) { return to_smtlib(Bits(width, value)); }

/// Converts the result of an expression to bits; a NaN becomes the canonical NaN.
FloatText as_bits(FloatFormat format, const std::string& before, const std::string& before_operand) {
  return {"(let ((?f (" + before, " " + before_operand, before_operand.empty() ? "" : ")",
          "))) (ite (fp.isNaN ?f) " + to_smtlib(canonical_nan(format)) + " (fp.to_ieee_bv ?f)))"};
}

/// Rounded, then clamped to the integers of the width.
FloatText to_integer(const Term& t, bool is_signed) {
  const unsigned width = t.width;
  const u128 highest = (u128{1} << (is_signed ? width - 1 : width)) - 1;
  const std::string lowest = hexadecimal(width, is_signed ? ~highest : 0);
  const std::string below = is_signed ? "(fp.leq ?f " + power_of_2(t.format, width - 1, true) + ")"
                                      : "(fp.lt ?f (_ +zero " + precision_of(t.format) + "))";
  const std::string above = "(fp.geq ?f " + power_of_2(t.format, is_signed ? width - 1 : width, false) + ")";
  return {"(let ((?f (fp.roundToIntegral " + smtlib_mode(t.rounding), " " + to_float(t.format), ")",
          "))) (ite (fp.isNaN ?f) " + hexadecimal(width, 0) + " (ite " + below + " " + lowest + " (ite " +
              above + " " + hexadecimal(width, highest) + " ((_ fp.to_" + (is_signed ? "s" : "u") + "bv " +
              std::to_string(width) + ") RTZ ?f)))))"};
}

}  // namespace

bool is_float_operator(Operator op) { return op >= Operator::float_add; }

std::string float_sort(FloatFormat format) { return "(_ FloatingPoint " + precision_of(format) + ")"; }

std::string float_function_name(const Term& t) {
  const std::string rounding = suffix_of(t.rounding), format = name_of(t.format);
  const std::string integer = std::to_string(t.width);
  switch (t.op) {
    case Operator::float_add:
      return "add" + rounding + "." + format;
    case Operator::float_multiply:
      return "mul" + rounding + "." + format;
    case Operator::float_divide:
      return "div" + rounding + "." + format;
    case Operator::float_multiply_add:
      return "fma" + rounding + "." + format;
    case Operator::float_square_root:
      return "sqrt" + rounding + "." + format;
    case Operator::float_round_to_integral:
      return "round" + rounding + "i." + format;
    case Operator::float_convert:
      return format + "_from_" + name_of(t.from) + rounding;
    case Operator::float_from_unsigned:
      return format + "_from_u" + std::to_string(t.operands[0]->width) + rounding;
    case Operator::float_from_signed:
      return format + "_from_s" + std::to_string(t.operands[0]->width) + rounding;
    case Operator::float_to_unsigned:
      return "u" + integer + "_from_" + format + rounding + "i";
    case Operator::float_to_signed:
      return "s" + integer + "_from_" + format + rounding + "i";
    case Operator::float_approximate:
      return std::string(name_of(static_cast<Approximation>(t.low))) + ".approx." + format;
    case Operator::float_add_error:
      return "error_with_product";
    default:
      fail_check("no floating-point operator");
  }
}

FloatText float_smtlib(const Term& t) {
  const std::string mode = smtlib_mode(t.rounding);
  const auto arithmetic = [&](const char* function) {
    return as_bits(t.format, function + (" " + mode), to_float(t.format));
  };
  switch (t.op) {
    case Operator::float_add:
      return arithmetic("fp.add");
    case Operator::float_multiply:
      return arithmetic("fp.mul");
    case Operator::float_divide:
      return arithmetic("fp.div");
    case Operator::float_multiply_add:
      return arithmetic("fp.fma");
    case Operator::float_square_root:
      return arithmetic("fp.sqrt");
    case Operator::float_round_to_integral:
      return arithmetic("fp.roundToIntegral");
    case Operator::float_convert:
      return as_bits(t.format, "(_ to_fp " + precision_of(t.format) + ") " + mode, to_float(t.from));
    case Operator::float_from_unsigned:
      return as_bits(t.format, "(_ to_fp_unsigned " + precision_of(t.format) + ") " + mode, "");
    case Operator::float_from_signed:
      return as_bits(t.format, "(_ to_fp " + precision_of(t.format) + ") " + mode, "");
    case Operator::float_to_unsigned:
      return to_integer(t, false);
    case Operator::float_to_signed:
      return to_integer(t, true);
    case Operator::float_approximate:
    case Operator::float_add_error:
      return {"(" + float_function_name(t), " ", "", ")"};
    default:
      fail_check("no floating-point operator");
  }
}

}  // namespace ptxmc
