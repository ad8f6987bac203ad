// The syntax of functions of C++ tests.
#include "src/litmus/c_parser.hpp"

#include <doctest/doctest.h>

#include "tests/src/litmus/reader_message.hpp"

using namespace ptxmc;
using c_syntax::CType;
using c_syntax::Expression;
using c_syntax::Function;
using c_syntax::Statement;

namespace {

Function parsed(const std::string& text) {
  const SourceText source("t", text);
  return parse_c_function(source, {0, text.size()});
}

/// The operators of an expression in prefix notation.
std::string shape(const Expression& expression) {
  using Kind = Expression::Kind;
  if (expression.kind == Kind::name || expression.kind == Kind::number) return expression.text;
  std::string text = (expression.kind == Kind::postfix ? "(post" : "(") + expression.text;
  for (const Expression& operand : expression.operands) text += " " + shape(operand);
  return text + ")";
}

std::string shape(const std::string& expression) {
  const Function function = parsed("() { " + expression + "; }");
  return shape(function.body.statements.front().expressions.front());
}

std::string syntax_error_in(const std::string& text) {
  return message_of([&] { parsed(text); });
}

CType type_in(const std::string& declaration) {
  return parsed("(" + declaration + ") {}").parameters.front().type;
}

}  // namespace

TEST_CASE("operators bind as in C++") {
  CHECK(shape("a + b * c - d") == "(- (+ a (* b c)) d)");
  CHECK(shape("a = b += c") == "(= a (+= b c))");
  CHECK(shape("a || b && c | d ^ e & f == g < h << i") ==
        "(|| a (&& b (| c (^ d (& e (== f (< g (<< h i))))))))");
  CHECK(shape("c ? a : d ? e : f") == "(? c a (? d e f))");
  CHECK(shape("-~!*&a++") == "(- (~ (! (* (& (post++ a))))))");
  CHECK(shape("(int)a + (volatile int*)x") == "(+ (cast a) (cast x))");
  CHECK(shape("a[b + 1]") == "([] a (+ b 1))");
}

TEST_CASE("members are called on objects and through pointers") {
  CHECK(shape("x->store(1, cuda::std::memory_order_release)") == "(store (* x) 1 memory_order_release)");
  CHECK(shape("x.load(std::memory_order::acquire)") == "(load x memory_order_acquire)");
  CHECK(shape("cuda::atomic_ref<int, cuda::thread_scope_block>(*x).load()") ==
        "(load (cuda::atomic_ref (* x)))");
  CHECK(shape("cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device)") ==
        "(atomic_thread_fence memory_order_seq_cst thread_scope_device)");
}

TEST_CASE("types of parameters") {
  CHECK(type_in("int* x").is_pointer);
  CHECK(type_in("unsigned long long* x").width == 64);
  CHECK_FALSE(type_in("unsigned long long* x").is_signed);
  CHECK(type_in("const volatile unsigned char* x").is_volatile);
  CHECK(type_in("const volatile unsigned char* x").width == 8);
  CHECK(type_in("atomic_uint* x").is_atomic);
  CHECK(type_in("_Atomic(uint64_t)* x").width == 64);
  CHECK(type_in("cuda::std::atomic<short>& x").is_reference);
  CHECK(type_in("cuda::atomic<int, cuda::thread_scope_block>* x").scope == Scope::cta);
  CHECK(type_in("cuda::atomic<int, cuda::thread_scope_thread>* x").scope == Scope::none);
  CHECK(type_in("long x[2]").is_pointer);
}

TEST_CASE("numbers have the first type with room for them") {
  const auto type_of = [](const std::string& number) {
    return parsed("() { " + number + "; }").body.statements.front().expressions.front().type;
  };
  CHECK(type_of("2147483647").width == 32);
  CHECK(type_of("2147483648").width == 64);
  CHECK(type_of("2147483648").is_signed);
  CHECK(type_of("0xffffffff").width == 32);
  CHECK_FALSE(type_of("0xffffffff").is_signed);
  CHECK_FALSE(type_of("1u").is_signed);
  CHECK(type_of("1ull").width == 64);
  CHECK(syntax_error_in("() { 18446744073709551616; }") ==
        "1:6: found '18446744073709551616', expected a number of at most 64 bits");
}

TEST_CASE("statements") {
  const Function function = parsed(
      "(int* x) { if (a) b; else { c; } while (a) {} do a; while (b); for (int i = 0; i < 2; ++i) break; "
      "int d = 1, e(2), f; return; ; }");
  using Kind = Statement::Kind;
  std::vector<Kind> kinds;
  for (const Statement& statement : function.body.statements) kinds.push_back(statement.kind);
  CHECK(kinds == std::vector{Kind::if_, Kind::while_, Kind::do_, Kind::for_, Kind::declaration, Kind::return_,
                             Kind::block});
  CHECK(function.body.statements[4].declarators.size() == 3);
  CHECK(function.body.statements[3].statements.size() == 2);
}

TEST_CASE("wrong functions are refused where they are wrong") {
  CHECK(syntax_error_in("(int* x) { *x = ; }") == "1:17: found ';', expected an expression");
  CHECK(syntax_error_in("(int* x) { *x = 1 }") == "1:19: found '}', expected ';'");
  CHECK(syntax_error_in("(int* x) { *x = 1;") == "1:19: found end of file, expected '}'");
  CHECK(syntax_error_in("(int x) {}") ==
        "1:6: found 'x', expected '*' or '&' before the name of a parameter");
  CHECK(syntax_error_in("(x) {}") == "1:2: found 'x', expected a parameter such as atomic_int* x");
  CHECK(syntax_error_in("(int* x) {\n  if *x {} }") == "2:6: found '*', expected '('");
  CHECK(syntax_error_in("(int* x) { *x = 0b1; }") == "1:17: found '0b1', expected a number");
  CHECK(syntax_error_in("(int* x) { *x = 1.5; }") == "1:17: found '1.5', expected an integer");
  CHECK(syntax_error_in("(cuda::atomic<int, cuda::somewhere>* x) {}") ==
        "1:20: found 'cuda', expected a scope such as cuda::thread_scope_device");
  CHECK(syntax_error_in("(float* x) {}") ==
        "1:2: unsupported: the floating-point type float in a C++ litmus test");
  CHECK(syntax_error_in("(int** x) {}") == "1:6: unsupported: a pointer to a pointer in a litmus test");
  CHECK(syntax_error_in("() { cuda::barrier<cuda::thread_scope_block> b; }") ==
        "1:46: unsupported: a barrier in a thread of a C++ litmus test");
  CHECK(syntax_error_in("() { goto L; }") == "1:6: unsupported: 'goto' in a C++ litmus test");
  CHECK(syntax_error_in("() { a = 017; }") == "1:10: unsupported: an octal number in a C++ litmus test");
}

TEST_CASE("functions may nest 256 levels deep") {
  const auto deep = [](const std::string& one, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += one;
    return syntax_error_in("() { " + text);
  };
  const std::string nested = "nested deeper than 256 levels";
  CHECK(deep("(", 100'000).ends_with(nested));
  CHECK(deep("{", 100'000).ends_with(nested));
  CHECK(deep("-", 100'000).ends_with(nested));
  CHECK(deep("a + ", 100'000).ends_with(nested));
  CHECK(deep("a = ", 100'000).ends_with(nested));
  CHECK(deep("if (a) ", 100'000).ends_with(nested));
  CHECK(deep("a ? b : ", 100'000).ends_with(nested));
  CHECK(deep("a[", 100'000).ends_with(nested));
}
