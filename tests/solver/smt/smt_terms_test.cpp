// What Z3 understands of a term: it computes with numbers what semantics/ computes.
#include "solver/smt/smt_terms.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "semantics/values/float_operations.hpp"
#include "tests/semantics/random_terms.hpp"

using namespace ptxmc;

namespace {

/// The value of a formula that has no unknowns left.
Bits number_of(const z3::expr& formula, unsigned width) {
  const z3::expr value = formula.simplify();
  if (width == 1) {
    CHECK((value.is_true() || value.is_false()));
    return Bits::boolean(value.is_true());
  }
  u128 result = 0;
  for (unsigned low = 0; low < width; low += 64) {
    const z3::expr part = value.extract(std::min(low + 63, width - 1), low).simplify();
    REQUIRE(part.is_numeral());
    result |= static_cast<u128>(part.get_numeral_uint64()) << low;
  }
  return Bits(width, result);
}

/// Constants in place of variables, by their ids.
struct Given {
  z3::expr_vector variables, values;

  Given(z3::context& z3, SmtTerms& terms, const std::vector<test::Twin>& twins) : variables(z3), values(z3) {
    for (const test::Twin& twin : twins) {
      variables.push_back(terms.translate(twin.term));
      values.push_back(terms.constant(twin.number.width(), twin.number.value()));
    }
  }
  z3::expr in(z3::expr formula) const { return formula.substitute(variables, values); }
};

}  // namespace

TEST_CASE("an operation on integers has the same result for Z3") {
  z3::context z3;
  for (unsigned seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    TermGraph graph;
    test::RandomTerms random(graph, seed);
    SmtTerms terms(z3);
    const auto widths = seed % 2 == 0 ? std::vector<unsigned>{1, 1, 2, 3, 7}
                                      : std::vector<unsigned>{1, 8, 16, 32, 32, 64, 64, 128};
    for (const unsigned width : widths) random.add_variable(width);
    const Given given(z3, terms, random.variables());
    for (int i = 0; i < 30; ++i) {
      const test::Twin result = random.add_operation();
      CAPTURE(to_string(result.term));
      const Bits number = number_of(given.in(terms.translate(result.term)), result.term.width());
      CHECK(identical(number, result.number));
    }
    CHECK(terms.float_operations().empty());
  }
}

TEST_CASE("constants of every width, and one variable for all of its occurrences") {
  z3::context z3;
  TermGraph graph;
  SmtTerms terms(z3);
  for (const unsigned width : {1u, 2u, 31u, 32u, 63u, 64u, 65u, 127u, 128u}) {
    const Bits ones = ~Bits(width, 0), top = shift_left(Bits(width, 1), Bits(8, width - 1));
    CHECK(identical(number_of(terms.translate(ones), width), ones));
    CHECK(identical(number_of(terms.constant(width, top.value()), width), top));
    const Bits variable = graph.variable(width, "same name");
    CHECK(z3::eq(terms.translate(variable), terms.translate(variable)));
    CHECK((width == 1 ? terms.translate(variable).is_bool()
                      : terms.translate(variable).get_sort().bv_size() == width));
  }
  // Variables of one name are different variables.
  CHECK_FALSE(z3::eq(terms.translate(graph.variable(8, "twin")), terms.translate(graph.variable(8, "twin"))));
  CHECK(terms.variables().size() == graph.variable_count());
}

TEST_CASE("the definition of a floating-point operation has the result that IEEE 754 has") {
  z3::context z3;
  std::mt19937_64 random(5);
  constexpr Rounding roundings[] = {Rounding::nearest_even, Rounding::toward_zero, Rounding::upward,
                                    Rounding::downward};
  const std::map<FloatFormat, std::pair<unsigned, std::vector<std::uint64_t>>> numbers = {
      {FloatFormat::f16, {16, {0, 0x8000, 0x3c00, 0xbc00, 0x0001, 0x03ff, 0x7bff, 0xfc00, 0x7fff, 0x3555}}},
      {FloatFormat::f32,
       {32, {0, 0x80000000, 0x3f800000, 1, 0x7f7fffff, 0xff800000, 0x7fffffff, 0x3eaaaaab}}}};
  for (const auto& [format, made] : numbers)
    for (int round = 0; round < 120; ++round) {
      const auto& [width, special] = made;
      TermGraph graph;
      SmtTerms terms(z3);
      std::vector<test::Twin> x;
      for (const char* name : {"a", "b", "c"})
        x.push_back({graph.variable(width, name),
                     Bits(width, random() % 3 == 0 ? special[random() % special.size()] : random())});
      const Rounding mode = roundings[random() % 4];
      const auto operation = [&, format = format, width = width, kind = round % 9](
                                 const Bits& a, const Bits& b, const Bits& c) {
        switch (kind) {
          case 0:
            return float_add(format, mode, a, b);
          case 1:
            return float_multiply(format, mode, a, b);
          case 2:
            return float_divide(format, mode, a, b);
          case 3:
            return float_multiply_add(format, mode, a, b, c);
          case 4:
            return float_square_root(format, mode, a);
          case 5:
            return float_round_to_integral(format, mode, a);
          case 6:
            return float_from_signed(format, mode, a);
          case 7:
            return float_to_signed(width, format, mode, a);
          default:
            return float_to_unsigned(width / 2, format, mode, a);
        }
      };
      const Bits term = operation(x[0].term, x[1].term, x[2].term);
      const Bits expected = operation(x[0].number, x[1].number, x[2].number);
      CAPTURE(round % 9);
      CAPTURE(to_string(term));
      CAPTURE(to_string(x[0].number));
      CAPTURE(to_string(x[1].number));
      CAPTURE(to_string(x[2].number));
      terms.translate(term);
      REQUIRE(terms.float_operations().size() == 1);
      const FloatOperation& made_of = terms.float_operations().front();
      CHECK(made_of.term == term.term());
      const Given given(z3, terms, x);
      z3::expr_vector result(z3), right(z3), wrong(z3);
      result.push_back(made_of.result);
      right.push_back(terms.constant(expected.width(), expected.value()));
      wrong.push_back(terms.constant(expected.width(), (expected ^ Bits(expected.width(), 1)).value()));
      z3::expr definition = given.in(terms.definition(made_of));
      CHECK(definition.substitute(result, right).simplify().is_true());
      CHECK(definition.substitute(result, wrong).simplify().is_false());
    }
}

TEST_CASE("an approximate result is a variable with bounds, which are handed out once") {
  z3::context z3;
  TermGraph graph;
  SmtTerms terms(z3);
  const Bits a = graph.variable(32, "a");
  const Bits sine = float_approximate(Approximation::sine, FloatFormat::f32, a);
  terms.translate(sine);
  REQUIRE(terms.approximations().size() == 1);
  CHECK(terms.approximations().begin()->first == sine.term());
  CHECK_FALSE(terms.take_bounds().empty());
  terms.translate(sine);
  CHECK(terms.take_bounds().empty());
}
