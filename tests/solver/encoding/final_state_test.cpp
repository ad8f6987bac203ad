// Conditions on final states: as terms, prepared for numbers, and by the definition of the connectives.
#include "solver/encoding/final_state.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

using Kind = Proposition::Kind;
using Comparison = Proposition::Comparison;

constexpr Comparison comparisons[] = {Comparison::equal,   Comparison::not_equal,
                                      Comparison::less,    Comparison::less_equal,
                                      Comparison::greater, Comparison::greater_equal};

template <class Number>
bool compare(Comparison comparison, Number a, Number b) {
  switch (comparison) {
    case Comparison::equal:
      return a == b;
    case Comparison::not_equal:
      return a != b;
    case Comparison::less:
      return a < b;
    case Comparison::less_equal:
      return a <= b;
    case Comparison::greater:
      return a > b;
    default:
      return a >= b;
  }
}

double as_double(std::int64_t bits) {
  double result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}
std::int64_t bits_of(double number) {
  std::int64_t result;
  std::memcpy(&result, &number, sizeof result);
  return result;
}

FinalTerm register_of(RegisterId id, std::optional<FloatFormat> format = {}) {
  FinalTerm term;
  term.kind = FinalTerm::Kind::thread_register;
  term.register_id = id;
  term.format = format;
  return term;
}
FinalTerm number(std::int64_t value, std::optional<FloatFormat> format = {}) {
  FinalTerm term;
  term.constant = value;
  term.format = format;
  return term;
}

/// A proposition with its meaning.
struct Meant {
  Proposition proposition;
  bool holds;
};

class RandomPropositions {
 public:
  explicit RandomPropositions(unsigned seed) : random_(seed) {
    const double floats[] = {0.0, -0.0, 1.5, -1.5, INFINITY, NAN};
    for (RegisterId id = 0; id < 3; ++id) values_.push_back(static_cast<std::int64_t>(random_() % 5) - 2);
    for (RegisterId id = 3; id < 6; ++id) values_.push_back(bits_of(floats[random_() % 6]));
  }

  const std::vector<std::int64_t>& values() const { return values_; }

  Meant make(int depth) {
    const auto kind = random_() % (depth == 0 ? 2 : 5);
    if (kind < 2) return comparison(kind == 0);
    if (kind == 2) {
      const Meant operand = make(depth - 1);
      return {{.kind = Kind::negation,
               .comparison = {},
               .left = {},
               .right = {},
               .operands = {operand.proposition}},
              !operand.holds};
    }
    const bool all = kind == 3;
    Meant result{{}, all};
    result.proposition.kind = all ? Kind::conjunction : Kind::disjunction;
    for (auto count = random_() % 3; count > 0; --count) {
      const Meant operand = make(depth - 1);
      result.proposition.operands.push_back(operand.proposition);
      result.holds = all ? result.holds && operand.holds : result.holds || operand.holds;
    }
    return result;
  }

 private:
  Meant comparison(bool is_float) {
    Meant result{{}, false};
    result.proposition.kind = Kind::compare;
    result.proposition.comparison = comparisons[random_() % 6];
    const auto id = static_cast<RegisterId>(random_() % 3 + (is_float ? 3 : 0));
    const std::optional<FloatFormat> format = is_float ? std::optional(FloatFormat::f64) : std::nullopt;
    const auto other = static_cast<RegisterId>(random_() % 3 + (is_float ? 3 : 0));
    const bool has_number = random_() % 2 == 0;
    const std::int64_t right = has_number ? (is_float ? bits_of(1.5) : -1) : values_[other];
    result.proposition.left = register_of(id, format);
    result.proposition.right = has_number ? number(right, format) : register_of(other, format);
    result.holds = is_float ? compare(result.proposition.comparison, as_double(values_[id]), as_double(right))
                            : compare(result.proposition.comparison, values_[id], right);
    return result;
  }

  std::mt19937 random_;
  std::vector<std::int64_t> values_;
};

}  // namespace

