#pragma once

#include "src/ptx/syntax.hpp"
#include "src/ptx/token_stream.hpp"

/// Debugging directives: PTX ISA 8.7 § 11.5.
namespace ptxmc::syntax {

Location parse_location(TokenStream&);        ///< `.loc 1 21 3, function_name info_string0, inlined_at 1 9 3`
File parse_file(TokenStream&);                ///< `.file 1 "kernel.cu", 1339013327, 64118`
DebugSection parse_section(TokenStream&);     ///< `.section .debug_info { … }`
DebugSection parse_dwarf_line(TokenStream&);  ///< `@@DWARF …`

}  // namespace ptxmc::syntax
