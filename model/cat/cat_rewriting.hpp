#pragma once

#include <span>

#include "model/cat/cat_model.hpp"
#include "model/program/event.hpp"

namespace ptxmc::cat {

/// The same model, with tests rewritten to need smaller relations: `irreflexive r | s` becomes two tests, and
/// `irreflexive r; s` becomes `empty r & s^-1`, which avoids the composition. Axioms and flags keep their
/// indices and names.
Model with_small_tests(Model);

/// The same model for executions of these events: what is empty since a base set has none of them is the node
/// `empty`, so that its parts need not be computed. Nodes, axioms and flags keep their indices.
Model without_empty_parts(Model, std::span<const Event>);

}  // namespace ptxmc::cat
