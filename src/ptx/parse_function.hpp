#pragma once

#include "src/ptx/diagnostics.hpp"
#include "src/ptx/parse_instruction.hpp"
#include "src/ptx/syntax.hpp"
#include "src/ptx/token_stream.hpp"

namespace ptxmc::syntax {

/// `.entry` or `.func` after its linkage, with its body or the `;` of a prototype: PTX ISA 8.7 § 11.2. Wrong
/// statements of the body are reported and left out.
Function parse_function(TokenStream&, MnemonicTable&, Linkage, Diagnostics&);

/// `.pragma "…", "…";` with its `;`.
Pragma parse_pragma(TokenStream&);

}  // namespace ptxmc::syntax
