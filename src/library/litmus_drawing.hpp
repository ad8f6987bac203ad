#pragma once

#include <vector>

#include "model/cat/cat_model.hpp"
#include "solver/smt_engine/explain.hpp"
#include "src/library/litmus_property.hpp"
#include "src/litmus/litmus_test.hpp"
#include "src/report/picture.hpp"

namespace ptxmc {

/// The execution behind the verdict, as it is drawn, with the findings and what is highlighted of a
/// PropertyAnswer. The answer must have a witness.
DrawnExecution drawn_witness(const LitmusTest&, const cat::Model&, LitmusProperty, const Answer&,
                             const std::vector<std::string>& findings,
                             const std::vector<HighlightedEdge>& highlighted);

/// The execution that ends in a final state, with the relations of the model.
DrawnExecution drawn_state(const LitmusTest&, const cat::Model&, const Answer&, const FinalState&);

/// Whether the execution behind the verdict ends in this state.
bool is_behind_verdict(const FinalState&, const Answer&);

/// The executions that show why a condition is forbidden, with the reason in red: one for each axiom, or that
/// whose final state coherence order excludes.
std::vector<DrawnExecution> drawn_explanation(const LitmusTest&, const cat::Model&, const Explanation&);

}  // namespace ptxmc
