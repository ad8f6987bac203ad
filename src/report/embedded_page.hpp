#pragma once

#include <span>
#include <string_view>

namespace ptxmc {

/// A file of src/report/page/ as the program contains it.
struct EmbeddedPart {
  std::string_view file_name;  ///< "page.css"
  std::string_view text;
};

std::span<const EmbeddedPart> embedded_page_parts();

}  // namespace ptxmc
