#pragma once

#include <vector>

#include "model/cat_model.hpp"
#include "model/execution.hpp"
#include "model/judge.hpp"
#include "solver/smt_solver.hpp"
#include "solver/symbolic_algebra.hpp"

namespace ptxmc {

/// An execution of a structure whose unknowns have values.
struct Witness {
  Execution execution;
  Substitution values;           ///< evaluates terms
  std::vector<EventId> numbers;  ///< in `execution`, of each event of the structure; -1: it does not happen
};

/// The events that happen under these values, and the registers at the end; sources, choices and phases are
/// left open.
Witness happened(const EventStructure&, Substitution values);

/// Reads executions out of the solver's assignments.
class WitnessReader {
 public:
  WitnessReader(const EventStructure&, const SymbolicAlgebra&, const TermGraph&);

  /// Further terms whose values `read` must be able to give.
  void include(const Bits&);

  /// What the last satisfiable check of the solver has found; final memory and relations are left open.
  Witness read(const SmtSolver&) const;

 private:
  const EventStructure& structure_;
  const SymbolicAlgebra& algebra_;
  const TermGraph& graph_;
  std::vector<bool> seen_;  // by number of the term
  std::vector<VariableId> needed_;
};

/// Evaluates the model on an execution without the solver. One that is not accepted is our mistake:
/// std::logic_error.
void check_accepted(const cat::Model&, const Execution&);
/// The same, and keeps the relations of the model for reports.
void check_witness(const cat::Model&, Execution&);

}  // namespace ptxmc
