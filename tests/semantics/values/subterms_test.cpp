// Walks over terms whose parts are shared.
#include "semantics/values/subterms.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "semantics/values/values.hpp"

using namespace ptxmc;

namespace {

/// square = (x + y) * (x + y), in which the sum occurs twice.
struct Square {
  TermGraph graph;
  Bits x = graph.variable(8, "x"), y = graph.variable(8, "y");
  Bits sum = x + y, square = sum * sum;
};

std::vector<const Term*> visited(const Bits& value, const Term* not_below = nullptr) {
  std::vector<const Term*> result;
  visit_subterms(value, [&](const Term& term) {
    result.push_back(&term);
    return &term != not_below;
  });
  return result;
}

}  // namespace

TEST_CASE("each subterm is visited once, behind a term that has it") {
  const Square terms;
  const auto all = visited(terms.square);
  REQUIRE(all.size() == 4);
  CHECK(all[0] == terms.square.term());
  CHECK(all[1] == terms.sum.term());
  CHECK(std::ranges::count(all, terms.x.term()) == 1);
  CHECK(std::ranges::count(all, terms.y.term()) == 1);
  CHECK(visited(Bits(8, 5)).empty());
}

TEST_CASE("nothing is visited below a term where the visit ends") {
  const Square terms;
  CHECK(visited(terms.square, terms.sum.term()).size() == 2);
}

TEST_CASE("what was seen before is left out") {
  const Square terms;
  NumberMap<bool> is_seen;
  std::size_t visits = 0;
  const auto count = [&](const Term&) { return ++visits != 0; };
  visit_subterms(terms.sum, is_seen, count);
  CHECK(visits == 3);
  visit_subterms(terms.square, is_seen, count);
  CHECK(visits == 4);
}

TEST_CASE("a walk over variables ends with the first that is refused") {
  const Square terms;
  std::vector<VariableId> found;
  CHECK(all_variables(terms.square, [&](VariableId variable) {
    found.push_back(variable);
    return true;
  }));
  std::ranges::sort(found);
  CHECK(found == variables_of(terms.square));
  found.clear();
  CHECK_FALSE(all_variables(terms.square, [&](VariableId variable) {
    found.push_back(variable);
    return false;
  }));
  CHECK(found.size() == 1);
}
