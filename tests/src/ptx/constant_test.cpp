// Constants and constant expressions: PTX ISA 8.7 § 4.5. Expected values follow from its rules.
#include "src/ptx/constant.hpp"

#include <doctest/doctest.h>

#include "src/ptx/lexical.hpp"

using namespace ptxmc::syntax;

namespace {

std::string value_of(std::string_view text) {
  const ConstantText read = parse_constant_expression(text);
  CHECK(read.length == text.size());
  return to_string(read.value);
}

std::string error_of(std::string_view text) {
  try {
    parse_constant_expression(text);
  } catch (const ConstantTextError& error) {
    return error.message;
  }
  return "no error";
}

}  // namespace

TEST_CASE("integer literals in four notations") {
  CHECK(value_of("42") == "42");
  CHECK(value_of("0x1234") == "4660");
  CHECK(value_of("0123") == "83");
  CHECK(value_of("0b101") == "5");
  CHECK(value_of("0") == "0");
  CHECK(value_of("WARP_SZ") == "32");
}

TEST_CASE("a literal is signed unless it says U or does not fit") {
  CHECK(value_of("42U") == "42U");
  CHECK(value_of("0x1234U") == "4660U");
  CHECK(value_of("9223372036854775807") == "9223372036854775807");
  CHECK(value_of("9223372036854775808") == "9223372036854775808U");
  CHECK(value_of("0xfabc123400000000") == "18067335819651186688U");
  CHECK(error_of("18446744073709551616") == "the integer constant does not fit in 64 bits");
}

TEST_CASE("floating-point literals are double precision, or exact bits") {
  CHECK(value_of("0.5") == "0d3fe0000000000000");
  CHECK(value_of(".5") == "0d3fe0000000000000");
  CHECK(value_of("5.") == "0d4014000000000000");
  CHECK(value_of("1e3") == "0d408f400000000000");
  CHECK(value_of("2.5e-1") == "0d3fd0000000000000");
  CHECK(value_of("0F3f800000") == "0f3f800000");
  CHECK(value_of("0d3FF0000000000000") == "0d3ff0000000000000");
}

TEST_CASE("what only looks like a literal is none") {
  for (const auto* text : {"0x", "089", "12u", "0b12", "0f3f80000", "0x\xff", "1.5f", "x", "", "+"}) {
    CAPTURE(text);
    CHECK(error_of(text).empty());
  }
}

TEST_CASE("precedence and associativity are those of C") {
  CHECK(value_of("1+2*3") == "7");
  CHECK(value_of("(1+2)*3") == "9");
  CHECK(value_of("10-2-3") == "5");
  CHECK(value_of("1<<3+1") == "16");
  CHECK(value_of("1 & 3 == 3") == "1");
  CHECK(value_of("1 | 2 ^ 3 & 1") == "3");
  CHECK(value_of("7 && 0 || 1") == "1");
  CHECK(value_of("1 < 2 ? 3 : 4") == "3");
  CHECK(value_of("0 ? 1 : 0 ? 2 : 3") == "3");
  CHECK(value_of("- - 3") == "3");
  CHECK(value_of("2 - -3") == "5");
  CHECK(value_of("1 /* one */ + // and\n 1") == "2");
}

TEST_CASE("unary operators") {
  CHECK(value_of("-1U") == "18446744073709551615U");
  CHECK(value_of("-0xfabc123400000000") == "379408254058364928U");
  CHECK(value_of("!5") == "0");
  CHECK(value_of("!0U") == "1");
  CHECK(value_of("~0") == "18446744073709551615U");
  CHECK(value_of("(.s64) ~0") == "-1");
  CHECK(value_of("( .u64 )-1") == "18446744073709551615U");
  CHECK(value_of("-(0.5)") == "0dbfe0000000000000");
}

TEST_CASE("binary operators are unsigned when either operand is") {
  CHECK(value_of("-6 / 4") == "-1");
  CHECK(value_of("-6 / 4U") == "4611686018427387902U");
  CHECK(value_of("-1 < 0") == "1");
  CHECK(value_of("-1 < 0U") == "0");
  CHECK(value_of("-8 >> 1") == "-4");
  CHECK(value_of("-8 >> 1U") == "-4");
  CHECK(value_of("-8U >> 1") == "9223372036854775804U");
  CHECK(value_of("(-8 & -8) >> 1") == "-4");
  CHECK(value_of("-5 % 3") == "2");
  CHECK(value_of("-1 == 0xffffffffffffffff") == "1");
  CHECK(value_of("1 ? -1 : 0U") == "18446744073709551615U");
}

TEST_CASE("the lowest signed number divided by -1 wraps") {
  CHECK(value_of("(.s64)0x8000000000000000 / -1") == "(.s64)0x8000000000000000");
}

TEST_CASE("floating-point expressions") {
  CHECK(value_of("1.0 / 4.0 + 0.25") == "0d3fe0000000000000");
  CHECK(value_of("1.0 < 2.0") == "1");
  CHECK(value_of("1 ? 0.5 : 1.5") == "0d3fe0000000000000");
}

TEST_CASE("expressions without a value") {
  CHECK(error_of("1/0") == "division by zero");
  CHECK(error_of("1%0") == "division by zero");
  CHECK(error_of("1 << 64") == "the shift amount 64 is not in 0..63");
  CHECK(error_of("1 + 1.0") == "a constant expression does not mix integers and floating-point constants");
  CHECK(error_of("1.0 % 2.0") == "this operator takes integers, found a floating-point constant");
  CHECK(error_of("~0.5") == "this operator takes integers, found a floating-point constant");
  CHECK(error_of("0.5 ? 1 : 2") == "this operator takes integers, found a floating-point constant");
  CHECK(error_of("-0f3f800000") == "a single-precision constant (0f…) takes no part in constant expressions");
  CHECK(error_of("1+").empty());
  CHECK(error_of("(1").empty());
}

TEST_CASE("an expression that nests too deeply is refused, however long one may be") {
  for (const char* one : {"(", "! ", "-", "~", "(.s64)", "1?1:", "1?"}) {
    std::string text;
    for (int i = 0; i < 1'000'000; ++i) text += one;
    CHECK(error_of(text) == "nested deeper than 256 levels");
  }
  std::string sum = "1";
  for (int i = 0; i < 1'000'000; ++i) sum += "+1";
  CHECK(value_of(sum) == "1000001");
}

TEST_CASE("a constant ends where no operator goes on") {
  CHECK(parse_constant_expression("0xFF(3)").length == 4);
  CHECK(parse_constant_expression("12 , 13").length == 2);
  CHECK(parse_constant_literal("100> 5").length == 3);
}

TEST_CASE("constants are printed so that they read back") {
  for (const auto* text : {"-3", "7U", "(.s64)0x8000000000000000", "0f3f800000", "0d3ff0000000000000"})
    CHECK(value_of(text) == text);
}
