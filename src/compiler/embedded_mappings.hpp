#pragma once

#include <span>
#include <string_view>

namespace ptxmc {

/// A published mapping that is part of the program: the text of a file in compiler/mappings/.
struct EmbeddedMapping {
  std::string_view file_name;  ///< "libcu++.mapping"
  std::string_view text;
};

/// All of them, ordered by file name.
std::span<const EmbeddedMapping> embedded_mappings();

}  // namespace ptxmc
