#include "src/kernel/launch/condition.hpp"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/nesting.hpp"
#include "semantics/values/float_operations.hpp"
#include "semantics/values/float_value.hpp"

namespace ptxmc::kernel {

namespace {

constexpr FloatFormat f64 = FloatFormat::f64;
constexpr Rounding nearest = Rounding::nearest_even;

Number floating(const Bits& bits) { return {true, bits}; }
Number truth(const Bits& bit) { return {false, bit.zero_extend(128)}; }

Bits constant(double value) { return Bits(64, std::bit_cast<std::uint64_t>(value)); }

/// The nearest f64 to an unknown integer of 128 bits. Only integers of 64 bits can be converted, so a larger
/// one is shifted until it fits; its lowest bit then stands for all bits that were shifted out. At least 56
/// bits are left, three more than an f64 has, so that the rounding is the same.
Bits nearest_to_unknown(const Bits& integer) {
  constexpr unsigned step = 8, most = 64;
  Bits result;
  for (unsigned shift = most;; shift -= step) {
    const Bits shifted = shift == 0 ? integer : integer.extract(shift, 128 - shift).sign_extend(128);
    Bits kept = shifted.extract(0, 64);
    const Bits fits = equal(kept.sign_extend(128), shifted);
    if (shift != 0) kept = kept | (~equal(integer.extract(0, shift), Bits(shift, 0))).zero_extend(64);
    const Bits converted = float_multiply(f64, nearest, float_from_signed(f64, nearest, kept),
                                          constant(std::ldexp(1.0, static_cast<int>(shift))));
    result = result.width() == 0 ? converted : ite(fits, converted, result);
    if (shift == 0) return result;
  }
}

/// Converts to the nearest f64.
Bits to_double(const Number& n) {
  if (n.is_float) return n.bits;
  if (n.bits.is_constant()) return constant(static_cast<double>(n.bits.to_s128()));
  const Bits low = n.bits.extract(0, 64);
  const bool is_small = equal(low.sign_extend(128), n.bits).is_true();
  return is_small ? float_from_signed(f64, nearest, low) : nearest_to_unknown(n.bits);
}

Bits is_true(const Number& n) { return n.is_float ? ~is_float_zero(n.bits) : ~equal(n.bits, Bits(128, 0)); }

/// Parses and evaluates a condition, by recursive descent from the operators of lowest precedence.
class ConditionReader {
 public:
  ConditionReader(const std::string& text, const NumberOf& number_of, const LaunchPlace& place,
                  const char* what = "condition")
      : text_(text), number_of_(number_of), place_(place), what_(what) {}

  Number read() {
    constexpr std::size_t longest = 1 << 19;  // `run` parses an assumption once for each input that it tries
    if (text_.size() > longest)
      throw InputError(
          place_.file, place_.where,
          fmt::format("found a {} of {} characters, expected at most {}", what_, text_.size(), longest));
    const Number result = binary(0);
    blanks();
    if (at_ != text_.size()) fail("an operator");
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    const std::string found = at_ < text_.size() ? fmt::format("'{}'", text_.substr(at_, 1)) : "the end";
    fail_with(fmt::format("found {} at character {}, expected {}", found, at_ + 1, expected));
  }

  [[noreturn]] void fail_with(const std::string& message) const {
    constexpr std::size_t longest = 200;
    const bool is_long = text_.size() > longest;
    throw InputError(
        place_.file, place_.where,
        fmt::format("in the {} '{}{}': {}", what_, text_.substr(0, longest), is_long ? "…" : "", message));
  }

  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  bool take(std::string_view token) {
    blanks();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    // `<` must not match the beginning of `<=`, nor `!` that of `!=`.
    const char next = at_ + token.size() < text_.size() ? text_[at_ + token.size()] : ' ';
    if (next == '=' && (token == "<" || token == ">" || token == "!")) return false;
    at_ += token.size();
    return true;
  }

  struct BinaryOperator {
    std::string_view token;
    std::size_t level = 0;  ///< operators of a higher level bind tighter
  };

