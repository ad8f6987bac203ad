#include "solver/algebra/symbolic_relation.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "solver/smt/smt_solver.hpp"

using namespace ptxmc;

namespace {

constexpr int events = 5;

struct OpenRelation {
  SymbolicRelation relation{events};
  std::vector<VariableId> variables;
};

/// Every pair is absent, certain or open.
OpenRelation random_relation(std::mt19937& random, TermGraph& graph, int density) {
  OpenRelation result;
  for (EventId a = 0; a < events; ++a)
    for (EventId b = 0; b < events; ++b) {
      const int kind = static_cast<int>(random() % static_cast<unsigned>(density));
      if (kind == 0) result.relation.rows[a].push_back({b, Bits::boolean(true)});
      if (kind == 1) {
        const Bits open = graph.variable(1, "pair");
        result.variables.push_back(open.term()->variable);
        result.relation.rows[a].push_back({b, open});
      }
    }
  return result;
}

/// The last event but one leads to what the first leads to, and nothing leads to it; the last leads to
/// nothing, and to it leads what leads to the first.
void make_twins(OpenRelation& open) {
  constexpr EventId source = events - 2;
  constexpr EventId sink = events - 1;
  auto& rows = open.relation.rows;
  for (auto& row : rows) std::erase_if(row, [](const auto& entry) { return entry.to >= source; });
  rows[source] = rows[0];
  rows[sink].clear();
  for (auto& row : rows)
    if (!row.empty() && row.front().to == 0) row.push_back({sink, row.front().holds});
}

using Matrix = std::array<std::array<bool, events>, events>;

Matrix matrix_of(const SymbolicRelation& relation, Substitution& values) {
  Matrix result{};
  for (EventId a = 0; a < events; ++a)
    for (const auto& [b, holds] : relation.rows[a]) result[a][b] = values.apply(holds).is_true();
  return result;
}

Matrix naive_closure(Matrix m) {
  for (int k = 0; k < events; ++k)
    for (int a = 0; a < events; ++a)
      for (int b = 0; b < events; ++b) m[a][b] = m[a][b] || (m[a][k] && m[k][b]);
  return m;
}

bool is_cyclic(const Matrix& m) {
  const Matrix closed = naive_closure(m);
  for (int a = 0; a < events; ++a)
    if (closed[a][a]) return true;
  return false;
}

Substitution random_values(const std::vector<VariableId>& variables, std::mt19937& random) {
  Substitution values;
  for (VariableId variable : variables) values.set(variable, Bits::boolean(random() % 2));
  return values;
}

}  // namespace

TEST_CASE("the operations on open relations mean what they mean on known ones") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    TermGraph graph;
    const OpenRelation a = random_relation(random, graph, 4);
    const OpenRelation b = random_relation(random, graph, 4);
    auto variables = a.variables;
    variables.insert(variables.end(), b.variables.begin(), b.variables.end());
    Substitution values = random_values(variables, random);
    const Matrix ma = matrix_of(a.relation, values);
    const Matrix mb = matrix_of(b.relation, values);
    const Matrix united = matrix_of(unite(a.relation, b.relation), values);
    const Matrix both = matrix_of(intersect(a.relation, b.relation), values);
    const Matrix left = matrix_of(subtract(a.relation, b.relation), values);
    const Matrix composed = matrix_of(compose(a.relation, b.relation), values);
    const Matrix inverted = matrix_of(inverse(a.relation), values);
    for (int i = 0; i < events; ++i)
      for (int j = 0; j < events; ++j) {
        CHECK(united[i][j] == (ma[i][j] || mb[i][j]));
        CHECK(both[i][j] == (ma[i][j] && mb[i][j]));
        CHECK(left[i][j] == (ma[i][j] && !mb[i][j]));
        CHECK(inverted[i][j] == ma[j][i]);
        bool through = false;
        for (int k = 0; k < events; ++k) through = through || (ma[i][k] && mb[k][j]);
        CHECK(composed[i][j] == through);
      }
  }
}

TEST_CASE("closures and acyclicity agree with the naive ones") {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    TermGraph graph;
    OpenRelation open = random_relation(random, graph, 3 + round % 6);
    if (round >= 200) make_twins(open);
    Substitution values = random_values(open.variables, random);
    const Matrix known = matrix_of(open.relation, values);
    CHECK(matrix_of(closure(open.relation), values) == naive_closure(known));
    CHECK(values.apply(is_acyclic(open.relation)).is_true() == !is_cyclic(known));

    // Ranks and the closure from above are formulas with unknowns of their own: ask the solver.
    SmtSolver solver({});
    std::vector<Bits> constraints;
    const SymbolicRelation above = closure_above(open.relation, graph, constraints);
    for (const Bits& constraint : constraints) solver.add(constraint);
    for (VariableId variable : open.variables) {
      const Bits term(graph.intern({.op = Operator::variable, .width = 1, .variable = variable}));
      solver.add(equal(term, values.apply(term)));
    }
    const Bits ranked[] = {is_ranked(open.relation, graph)};
    const Bits irreflexive[] = {is_irreflexive(above)};
    const auto expected =
        is_cyclic(known) ? SmtSolver::Result::unsatisfiable : SmtSolver::Result::satisfiable;
    CHECK(solver.check(ranked) == expected);
    CHECK(solver.check(irreflexive) == expected);
  }
}

