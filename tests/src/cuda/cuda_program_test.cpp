#include "src/cuda/cuda_program.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

/// The program for a test whose model allows one final state.
std::string program_of(const std::string& text, std::int64_t value) {
  const LitmusTest test = parse_litmus(text, "folder/test.litmus");
  Answer answer;
  answer.states_complete = true;
  answer.shown = {test.question.condition.left};
  answer.states.push_back({{value}, true, {}, {}});
  return cuda_program(test, "ptx-8.7", answer);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the program has the allowed states and evaluates the condition") {
  const std::string program = program_of("PTX t\n{x = 3;}\n P0 ;\n st.weak x, 1 ;\n~exists (x == -1)", 1);
  CHECK(contains(program, R"({{(long long)0x1ull}, "[x]=1;"})"));
  CHECK(contains(program, "return v[0] == (long long)0xffffffffffffffffull;"));
  CHECK(contains(program, "Quantifier::not_exists;"));
  CHECK(contains(program, "{0, 8, 3ull, false},"));
  CHECK(contains(program, "// t from test.litmus, written by ptxmc for a GPU of sm_80 or later:"));
}

TEST_CASE("floating-point numbers are compared as numbers") {
  const std::string program =
      program_of("PTX t\n{x : f32 = 1.5;}\n P0 ;\n st.weak x, 2.5 ;\nexists (x == 2.5)", 0x40200000);
  CHECK(contains(program,
                 "return number(v[0], Format::f32) == number((long long)0x40200000ull, Format::f32);"));
  CHECK(contains(program, "\"[x]=2.5;\""));
}

TEST_CASE("a pointer in memory points to the memory of its execution, and an mbarrier has its count") {
  CHECK(contains(program_of("PTX t\n{x; p = x+4;}\n P0 ;\n st.weak x, 1 ;\nexists (x == 1)", 1),
                 "{256, 8, 4ull, true},"));
  CHECK(
      contains(program_of("PTX t\n{x; .shared bar : mbarrier = 3;}\n P0 ;\n mbarrier.arrive.b64 _, [bar] ;\n"
                          "exists (x == 0)",
                          0),
               "initialise_mbarrier(shared + 0, 3);"));
}

TEST_CASE(
    "a test with very many final states has no program, since nvcc would not compile it in useful time") {
  const LitmusTest test = parse_litmus("PTX t\n{x;}\n P0 ;\n st.weak x, 1 ;\nexists (x == 1)", "test.litmus");
  Answer answer;
  answer.shown = {test.question.condition.left};
  for (std::int64_t value = 0; value < 1000; ++value) answer.states.push_back({{value}, true, {}, {}});
  CHECK_NOTHROW(cuda_program(test, "ptx-8.7", answer));
  answer.states.push_back({{1000}, true, {}, {}});
  CHECK_THROWS_AS(cuda_program(test, "ptx-8.7", answer), Unsupported);
}

TEST_CASE("tests of C++ have another way to a GPU") {
  CHECK_THROWS_AS(program_of("C t\n{}\nP0 (int* x) { *x = 1; }\nexists (x == 1)", 1), Unsupported);
}
