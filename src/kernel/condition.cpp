#include "src/kernel/condition.hpp"

#include <fmt/format.h>

#include <cctype>

#include "semantics/diagnostic.hpp"

namespace ptxmc::kernel {

namespace {

double to_double(const Number& n) {
  return std::visit([](auto value) { return static_cast<double>(value); }, n);
}

bool is_true(const Number& n) {
  return std::visit([](auto value) { return value != 0; }, n);
}

/// Evaluates while it reads: by precedence, the loosest operators first.
class Reader {
 public:
  Reader(const std::string& text, const NumberOf& number_of, const std::string& file)
      : text_(text), number_of_(number_of), file_(file) {}

  Number read() {
    const Number result = binary(0);
    blanks();
    if (at_ != text_.size()) fail("an operator");
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    const std::string found = at_ < text_.size() ? fmt::format("'{}'", text_.substr(at_, 1)) : "the end";
    throw InputError(file_, {},
                     fmt::format("in the condition '{}': found {} at character {}, expected {}", text_, found,
                                 at_ + 1, expected));
  }

  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  bool take(std::string_view token) {
    blanks();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    // `<` is no beginning of `<=`, `!` none of `!=`.
    const char next = at_ + token.size() < text_.size() ? text_[at_ + token.size()] : ' ';
    if (next == '=' && (token == "<" || token == ">" || token == "!")) return false;
    at_ += token.size();
    return true;
  }

  Number binary(std::size_t level) {
    static const std::vector<std::vector<std::string_view>> levels = {
        {"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}};
    if (level == levels.size()) return unary();
    Number left = binary(level + 1);
    for (;;) {
      std::string_view found;
      for (const std::string_view token : levels[level])
        if (found.empty() && take(token)) found = token;
      if (found.empty()) return left;
      left = apply(found, left, binary(level + 1));
    }
  }

  Number apply(std::string_view op, const Number& a, const Number& b) {
    if (op == "&&") return s128{is_true(a) && is_true(b)};
    if (op == "||") return s128{is_true(a) || is_true(b)};
    if (std::holds_alternative<s128>(a) && std::holds_alternative<s128>(b))
      return of_integers(op, std::get<s128>(a), std::get<s128>(b));
    const double x = to_double(a), y = to_double(b);
    if (op == "+") return x + y;
    if (op == "-") return x - y;
    if (op == "*") return x * y;
    if (op == "/") return x / y;
    if (op == "%") fail("integers for %");
    return s128{compare(op, x, y)};
  }

  Number of_integers(std::string_view op, s128 a, s128 b) {
    if (op == "+") return a + b;
    if (op == "-") return a - b;
    if (op == "*") return a * b;
    if ((op == "/" || op == "%") && b == 0) fail("a divisor that is not 0");
    if (op == "/") return a / b;
    if (op == "%") return a % b;
    return s128{compare(op, a, b)};
  }

  template <class Value>
  static bool compare(std::string_view op, Value a, Value b) {
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<") return a < b;
    if (op == "<=") return a <= b;
    return op == ">" ? a > b : a >= b;
  }

  Number unary() {
    if (take("!")) return s128{!is_true(unary())};
    if (take("-")) return apply("-", s128{0}, unary());
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
    std::size_t integer_end = 0, float_end = 0;
    const std::string rest = text_.substr(at_);
    const std::uint64_t integer = std::stoull(rest, &integer_end, 0);
    const double floating = std::stod(rest, &float_end);
    at_ += std::max(integer_end, float_end);
    if (float_end > integer_end) return floating;
    return s128{integer};
  }

  Number name() {
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    const std::string name = text_.substr(start, at_ - start);
    std::optional<std::uint64_t> index;
    if (take("[")) {
      const Number value = binary(0);
      if (!std::holds_alternative<s128>(value)) fail("an integer as index");
      index = static_cast<std::uint64_t>(std::get<s128>(value));
      if (!take("]")) fail("']'");
    }
    const auto number = number_of_(name, index);
    if (number) return *number;
    at_ = start;
    fail("a scalar parameter or an element of a buffer");
  }

  const std::string& text_;
  const NumberOf& number_of_;
  const std::string& file_;
  std::size_t at_ = 0;
};

}  // namespace

bool condition_holds(const std::string& condition, const NumberOf& number_of, const std::string& file) {
  return is_true(Reader(condition, number_of, file).read());
}

}  // namespace ptxmc::kernel
