#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace ptxmc::syntax {

/// The value of a constant or a constant expression: PTX ISA 8.7 § 4.5.
struct Constant {
  enum class Kind : std::uint8_t {
    s64,
    u64,
    f64,
    f32,  ///< `0f3f800000`: exactly this single-precision value; not allowed in expressions
  };
  Kind kind = Kind::s64;
  std::uint64_t bits = 0;  ///< two's complement, or the bits of the floating-point value

  static Constant of_signed(std::int64_t value) { return {Kind::s64, static_cast<std::uint64_t>(value)}; }
  static Constant of_unsigned(std::uint64_t value) { return {Kind::u64, value}; }
  static Constant of_double(double value);

  bool is_integer() const { return kind == Kind::s64 || kind == Kind::u64; }
  std::int64_t to_signed() const { return static_cast<std::int64_t>(bits); }
  double to_double() const;  ///< of an f64

  friend bool operator==(const Constant&, const Constant&) = default;
};

/// Text that parses as the same constant: `-3`, `7U`, `0d3ff0000000000000`, `0f3f800000`.
std::string to_string(const Constant&);

/// `WARP_SZ`: PTX ISA 8.7 § 4.5.1.
inline constexpr std::int64_t warp_size = 32;

/// A constant expression without a value: division by zero, mixed types.
struct ConstantError : std::domain_error {
  using std::domain_error::domain_error;
};

enum class UnaryOperator : std::uint8_t { plus, minus, logical_not, complement, to_signed, to_unsigned };

/// In the order of precedence; operators with the highest precedence come first.
enum class BinaryOperator : std::uint8_t {
  multiply,
  divide,
  remainder,
  add,
  subtract,
  shift_left,
  shift_right,
  less,
  greater,
  less_equal,
  greater_equal,
  equal,
  not_equal,
  bit_and,
  bit_xor,
  bit_or,
  logical_and,
  logical_or,
};

/// The evaluation rules of PTX ISA 8.7 § 4.5.5. All throw ConstantError.
Constant evaluate(UnaryOperator, const Constant&);
Constant evaluate(BinaryOperator, const Constant&, const Constant&);
Constant evaluate_conditional(const Constant& condition, const Constant& then_value,
                              const Constant& else_value);

struct OperatorAndOperand {
  BinaryOperator op;
  Constant operand;
};

/// `first op1 operand1 op2 operand2 …` by precedence, from left to right within a level.
Constant evaluate(const Constant& first, const std::vector<OperatorAndOperand>& rest);

}  // namespace ptxmc::syntax
