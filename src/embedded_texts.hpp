#pragma once

#include <span>
#include <string_view>

namespace ptxmc {

/// A file that is part of the program, so that an installed ptxmc needs no data files (cmake/embed.cmake).
struct EmbeddedText {
  std::string_view file_name;  ///< "libcu++.mapping"
  std::string_view text;
};

/// Each ordered by file name.
std::span<const EmbeddedText> embedded_mappings();    ///< compiler/mappings/: published mappings
std::span<const EmbeddedText> embedded_page_parts();  ///< src/report/page/: the page of `--html`
std::span<const EmbeddedText> embedded_cuda_parts();  ///< src/cuda/: the end of programs of `--emit-cuda`

}  // namespace ptxmc
