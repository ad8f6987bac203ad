#pragma once

#include "semantics/language/instruction.hpp"
#include "semantics/language/instruction_set.hpp"

namespace ptxmc {

/// The operations of C++ on memory, as instructions of the section `C++`: they have the order and scope of
/// the operation, seq_cst as `.sc`. Addresses have 64 bits. The opcode of a compare-and-swap names the order
/// of a failure: `cas_fails_relaxed`, `cas_fails_acquire`, `cas_fails_sc`. A weak one may fail for no reason:
/// `weak_cas_fails p` chooses that, and `weak_cas_reads` is what it reads then, in the order of a failure.
const InstructionSet& cpp_instructions();

/// Whether the instruction is of a failure for no reason. The attempt itself is another one.
bool is_weak_failure(const Instruction&);

}  // namespace ptxmc
