#pragma once

#include "semantics/instruction_set.hpp"
#include "src/ptx/diagnostics.hpp"
#include "src/ptx/syntax.hpp"

namespace ptxmc::syntax {

/// Checks a module and fills in what its names stand for and which form each instruction has: PTX ISA 8.7
/// chapters 5 to 7, § 9.4 and chapter 11. A module without errors obeys them.
void check(Module&, const InstructionSet&, Diagnostics&);

/// Reads and checks a module; the diagnostics are in the order of the text.
Module read_module(std::shared_ptr<const SourceText>, const InstructionSet&, Diagnostics&);

}  // namespace ptxmc::syntax