  /// Takes an operator of at least this level, if one is next.
  std::optional<BinaryOperator> take_operator(std::size_t lowest) {
    static const std::vector<std::vector<std::string_view>> levels = {
        {"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}};
    for (std::size_t level = lowest; level < levels.size(); ++level)
      for (const std::string_view token : levels[level])
        if (take(token)) return BinaryOperator{token, level};
    return std::nullopt;
  }

  /// Operands of operators of at least this level: one frame of the stack for each nesting, not for each
  /// level.
  Number binary(std::size_t lowest) {
    Number left = unary();
    while (const auto found = take_operator(lowest))
      left = apply(found->token, left, binary(found->level + 1));
    return left;
  }

  Number apply(std::string_view op, const Number& a, const Number& b) {
    if (op == "&&") return truth(is_true(a) & is_true(b));
    if (op == "||") return truth(is_true(a) | is_true(b));
    if (!a.is_float && !b.is_float) return of_integers(op, a.bits, b.bits);
    const Bits x = to_double(a), y = to_double(b);
    if (op == "+") return floating(float_add(f64, nearest, x, y));
    if (op == "-") return floating(float_add(f64, nearest, x, float_opposite(y)));
    if (op == "*") return floating(float_multiply(f64, nearest, x, y));
    if (op == "/") return floating(float_divide(f64, nearest, x, y));
    if (op == "%") fail("integers for %");
    const Bits is_less = float_less(f64, x, y), is_equal = float_equal(f64, x, y);
    const Bits is_greater = float_less(f64, y, x);
    return truth(compare(op, is_less, is_equal, is_greater));
  }

  Number of_integers(std::string_view op, const Bits& a, const Bits& b) {
    if (op == "+") return {false, a + b};
    if (op == "-") return {false, a - b};
    if (op == "*") return {false, a * b};
    if ((op == "/" || op == "%") && equal(b, Bits(128, 0)).is_true()) fail("a divisor that is not 0");
    if (op == "/") return {false, divide_signed(a, b)};
    if (op == "%") return {false, remainder_signed(a, b)};
    return truth(compare(op, less_signed(a, b), equal(a, b), less_signed(b, a)));
  }

  static Bits compare(std::string_view op, const Bits& is_less, const Bits& is_equal,
                      const Bits& is_greater) {
    if (op == "==") return is_equal;
    if (op == "!=") return ~is_equal;
    if (op == "<") return is_less;
    if (op == "<=") return is_less | is_equal;
    return op == ">" ? is_greater : is_greater | is_equal;
  }

  /// All nesting of a condition goes through this function.
  Number unary() {
    const NestingLevel level(levels_, [&](const std::string& message) {
      fail_with(fmt::format("{} at character {}", message, at_ + 1));
    });
    if (take("!")) return truth(~is_true(unary()));
    if (take("-")) {
      const Number operand = unary();
      return operand.is_float ? floating(float_opposite(operand.bits)) : Number{false, -operand.bits};
    }
    if (take("(")) {
      const Number inner = binary(0);
      if (!take(")")) fail("')'");
      return inner;
    }
    blanks();
    const char c = at_ < text_.size() ? text_[at_] : ' ';
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) return literal();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') return name();
    fail("a number or a name");
  }

  Number literal() {
    const char* const begin = text_.c_str() + at_;
    char *integer_end = nullptr, *float_end = nullptr;
    errno = 0;
    const std::uint64_t integer = std::strtoull(begin, &integer_end, 0);
    const bool is_too_large = errno == ERANGE;
    const double value = std::strtod(begin, &float_end);
    if (float_end > integer_end) {
      if (std::isinf(value)) fail("a number of f64");
      at_ += static_cast<std::size_t>(float_end - begin);
      return floating(Bits(64, std::bit_cast<std::uint64_t>(value)));
    }
    if (is_too_large) fail("an integer of 64 bits");
    at_ += static_cast<std::size_t>(integer_end - begin);
    return Number::integer(integer);
  }

  Number name() {
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    if (at_ + 1 < text_.size() && text_[at_] == '.' && text_[at_ + 1] >= 'x' && text_[at_ + 1] <= 'z')
      at_ += 2;  // `block.x`
    const std::string name = text_.substr(start, at_ - start);
    if (name == "bits" && take("(")) return bits_of_element();
    std::optional<std::uint64_t> index;
    if (take("[")) {
      const Number value = binary(0);
      if (value.is_float || !value.bits.is_constant()) fail("an integer as index");
      index = value.bits.to_u64();
      if (!take("]")) fail("']'");
    }
    const auto number = number_of_(name, index);
    if (number) return *number;
    at_ = start;
    fail("a scalar parameter or an element of a buffer");
  }

  /// `bits(x[1])`, behind the parenthesis.
  Number bits_of_element() {
    const std::size_t start = at_;
    const Number inner = binary(0);
    if (inner.pattern.width() == 0) {
      at_ = start;
      fail("a parameter or an element of a buffer");
    }
    if (!take(")")) fail("')'");
    return {false, inner.pattern.zero_extend(128)};
  }

  const std::string& text_;
  const NumberOf& number_of_;
  const LaunchPlace& place_;
  const char* const what_;
  std::size_t at_ = 0;
  unsigned levels_ = 0;
};

}  // namespace

Number number_of(const ElementType& element, const Bits& value) {
  const Type& type = element.type;
  if (type.is_float()) return {true, float_convert(f64, *type.format, nearest, value), value};
  Number integer = {false, type.is_signed() ? value.sign_extend(128) : value.zero_extend(128), value};
  if (!element.is_normalized) return integer;
  const Bits largest = constant(std::ldexp(1.0, type.width - (type.is_signed() ? 1 : 0)) - 1);
  const Bits quotient = float_divide(f64, nearest, to_double(integer), largest);
  return {true, ite(float_less(f64, quotient, constant(-1)), constant(-1), quotient), value};
}

Bits condition_holds(const std::string& condition, const NumberOf& number_of, const LaunchPlace& place) {
  return is_true(ConditionReader(condition, number_of, place).read());
}

Bits integer_value(const std::string& expression, const NumberOf& number_of, const LaunchPlace& place) {
  const Number result = ConditionReader(expression, number_of, place, "length").read();
  if (result.is_float)
    throw InputError(place.file, place.where,
                     fmt::format("found the floating-point number '{}', expected an integer", expression));
  return result.bits;
}

}  // namespace ptxmc::kernel
