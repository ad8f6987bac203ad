// The functions of C++ litmus tests: recursive descent over tokens, as deep as nesting.hpp allows.
#include "src/litmus/c_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "semantics/language/nesting.hpp"
#include "src/litmus/c_tokens.hpp"
#include "src/litmus/c_words.hpp"

namespace ptxmc {

namespace {

using namespace c_syntax;
using litmus_syntax::Part;

constexpr std::array<std::string_view, 11> assignments = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

/// From the loosest to the tightest.
constexpr std::array<std::array<std::string_view, 4>, 10> precedence = {{{"||"},
                                                                         {"&&"},
                                                                         {"|"},
                                                                         {"^"},
                                                                         {"&"},
                                                                         {"==", "!="},
                                                                         {"<", ">", "<=", ">="},
                                                                         {"<<", ">>"},
                                                                         {"+", "-"},
                                                                         {"*", "/", "%"}}};

constexpr std::array<std::string_view, 8> unary_operators = {"!", "-", "~", "+", "*", "&", "++", "--"};

class Parser {
 public:
  Parser(const SourceText& source, Part part) : tokens_(source, part.first, part.last) {}

  Function function() {
    Function result;
    tokens_.require("(");
    if (tokens_.is("void") && tokens_.next().text == ")") tokens_.advance();
    while (!tokens_.is(")")) {
      if (!result.parameters.empty()) tokens_.require(",");
      result.parameters.push_back(parameter());
    }
    tokens_.require(")");
    result.body = block();
    if (tokens_.current().kind != CToken::Kind::end) tokens_.fail("the end of the function");
    return result;
  }

  CType whole_type() {
    const CType result = type();
    if (tokens_.current().kind != CToken::Kind::end) tokens_.fail("a variable behind its type");
    return result;
  }

 private:
  // ---- words ----

  SourcePosition here() const { return tokens_.source().position(tokens_.current().first); }

  std::string current_name() const {
    if (tokens_.current().kind != CToken::Kind::name) return {};
    return without_namespace(tokens_.current().text);
  }

  bool at_type() const {
    return !current_name().empty() && (begins_type(current_name()) || at_barrier_type());
  }

  /// `cuda::barrier<`; without `<` it is a function of OpenCL.
  bool at_barrier_type() const {
    CTokens ahead = tokens_;
    ahead.advance();
    return current_name() == "barrier" && ahead.is("<");
  }

  /// `cuda::atomic_ref<int>(`, which begins an expression.
  bool at_construction() const {
    CTokens ahead = tokens_;
    ahead.advance();
    if (ahead.is("<"))
      while (!ahead.is(">") && ahead.current().kind != CToken::Kind::end) ahead.advance();
    ahead.skip(">");
    return ahead.is("(") && current_name() != "_Atomic";
  }

  [[noreturn]] void unsupported(const std::string& what) const { throw Unsupported(what, here()); }

  template <class Parse>
  auto nested(const Parse& parse) {
    const std::size_t at = tokens_.current().first;
    const NestingLevel level(levels_, [&](const std::string& message) {
      throw InputError(tokens_.source().file(), tokens_.source().position(at), message);
    });
    return parse();
  }

  Name name() {
    if (tokens_.current().kind != CToken::Kind::name) tokens_.fail("a name");
    const SourcePosition where = here();
    return {std::string(tokens_.advance().text), where};
  }

  // ---- types ----

  CType type() {
    CType result = scalar();
    while (tokens_.is("*") || tokens_.is("&") || is_qualifier()) {
      if (tokens_.is("*")) {
        if (result.is_pointer) unsupported("a pointer to a pointer in a litmus test");
        result.is_pointer = true;
      } else if (tokens_.is("&")) {
        result.is_reference = true;
      } else if (tokens_.is("volatile") && !result.is_pointer) {
        result.is_volatile = true;
      }
      tokens_.advance();
    }
    return result;
  }

  bool is_qualifier() const { return is_idle_qualifier(current_name()) || current_name() == "volatile"; }

