#include "src/ptx/constant.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>

namespace ptxmc::syntax {

namespace {

/// Operators of a higher level have lower precedence: PTX ISA 8.7 § 4.5.4, Table 4.
int level(BinaryOperator op) {
  static constexpr int levels[] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 5, 6, 7, 8, 9};
  static_assert(std::size(levels) == static_cast<std::size_t>(BinaryOperator::logical_or) + 1);
  return levels[static_cast<std::size_t>(op)];
}

void require_double_precision(const Constant& a) {
  if (a.kind == Constant::Kind::f32)
    throw ConstantError("a single-precision constant (0f…) takes no part in constant expressions");
}

void require_integer(const Constant& a) {
  require_double_precision(a);
  if (!a.is_integer()) throw ConstantError("this operator takes integers, found a floating-point constant");
}

Constant truth(bool value) { return Constant::of_signed(value); }

Constant evaluate_double(BinaryOperator op, double a, double b) {
  using enum BinaryOperator;
  switch (op) {
    case multiply:
      return Constant::of_double(a * b);
    case divide:
      return Constant::of_double(a / b);
    case add:
      return Constant::of_double(a + b);
    case subtract:
      return Constant::of_double(a - b);
    case less:
      return truth(a < b);
    case greater:
      return truth(a > b);
    case less_equal:
      return truth(a <= b);
    case greater_equal:
      return truth(a >= b);
    case equal:
      return truth(a == b);
    case not_equal:
      return truth(a != b);
    default:
      throw ConstantError("this operator takes integers, found a floating-point constant");
  }
}

std::uint64_t divide_integers(std::uint64_t a, std::uint64_t b, bool is_signed) {
  if (b == 0) throw ConstantError("division by zero");
  if (!is_signed) return a / b;
  const auto divisor = static_cast<std::int64_t>(b);
  if (divisor == -1) return 0 - a;  // the only quotient that may overflow wraps around
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(a) / divisor);
}

/// The manual defines the type of the amount, but not the result of shifting out all bits.
void require_shift_amount(std::uint64_t amount) {
  if (amount >= 64) throw ConstantError(fmt::format("the shift amount {} is not in 0..63", amount));
}

Constant shift_right_integer(const Constant& a, std::uint64_t amount) {
  require_shift_amount(amount);
  return a.kind == Constant::Kind::s64 ? Constant::of_signed(a.to_signed() >> amount)
                                       : Constant::of_unsigned(a.bits >> amount);
}

Constant shift_left_integer(const Constant& a, std::uint64_t amount) {
  require_shift_amount(amount);
  return {a.kind, a.bits << amount};
}

Constant remainder_of_integers(std::uint64_t a, std::uint64_t b) {
  if (b == 0) throw ConstantError("division by zero");
  return {Constant::Kind::s64, a % b};  // Table 5 of 6.4: operands .u64, result .s64
}

Constant evaluate_integer(BinaryOperator op, const Constant& x, const Constant& y) {
  using enum BinaryOperator;
  const std::uint64_t a = x.bits, b = y.bits;
  // "The usual arithmetic conversions": unsigned if either operand is.
  const bool is_signed = x.kind == Constant::Kind::s64 && y.kind == Constant::Kind::s64;
  const auto converted = [&](std::uint64_t bits) {
    return Constant{is_signed ? Constant::Kind::s64 : Constant::Kind::u64, bits};
  };
  const auto is_less = [&](std::uint64_t left, std::uint64_t right) {
    return is_signed ? static_cast<std::int64_t>(left) < static_cast<std::int64_t>(right) : left < right;
  };
  switch (op) {
    case multiply:
      return converted(a * b);
    case divide:
      return converted(divide_integers(a, b, is_signed));
    case remainder:
      return remainder_of_integers(a, b);
    case add:
      return converted(a + b);
    case subtract:
      return converted(a - b);
    case shift_left:
      return shift_left_integer(x, b);
    case shift_right:
      return shift_right_integer(x, b);
    case less:
      return truth(is_less(a, b));
    case greater:
      return truth(is_less(b, a));
    case less_equal:
      return truth(!is_less(b, a));
    case greater_equal:
      return truth(!is_less(a, b));
    case equal:
      return truth(a == b);
    case not_equal:
      return truth(a != b);
    case bit_and:
      return converted(a & b);
    case bit_xor:
      return converted(a ^ b);
    case bit_or:
      return converted(a | b);
    case logical_and:
      return truth(a != 0 && b != 0);
    case logical_or:
      return truth(a != 0 || b != 0);
  }
  throw std::logic_error("no such operator");
}

