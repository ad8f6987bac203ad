#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "model/cat/cat_evaluator.hpp"
#include "model/cat/cat_model.hpp"
#include "solver/encoding/symbolic_algebra.hpp"
#include "solver/smt/smt_solver.hpp"

namespace ptxmc {

/// Whether a flag marks programs that a model does not cover: `later_than_…`, `outside_…`, `undefined_…`.
bool is_beyond_model(std::string_view flag);

/// The model with only those flags whose names satisfy the condition or begin with `later_than` or `outside`.
/// The latter mark programs that the model does not cover.
cat::Model with_flags(cat::Model, const std::function<bool(const std::string&)>& wanted);

/// The executions of some events under a model, as constraints on unknowns.
class Encoding {
 public:
  /// Encodes events with terms of this graph, and the phases of their barriers. A model with fewer flags is
  /// solved faster, since fewer values must be exact: see with_flags. The graph must outlive the encoding.
  Encoding(EventStructure, cat::Model, TermGraph&, BarrierPhases);
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;

  const EventStructure& structure() const { return structure_; }
  const SymbolicAlgebra& algebra() const { return algebra_; }
  const cat::Outcome<SymbolicAlgebra>& outcome() const { return outcome_; }
  /// The coherence order of the model. If no flag needs it, it may be larger than the least coherence order;
  /// a larger order only makes conditions harder to satisfy.
  const SymbolicRelation& coherence() const { return *outcome_.relation("co"); }

  /// The flag for a part of the program that the model does not cover, if there is one.
  std::optional<std::string> beyond_model() const;

  /// Adds to the solver the constraints of every execution: choices and axioms.
  void assert_executions(SmtSolver&) const;

  /// Whether the thread ends in one of these ways; width 1.
  Bits ends(std::size_t thread, std::initializer_list<Ending::Kind>) const;
  /// Whether all threads have ended, and none waits at a barrier; width 1.
  Bits all_completed() const;
  /// Whether some thread needs more iterations than the bound and does not wait at an earlier barrier with a
  /// thread count, while the other threads have ended or wait; width 1.
  Bits bound_reached() const;

 private:
  cat::Outcome<SymbolicAlgebra> evaluate();

  const cat::Model model_;
  const EventStructure structure_;
  SymbolicAlgebra algebra_;
  const cat::Outcome<SymbolicAlgebra> outcome_;
};

}  // namespace ptxmc
