#pragma once

#include <string>
#include <vector>

#include "semantics/source_text.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {

/// A litmus file with every comment `(* … *)` blanked out, so that positions stay what they were, and
/// what the comments say about the test.
struct UncommentedText {
  SourceText text;
  std::vector<Expectation> expectations;
  std::vector<std::string> sources;
};

/// Comments nest; inside quotes nothing begins one.
/// Throws InputError: unterminated comment or string, an `expect` line that says nothing known,
/// parentheses too deep to be meant, bytes that are no text.
UncommentedText remove_comments(const SourceText&);

}  // namespace ptxmc
