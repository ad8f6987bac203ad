#pragma once

#include <span>

#include "model/cat_model.hpp"
#include "model/cat_syntax.hpp"

namespace ptxmc::cat {

/// Gives the names of a model their meaning. `model` has its name, title, kind and files; the statements are
/// those of all files, in order, includes replaced by what they include.
/// Throws InputError (unknown name, wrong kind, `let rec` that is not monotone, …) and Unsupported.
Model analyse(Model model, std::span<const syntax::Statement> statements);

}  // namespace ptxmc::cat
