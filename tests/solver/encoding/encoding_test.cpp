// The constraints of an encoding have exactly the executions as solutions that an enumeration finds.
#include "solver/encoding/encoding.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "solver/encoding/witness.hpp"
#include "solver/meetings/chosen_phases.hpp"
#include "solver/unfolding/unfold.hpp"
#include "tests/solver/all_executions.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

Encoding encoding_of(const Program& program, cat::Model model, const UnfoldOptions& options,
                     TermGraph& graph) {
  EventStructure structure = unfold(program, graph, options);
  BarrierPhases phases = choose_barrier_phases(structure, graph);
  return Encoding(std::move(structure), std::move(model), graph, std::move(phases));
}

/// What the solver has chosen, as a condition that no other execution satisfies.
Bits choices_of(const Encoding& encoding, Substitution& values) {
  Bits same = Bits::boolean(true);
  const auto add = [&](const Bits& choice) { same = same & equal(choice, values.apply(choice)); };
  for (const auto& choice : encoding.algebra().reads_from().choices) add(choice.chosen);
  for (const auto& [name, relation] : encoding.algebra().choices())
    for (const auto& row : relation.rows)
      for (const auto& entry : row) add(entry.holds);
  return same;
}

/// The keys of all solutions in which every thread ends. Each must be one that the judge accepts.
std::multiset<std::string> solutions(const EventStructure& structure, const cat::Model& model,
                                     TermGraph& graph) {
  const Encoding encoding(structure, with_flags(model, [](const std::string&) { return false; }), graph,
                          choose_barrier_phases(structure, graph));
  SmtSolver solver({});
  encoding.assert_executions(solver);
  solver.add(encoding.all_completed());
  WitnessReader reader(encoding.structure(), encoding.algebra(), graph);
  std::multiset<std::string> found;
  while (solver.check() == SmtSolver::Result::satisfiable) {
    Witness witness = reader.read(solver);
    CHECK_NOTHROW(check_accepted(model, witness.execution));
    found.insert(key_of(witness.execution));
    solver.add(~choices_of(encoding, witness.values));
  }
  CHECK(solver.check() == SmtSolver::Result::unsatisfiable);
  return found;
}

std::multiset<std::string> keys_of(const std::vector<Execution>& executions) {
  std::multiset<std::string> keys;
  for (const Execution& execution : executions) keys.insert(key_of(execution));
  return keys;
}

}  // namespace

TEST_CASE("programs that a model does not cover are marked by flags of certain names, whatever is wanted") {
  CHECK(is_beyond_model("later_than_ptx_6_4"));
  CHECK(is_beyond_model("outside_something"));
  CHECK(is_beyond_model("undefined_mmio_to_shared"));
  CHECK_FALSE(is_beyond_model("data_race"));
  const cat::Model model = cat::load("ptx-6.4");
  const auto has_flag = [&](const char* name, bool wanted) {
    const auto flags = with_flags(model, [&](const std::string&) { return wanted; }).flags;
    return std::ranges::any_of(flags, [&](const cat::Test& flag) { return flag.name == name; });
  };
  CHECK(has_flag("data_race", true));
  CHECK_FALSE(has_flag("data_race", false));
  CHECK(has_flag("later_than_ptx_6_4", true));
  CHECK(has_flag("later_than_ptx_6_4", false));
}

TEST_CASE("beyond_model names a flag that the program may raise") {
  const auto beyond = [](const std::string& rows, const char* name) {
    const LitmusTest test = with_thread(rows);
    TermGraph graph;
    return encoding_of(test.program, cat::load(name), {}, graph).beyond_model();
  };
  // fence.acquire came with PTX ISA 8.6
  CHECK(beyond("fence.acquire.gpu ;", "ptx-6.4") == "later_than_ptx_6_4");
  CHECK(beyond("fence.acquire.gpu ;", "ptx-8.7") == std::nullopt);
  CHECK(beyond("fence.sc.gpu ;", "ptx-6.4") == std::nullopt);
}

TEST_CASE("a loop that writes needs more iterations than its bound in some execution, or in none") {
  const auto may_reach_bound = [](const std::string& rows, unsigned bound) {
    const LitmusTest test = with_thread(rows);
    TermGraph graph;
    UnfoldOptions options;
    options.bound = bound;
    const Encoding encoding = encoding_of(test.program, cat::load("sc"), options, graph);
    SmtSolver solver({});
    encoding.assert_executions(solver);
    const Bits more = encoding.bound_reached(), ends = encoding.ends(0, {Ending::Kind::completed});
    const bool may_end = solver.check({&ends, 1}) == SmtSolver::Result::satisfiable;
    const bool is_cut_off = solver.check({&more, 1}) == SmtSolver::Result::satisfiable;
    CHECK(may_end != is_cut_off);  // one thread alone has one execution
    const Bits both = more & encoding.all_completed();
    CHECK(solver.check({&both, 1}) == SmtSolver::Result::unsatisfiable);
    return is_cut_off;
  };
  // x becomes 3 in three iterations, which take the back edge twice.
  const std::string counts = "L: atom.relaxed.gpu.add r0, x, 1 ; blt r0, 2, L ;";
  CHECK(may_reach_bound(counts, 1));
  CHECK_FALSE(may_reach_bound(counts, 2));
}

TEST_CASE("the solutions of an encoding are the executions that the judge accepts") {
  for (const char* name : {"ptx-8.7", "ptx-6.4", "sc"}) {
    const cat::Model model = cat::load(name);
    for (const auto& program : small_programs(name)) {
      CAPTURE(name);
      CAPTURE(program->text);
      CHECK(solutions(program->structure, model, program->graph) == keys_of(program->all.accepted));
    }
  }
}

TEST_CASE("a total coherence order relates no two writes both ways, also where no axiom asks for that") {
  const LitmusTest test = parse_litmus(
      "PTX t { x=0; } P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\nst.weak x, 1 | st.weak x, 2 ;\nexists (x == 1)",
      "t.litmus");
  const cat::Model model = cat::parse({"total", "\"total\" ~empty co & co^-1 as both_ways"}, {});
  TermGraph graph;
  const Encoding encoding = encoding_of(test.program, model, {}, graph);
  SmtSolver solver({});
  encoding.assert_executions(solver);
  CHECK(solver.check() == SmtSolver::Result::unsatisfiable);
}
