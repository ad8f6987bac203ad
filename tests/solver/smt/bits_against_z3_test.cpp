// Another reader of what terms mean: their SMT-LIB text, as Z3 understands it.
#include <doctest/doctest.h>

#include "solver/smt/z3.hpp"
#include "tests/semantics/random_terms.hpp"

using namespace ptxmc;

namespace {

std::string declaration(const Bits& variable) {
  const Term& t = *variable.term();
  return "(declare-const " + smtlib_symbol(*t.graph, t.variable) + " (_ BitVec " + std::to_string(t.width) +
         "))\n";
}

z3::check_result check_script(z3::context& z3, const std::string& script) {
  z3::solver solver(z3);
  solver.from_string(script.c_str());
  return solver.check();
}

// Z3 finds no term whose value differs from the number, once the unknowns have their values.
void check_random_terms(z3::context& z3, unsigned seed, std::initializer_list<unsigned> widths,
                        int operations) {
  TermGraph graph;
  test::RandomTerms random(graph, seed);
  for (unsigned width : widths) random.add_variable(width);

  std::string values, differences;
  for (const test::Twin& v : random.variables())
    values += declaration(v.term) + "(assert (= " + to_smtlib(v.term) + " " + to_smtlib(v.number) + "))\n";
  for (int i = 0; i < operations; ++i) {
    const test::Twin& result = random.add_operation();
    differences += "(distinct " + to_smtlib(result.term) + " " + to_smtlib(result.number) + ")\n";
  }

  CAPTURE(seed);
  REQUIRE(check_script(z3, values) == z3::sat);
  REQUIRE(check_script(z3, values + "(assert (or " + differences + "))") == z3::unsat);
}

// Whether the predicate is true for all values of the unknowns of its graph.
bool is_valid(const Bits& predicate) {
  const TermGraph& graph = *predicate.term()->graph;
  std::string script;
  for (VariableId v = 0; v < graph.variable_count(); ++v)
    script += "(declare-const " + smtlib_symbol(graph, v) + " (_ BitVec " +
              std::to_string(graph.variable_width(v)) + "))";
  z3::context z3;
  return check_script(z3, script + "(assert (distinct #b1 " + to_smtlib(predicate) + "))") == z3::unsat;
}

}  // namespace

TEST_CASE("Z3 reads the SMT-LIB text of terms as they evaluate: narrow values") {
  z3::context z3;
  for (unsigned seed = 0; seed < 30; ++seed) check_random_terms(z3, seed, {1, 1, 2, 3}, 40);
}

TEST_CASE("Z3 reads the SMT-LIB text of terms as they evaluate: registers") {
  z3::context z3;
  for (unsigned seed = 0; seed < 30; ++seed)
    check_random_terms(z3, seed, {1, 8, 16, 32, 32, 64, 64, 128}, 60);
}

TEST_CASE("Z3 proves laws that the simplification of terms does not know") {
  TermGraph graph;
  const Bits x = graph.variable(8, "x"), y = graph.variable(8, "y"), amount = graph.variable(12, "amount");
  CHECK(is_valid(equal((x & y) + (x | y), x + y)));
  CHECK(is_valid(equal(divide_unsigned(x, y) * y + remainder_unsigned(x, y), x)));
  CHECK(is_valid(equal(divide_signed(x, y) * y + remainder_signed(x, y), x)));
  // a narrow amount, and a wide one
  CHECK(is_valid(equal(shift_left(x, y.extract(0, 3)), x * shift_left(Bits(8, 1), y.extract(0, 3)))));
  const Bits wide = Bits(12, 8);
  CHECK(is_valid(less_unsigned(amount, wide) | equal(shift_right_unsigned(x, amount), Bits(8, 0))));
  CHECK(is_valid(less_unsigned(amount, wide) |
                 equal(shift_right_signed(x, amount), ite(x.bit(7), Bits(8, 255), Bits(8, 0)))));
  CHECK_FALSE(is_valid(equal(shift_left(x, amount), Bits(8, 0))));
}

TEST_CASE("symbols are unique and quoted where SMT-LIB needs it") {
  TermGraph graph;
  const Bits first = graph.variable(8, "x"), second = graph.variable(8, "x");
  const Bits reserved = graph.variable(8, "bvadd"), odd = graph.variable(8, "P0:|r1"),
             empty = graph.variable(8, "");
  const Bits sum = first + second * reserved + odd * empty;
  CHECK_FALSE(is_valid(equal(sum, first)));
  CHECK_FALSE(is_valid(equal(first, second)));
  CHECK(smtlib_symbol(graph, 0) == "x");
  CHECK(smtlib_symbol(graph, 1) == "|x!1|");
  CHECK(smtlib_symbol(graph, 2) == "|bvadd!2|");
}

TEST_CASE("Z3 reads a term whose tree is astronomically large, and one that is deep") {
  TermGraph graph;
  const Bits x = graph.variable(32, "x"), y = graph.variable(32, "y");
  Bits doubled = x * y;
  for (int i = 0; i < 200; ++i) doubled = doubled * (doubled ^ y);
  z3::context z3;
  const std::string script = declaration(x) + declaration(y);
  CHECK(check_script(z3, script + "(assert (= x #x00000000))(assert (= #x00000000 " + to_smtlib(doubled) +
                             "))") == z3::sat);

  Bits deep = x;
  for (int i = 0; i < 5'000; ++i) deep = (deep ^ y) + x;
  CHECK(check_script(z3, script + "(assert (= x y #x00000000))(assert (= #x00000000 " + to_smtlib(deep) +
                             "))") == z3::sat);
}
