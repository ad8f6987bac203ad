#pragma once

#include "semantics/language/instruction_set.hpp"

namespace ptxmc {

/// The operations of C++ on memory, as instructions of the section `C++`: they have the order and scope of
/// the operation, seq_cst as `.sc`. Addresses have 64 bits. The opcode of a compare-and-swap names the order
/// of a failure: `cas_fails_relaxed`, `cas_fails_acquire`, `cas_fails_sc`.
const InstructionSet& cpp_instructions();

}  // namespace ptxmc
