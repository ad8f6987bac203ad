// What the functions of C++ tests compute, and which of them are refused.
#include "src/litmus/c_lowering.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "model/cat/cat_model.hpp"
#include "solver/engine/engine.hpp"
#include "solver/explorer/explorer.hpp"
#include "src/litmus/litmus_test.hpp"
#include "tests/src/litmus/reader_message.hpp"

using namespace ptxmc;

namespace {

std::string with_body(const std::string& body, const std::string& condition) {
  return "C t\n{ x = 3; y = 0; }\nP0 (int* x, atomic_int* y) {\n" + body + "\n}\n" + condition;
}

/// Whether a single thread ends with the condition.
bool ends_with(const std::string& body, const std::string& condition) {
  const LitmusTest test = parse_litmus(with_body(body, "forall (" + condition + ")"), "t");
  const Answer answer =
      decide_with(*find_engine("both"), test.program, test.question, cat::load("cpp-scoped"), {});
  return answer.holds == true;
}

std::string message(const std::string& body) {
  return message_of([&] { parse_litmus(with_body(body, "exists (true)"), "t"); });
}

}  // namespace

TEST_CASE("arithmetic has the types of C++") {
  // r is 3, and not known before it is read.
  const auto gives = [](const std::string& expression, const std::string& value) {
    CAPTURE(expression);
    CHECK(ends_with("long r = *x; long s = " + expression + ";", "0:s=" + value));
  };
  gives("r * 5 - 1", "14");
  gives("-r / 2", "-1");
  gives("-r % 2", "-1");
  gives("(unsigned)-r / 2", "2147483646");
  gives("(int)(r << 31)", "-2147483648");
  gives("(unsigned)r << 31", "2147483648");
  gives("(int)-r >> 1", "-2");
  gives("((unsigned)-r) >> 1", "2147483646");
  gives("~(unsigned)r", "4294967292");
  gives("~(int)r", "-4");
  gives("(char)(r + 125)", "-128");
  gives("(unsigned char)(r + 253)", "0");
  gives("(bool)r + (bool)(r - 3)", "1");
  gives("(r & 1) | (r ^ 6)", "5");
  gives("r > 2 && r < 4", "1");
  gives("r < 2 || !r", "0");
  gives("(unsigned)-r > 1", "1");
  gives("(int)-r > 1", "0");
  gives("-r < 1u", "1");  // long holds every unsigned
  gives("r == 3 ? 7 : 8", "7");
  gives("r ? r + 1 : 0", "4");
}

TEST_CASE("constants are computed in the same way") {
  CHECK(ends_with("long s = (unsigned)-3 / 2; int t = 1 << 31; bool u = 5; char v = 200;",
                  "0:s=2147483646 /\\ 0:t=-2147483648 /\\ 0:u=1 /\\ 0:v=-56"));
}

TEST_CASE("assignments and steps") {
  CHECK(ends_with("int a = *x; int b = a++; int c = ++a; a += 2; a <<= 1; int d = a--;",
                  "0:a=13 /\\ 0:b=3 /\\ 0:c=5 /\\ 0:d=14"));
  CHECK(ends_with("*x += 4; int a = (*x)++; int b = x[0]--;", "0:a=7 /\\ 0:b=8 /\\ x=7"));
  CHECK(ends_with("*y = 2; int a = *y += 3; int b = (*y)++; --*y;", "0:a=5 /\\ 0:b=5 /\\ y=5"));
  CHECK(ends_with("int* p = x; *p = 9; int a = *&*p;", "0:a=9 /\\ x=9"));
}

