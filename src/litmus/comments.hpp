#pragma once

#include <string>
#include <vector>

#include "semantics/language/source_text.hpp"
#include "src/litmus/resolved_test.hpp"

namespace ptxmc {

/// A litmus file with comments `(* … *)` replaced by blanks, so that positions stay the same, and the
/// statements of the comments about the test.
struct UncommentedText {
  SourceText text;
  std::vector<Expectation> expectations;
  std::vector<std::string> sources;
};

/// Comments nest; quoted strings contain no comments. Throws InputError: an unterminated comment or string,
/// an `expect` line with an unknown word, parentheses that nest too deeply, bytes that are not text.
UncommentedText remove_comments(const SourceText&);

}  // namespace ptxmc