  CType scalar() {
    bool is_volatile = false;
    while (is_qualifier()) is_volatile |= tokens_.advance().text == "volatile";
    const std::string first = current_name();
    if (first == "float" || first == "double" || first == "half")
      unsupported("the floating-point type " + first + " in a C++ litmus test");
    CType result;
    if (first == "void" || first == "auto") {
      result.is_void = first == "void";
      result.is_auto = first == "auto";
      tokens_.advance();
    } else if (first == "atomic" || first == "atomic_ref") {
      result = atomic_template();
    } else if (at_barrier_type()) {
      result = barrier_template();
    } else if (first == "_Atomic") {
      tokens_.advance();
      const bool in_parentheses = tokens_.skip("(");
      result = nested([&] { return scalar(); });
      if (in_parentheses) tokens_.require(")");
      result.is_atomic = true;
    } else {
      result = arithmetic();
    }
    result.is_volatile |= is_volatile;
    return result;
  }

  /// `cuda::atomic<int, cuda::thread_scope_device>`
  CType atomic_template() {
    const bool is_reference = current_name() == "atomic_ref";
    tokens_.advance();
    tokens_.require("<");
    CType result = nested([&] { return scalar(); });
    result.is_atomic = true;
    result.is_atomic_reference = is_reference;
    if (tokens_.skip(",")) {
      result.scope = memory_scope(current_name());
      if (!result.scope) tokens_.fail("a scope such as cuda::thread_scope_device");
      tokens_.advance();
    }
    tokens_.require(">");
    return result;
  }

  /// `cuda::barrier<cuda::thread_scope_block>`, `std::barrier<>`
  CType barrier_template() {
    tokens_.advance();
    tokens_.require("<");
    CType result;
    result.is_barrier = true;
    result.width = 64;
    result.is_signed = false;
    if (!tokens_.is(">")) {
      result.scope = memory_scope(current_name());
      if (!result.scope) tokens_.fail("a scope such as cuda::thread_scope_block");
      if (result.scope == Scope::none)
        unsupported("a barrier at the scope of one thread in a C++ litmus test");
      tokens_.advance();
    }
    tokens_.require(">");
    if (!tokens_.skip("::")) return result;
    if (current_name() != "arrival_token") tokens_.fail("arrival_token");
    tokens_.advance();
    result.is_barrier = false;
    result.scope.reset();
    return result;
  }

  /// One word, or several such as `unsigned long long`.
  CType arithmetic() {
    auto result = scalar_type(current_name());
    if (!result) tokens_.fail("a type such as int or atomic_int");
    bool is_unsigned = false, is_alone = true;
    unsigned longs = 0;
    std::string last;
    while (scalar_type(current_name()) && (is_alone || can_follow(current_name()))) {
      last = current_name();
      is_unsigned |= last == "unsigned";
      longs += last == "long" ? 1 : 0;
      if (last != "signed" && last != "unsigned") result = scalar_type(last);
      if (!can_follow(last)) {
        tokens_.advance();
        break;
      }
      is_alone = false;
      tokens_.advance();
    }
    if (longs > 0) result = scalar_type("long");
    if (is_unsigned) result->is_signed = false;
    return *result;
  }

  static bool can_follow(std::string_view word) {
    return word == "int" || word == "long" || word == "short" || word == "char" || word == "signed" ||
           word == "unsigned";
  }

  Parameter parameter() {
    if (current_name() == "__shared__" || current_name() == "local" || current_name() == "__local")
      unsupported("a parameter in shared memory in a litmus test");
    if (!at_type()) tokens_.fail("a parameter such as atomic_int* x");
    Parameter result;
    result.type = type();
    const std::size_t at = tokens_.current().first;
    result.name = name();
    if (tokens_.skip("[")) {
      if (tokens_.current().kind == CToken::Kind::number) tokens_.advance();
      tokens_.require("]");
      result.type.is_pointer = true;
    }
    if (!result.type.is_pointer && !result.type.is_reference)
      throw tokens_.source().expected(at, "'*' or '&' before the name of a parameter");
    return result;
  }

  // ---- statements ----

  Statement block() {
    Statement result;
    result.where = here();
    tokens_.require("{");
    while (!tokens_.is("}")) {
      if (tokens_.current().kind == CToken::Kind::end) tokens_.fail("'}'");
      result.statements.push_back(statement());
    }
    tokens_.require("}");
    return result;
  }