TEST_CASE("branches and loops") {
  CHECK(ends_with("int a = *x; int b; if (a == 3) b = 1; else b = 2;", "0:b=1"));
  CHECK(
      ends_with("int a = *x; int b = 1; int c = 2; if (a == 3) { b = c; c = a; if (b > 5) c = 9; } else { "
                "c++; b = c; }",
                "0:b=2 /\\ 0:c=3"));
  CHECK(ends_with("int a = *x; int b = 1; int c = 2; if (a != 3) { b = c; c = a; } else { c++; b += c; }",
                  "0:b=4 /\\ 0:c=3"));
  CHECK(ends_with("int a = 1; int b = *x; if (b) { a = 2; } if (a == 2) *x = 5;", "x=5"));
  CHECK(
      ends_with("int a = 0; for (int i = 0; i < 4; ++i) { if (i == 1) continue; if (i == 3) break; a += i; }",
                "0:a=2"));
  CHECK(ends_with("int a = 0; do { ++a; } while (a < 3); while (true) { a = 9; break; }", "0:a=9"));
  CHECK(ends_with("int a = *x; if (a > 0 && *y == 0) { *x = 1; return; } *x = 2;", "x=1"));
  CHECK(ends_with("int a = *x; if (a > 9 && (*y = 1)) { } *x = 2;", "y=0 /\\ x=2"));
  CHECK(ends_with("if (0) { int never = 1; }", "0:never=0"));
}

TEST_CASE("atomic operations return what C++ says") {
  CHECK(ends_with(
      "int a = atomic_fetch_add(y, 2); int b = y->fetch_sub(1); int c = y->exchange(7); int d = *y;",
      "0:a=0 /\\ 0:b=2 /\\ 0:c=1 /\\ 0:d=7"));
  CHECK(ends_with("int a = y->fetch_or(6); int b = y->fetch_and(3); int c = y->fetch_xor(1); int d = *y;",
                  "0:b=6 /\\ 0:c=2 /\\ 0:d=3"));
  CHECK(ends_with("int a = y->fetch_max(4); int b = y->fetch_min(-1); int c = atomicMax(y, 0); int d = *y;",
                  "0:b=4 /\\ 0:c=-1 /\\ 0:d=0"));
  CHECK(ends_with(
      "int e = 1; bool a = y->compare_exchange_strong(e, 5); bool b = y->compare_exchange_strong(e, 6);",
      "0:a=0 /\\ 0:b=1 /\\ 0:e=0 /\\ y=6"));
  CHECK(ends_with("int a = atomicCAS(y, 0, 8); int b = atomicCAS(y, 0, 9);", "0:a=0 /\\ 0:b=8 /\\ y=8"));
  CHECK(
      ends_with("bool a = atomic_flag_test_and_set(y); bool b = y->test_and_set(memory_order_acquire);"
                " atomic_flag_clear_explicit(y, memory_order_release);",
                "0:a=0 /\\ 0:b=1 /\\ y=0"));
  CHECK(
      ends_with("int e = 0; bool a = __atomic_compare_exchange_n(y, &e, 5, false, __ATOMIC_ACQUIRE,"
                " __ATOMIC_RELAXED); int b = __atomic_exchange_n(y, 6, __ATOMIC_ACQ_REL);",
                "0:a=1 /\\ 0:b=5 /\\ y=6"));
  CHECK(ends_with("cuda::atomic_ref<int> r(*x); r.store(4); int a = r.load(); int b = r.fetch_add(1);",
                  "0:a=4 /\\ x=5"));
}

TEST_CASE("the initial state gives types, values and registers") {
  const LitmusTest test = parse_litmus(
      "C t\n{ unsigned char x = 255; [y] = 2; int a[2] = {1, 2}; 0:r = 7; }\n"
      "P0 (unsigned char* x, atomic_int* y, int* a) { int s = r + *x; int t = a[1]; }\nforall (0:s=262 /\\ "
      "0:t=2)",
      "t");
  CHECK(test.program.memory[0].element_size == 1);
  CHECK(test.program.memory[1].element_size == 4);
  const Answer answer =
      decide_with(*find_engine("both"), test.program, test.question, cat::load("cpp-scoped"), {});
  CHECK(answer.holds == true);
}

