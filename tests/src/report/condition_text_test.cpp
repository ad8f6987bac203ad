#include "src/report/condition_text.hpp"

#include <doctest/doctest.h>

#include "tests/src/report/sample_tests.hpp"

using namespace ptxmc;

TEST_CASE("registers and locations are named as herd names them, or as the test does") {
  const Program program = message_passing_test(Quantifier::exists).program;
  const auto herd = [&](const FinalTerm& term) { return name_of(term, program, Naming::herd); };
  const auto litmus = [&](const FinalTerm& term) { return name_of(term, program, Naming::litmus); };
  CHECK(herd(register_of(1, 0)) == "1:r0");
  CHECK(herd(memory_of(0)) == "[x]");
  CHECK(herd(memory_of(1, 2)) == "a[2]");
  CHECK(herd(memory_of(2)) == "[cta0:s]");
  CHECK(herd(constant(-3)) == "-3");
  CHECK(litmus(register_of(1, 0)) == "P1:r0");
  CHECK(litmus(memory_of(0)) == "x");
  CHECK(litmus(memory_of(1, 2)) == "a[2]");
}

TEST_CASE("an address is named by what lies there") {
  const Program program = message_passing_test(Quantifier::exists).program;
  CHECK(location_name(program, 0x1000) == "x");
  CHECK(location_name(program, 0x1004) == "x+4");
  CHECK(location_name(program, 0x2008) == "a[2]");
  CHECK(location_name(program, 0x2009) == "a[2]+1");
  CHECK(location_name(program, 0x200c) == "0x200c");
  CHECK(location_name(program, 0xfff) == "0xfff");
}

TEST_CASE("values are shown with the sign of their variable") {
  const Program program = message_passing_test(Quantifier::exists).program;
  Event event;
  event.address = Bits(64, 0x1000);
  event.value = Bits(64, ~std::uint64_t{0});
  CHECK(value_text(event, program) == "-1");
  event.address = Bits(64, 0x2000);
  event.value = Bits(32, 0xffffffff);
  CHECK(value_text(event, program) == "4294967295");
  event.value = Bits(128, (u128{1} << 64) + 2);
  CHECK(value_text(event, program) == "0x10000000000000002");
  event.value = Bits();
  CHECK(value_text(event, program) == "?");
}

TEST_CASE("conditions have parentheses only where they are needed") {
  const Program program = message_passing_test(Quantifier::exists).program;
  using Comparison = Proposition::Comparison;
  const Proposition a = compare(register_of(0, 0), constant(1));
  const Proposition b = compare(memory_of(0), constant(2), Comparison::not_equal);
  const Proposition c = compare(memory_of(1, 1), register_of(1, 1), Comparison::less_equal);
  const auto text = [&](const Proposition& p) { return condition_text(p, program); };
  CHECK(text(a) == "0:r0=1");
  CHECK(text(conjunction({a, b, c})) == "0:r0=1 /\\ [x]!=2 /\\ a[1]<=1:r1");
  CHECK(text(conjunction({a, disjunction({b, c})})) == "0:r0=1 /\\ ([x]!=2 \\/ a[1]<=1:r1)");
  CHECK(text(disjunction({conjunction({a, b}), c})) == "0:r0=1 /\\ [x]!=2 \\/ a[1]<=1:r1");
  CHECK(text(negation(conjunction({a, b}))) == "not (0:r0=1 /\\ [x]!=2)");
  CHECK(text(conjunction({negation(a), b})) == "not (0:r0=1) /\\ [x]!=2");
  CHECK(text(Proposition{}) == "true");
  CHECK(text(conjunction({})) == "true");
  CHECK(text(disjunction({})) == "false");
  CHECK(condition_text(conjunction({a, b}), program, Naming::litmus) == "P0:r0=1 /\\ x!=2");
}

TEST_CASE("a question is printed as herd prints its condition") {
  const LitmusTest test = message_passing_test(Quantifier::not_exists);
  CHECK(question_text(test.question, test.program) == "~exists (1:r0=1 /\\ 1:r1=0)");
}
