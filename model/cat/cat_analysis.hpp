#pragma once

#include <span>

#include "model/cat/cat_syntax.hpp"
#include "model/cat/checked_model.hpp"

namespace ptxmc::cat {

/// Resolves the names of a model. `model` already has its name, title, kind and files. `statements` are those
/// of all files in order, with each include replaced by the included statements. Throws InputError (unknown
/// name, wrong kind, `let rec` that is not monotone, …) and Unsupported.
Model analyse(Model model, std::span<const syntax::Statement> statements);

}  // namespace ptxmc::cat
