#pragma once

#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "model/program/execution.hpp"

namespace ptxmc {

/// The result of evaluating a model on an execution.
struct Judgement {
  std::vector<bool> axioms;  ///< by index in cat::Model::axioms: the axiom holds
  std::vector<bool> flags;   ///< by index in cat::Model::flags: the flag is raised
  /// The errors in the choices of the execution, as sentences: a read without a source, a pair that is not
  /// oriented exactly once, a coherence order with a cycle.
  std::vector<std::string> malformed;
  /// The relations and sets that have a name at the top level of the model or that it shows, a set as pairs
  /// (a, a). A later definition hides an earlier one of the same name.
  NamedRelations relations;

  /// Whether the execution is well-formed and every axiom holds.
  bool accepted() const;
};

/// Evaluates every definition and axiom of a model on an execution, without a solver.
Judgement judge(const cat::Model&, const Execution&);
/// The same without `relations`; several times as fast.
Judgement judge_axioms_and_flags(const cat::Model&, const Execution&);
/// The same without `flags` and `relations`; faster again.
Judgement judge_axioms(const cat::Model&, const Execution&);

}  // namespace ptxmc