TEST_CASE("wrong functions are refused where they are wrong") {
  CHECK(message("int a = b;") == "4:9: found 'b', expected a variable of the function");
  CHECK(message("int a = 1; int a = 2;") == "4:16: found a second 'a', expected each name once");
  CHECK(message("*a = 1;") == "4:2: found 'a', expected a variable of the function");
  CHECK(message("x = 1;") == "4:1: found 'x', expected an object such as *x or a local variable");
  CHECK(message("int a = x;") == "4:9: found 'x', expected a number");
  CHECK(message("break;") == "4:1: found 'break', expected it in a loop");
  CHECK(message("y->store(1, memory_order_acquire);") ==
        "4:13: found memory_order_acquire, expected one of memory_order_relaxed, memory_order_release, "
        "memory_order_seq_cst for a store");
  CHECK(message("int a = y->load(memory_order_release);") ==
        "4:17: found memory_order_release, expected one of memory_order_relaxed, memory_order_acquire, "
        "memory_order_seq_cst for a load");
  CHECK(message("atomic_store_explicit(y, 1);") ==
        "4:27: found ')', expected an order such as memory_order_acquire before it");
  CHECK(message("y->store();") == "4:10: found ')', expected a value before it");
  CHECK(message("y->store(1, 2);") ==
        "4:13: found '2', expected a scope such as memory_scope_device, or ')'");
  CHECK(message("y->clear(memory_order_acquire);") ==
        "4:10: found memory_order_acquire, expected one of memory_order_relaxed, memory_order_release, "
        "memory_order_seq_cst for a store");
  CHECK(message("int e; __atomic_compare_exchange_n(y, &e, 5);") ==
        "4:44: found ')', expected true or false before it");
  CHECK(message("int a = 0; a.load();") == "4:12: found 'a.load', expected an atomic object");
  CHECK(message("r0 = *x;") == "4:1: found 'r0', expected a variable of the function");
  CHECK(message("f(1);") == "4:1: unsupported: the function 'f' in a C++ litmus test");
  CHECK(message("int a = *x + *y;") ==
        "4:14: unsupported: two accesses to memory in one expression whose order C++ leaves open");
  CHECK(message("char a = *(char*)x;") ==
        "4:11: unsupported: an access to a part of a variable of a C++ litmus test");
}

TEST_CASE("pointers stay in their variables") {
  CHECK(message("int a = x[1];") == "4:11: found '1', expected an element of x, which has 1");
  CHECK(message("x[-1] = 1;") == "4:3: found '-', expected an element of x, which has 1");
  CHECK(message("y[3].store(1);") == "4:3: found '3', expected an element of y, which has 1");
  CHECK(message("int a = *(x + 2);") == "4:15: found '2', expected an element of x, which has 1");
  CHECK(message("int a = x[0]; int* p = x + 1;") == "accepted");
  CHECK(message("int r = *x; int a = x[r];") == "accepted");
  CHECK(message_of([] {
          parse_litmus("C t\n{ int a[2]; }\nP0 (int* a) { a[1] = 1; a[2] = 1; }\nexists (true)", "t");
        }) == "3:27: found '2', expected an element of a, which has 2");
}

TEST_CASE("constants without a defined result are refused") {
  CHECK(message("int a = 1 / 0;") == "4:13: found '0', expected a divisor that is not 0");
  CHECK(message("int a = *x % (2 - 2);") == "4:15: found '2', expected a divisor that is not 0");
  CHECK(message("int a = 1; a /= 0;") == "4:17: found '0', expected a divisor that is not 0");
  CHECK(message("int a = *x << 32;") == "4:15: found '32', expected a shift by 0 to 31 bits");
  CHECK(message("long a = *x; a = a >> 64;") == "4:23: found '64', expected a shift by 0 to 63 bits");
  CHECK(message("int a = *x << -1;") == "4:15: found '-', expected a shift by 0 to 31 bits");
  CHECK(message("int a = *x / 2 << 31;") == "accepted");
}

TEST_CASE("all mistakes of a function are reported") {
  try {
    parse_litmus(with_body("int a = b;\n*q = 1;\nint c = a;", "exists (0:z=1)"), "t");
    FAIL("accepted");
  } catch (const InputErrors& errors) {
    REQUIRE(errors.all.size() == 3);
    CHECK(errors.all[0].where.line == 4);
    CHECK(errors.all[1].where.line == 5);
    CHECK(errors.all[2].where.line == 8);
  }
}

