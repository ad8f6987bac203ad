#pragma once

#include "model/cat/cat_model.hpp"

namespace ptxmc::cat {

/// The same model, with tests rewritten to need smaller relations: `irreflexive r | s` becomes two tests, and
/// `irreflexive r; s` becomes `empty r & s^-1`, which avoids the composition. Axioms and flags keep their
/// indices and names.
Model with_small_tests(Model);

}  // namespace ptxmc::cat