void require_same_kind(const Constant& a, const Constant& b) {
  require_double_precision(a);
  require_double_precision(b);
  if (a.is_integer() != b.is_integer())
    throw ConstantError("a constant expression does not mix integers and floating-point constants");
}

}  // namespace

Constant Constant::of_double(double value) {
  return {Constant::Kind::f64, std::bit_cast<std::uint64_t>(value)};
}

double Constant::to_double() const { return std::bit_cast<double>(bits); }

std::string to_string(const Constant& constant) {
  constexpr auto lowest = std::uint64_t{1} << 63;  // without the sign it would be unsigned
  switch (constant.kind) {
    case Constant::Kind::s64:
      return constant.bits == lowest ? "(.s64)0x8000000000000000" : fmt::format("{}", constant.to_signed());
    case Constant::Kind::u64:
      return fmt::format("{}U", constant.bits);
    case Constant::Kind::f64:
      return fmt::format("0d{:016x}", constant.bits);
    case Constant::Kind::f32:
      return fmt::format("0f{:08x}", constant.bits);
  }
  throw std::logic_error("no such kind of constant");
}

Constant evaluate(UnaryOperator op, const Constant& a) {
  using enum UnaryOperator;
  require_double_precision(a);
  switch (op) {
    case plus:
      return a;
    case minus:
      return a.is_integer() ? Constant{a.kind, 0 - a.bits} : Constant::of_double(-a.to_double());
    case logical_not:
      require_integer(a);
      return truth(a.bits == 0);
    case complement:
      require_integer(a);
      return Constant::of_unsigned(~a.bits);
    case to_signed:
      require_integer(a);
      return {Constant::Kind::s64, a.bits};
    case to_unsigned:
      require_integer(a);
      return {Constant::Kind::u64, a.bits};
  }
  throw std::logic_error("no such operator");
}

Constant evaluate(BinaryOperator op, const Constant& a, const Constant& b) {
  require_same_kind(a, b);
  return a.is_integer() ? evaluate_integer(op, a, b) : evaluate_double(op, a.to_double(), b.to_double());
}

Constant evaluate_conditional(const Constant& condition, const Constant& then_value,
                              const Constant& else_value) {
  require_integer(condition);
  require_same_kind(then_value, else_value);
  Constant chosen = condition.bits != 0 ? then_value : else_value;
  if (then_value.kind == Constant::Kind::u64 || else_value.kind == Constant::Kind::u64)
    chosen.kind = Constant::Kind::u64;
  return chosen;
}

Constant evaluate(const Constant& first, const std::vector<OperatorAndOperand>& rest) {
  Constant value = first;
  std::vector<OperatorAndOperand> waiting;  // operands to the left, with the operator that follows each
  const auto reduce_down_to = [&](int tighter_than) {
    while (!waiting.empty() && level(waiting.back().op) <= tighter_than) {
      value = evaluate(waiting.back().op, waiting.back().operand, value);
      waiting.pop_back();
    }
  };
  for (const auto& [op, operand] : rest) {
    reduce_down_to(level(op));
    waiting.push_back({op, value});
    value = operand;
  }
  reduce_down_to(std::numeric_limits<int>::max());
  return value;
}

}  // namespace ptxmc::syntax
