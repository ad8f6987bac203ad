#pragma once

#include "semantics/language/source_text.hpp"
#include "src/litmus/c_syntax.hpp"

namespace ptxmc {

/// Parses `(parameters) { body }` of a thread: a part of a text without comments. Throws InputError
/// `found …, expected …`, and Unsupported for what C++ has and litmus tests do not.
c_syntax::Function parse_c_function(const SourceText&, litmus_syntax::Part);

/// The scalar type that words such as `unsigned long` or `atomic_int` name, at this offset of the text.
/// Throws as parse_c_function does.
c_syntax::CType parse_c_type(const SourceText&, litmus_syntax::Part);

}  // namespace ptxmc
