// The lexical structure of PTX: PTX ISA 8.7 chapter 4.
//
// Tokens and constants are X3 grammars (225 MB/s on compiler output). Statements are parsed by recursive
// descent over these tokens (parse.cpp): an error must end with its statement and name what was found, and
// the next statement must still be parsed.
#include <algorithm>
#include <boost/fusion/include/at_c.hpp>
#include <charconv>

#include "semantics/language/nesting_grammar.hpp"
#include "src/ptx/lexical.hpp"

namespace ptxmc::syntax {

namespace {

namespace x3 = boost::spirit::x3;
using Iterator = const char*;
using boost::fusion::at_c;

const auto comment = ("//" >> *(x3::char_ - '\n')) | ("/*" >> *(x3::char_ - "*/") >> "*/");
const auto blank = *(x3::omit[x3::ascii::space] | x3::omit[comment]);

// --- constants -------------------------------------------------------------------------------------

const x3::rule<struct expression_id, Constant> expression = "a constant expression";
const x3::rule<struct operand_id, Constant> operand = "a constant";

auto text_of(const auto& range) { return std::string_view(range.begin(), range.size()); }

/// Thrown for a literal without a value.
struct LiteralError {
  Iterator where;
  std::string message;
};

std::uint64_t digits(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error == std::errc::result_out_of_range)
    throw LiteralError{text.data(), "the integer constant does not fit in 64 bits"};
  return value;
}

template <int base, int prefix>
constexpr auto integer = [](auto& context) {
  std::string_view text = text_of(x3::_attr(context));
  const bool is_unsigned = text.ends_with('U');
  text.remove_prefix(prefix);
  text.remove_suffix(is_unsigned);
  const std::uint64_t value = digits(text, base);
  const bool fits_signed = value >> 63 == 0;
  x3::_val(context) = {is_unsigned || !fits_signed ? Constant::Kind::u64 : Constant::Kind::s64, value};
};

template <Constant::Kind kind>
constexpr auto exact_float = [](auto& context) {
  x3::_val(context) = {kind, digits(text_of(x3::_attr(context)).substr(2), 16)};
};

const auto decimal_float_value = [](auto& context) {
  const std::string_view text = text_of(x3::_attr(context));
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) throw LiteralError{text.data(), "the constant is out of the range of .f64"};
  x3::_val(context) = Constant::of_double(value);
};

const auto follow = x3::char_("a-zA-Z0-9_$");
const auto digit = x3::char_('0', '9');
const auto hex_digit = x3::char_("0-9a-fA-F");  // x3::xdigit asserts that bytes are of ASCII
const auto exponent = x3::char_("eE") >> -x3::char_("+-") >> +digit;
const auto decimal_float =
    (((+digit >> '.' >> *digit) | ('.' >> +digit)) >> -exponent) | (+digit >> exponent);

const auto literal_definition =
    (x3::raw["0" >> x3::char_("fF") >> x3::repeat(8)[hex_digit]][exact_float<Constant::Kind::f32>] |
     x3::raw["0" >> x3::char_("dD") >> x3::repeat(16)[hex_digit]][exact_float<Constant::Kind::f64>] |
     x3::raw["0" >> x3::char_("xX") >> +hex_digit >> -x3::char_('U')][integer<16, 2>] |
     x3::raw["0" >> x3::char_("bB") >> +x3::char_("01") >> -x3::char_('U')][integer<2, 2>] |
     x3::raw[decimal_float][decimal_float_value] |
     x3::raw[x3::char_('0') >> *x3::char_('0', '7') >> -x3::char_('U')][integer<8, 0>] |
     x3::raw[x3::char_('1', '9') >> *digit >> -x3::char_('U')][integer<10, 0>] |
     (x3::lit("WARP_SZ") >>
      x3::attr(Constant::of_signed(
          warp_size)))[([](auto& context) { x3::_val(context) = x3::_attr(context); })]) >>
    !(follow | '.');
const x3::rule<struct literal_id, Constant> literal_rule = "a constant";
const auto literal = literal_rule = literal_definition;

struct Signs : x3::symbols<UnaryOperator> {
  Signs() {
    using enum UnaryOperator;
    add("+", plus)("-", minus)("!", logical_not)("~", complement);
  }
} const sign;

struct CastTypes : x3::symbols<UnaryOperator> {
  CastTypes() { add(".s64", UnaryOperator::to_signed)(".u64", UnaryOperator::to_unsigned); }
} const cast_type;

struct BinaryOperators : x3::symbols<BinaryOperator> {
  BinaryOperators() {
    using Op = BinaryOperator;
    add("*", Op::multiply)("/", Op::divide)("%", Op::remainder)("+", Op::add)("-", Op::subtract);
    add("<<", Op::shift_left)(">>", Op::shift_right)("<", Op::less)(">", Op::greater);
    add("<=", Op::less_equal)(">=", Op::greater_equal)("==", Op::equal)("!=", Op::not_equal);
    add("&", Op::bit_and)("^", Op::bit_xor)("|", Op::bit_or)("&&", Op::logical_and)("||", Op::logical_or);
  }
} const binary_operator;

