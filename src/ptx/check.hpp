#pragma once

#include "semantics/language/instruction_set.hpp"
#include "src/ptx/diagnostics.hpp"
#include "src/ptx/syntax.hpp"

namespace ptxmc::syntax {

/// Checks a module, resolves its names and finds the form of each instruction: PTX ISA 8.7 chapters 5 to 7, §
/// 9.4 and chapter 11. A module without errors conforms to them.
void check(Module&, const InstructionSet&, Diagnostics&);

/// Reads and checks a module; the diagnostics are in the order of the text.
Module read_module(std::shared_ptr<const SourceText>, const InstructionSet&, Diagnostics&);

}  // namespace ptxmc::syntax
