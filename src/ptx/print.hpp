#pragma once

#include <string>

#include "src/ptx/syntax.hpp"

namespace ptxmc::syntax {

/// The module as PTX in the layout of compilers, without comments. Parsing it gives the same module.
std::string print(const Module&);

/// `{a, b}`, `[a+4]`, `!p`.
std::string print(const Operand&);

/// `@!%p1 ld.global.u32 %r1, [%rd1+4];`
std::string print(const Instruction&, const Module&);

}  // namespace ptxmc::syntax
