#pragma once

#include <span>
#include <string_view>

namespace ptxmc {

/// A memory model that is part of the program: the text of a file in model/.
struct EmbeddedModel {
  std::string_view file_name;  ///< "ptx-6.4.cat"
  std::string_view text;
};

/// All of them, ordered by file name.
std::span<const EmbeddedModel> embedded_models();

namespace cat {

struct Model;

/// Whether the model is an embedded model of PTX: it has the same definitions and axioms; flags may be
/// missing.
bool is_embedded_ptx(const Model&);

}  // namespace cat

}  // namespace ptxmc
