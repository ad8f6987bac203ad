#pragma once

#include <span>

#include "model/cat/cat_model.hpp"
#include "model/program/event.hpp"

namespace ptxmc::cat {

/// The same model, with tests rewritten to need smaller relations: `irreflexive r | s` becomes two tests, and
/// `irreflexive r; s` becomes `empty r & s^-1`, which avoids the composition. Axioms and flags keep their
/// indices and names.
Model with_small_tests(Model);

/// The same model for executions of these events, of which less is computed. What is empty since a base set
/// has none of the events is the node `empty`. What unites a relation with an empty one, or intersects it
/// with all pairs (`r & (~F * ~F)` without fences), is replaced by this relation wherever it is used. Nodes,
/// axioms and flags keep their indices.
Model specialized(Model, std::span<const Event>);

}  // namespace ptxmc::cat
