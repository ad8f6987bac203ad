#pragma once

#include <string>

#include "semantics/source_text.hpp"

namespace ptxmc::cat::syntax {

/// The text with blanks in place of comments, offsets unchanged: `(* … *)`, nested, and `// …` and `# …` to
/// the end of the line. Throws InputError for a comment or a string that does not end, and for what is no
/// text.
std::string without_comments(const SourceText&);

}  // namespace ptxmc::cat::syntax