TEST_CASE("compare_exchange_weak may fail for no reason") {
  const auto allows = [](const std::string& body, const std::string& condition) {
    CAPTURE(body);
    const LitmusTest test = parse_litmus(with_body(body, "exists (" + condition + ")"), "t");
    const Answer answer =
        decide_with(*find_engine("smt"), test.program, test.question, cat::load("cpp-scoped"), {});
    return answer.holds == true;
  };
  const std::string once = "int e = 0; bool s = y->compare_exchange_weak(e, 1);";
  CHECK(allows(once, "0:s=1 /\\ 0:e=0 /\\ y=1"));
  CHECK(allows(once, "0:s=0 /\\ 0:e=0 /\\ y=0"));
  CHECK_FALSE(allows(once, "0:s=0 /\\ y=1"));
  CHECK_FALSE(allows(once, "0:s=1 /\\ y=0"));
  CHECK_FALSE(allows("int e = 2; bool s = atomic_compare_exchange_weak(y, &e, 1);", "0:s=1"));
  CHECK_FALSE(allows("int e = 0; bool s = y->compare_exchange_strong(e, 1);", "0:s=0"));
  const std::string counts = "int e = 0; int n = 0; while (!y->compare_exchange_weak(e, 1)) n = n + 1;";
  CHECK(allows(counts, "0:n=1"));
  CHECK(allows(counts, "0:n=0"));
}

TEST_CASE("what follows a failure for no reason does not depend on the value read") {
  const auto allows = [](const std::string& condition_of_store, const std::string& condition) {
    const std::string text =
        "C t\n{ x = 0; y = 5; }\nP0 (atomic_int* x, atomic_int* y) {\n int e = 0;\n"
        " bool s = y->compare_exchange_weak(e, 1, memory_order_relaxed);\n if (" +
        condition_of_store + ") x->store(1, memory_order_relaxed);\n}\n" +
        "P1 (atomic_int* x, atomic_int* y) {\n int r = x->load(memory_order_relaxed);\n"
        " if (r == 1) y->store(0, memory_order_relaxed);\n}\nexists (" +
        condition + ")";
    const LitmusTest test = parse_litmus(text, "t");
    return decide_with(*find_engine("smt"), test.program, test.question, cat::load("cpp-scoped"), {}).holds ==
           true;
  };
  CHECK(allows("!s", "0:e=0 /\\ 0:s=0 /\\ 1:r=1"));
  CHECK(allows("!s", "0:e=5 /\\ 0:s=0 /\\ 1:r=1"));
  CHECK_FALSE(allows("s", "1:r=1"));
  CHECK_FALSE(allows("!s && e == 0", "1:r=1"));
}

TEST_CASE("compare_exchange_weak of a loop that only tries again needs no choice") {
  const auto chooses = [](const std::string& body) {
    const LitmusTest test = parse_litmus(with_body(body, "exists (true)"), "t");
    return std::ranges::any_of(test.program.threads.at(0).code, [](const Instruction& instruction) {
      return instruction.form->spelling == "weak_cas_fails";
    });
  };
  CHECK_FALSE(chooses("int e = 0; while (!y->compare_exchange_weak(e, 1)) e = 0;"));
  CHECK_FALSE(chooses("int e = 0; do {} while (!atomic_compare_exchange_weak(y, &e, 1));"));
  CHECK_FALSE(chooses("int e = *y; int d; do { d = e + 1; } while (!y->compare_exchange_weak(e, d));"));
  const std::string tries = "y->compare_exchange_weak(e, 1)";
  CHECK_FALSE(chooses("int e; while (true) { e = 0; if (" + tries + ") break; __nanosleep(9); }"));
  CHECK_FALSE(chooses("int e; for (;;) { e = 0; if (" + tries + ") { *x = 1; break; } }"));
  CHECK_FALSE(chooses("int e; for (;;) { e = 0; if (!" + tries + ") continue; *x = 1; break; }"));
  CHECK_FALSE(chooses("int e; do { while (y->load() != 0) {} e = 0; } while (!" + tries + ");"));
  CHECK_FALSE(chooses("int e; do { e = y->load(); } while (!y->compare_exchange_weak(e, e * 2));"));
  CHECK_FALSE(chooses("int e = 0; while (!" + tries + ") { while (y->load() != 0) {} e = 0; }"));
  CHECK_FALSE(chooses("int e = y->load(); while (e < 3 && !y->compare_exchange_weak(e, e + 1)) {}"));
  CHECK(chooses("int e = 5; while (!" + tries + ") e = 0;"));  // an attempt with 5, then with 0
  CHECK(chooses("int e = 0; int d = 7; while (!y->compare_exchange_weak(e, d)) d = 1;"));
  CHECK(chooses("int e = 0; int d = 7; do { e = d; d = 1; } while (!" + tries + ");"));
  CHECK_FALSE(chooses("int e; do { int d = y->load(); e = 0; if (d) e = 1; } while (!" + tries + ");"));
  CHECK(chooses("int e = 0; int d = 0; do { if (d) e = 1; d = 1; } while (!" + tries + ");"));
  CHECK(chooses("int e = 0; do { y->fetch_add(0); } while (!" + tries + ");"));
  CHECK(chooses("int e = 0; if (" + tries + ") *x = 1;"));
  CHECK(chooses("int e = 0; for (int i = 0; i < 2; i++) { e = 0; if (" + tries + ") break; }"));
  CHECK(chooses("int e = 0; int n = 0; while (!y->compare_exchange_weak(e, 1)) n = n + 1;"));
  CHECK(chooses("int e = 0; while (!y->compare_exchange_weak(e, 1)) *x = 1;"));
  CHECK(chooses("int e = 0; while (y->compare_exchange_weak(e, 1)) {}"));
  CHECK(chooses("int e = 0; while (!y->compare_exchange_weak(e, 1)) { e = e + 1; }"));
}

