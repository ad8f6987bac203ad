#pragma once

#include "model/cat_model.hpp"

namespace ptxmc::cat {

/// The same model with tests that build no larger relations than they ask for: `irreflexive r | s` becomes
/// both, and `irreflexive r; s` becomes `empty r & s^-1`, which never composes the two. Axioms and flags
/// keep their places and names.
Model with_small_tests(Model);

}  // namespace ptxmc::cat
