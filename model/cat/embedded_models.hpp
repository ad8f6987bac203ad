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

/// The files in model/parts/, which models include and which are no models by themselves.
std::span<const EmbeddedModel> embedded_parts();

namespace cat {

struct Model;

/// Whether the model is an embedded model of chapter 8 of the manual (`ptx-…`), or a copy of one under
/// another name: it has the same definitions and axioms; flags may be missing. This is for methods that
/// construct the only executions of a program.
bool is_embedded_ptx(const Model&);

/// The same for the embedded models of scoped C++ (`cpp-…`).
bool is_embedded_cpp(const Model&);

/// Whether the model has all axioms of such an embedded model, and means the same by `co` and by data races.
/// It may have further axioms. Whatever follows from the axioms of PTX holds in all executions of such a
/// model.
bool has_axioms_of_ptx(const Model&);

}  // namespace cat

}  // namespace ptxmc