  Statement statement() {
    const std::size_t first = tokens_.current().first;
    Statement result = nested([&] { return any_statement(); });
    result.first = first;
    result.last = tokens_.previous_end();
    return result;
  }

  Statement any_statement() {
    if (tokens_.is("{")) return block();
    Statement result;
    result.where = here();
    if (tokens_.skip(";")) return result;
    const std::string word = current_name();
    if (word == "if") return if_statement();
    if (word == "while" || word == "do" || word == "for") return loop(word);
    if (word == "goto" || word == "switch" || word == "asm" || word == "__asm__")
      unsupported("'" + word + "' in a C++ litmus test");
    for (const std::string_view object : {"latch", "counting_semaphore", "binary_semaphore", "pipeline"})
      if (word == object && word != tokens_.current().text)
        unsupported("cuda::" + word + " in a C++ litmus test");
    if (word == "break" || word == "continue" || word == "return") {
      tokens_.advance();
      result.kind = word == "break"      ? Statement::Kind::break_
                    : word == "continue" ? Statement::Kind::continue_
                                         : Statement::Kind::return_;
    } else if (at_type() && !at_construction()) {
      result = declaration();
    } else {
      result.kind = Statement::Kind::expression;
      result.expressions.push_back(expression());
    }
    tokens_.require(";");
    return result;
  }

  Statement declaration() {
    Statement result;
    result.kind = Statement::Kind::declaration;
    result.where = here();
    const CType first = type();
    do {
      Declarator declarator{{}, first, std::nullopt};
      declarator.type.is_pointer |= tokens_.skip("*");
      if (first.is_barrier && !declarator.type.is_pointer && !first.is_reference)
        unsupported("a barrier in a thread of a C++ litmus test");
      declarator.name = name();
      if (tokens_.is("[")) unsupported("an array in a thread of a litmus test");
      if (tokens_.skip("=")) {
        declarator.initial = expression();
      } else if (tokens_.is("(") || tokens_.is("{")) {
        const std::string close = tokens_.advance().text == "(" ? ")" : "}";
        declarator.initial = expression();
        tokens_.require(close);
      }
      result.declarators.push_back(std::move(declarator));
    } while (tokens_.skip(","));
    return result;
  }

  Expression condition() {
    tokens_.require("(");
    Expression result = expression();
    tokens_.require(")");
    return result;
  }

  Statement if_statement() {
    Statement result;
    result.kind = Statement::Kind::if_;
    result.where = here();
    tokens_.advance();
    result.expressions.push_back(condition());
    result.statements.push_back(statement());
    if (tokens_.skip("else")) result.statements.push_back(statement());
    return result;
  }

  Statement loop(const std::string& word) {
    Statement result;
    result.where = here();
    tokens_.advance();
    if (word == "for") return for_loop(std::move(result));
    result.kind = word == "do" ? Statement::Kind::do_ : Statement::Kind::while_;
    if (word == "while") result.expressions.push_back(condition());
    result.statements.push_back(statement());
    if (word == "while") return result;
    tokens_.require("while");
    result.expressions.push_back(condition());
    tokens_.require(";");
    return result;
  }

  Statement for_loop(Statement result) {
    result.kind = Statement::Kind::for_;
    tokens_.require("(");
    Statement begin = statement();  // with its ';'
    result.has_condition = !tokens_.is(";");
    if (result.has_condition) result.expressions.push_back(expression());
    tokens_.require(";");
    if (!tokens_.is(")")) result.expressions.push_back(expression());
    tokens_.require(")");
    result.statements.push_back(statement());
    result.statements.push_back(std::move(begin));
    return result;
  }

  // ---- expressions ----

  Expression made(Expression::Kind kind, std::string text, std::size_t first,
                  std::vector<Expression> operands) const {
    Expression result;
    result.kind = kind;
    result.text = std::move(text);
    result.first = first;
    result.last = tokens_.previous_end();
    for (const Expression& operand : operands) result.depth = std::max(result.depth, operand.depth + 1);
    if (result.depth > deepest_nesting)
      throw InputError(tokens_.source().file(), tokens_.source().position(first), nesting_error());
    result.operands = std::move(operands);
    return result;
  }

