#include "solver/smt/products.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

/// The product of two unknowns of 32 bits, and what takes its place in a question.
struct Replaced {
  TermGraph graph;
  Bits a = graph.variable(32, "a"), b = graph.variable(32, "b");
  Products products{graph};
  Bits asked = products.replace_in(a * b);

  /// The unknown for the product.
  VariableId unknown() const {
    const auto variables = variables_of(asked);
    REQUIRE(variables.size() == 1);
    return variables.front();
  }
  Substitution values(std::uint64_t x, std::uint64_t y, std::uint64_t product) const {
    Substitution result;
    result.set(a.term()->variable, Bits(32, x));
    result.set(b.term()->variable, Bits(32, y));
    result.set(unknown(), Bits(64, product));
    return result;
  }
};

}  // namespace

TEST_CASE("a product of two unknowns is replaced by an unknown of 64 bits") {
  Replaced replaced;
  CHECK(replaced.products.has_some());
  const VariableId unknown = replaced.unknown();
  CHECK(unknown != replaced.a.term()->variable);
  CHECK(unknown != replaced.b.term()->variable);
  CHECK(replaced.graph.variable_width(unknown) == 64);
  CHECK(identical(replaced.products.replace_in(replaced.a * replaced.b), replaced.asked));
}

TEST_CASE("the facts about a product are true of the right value, and each is returned once") {
  Replaced replaced;
  const Bits facts = replaced.products.new_facts();
  CHECK(!facts.is_true());
  CHECK(replaced.products.new_facts().is_true());
  for (const std::uint64_t x : {0, 1, 3, 0xffff})
    for (const std::uint64_t y : {0, 1, 4, 0x10000}) {
      Substitution right = replaced.values(x, y, x * y);
      CHECK(right.apply(facts).is_true());
    }
}

TEST_CASE("a wrong value is corrected by a fact that excludes it") {
  Replaced replaced;
  Substitution right = replaced.values(3, 4, 12), wrong = replaced.values(3, 4, 13);
  CHECK(replaced.products.corrections(right).is_true());
  const Bits correction = replaced.products.corrections(wrong);
  CHECK(wrong.apply(correction).is_false());
  CHECK(right.apply(correction).is_true());
}

TEST_CASE("the definition of a product holds for its value alone") {
  Replaced replaced;
  const Bits definitions = replaced.products.definitions();
  CHECK(replaced.values(7, 6, 42).apply(definitions).is_true());
  CHECK(replaced.values(7, 6, 41).apply(definitions).is_false());
}

TEST_CASE("a product with a constant is left") {
  TermGraph graph;
  const Bits tripled = graph.variable(32, "a") * Bits(32, 3);
  Products products(graph);
  CHECK(identical(products.replace_in(tripled), tripled));
}