TEST_CASE("a cuda::barrier") {
  const auto test_of = [](const std::string& first, const std::string& second, const std::string& condition,
                          const std::string& scope = "cuda::thread_scope_block", unsigned count = 2) {
    const std::string barrier = "cuda::barrier<" + scope + ">* b";
    return parse_litmus("C t\n{ b = " + std::to_string(count) +
                            "; x = 0; y = 0; }\nP0@cta 0,gpu 0 (int* x, int* y, " + barrier + ") { " + first +
                            " }\nP1@cta 0,gpu 0 (int* x, int* y, " + barrier + ") { " + second +
                            " }\nexists (" + condition + ")",
                        "t");
  };
  const auto answers = [](const LitmusTest& test) {
    const cat::Model model = cat::load("cpp-scoped");
    const Answer answer = decide_with(Engine::both, test.program, test.question, model, {});
    const auto races = explore_flags(test.program, model, {}, {"data_race"});
    return std::pair(answer.holds == true, races.at(0).raised == Verdict::allowed);
  };
  using Pair = std::pair<bool, bool>;  // the condition holds, there is a race
  const std::string meet = "b->arrive_and_wait(); ";
  CHECK(answers(test_of("*x = 1; " + meet, meet + "int r = *x;", "1:r=0")) == Pair(false, false));
  CHECK(answers(test_of("*x = 1; " + meet, meet + "int r = *x;", "1:r=1")) == Pair(true, false));
  // In the second phase x may change again.
  CHECK(answers(test_of("*x = 1; " + meet + "*x = 2; " + meet, meet + meet + "int r = *x;", "1:r=1")) ==
        Pair(false, false));
  CHECK(answers(test_of("*x = 1; " + meet + "*x = 2; " + meet, meet + "int r = *x; " + meet, "1:r=2")) ==
        Pair(true, true));
  // A wait takes a token; what stands between an arrival and its wait is not ordered behind other arrivals.
  const std::string arrive = "cuda::barrier<cuda::thread_scope_block>::arrival_token t = b->arrive(); ";
  CHECK(answers(test_of("*x = 1; b->arrive();", "auto t = b->arrive(); b->wait(std::move(t)); int r = *x;",
                        "1:r=0")) == Pair(false, false));
  CHECK(answers(test_of("*x = 1; b->arrive();", arrive + "int r = *x; b->wait(t);", "1:r=0")) ==
        Pair(true, true));
  // The next phase awaits no thread that has dropped.
  CHECK(answers(test_of("*x = 1; b->arrive_and_drop();", meet + meet + "int r = *x;", "1:r=1")) ==
        Pair(true, false));
  const auto message = [&](const std::string& body, unsigned count = 2) {
    return message_of([&] { test_of(body, "b->arrive();", "true", "cuda::thread_scope_block", count); });
  };
  CHECK(message("b->load();") == "3:79: found 'b', expected an atomic object");
  CHECK(message("int r = *b;") == "3:87: found '*', expected an integer, or an operation on the barrier");
  CHECK(
      message("b->arrive();", 0) ==
      "2:3: found the barrier 'b' without a number of threads, expected it as the initial value, 1 to 65535");
}