TEST_CASE("the closure from above of events with conditions can be the least one, and no smaller") {
  std::mt19937 random(5);
  for (int round = 0; round < 60; ++round) {
    // Pairs hold if both events and perhaps a third condition hold: many follow from others.
    TermGraph graph;
    std::vector<VariableId> variables;
    std::vector<Bits> happens;
    const auto open = [&] {
      const Bits bit = graph.variable(1, "open");
      variables.push_back(bit.term()->variable);
      return bit;
    };
    const Bits all = open();
    for (EventId a = 0; a < events; ++a) happens.push_back(a % 2 == 0 ? all : all & open());
    SymbolicRelation relation(events);
    for (EventId a = 0; a < events; ++a)
      for (EventId b = 0; b < events; ++b)
        if (a != b && random() % 2 == 0)
          relation.rows[a].push_back({b, happens[a] & happens[b] & (random() % 4 == 0 ? open() : all)});
    Substitution values = random_values(variables, random);
    const Matrix least = naive_closure(matrix_of(relation, values));
    SmtSolver solver({});
    std::vector<Bits> constraints;
    const SymbolicRelation above = closure_above(relation, graph, constraints);
    for (const Bits& constraint : constraints) solver.add(constraint);
    for (const VariableId variable : variables) {
      const Bits term(graph.intern({.op = Operator::variable, .width = 1, .variable = variable}));
      solver.add(equal(term, values.apply(term)));
    }
    for (EventId a = 0; a < events; ++a)
      for (EventId b = 0; b < events; ++b) {
        const Bits absent[] = {~above.at(a, b)};
        CHECK(solver.check(absent) ==
              (least[a][b] ? SmtSolver::Result::unsatisfiable : SmtSolver::Result::satisfiable));
      }
  }
}

TEST_CASE("the closure from above of a phase of a barrier needs few constraints") {
  constexpr EventId count = 40;
  TermGraph graph;
  const Bits all_come = graph.variable(1, "all come");
  SymbolicRelation relation(count);
  for (EventId a = 0; a < count; ++a)
    for (EventId b = 0; b < count; ++b)
      if (a != b) relation.rows[a].push_back({b, all_come});
  std::vector<Bits> constraints;
  closure_above(relation, graph, constraints);
  CHECK(constraints.size() <= 4 * count * count);  // and not one for each three arrivals
}

TEST_CASE("the closure of a tournament from above can be the least one, and no smaller") {
  constexpr EventId count = 9;
  std::mt19937 random(4);
  for (int round = 0; round < 60; ++round) {
    // From an order to a random orientation, by way of those with few cycles.
    TermGraph graph;
    SmtSolver solver({});
    std::vector<std::map<EventId, Bits>> open(count);
    std::array<std::array<bool, count>, count> known{};
    for (EventId a = 0; a < count; ++a)
      for (EventId b = 0; b < a; ++b) {
        const Bits forward = graph.variable(1, "forward");
        const bool is_forward = static_cast<int>(random() % 60) >= round / 2;
        known[a][b] = is_forward;
        known[b][a] = !is_forward;
        open[a].emplace(b, forward);
        open[b].emplace(a, ~forward);
        solver.add(equal(forward, Bits::boolean(is_forward)));
      }
    SymbolicRelation relation(count);
    for (EventId a = 0; a < count; ++a)
      for (const auto& [b, holds] : open[a]) relation.rows[a].push_back({b, holds});
    for (EventId k = 0; k < count; ++k)
      for (EventId a = 0; a < count; ++a)
        for (EventId b = 0; b < count; ++b) known[a][b] = known[a][b] || (known[a][k] && known[k][b]);

    std::vector<Bits> constraints;
    const SymbolicRelation above = closure_above(relation, graph, constraints);
    for (const Bits& constraint : constraints) solver.add(constraint);
    std::vector<Bits> least;
    Bits smaller = Bits::boolean(false);
    for (EventId a = 0; a < count; ++a)
      for (EventId b = 0; b < count; ++b) {
        least.push_back(equal(above.at(a, b), Bits::boolean(known[a][b])));
        if (known[a][b]) smaller = smaller | ~above.at(a, b);
      }
    CHECK(solver.check({&smaller, 1}) == SmtSolver::Result::unsatisfiable);
    CHECK(solver.check(least) == SmtSolver::Result::satisfiable);
  }
}