const x3::rule<struct prefix_id, UnaryOperator> prefix_rule = "an operator";
const auto prefix = prefix_rule = sign | ('(' >> blank >> cast_type >> blank >> ')');

const auto set = [](auto& context) { x3::_val(context) = x3::_attr(context); };
const auto apply_unary = [](auto& context) {
  const auto& parts = x3::_attr(context);
  x3::_val(context) = evaluate(at_c<0>(parts), at_c<1>(parts));
};
const auto apply_binary = [](auto& context) {
  std::vector<OperatorAndOperand> rest;
  for (const auto& part : x3::_attr(context)) rest.push_back({at_c<0>(part), at_c<1>(part)});
  if (!rest.empty()) x3::_val(context) = evaluate(x3::_val(context), rest);
};
const auto choose = [](auto& context) {
  const auto& parts = x3::_attr(context);
  x3::_val(context) = evaluate_conditional(x3::_val(context), at_c<0>(parts), at_c<1>(parts));
};

// Blanks are skipped before operands and operators, so that none is consumed after an expression.
const auto operand_def = literal[set] | (prefix >> blank > nested[operand])[apply_unary] |
                         (x3::lit('(') >> blank > nested[expression] > blank > ')')[set];

const auto expression_def = operand[set] >> (*(blank >> binary_operator >> blank > operand))[apply_binary] >>
                            -(blank >> '?' >> blank > nested[expression] > blank > ':' > blank >
                              nested[expression])[choose];

BOOST_SPIRIT_DEFINE(operand, expression)

// --- tokens ----------------------------------------------------------------------------------------

// `_` alone is not an identifier (§ 4.4) but the sink; parsers handle it.
const auto identifier = (x3::char_("a-zA-Z") >> *follow) | (x3::char_("_$%") >> +follow) | x3::char_('_');
const auto word = '.' >> +x3::char_("a-zA-Z0-9_") >> *("::" >> +x3::char_("a-zA-Z0-9_"));
const auto string = '"' >> *(('\\' >> (x3::char_ - '\n')) | (x3::char_ - x3::char_("\"\n"))) >> '"';

template <TokenKind kind>
constexpr auto is = [](auto& context) { x3::_val(context) = kind; };

const x3::rule<struct token_id, TokenKind> token_rule = "a token";
const auto token = token_rule =
    x3::omit[identifier >> *word][is<TokenKind::identifier>] |
    x3::omit[digit >> *follow][is<TokenKind::number>] | x3::omit[word][is<TokenKind::word>] |
    x3::omit[string][is<TokenKind::string>] | x3::omit["/*"][is<TokenKind::unknown>] |
    x3::omit[x3::char_("{}()[]<>,;:@!+|=*/~&^?-")][is<TokenKind::punctuation>] |
    x3::omit['#' >> *(x3::char_ - '\n')][is<TokenKind::preprocessor>] |
    x3::omit[x3::char_][is<TokenKind::unknown>];

ConstantText parse_constant(std::string_view text, const auto& grammar) {
  Iterator at = text.data();
  const Iterator end = at + text.size();
  const auto fail = [&](Iterator where, std::string message) {
    throw ConstantTextError{static_cast<std::size_t>(where - text.data()), std::move(message)};
  };
  ConstantText read;
  unsigned levels = 0;
  try {
    if (!x3::parse(at, end, with_nesting(levels, grammar), read.value)) fail(at, "");
  } catch (const NestedTooDeeply<Iterator>& nesting) {
    fail(nesting.where, nesting_error());
  } catch (const x3::expectation_failure<Iterator>& failure) {
    fail(failure.where(), "");
  } catch (const LiteralError& error) {
    fail(error.where, error.message);
  } catch (const ConstantError& error) {
    fail(text.data(), error.what());
  }
  read.length = static_cast<std::size_t>(at - text.data());
  return read;
}

}  // namespace

Token read_token(std::string_view source, std::size_t offset) {
  Iterator at = source.data() + offset;
  const Iterator end = source.data() + source.size();
  x3::parse(at, end, blank);
  const Iterator begin = at;
  TokenKind kind = TokenKind::end;
  x3::parse(at, end, token, kind);
  return {kind, std::string_view(begin, static_cast<std::size_t>(at - begin))};
}

ConstantText parse_constant_expression(std::string_view text) { return parse_constant(text, expression); }

ConstantText parse_constant_literal(std::string_view text) { return parse_constant(text, literal); }

}  // namespace ptxmc::syntax