  static std::vector<Expression> both(Expression left, Expression right) {
    std::vector<Expression> operands;
    operands.push_back(std::move(left));
    operands.push_back(std::move(right));
    return operands;
  }

  static std::vector<Expression> one(Expression operand) {
    std::vector<Expression> operands;
    operands.push_back(std::move(operand));
    return operands;
  }

  Expression expression() {
    return nested([&] { return assignment(); });
  }

  Expression assignment() {
    const std::size_t first = tokens_.current().first;
    Expression left = conditional();
    const bool assigns = tokens_.current().kind == CToken::Kind::symbol &&
                         std::ranges::find(assignments, tokens_.current().text) != assignments.end();
    if (!assigns) return left;
    std::string text(tokens_.advance().text);
    Expression right = expression();
    return made(Expression::Kind::assignment, std::move(text), first,
                both(std::move(left), std::move(right)));
  }

  Expression conditional() {
    const std::size_t first = tokens_.current().first;
    Expression result = binary(0);
    if (!tokens_.skip("?")) return result;
    Expression yes = expression();
    tokens_.require(":");
    std::vector<Expression> operands = both(std::move(result), std::move(yes));
    operands.push_back(nested([&] { return conditional(); }));
    return made(Expression::Kind::conditional, "?", first, std::move(operands));
  }

  Expression binary(std::size_t level) {
    if (level == precedence.size()) return unary();
    const std::size_t first = tokens_.current().first;
    Expression left = binary(level + 1);
    while (tokens_.current().kind == CToken::Kind::symbol &&
           std::ranges::find(precedence[level], tokens_.current().text) != precedence[level].end()) {
      std::string text(tokens_.advance().text);
      Expression right = binary(level + 1);
      left = made(Expression::Kind::binary, std::move(text), first, both(std::move(left), std::move(right)));
    }
    return left;
  }

  Expression unary() {
    const std::size_t first = tokens_.current().first;
    if (tokens_.is("(") && begins_type(without_namespace(tokens_.next().text))) return cast();
    const bool is_unary = tokens_.current().kind == CToken::Kind::symbol &&
                          std::ranges::find(unary_operators, tokens_.current().text) != unary_operators.end();
    if (!is_unary) return postfix();
    std::string text(tokens_.advance().text);
    Expression operand = nested([&] { return unary(); });
    return made(Expression::Kind::unary, std::move(text), first, one(std::move(operand)));
  }

  Expression cast() {
    const std::size_t first = tokens_.current().first;
    tokens_.require("(");
    const CType to = type();
    tokens_.require(")");
    Expression operand = nested([&] { return unary(); });
    Expression result = made(Expression::Kind::cast, "cast", first, one(std::move(operand)));
    result.type = to;
    return result;
  }

  Expression postfix() {
    const std::size_t first = tokens_.current().first;
    Expression result = primary();
    while (true) {
      if (tokens_.is("++") || tokens_.is("--")) {
        std::string text(tokens_.advance().text);
        result = made(Expression::Kind::postfix, std::move(text), first, one(std::move(result)));
      } else if (tokens_.skip("[")) {
        Expression index = expression();
        tokens_.require("]");
        result = made(Expression::Kind::index, "[]", first, both(std::move(result), std::move(index)));
      } else if (tokens_.is("->") || tokens_.is(".")) {
        result = member_call(first, std::move(result));
      } else {
        return result;
      }
    }
  }

  Expression member_call(std::size_t first, Expression object) {
    if (tokens_.advance().text == "->")
      object = made(Expression::Kind::unary, "*", first, one(std::move(object)));
    std::string method = name().text;
    std::vector<Expression> operands = arguments();
    operands.insert(operands.begin(), std::move(object));
    return made(Expression::Kind::member_call, std::move(method), first, std::move(operands));
  }

  std::vector<Expression> arguments() {
    std::vector<Expression> result;
    tokens_.require("(");
    while (!tokens_.is(")")) {
      if (!result.empty()) tokens_.require(",");
      result.push_back(expression());
    }
    tokens_.require(")");
    return result;
  }

