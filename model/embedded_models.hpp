#pragma once

#include <span>
#include <string_view>

namespace ptxmc {

/// A memory model that comes with the program: the text of a file of model/.
struct EmbeddedModel {
  std::string_view file_name;  ///< "ptx-6.4.cat"
  std::string_view text;
};

/// All of them, ordered by file name.
std::span<const EmbeddedModel> embedded_models();

namespace cat {

struct Model;

/// The model is one of PTX that comes along, as its authors read the manual: the same definitions and axioms,
/// whatever flags were left out.
bool is_embedded_ptx(const Model&);

}  // namespace cat

}  // namespace ptxmc
