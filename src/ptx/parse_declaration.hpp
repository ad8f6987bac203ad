#pragma once

#include "src/ptx/syntax.hpp"
#include "src/ptx/token_stream.hpp"

namespace ptxmc::syntax {

/// `.extern .visible .weak .common`, if present: PTX ISA 8.7 § 11.6.
Linkage parse_linkage(TokenStream&);

/// The state space that a word names, including `.sreg`.
std::optional<Space> space_named(std::string_view word);
std::string_view name_of(Space);

/// `.global .align 8 .b8 a[4] = {1, 2}, b;` from after its linkage to the `;` inclusive: PTX ISA 8.7 § 5.4.
Declaration parse_declaration(TokenStream&, Linkage);

/// `(.param .b32 n, .param .align 8 .b8 buffer[64])` if there is a parenthesis: PTX ISA 8.7 § 11.2.
std::vector<Declaration> parse_parameters(TokenStream&);

/// `(.managed, .unified(1, 2))` after the word `.attribute`.
std::vector<Attribute> parse_attributes(TokenStream&);

}  // namespace ptxmc::syntax