  Expression primary() {
    const CToken token = tokens_.current();
    if (token.kind == CToken::Kind::number) return number();
    if (tokens_.skip("(")) {
      Expression inner = expression();
      tokens_.require(")");
      return inner;
    }
    if (token.kind != CToken::Kind::name) tokens_.fail("an expression");
    if (at_type()) return construction();
    tokens_.advance();
    std::string text = without_namespace(token.text);
    if (text == "true" || text == "false") {
      Expression result = made(Expression::Kind::number, text, token.first, {});
      result.number = text == "true" ? 1 : 0;
      result.type = *scalar_type("bool");
      return result;
    }
    if (tokens_.is("(")) return with_arguments(Expression::Kind::call, std::move(text), token.first);
    return made(Expression::Kind::name, std::move(text), token.first, {});
  }

  Expression with_arguments(Expression::Kind kind, std::string text, std::size_t first) {
    std::vector<Expression> operands = arguments();
    return made(kind, std::move(text), first, std::move(operands));
  }

  /// `cuda::atomic_ref<int, cuda::thread_scope_device>(*x)`
  Expression construction() {
    const std::size_t first = tokens_.current().first;
    std::string text(tokens_.current().text);
    const CType made_type = type();
    if (!tokens_.is("(")) tokens_.fail("'(' behind a type");
    Expression result = with_arguments(Expression::Kind::construction, std::move(text), first);
    if (result.operands.size() != 1)
      throw tokens_.source().expected(first, "one argument of the constructor");
    result.type = made_type;
    return result;
  }

  Expression number() {
    const CToken token = tokens_.advance();
    std::string_view digits = token.text;
    Expression result = made(Expression::Kind::number, std::string(digits), token.first, {});
    bool is_unsigned = false, is_long = false;
    while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos) {
      (digits.back() == 'u' || digits.back() == 'U' ? is_unsigned : is_long) = true;
      digits.remove_suffix(1);
    }
    const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    if (hexadecimal) digits.remove_prefix(2);
    if (digits.empty()) throw tokens_.source().expected(token.first, "a number");
    const u128 most = ~std::uint64_t{0};
    u128 value = 0;
    for (const char digit : digits) {
      const bool is_right = hexadecimal ? std::isxdigit(static_cast<unsigned char>(digit)) != 0
                                        : std::isdigit(static_cast<unsigned char>(digit)) != 0;
      if (!is_right) throw tokens_.source().expected(token.first, "a number");
      value = value * (hexadecimal ? 16 : 10) +
              static_cast<unsigned>(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
      if (value > most) throw tokens_.source().expected(token.first, "a number of at most 64 bits");
    }
    if (!hexadecimal && digits.size() > 1 && digits[0] == '0')
      throw Unsupported("an octal number in a C++ litmus test", tokens_.source().position(token.first));
    result.number = static_cast<std::uint64_t>(value);
    result.type = type_of_number(result.number, is_unsigned, is_long, hexadecimal);
    return result;
  }

  /// The first type that has room for it: [lex.icon].
  static CType type_of_number(std::uint64_t value, bool is_unsigned, bool is_long, bool hexadecimal) {
    CType type;
    const std::uint64_t largest_int = 0x7fffffff, largest_unsigned = 0xffffffff,
                        largest_long = ~std::uint64_t{0} >> 1;
    const bool fits_int = value <= largest_int, fits_unsigned = value <= largest_unsigned;
    const bool may_be_unsigned = is_unsigned || hexadecimal;
    const bool is_narrow = !is_long && ((!is_unsigned && fits_int) || (may_be_unsigned && fits_unsigned));
    type.width = is_narrow ? 32 : 64;
    type.is_signed = !is_unsigned && value <= (is_narrow ? largest_int : largest_long);
    return type;
  }

  CTokens tokens_;
  unsigned levels_ = 0;
};

}  // namespace

Function parse_c_function(const SourceText& source, Part part) { return Parser(source, part).function(); }

CType parse_c_type(const SourceText& source, Part part) { return Parser(source, part).whole_type(); }

}  // namespace ptxmc
