#pragma once

#include <string>

#include "semantics/language/source_text.hpp"

namespace ptxmc::cat::syntax {

/// The text with comments replaced by blanks, so that offsets stay the same. Comments are `(* … *)`, which
/// nest, and `// …` and `# …` to the end of the line. Throws InputError for a comment or string that does not
/// end, and for input that is not text.
std::string without_comments(const SourceText&);

}  // namespace ptxmc::cat::syntax
