#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/cat_model.hpp"
#include "model/execution.hpp"

namespace ptxmc {

/// What a model says about an execution.
struct Judgement {
  std::vector<bool> axioms;  ///< as cat::Model::axioms: it holds
  std::vector<bool> flags;   ///< as cat::Model::flags: it is raised
  /// What is wrong with the choices of the execution themselves: a read without a source, a pair that is not
  /// oriented exactly once, a coherence order with a cycle. Sentences.
  std::vector<std::string> malformed;
  /// The relations and sets that have a name at the top level of the model or are shown by it; a set as pairs
  /// (a, a). A later definition hides an earlier one of the same name.
  std::map<std::string, Pairs> relations;

  /// The execution is well-formed and every axiom holds.
  bool accepted() const;
};

/// Evaluates every definition and axiom of a model on an execution, without a solver.
Judgement judge(const cat::Model&, const Execution&);
/// Only what its axioms and flags need, and without relations: several times as fast.
Judgement judge_axioms(const cat::Model&, const Execution&);

}  // namespace ptxmc