TEST_CASE("connectives and comparisons mean what they mean for numbers of C++") {
  std::vector<FinalTerm> shown;
  for (RegisterId id = 0; id < 6; ++id)
    shown.push_back(register_of(id, id < 3 ? std::nullopt : std::optional(FloatFormat::f64)));
  for (unsigned seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    RandomPropositions random(seed);
    const Meant meant = random.make(3);
    const auto value = [&](const FinalTerm& term) {
      const bool is_number = term.kind == FinalTerm::Kind::constant;
      return Bits(64, static_cast<u128>(is_number ? term.constant : random.values()[term.register_id]));
    };
    CHECK(holds(meant.proposition, value).is_true() == meant.holds);
    CHECK(StateProposition(meant.proposition, shown).holds(random.values()) == meant.holds);

    // The same with unknowns, whose values are given afterwards.
    TermGraph graph;
    Substitution known;
    std::vector<Bits> unknown;
    for (const std::int64_t number : random.values()) {
      unknown.push_back(graph.variable(64, "register"));
      known.set(unknown.back().term()->variable, Bits(64, static_cast<u128>(number)));
    }
    const Bits open = holds(meant.proposition, [&](const FinalTerm& term) {
      return term.kind == FinalTerm::Kind::constant ? value(term) : unknown[term.register_id];
    });
    CHECK(known.apply(open).is_true() == meant.holds);
  }
}

TEST_CASE("narrow formats: the low bits of a value are the number") {
  const auto low = [](std::uint64_t bits) { return Bits(64, bits); };
  Proposition equals;
  equals.kind = Kind::compare;
  equals.left = register_of(0, FloatFormat::f32);
  equals.right = number(0x3f800000, FloatFormat::f32);
  const auto is_one = [&](std::uint64_t bits) {
    return holds(equals,
                 [&](const FinalTerm& term) {
                   return term.kind == FinalTerm::Kind::constant ? low(0x3f800000) : low(bits);
                 })
        .is_true();
  };
  CHECK(is_one(0x3f800000));
  CHECK(is_one(0xffffffff3f800000));
  CHECK_FALSE(is_one(0x3f800001));
}

TEST_CASE("what states show: condition, filter, then locations, each once and no numbers") {
  const LitmusTest test = parse_litmus(
      "PTX t { x=0; y=0; } P0@cta 0,gpu 0 ;\nld.relaxed.gpu r0, x ; ld.relaxed.gpu r1, y ;\n"
      "locations [y; x; P0:r0]\nfilter (P0:r1 == 1)\nexists (P0:r0 == 1 /\\ (x == P0:r0 \\/ 2 == x))",
      "t.litmus");
  const auto shown = shown_terms(test.question);
  REQUIRE(shown.size() == 4);
  CHECK(shown[0].kind == FinalTerm::Kind::thread_register);
  CHECK(shown[1].kind == FinalTerm::Kind::memory);
  CHECK(test.program.memory[static_cast<std::size_t>(shown[1].variable)].name == "x");
  CHECK(shown[2].kind == FinalTerm::Kind::thread_register);
  CHECK(shown[2].register_id != shown[0].register_id);
  CHECK(test.program.memory[static_cast<std::size_t>(shown[3].variable)].name == "y");
}

TEST_CASE("a number is signed if its variable is, and a float is its bits") {
  Program program;
  for (const bool is_signed : {false, true}) {
    Variable variable;
    variable.name = is_signed ? "s" : "u";
    variable.element_size = 2;
    variable.is_signed = is_signed;
    program.memory.push_back(variable);
  }
  const auto memory = [](int variable, std::optional<FloatFormat> format = {}) {
    FinalTerm term;
    term.kind = FinalTerm::Kind::memory;
    term.variable = variable;
    term.format = format;
    return term;
  };
  const Bits ones(16, 0xfffe);
  CHECK(shown_number(program, memory(0), ones) == 0xfffe);
  CHECK(shown_number(program, memory(1), ones) == -2);
  CHECK(shown_number(program, memory(1, FloatFormat::f16), ones) == 0xfffe);
  CHECK(shown_number(program, register_of(0), Bits(32, 0xffffffff)) == 0xffffffff);
  CHECK(final_number(program, memory(1), ones).width() == 64);
}
