#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "model/cat_evaluator.hpp"
#include "model/cat_model.hpp"
#include "solver/smt_solver.hpp"
#include "solver/symbolic_algebra.hpp"
#include "solver/unfold.hpp"

namespace ptxmc {

/// The model with those of its flags whose names satisfy the condition, and those whose names begin with
/// `later_than`, `outside`: they say what a model knows nothing of.
cat::Model with_flags(cat::Model, const std::function<bool(const std::string&)>& wanted);

/// The executions of a program under a model, as constraints on unknowns.
class Encoding {
 public:
  /// A model with fewer flags needs less to be exact, and is solved faster: see with_flags.
  /// The graph outlives the encoding.
  Encoding(const Program&, cat::Model, const UnfoldOptions&, TermGraph&);
  /// Of events that somebody else has unfolded, in terms of this graph, with the phases of their barriers.
  Encoding(EventStructure, cat::Model, TermGraph&, BarrierPhases);
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;

  const EventStructure& structure() const { return structure_; }
  const SymbolicAlgebra& algebra() const { return algebra_; }
  const cat::Outcome<SymbolicAlgebra>& outcome() const { return outcome_; }
  /// The coherence order of the model. Where no flag needs it, it may be larger than the least one, which
  /// only makes conditions on it harder to satisfy.
  const SymbolicRelation& coherence() const { return *outcome_.relation("co"); }

  /// The flag that says that the model knows nothing of something in the program, if there is one.
  std::optional<std::string> beyond_model() const;

  /// Tells the solver what every execution satisfies: choices and axioms.
  void assert_executions(SmtSolver&) const;

  /// Width 1: the thread ends in one of these ways.
  Bits ends(std::size_t thread, std::initializer_list<Ending::Kind>) const;
  /// Width 1: all threads have ended, none waits at a barrier.
  Bits all_completed() const;
  /// Width 1: some thread wanted more iterations than the bound, and waits at no barrier with a thread count
  /// before; the others have ended, or wait.
  Bits bound_reached() const;

 private:
  cat::Outcome<SymbolicAlgebra> evaluate();

  const cat::Model model_;
  const EventStructure structure_;
  SymbolicAlgebra algebra_;
  const cat::Outcome<SymbolicAlgebra> outcome_;
};

}  // namespace ptxmc
