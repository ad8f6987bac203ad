#pragma once

#include <vector>

#include "model/cat/cat_model.hpp"
#include "model/judge/judge.hpp"
#include "model/program/execution.hpp"
#include "semantics/values/number_map.hpp"
#include "solver/encoding/symbolic_algebra.hpp"
#include "solver/smt/smt_solver.hpp"

namespace ptxmc {

/// An execution of a structure whose unknowns have values.
struct Witness {
  Execution execution;
  Substitution values;  ///< evaluates terms
  /// For each event of the structure its number in `execution`; -1: it does not happen.
  std::vector<EventId> numbers;
};

/// The events that happen under these values, and the final registers; sources, choices and phases are not
/// set.
Witness happened(const EventStructure&, Substitution values);

/// Reads executions out of the solver's assignments.
class WitnessReader {
 public:
  WitnessReader(const EventStructure&, const SymbolicAlgebra&, const TermGraph&);

  /// Adds a term whose value `read` must provide.
  void include(const Bits&);

  /// The execution of the last satisfiable check of the solver; final memory and relations are not set.
  Witness read(const SmtSolver&) const;

 private:
  const EventStructure& structure_;
  const SymbolicAlgebra& algebra_;
  const TermGraph& graph_;
  NumberMap<bool> is_seen_;  // by number of the term
  std::vector<VariableId> needed_;
};

/// Evaluates the model on an execution without the solver. If it is not accepted, throws std::logic_error.
void check_accepted(const cat::Model&, const Execution&);
/// The same, and stores the relations of the model in the execution for reports.
void check_witness(const cat::Model&, Execution&);

}  // namespace ptxmc
